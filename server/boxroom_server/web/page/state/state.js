/**
 * The state of the page: everything that its views show, as one value that nothing changes.
 *
 * `next.js` returns the state after an event. Here are its fields, and what follows from them.
 *
 * @typedef {object} Picture a room as in `in_room.room`, with all defaults; see `mirror.js`
 * @typedef {{kind: string, text: string, seat: ?number, author?: string, key: number,
 *   mark: ?{glyph: string, className: string}}} Line a line of the journal
 *
 * @typedef {object} State
 * @property {object[]} effects what the page has to do after the last event; see `effects.js`
 *
 * The person and this browser:
 * @property {{name: ?string, secret: string, isKept: boolean}} identity on this server
 * @property {string} guestName a name to begin with
 * @property {{theme: string, language: ?string, confirms: boolean}} settings
 * @property {string} language code of the language that is shown
 * @property {object} phrases the tables of all languages, by their codes; see `words.js`
 * @property {boolean} prefersDark whether the device shows dark colours
 * @property {string} address of the page, without a room
 * @property {?string} roomFromLink the room of the link that was opened, until the person is there
 * @property {?{pad: string, code: ?string, place: ?object, problem?: string, isBusy?: boolean}}
 *   arrival of an identity by a link
 *
 * The link to the server:
 * @property {boolean} isLinked whether a name was given, and the link runs or has ended
 * @property {boolean} isOnline
 * @property {?('replaced' | 'banned')} ended why the link has ended for good
 * @property {?{text: string, isNameTaken: boolean}} problem with the name that was tried last
 * @property {?string} you the person's name as the server spells it
 * @property {object[]} games that the server offers
 * @property {number} serverMs the server's time at the last update or second
 * @property {boolean} isEntering whether a room was asked for, and hasn't answered
 * @property {?Picture} picture the room in which the person is
 *
 * The lobby:
 * @property {{number: number, rooms: Map<string, object>, isComplete: boolean}} listing open rooms
 * @property {?object} form for a new room or the next game; see `form.js`
 * @property {?{room: string, watch: boolean, problem: string}} passwordFor the room that asks
 *
 * The room:
 * @property {Line[]} journal
 * @property {Line[]} unsent lines of chat that the server hasn't answered
 * @property {number} lines number of the last line
 * @property {number} lastSeq number of the last event that the journal tells
 * @property {?string} playing a move that is on its way to the server
 * @property {boolean} wantsUndo whether that is to be taken back
 * @property {?import('./premoves.js').Premove} premove a move that was typed before the turn
 * @property {?string} hint
 * @property {?number} thinking seat of a bot that thinks
 * @property {?{kind: string, value: ?object, problem: string}} geometry of the game on the board
 *
 * A game that is looked at:
 * @property {?{picture: Picture, number: number}} finished a game outside of rooms
 * @property {?object} review of the game: {isPending, number}, or the server's answer
 * @property {number} reviews number of the last review that was asked for
 * @property {?number} replayAt number of tokens that are shown while looking back
 * @property {boolean} isReplaying whether the next one follows by itself
 *
 * Over the view:
 * @property {?object} dialog {kind, …}; see `views/dialogs.js`
 * @property {{text: string, key: number}[]} toasts
 * @property {number} toastCount
 */

import { lastMoves, seatsOf } from '../mirror.js';
import { translator } from '../words.js';

/** Return the state before the first event; `start` has the fields that the browser knows. */
export function initialState(start) {
  return {
    effects: [],
    roomFromLink: null,
    arrival: null,
    isLinked: false,
    isOnline: false,
    ended: null,
    problem: null,
    you: null,
    games: [],
    serverMs: 0,
    isEntering: false,
    picture: null,
    listing: { number: 0, rooms: new Map(), isComplete: false },
    form: null,
    passwordFor: null,
    journal: [],
    unsent: [],
    lines: 0,
    lastSeq: 0,
    playing: null,
    wantsUndo: false,
    premove: null,
    hint: null,
    thinking: null,
    geometry: null,
    finished: null,
    review: null,
    reviews: 0,
    replayAt: null,
    isReplaying: false,
    dialog: null,
    toasts: [],
    toastCount: 0,
    ...start,
  };
}

/** Return the state with one more effect. */
export function withEffect(state, effect) {
  return { ...state, effects: [...state.effects, effect] };
}

/** Return the texts of the language that is shown, as a function. */
export function wordsOf(state) {
  return translator(state.phrases, state.language);
}

/** Return the room or the finished game that is shown; null if there is none. */
export function shownPicture(state) {
  return state.picture ?? state.finished?.picture ?? null;
}

/** Return the person's name; null if they have none yet. */
export function nameOf(state) {
  return state.you ?? state.identity.name;
}

/** Return the seats of the person. */
export function mySeats(state) {
  const picture = shownPicture(state);
  return picture ? seatsOf(picture, nameOf(state)) : [];
}

/** Whether the person is the host of the room. */
export function isHost(state) {
  const picture = shownPicture(state);
  return picture !== null && picture.host === nameOf(state);
}

/** Whether one of the person's seats is to move, and no bot stands in for it. */
export function isMyTurn(state) {
  const picture = shownPicture(state);
  return (
    picture !== null &&
    picture.phase === 'playing' &&
    mySeats(state).includes(picture.to_move) &&
    picture.seats[picture.to_move].bot === null
  );
}

/** Return the game of these settings as the server describes it. */
export function gameOf(state, settings) {
  return state.games.find((each) => each.game === settings.game);
}

/** Return the tokens to mark: the moves of others since the person's last one. */
export function lastTokens(state) {
  return new Set(lastMoves(shownPicture(state), mySeats(state)));
}

/** Return the milliseconds that are left to the player who is to move; null without a clock. */
export function clockMs(state) {
  const { phase, deadline_ms: deadlineMs } = shownPicture(state) ?? {};
  if (phase !== 'playing' || !deadlineMs) return null;
  return Math.max(0, deadlineMs - state.serverMs);
}

/** Return the event by which the page gives a command. */
export function commanded(message) {
  return { type: 'command', message };
}
