/**
 * What a board is shown of the state.
 *
 * @import { Mark } from '../marks.js'
 * @import { Picture } from '../mirror.js'
 * @import { BoardState } from '../state/state.js'
 *
 * @typedef {{picture: Picture, canMove: boolean, isMagnified: boolean, pending: ?string,
 *   marked: Set<number>, hint: ?string, mistake: ?{move: string, seat: number},
 *   markOf: (seat: number) => Mark}} Shown `hint` is better than a `mistake`
 */

import { markOf } from '../marks.js';
import { findingAt, pictureAt } from '../review.js';
import {
  canMove,
  lastTokens,
  predictedMove,
  shownGame,
  shownPicture,
} from '../state/state.js';

/**
 * Return what a board is shown: the picture, and what is special in it now.
 *
 * @type {(state: BoardState) => Shown}
 */
export function shownOnBoard(state) {
  const { replayAt, premove, hint, review, line, games, isMagnified } = state;
  const picture = shownPicture(state);
  const isLive = replayAt === null;
  const finding = isLive || line !== null ? null : findingAt(review, replayAt);
  return {
    picture: isLive ? picture : pictureAt(shownGame(state), replayAt),
    canMove: canMove(state),
    isMagnified,
    pending: isLive ? predictedMove(state) : null,
    marked: isLive ? lastTokens(state) : new Set([replayAt - 1]),
    hint: isLive ? (premove?.move ?? hint) : (finding?.better ?? null),
    mistake: finding,
    markOf: (seat) => markOf(picture, seat, games),
  };
}
