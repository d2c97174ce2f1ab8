/**
 * The state while the page looks for the mistakes of the person, game after game.
 *
 * The lobby does so in the background: it asks for the review of one game at a time, and keeps what
 * it finds, so that each game is reviewed once.
 *
 * @import { Picture } from '../mirror.js'
 * @import { GameListed, GameRecord, GameReview, Games } from '../protocol.js'
 * @import { Mistake, Mistakes } from '../puzzles/mistakes.js'
 * @import { Failure, Handlers, Outcome } from './next.js'
 * @import { State } from './state.js'
 *
 * @typedef {{type: 'open_mistakes'}
 *   | {type: 'find_mistakes', number: number}
 *   | {type: 'own_games_listed'} & Outcome<Games>
 *   | {type: 'own_game_fetched', number: number} & Outcome<GameRecord>
 *   | {type: 'own_game_reviewed', number: number, picture: Picture, seat: number}
 *     & Outcome<GameReview>} MistakeEvent
 */

import { FOR_NOW } from '../link.js';
import { pictureFrom, seatsOf } from '../mirror.js';
import { mistakesIn } from '../puzzles/mistakes.js';
import { openDialog } from './changes.js';
import { isInRoom, withEffect } from './state.js';

/** Games that are looked at, as the terminal does. */
const MOST_REVIEWED = 12;

/** @type {Handlers<MistakeEvent>} */
export const MISTAKE_EVENTS = {
  open_mistakes: (state) => findMistakes(openDialog(state, { kind: 'mistakes' })),
  /** The person is in the lobby since it was opened for the time of that number. */
  find_mistakes: (state, { number }) =>
    number === state.listing.number ? findMistakes(state) : state,
  own_games_listed: (state, { answer, error }) => {
    if (error) return withMistakes(state, { isSeeking: false });
    const { name, games } = state.mistakes;
    const wanted = answer.games.filter(isForTwo).map(({ game }) => game).slice(0, MOST_REVIEWED);
    const known = wanted.filter((game) => name === state.you && game in games);
    const kept = Object.fromEntries(known.map((game) => [game, games[game]]));
    return seekNext(withMistakes(state, { name: state.you ?? '', games: kept, wanted }));
  },
  own_game_fetched: (state, { number, answer, error }) => {
    if (error) return withoutGame(state, number, error);
    const picture = answer.room && pictureFrom(answer.room);
    const seats = picture ? seatsOf(picture, state.you) : [];
    if (!picture || seats.length !== 1) return keep(state, number, null);
    return withEffect(state, {
      type: 'request',
      message: { type: 'get_review', game: number },
      then: { type: 'own_game_reviewed', number, picture, seat: seats[0] },
    });
  },
  own_game_reviewed: (state, { number, picture, seat, answer, error }) =>
    error
      ? withoutGame(state, number, error)
      : keep(state, number, mistakesIn(picture, number, answer, seat)),
};

/** @type {(state: State, changes: Partial<Mistakes>) => State} */
function withMistakes(state, changes) {
  return { ...state, mistakes: { ...state.mistakes, ...changes } };
}

/** @type {(game: GameListed) => boolean} */
function isForTwo({ kind, players }) {
  return kind.startsWith('dots ') && players.length === 2;
}

/**
 * Look for mistakes in the games that weren't reviewed yet, unless that goes on.
 *
 * @type {(state: State) => State}
 */
function findMistakes(state) {
  if (state.mistakes.isSeeking || isInRoom(state) || !state.isOnline) return state;
  return withEffect(withMistakes(state, { isSeeking: true }), {
    type: 'request',
    message: { type: 'list_games' },
    then: { type: 'own_games_listed' },
  });
}

/**
 * Look at the next game, until the person goes to a room.
 *
 * @type {(state: State) => State}
 */
function seekNext(state) {
  const { games, wanted } = state.mistakes;
  const number = wanted.find((game) => !(game in games));
  if (number === undefined || isInRoom(state)) return withMistakes(state, { isSeeking: false });
  return withEffect(state, {
    type: 'request',
    message: { type: 'get_game', game: number },
    then: { type: 'own_game_fetched', number },
  });
}

/** @type {(state: State, number: number, found: ?Mistake[]) => State} */
function keep(state, number, found) {
  const games = { ...state.mistakes.games, [number]: found };
  const kept = withMistakes(state, { games });
  return seekNext(withEffect(kept, { type: 'save_mistakes', mistakes: kept.mistakes }));
}

/**
 * Go on without a game that can't be reviewed; stop if none can be now.
 *
 * @type {(state: State, number: number, error: Failure) => State}
 */
function withoutGame(state, number, { code = '', isOffline }) {
  if (isOffline || FOR_NOW.includes(code)) return withMistakes(state, { isSeeking: false });
  const wanted = state.mistakes.wanted.filter((game) => game !== number);
  return seekNext(withMistakes(state, { wanted }));
}
