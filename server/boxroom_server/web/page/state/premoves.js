/** Premoves: moves that a player types before the turn, kept until it comes. */

import { withdrawn } from '../narrate.js';

/**
 * @import { Picture } from '../mirror.js'
 *
 * @typedef {{seat: number, move: string, log: string, game: number, tokens: string[]}} Premove
 *   a move with the log of the room, the number of the game, and the tokens that the position must
 *   follow on
 */

/**
 * Return `move` as a premove for the seat of `me` whose turn is next; null if none comes.
 *
 * @type {(picture: Picture, me: ?string, move: string) => ?Premove}
 */
export function premoveOf(picture, me, move) {
  const { phase, seats, to_move: toMove, log, game_number: game, tokens } = picture;
  if (phase !== 'playing' || toMove === null) return null;
  const later = seats.map((_, i) => (toMove + 1 + i) % seats.length);
  const seat = later.find((each) => plays(picture, me, each));
  return seat === undefined || seat === toMove ? null : { seat, move, log, game, tokens };
}

/**
 * Return whether a premove can still be played: in the same game, with no move taken back.
 *
 * @type {(premove: Premove, picture: Picture, me: ?string) => boolean}
 */
export function isValid({ seat, log, game, tokens }, picture, me) {
  return (
    picture.phase === 'playing' &&
    picture.log === log &&
    picture.game_number === game &&
    tokens.every((token, i) => picture.tokens[i] === token) &&
    plays(picture, me, seat)
  );
}

/** @type {(picture: Picture, me: ?string, seat: number) => boolean} */
function plays(picture, me, seat) {
  const { member, bot } = picture.seats[seat];
  return member === me && bot === null && !withdrawn(picture).has(seat);
}
