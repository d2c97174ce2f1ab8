/**
 * The table of a room's games in words, the same as in the terminal.
 *
 * @import { Picture, Row } from './mirror.js'
 * @import { Translate } from './words.js'
 */

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
