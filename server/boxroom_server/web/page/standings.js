/**
 * The table of a room's games in words, the same as in the terminal.
 *
 * @import { Picture, Row } from './mirror.js'
 * @import { GameOffered } from './protocol.js'
 * @import { Translate } from './words.js'
 */

import { called, known } from './game_words.js';
import { byCodePoints } from './mirror.js';

/** Players whose points are told after a game; one more is named, too, as a count takes as long. */
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
 * Return a line with the table of the series after a game, or of all games if none is on.
 *
 * After the first of all games there is none, as its result says the same.
 *
 * @type {(picture: Picture, t: Translate) => string[]}
 */
export function standingsInShort({ table, series, players, settings }, t) {
  if (series.length) return [inShort(series, t, t('standings.best_of', { n: settings.best_of }))];
  if (table.length <= players.length && table.every((row) => row.games === 1)) return [];
  return [inShort(table, t)];
}

/**
 * Return the games won of two players; of more in a `series`, too, and else their points.
 *
 * @type {(table: readonly Row[], t: Translate, series?: string) => string}
 */
function inShort(table, t, series = '') {
  const rows = inOrder(table);
  const what = series || t('standings.so_far');
  if (rows.length === 2) {
    const [{ games, wins: won }, { wins: lost }] = rows;
    const [name, other] = rows.map((row) => called(row.name, t));
    const drawn = games - won - lost;
    const key = drawn ? 'standings.two_drawn' : 'standings.two';
    return t(key, { what, name, won, lost, other, n: drawn });
  }
  if (series) rows.sort((one, other) => other.wins - one.wins);
  const named = rows.length > MOST_NAMED + 1 ? MOST_NAMED : rows.length;
  const told = rows.slice(0, named).map(({ name, wins, points }) => {
    return t('standings.row', { name: called(name, t), n: series ? wins : points });
  });
  const more = rows.length - named;
  if (more) told.push(t('standings.more', { n: more }));
  return t(series ? 'standings.won' : 'standings.points', { what, rows: told });
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
  const hasSeries = rows.some((row) => row.series);
  const head = [t('standings.player'), t('standings.games'), t('standings.wins')];
  return [
    [
      ...head,
      ...taken.map(({ words }) => words),
      ...(hasSeries ? [t('standings.series')] : []),
      t('standings.points_column'),
    ],
    ...inOrder(rows).map(({ name, games: all, wins, points, scores, series }) => {
      const counts = taken.map(({ game }) => scores[game] ?? 0);
      const numbers = [all, wins, ...counts, ...(hasSeries ? [series] : []), points];
      return [called(name, t), ...numbers.map(String)];
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
