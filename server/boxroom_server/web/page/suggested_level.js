/**
 * The level that is suggested for a person's next game, by the last results in this browser; the
 * terminal suggests the same (`suggested_level` in the engine).
 *
 * @import { Picture } from './mirror.js'
 * @import { GameOffered } from './protocol.js'
 *
 * @typedef {[string, number]} Result a level, and the points against it: 1, 1/2 or 0
 * @typedef {Record<string, Result[]>} Results the last results by the names of games
 */

/**
 * Return the one of `levels`, the lowest first, that the last two of `results` suggest.
 *
 * @type {(results: readonly Result[], levels: readonly string[]) => string | undefined}
 */
export function suggestedLevel(results, levels) {
  const [before, last] = [results.at(-2), results.at(-1)];
  if (!last) return levels[0];
  const [level, points] = last;
  const isRow = before?.[0] === level && before[1] === points;
  const place = Math.max(0, levels.indexOf(level)) + (isRow ? Math.round(2 * points) - 1 : 0);
  return levels[Math.min(Math.max(place, 0), levels.length - 1)];
}

/**
 * Return the result of the game that has just ended, if it was one of `me` alone against a level.
 *
 * A game with help counts as drawn.
 *
 * @type {(picture: Picture, me: ?string, game: GameOffered | undefined, isHelped: boolean) =>
 *   ?Result}
 */
export function resultOf({ seats, winners, undos, unrated }, me, game, isHelped) {
  const [seat, ...others] = seats.flatMap(({ member }, each) => (member === me ? [each] : []));
  const { member = me, bot = null } = seats[1 - seat] ?? {};
  if (others.length || seats.length !== 2 || member !== null || bot === null) return null;
  if (!game?.levels?.includes(bot)) return null;
  const hasHelp = isHelped || undos > 0 || unrated;
  if (hasHelp || winners?.length !== 1) return [bot, 0.5];
  return [bot, winners[0] === seat ? 1 : 0];
}
