/**
 * What a board is shown of the state.
 *
 * @import { Mark } from '../marks.js'
 * @import { Picture } from '../mirror.js'
 * @import { BoardState } from '../state/state.js'
 *
 * @typedef {{picture: Picture, canMove: boolean, pending: ?string, marked: Set<number>,
 *   hint: ?string, markOf: (seat: number) => Mark}} Shown
 */

import { markOf } from '../marks.js';
import { findingAt } from '../review.js';
import { isMyTurn, lastTokens, predictedMove, shownPicture } from '../state/state.js';

/**
 * Return what a board is shown: the picture, and what is special in it now.
 *
 * @type {(state: BoardState) => Shown}
 */
export function shownOnBoard(state) {
  const { replayAt, playing, premove, hint, review, games } = state;
  const picture = shownPicture(state);
  const isLive = replayAt === null;
  return {
    picture: isLive ? picture : pictureAt(picture, replayAt),
    canMove: isLive && isMyTurn(state) && playing === null,
    pending: isLive ? predictedMove(state) : null,
    marked: isLive ? lastTokens(state) : new Set([replayAt - 1]),
    hint: isLive ? (premove?.move ?? hint) : (findingAt(review, replayAt)?.better ?? null),
    markOf: (seat) => markOf(picture, seat, games),
  };
}

/**
 * Return the picture after the first `count` moves of its game, for the board.
 *
 * @type {(picture: Picture, count: number) => Picture}
 */
function pictureAt(picture, count) {
  return {
    ...picture,
    tokens: picture.tokens.slice(0, count),
    movers: picture.movers.slice(0, count),
    taken: picture.taken.filter(([index]) => index < count),
  };
}
