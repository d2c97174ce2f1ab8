/**
 * The table of a room's games in words, the same as in the terminal.
 *
 * @import { Picture, Row } from './mirror.js'
 * @import { GameOffered } from './protocol.js'
 * @import { Translate } from './words.js'
 */

import { known } from './game_words.js';
import { byCodePoints } from './mirror.js';

/** Players whose points are told after a game. */
const MOST_NAMED = 5;

/**
 * Return the rows by points, then by wins, then by name.
 *
 * @type {(rows: readonly Row[]) => Row[]}
 */
export function inOrder(rows) {
  return [...rows].sort(
    (one, other) =>
      other.points - one.points || other.wins - one.wins || byCodePoints(one.name, other.name),
  );
}

/**
 * Return a line with the table after a game; none after the first, whose result says it.
 *
 * @type {(picture: Picture, t: Translate) => string[]}
 */
export function standingsInShort({ table, players }, t) {
  const rows = inOrder(table);
  if (rows.length <= players.length && rows.every((row) => row.games === 1)) return [];
  if (rows.length === 2) {
    const [{ name, games, wins: won }, { name: other, wins: lost }] = rows;
    const drawn = games - won - lost;
    const key = drawn ? 'standings.two_drawn' : 'standings.two';
    return [t(key, { name, won, lost, other, n: drawn })];
  }
  const named = rows.slice(0, MOST_NAMED);
  const points = named.map((row) => t('standings.row', { name: row.name, n: row.points }));
  const more = rows.length - named.length;
  if (more) points.push(t('standings.more', { n: more }));
  return [t('standings.points', { rows: points })];
}

/**
 * Return the table as lines of texts: a heading, and each player, the best first.
 *
 * @type {(rows: readonly Row[], t: Translate, games: GameOffered[]) => string[][]}
 */
export function standingsTable(rows, t, games) {
  const taken = games.flatMap(({ game, prize }) =>
    prize && rows.some(({ scores }) => game in scores)
      ? [{ game, words: known(t, `standings.prize_${prize[0]}`, prize[1]) }]
      : [],
  );
  const head = [t('standings.player'), t('standings.games'), t('standings.wins')];
  return [
    [...head, ...taken.map(({ words }) => words), t('standings.points_column')],
    ...inOrder(rows).map(({ name, games: all, wins, points, scores }) => {
      const counts = taken.map(({ game }) => scores[game] ?? 0);
      return [name, ...[all, wins, ...counts, points].map(String)];
    }),
  ];
}

/**
 * Return a table as text, with its columns in line.
 *
 * @type {(table: string[][]) => string}
 */
export function asText(table) {
  const widths = table[0].map((_, i) => Math.max(...table.map((line) => [...line[i]].length)));
  /** @type {(text: string, i: number) => string} */
  const cell = (text, i) => {
    const spaces = ' '.repeat(widths[i] - [...text].length);
    return i ? spaces + text : text + spaces;
  };
  return table.map((line) => `${line.map(cell).join('  ')}\n`).join('');
}
