/**
 * What a board is shown of the state.
 *
 * @import { Mark } from '../marks.js'
 * @import { Picture } from '../mirror.js'
 * @import { BoardState } from '../state/state.js'
 *
 * @typedef {{picture: Picture, canMove: boolean, isMagnified: boolean, pending: ?string,
 *   marked: Set<number>, hints: string[], named: string[],
 *   mistake: ?{move: string, seat: number}, markOf: (seat: number) => Mark}} Shown `hints` are good
 *   moves, better than a `mistake`; `named` are moves whose names stand beside them
 */

import { markOf } from '../marks.js';
import { namedMove } from '../puzzles/lesson.js';
import { findingAt, MOST_BEST, pictureAt } from '../review.js';
import {
  canMove,
  lastTokens,
  plyShown,
  predictedMove,
  shownCourse,
  shownGame,
  shownPicture,
} from '../state/state.js';

/**
 * Return what a board is shown: the picture, and what is special in it now.
 *
 * @type {(state: BoardState) => Shown}
 */
export function shownOnBoard(state) {
  const { replayAt, premove, games, isMagnified } = state;
  const picture = shownPicture(state);
  const course = shownCourse(state);
  const told = course && namedMove(course.puzzle);
  const isLive = replayAt === null;
  const { best, mistake } = isLive ? NOTHING_KNOWN : knownAt(state);
  const mine = premove?.move ?? told ?? state.hint;
  return {
    picture: isLive ? picture : pictureAt(shownGame(state), replayAt),
    canMove: canMove(state),
    isMagnified,
    pending: isLive ? predictedMove(state) : null,
    marked: isLive ? lastTokens(state) : new Set([replayAt - 1]),
    hints: isLive && mine !== null ? [mine] : best,
    named: [...(mistake ? [mistake.move] : []), ...(told ? [told] : best)].slice(0, MOST_NAMES),
    mistake,
    markOf: (seat) => markOf(picture, seat, games),
  };
}

/** Names beside moves: more would cover the board. */
const MOST_NAMES = MOST_BEST + 1;

/** @typedef {{best: string[], mistake: Shown['mistake']}} Known */

/** @type {Known} */
const NOTHING_KNOWN = { best: [], mistake: null };

/**
 * Return the best moves of the position of a game that is shown, as far as a judgement or the
 * review knows them, and the mistake that was played there.
 *
 * @type {(state: BoardState) => Known}
 */
function knownAt(state) {
  const { judged, review } = state;
  const at = plyShown(state);
  if (at === null) return NOTHING_KNOWN;
  if (judged?.ply === at && !judged.isPending) {
    return { best: judged.best, mistake: judged.finding ?? null };
  }
  const finding = findingAt(review, at);
  return finding ? { best: [finding.better], mistake: finding } : NOTHING_KNOWN;
}
