/**
 * The state of the page: everything that its views show, as one value that nothing changes.
 *
 * `next.js` returns the state after an event. Here are its fields, and what follows from them.
 *
 * @import { Effect } from '../effects.js'
 * @import { Arrival, Place } from '../identity_link.js'
 * @import { Mark } from '../marks.js'
 * @import { Picture } from '../mirror.js'
 * @import { Told } from '../narrate.js'
 * @import { GameGeometry, GameListed, GameOffered, GameReview,
 *   PositionJudgement, Power, RoomListed } from '../protocol.js'
 * @import { Mistakes } from '../puzzles/mistakes.js'
 * @import { Identity, KeptRoom, Preferences } from '../storage.js'
 * @import { Results } from '../suggested_level.js'
 * @import { Tables, Translate } from '../words.js'
 * @import { Form } from './form.js'
 * @import { PageEvent } from './next.js'
 * @import { Premove } from './premoves.js'
 * @import { Course } from './puzzle_events.js'
 * @import { Command } from '../link.js'
 *
 * @typedef {'all' | 'spectators' | {to: string}} Audience who reads a line: `to` one member
 * @typedef {Told & {key: number, mark: ?Mark}} Line a line of the journal
 * @typedef {{move: string, seat: number, ply: number, game: number}} Prediction a move of the
 *   person, with the position for which it is meant
 * @typedef {GameReview & {isPending?: false} | {isPending: true, number: number}} Review
 * @typedef {PositionJudgement & {isPending?: false}
 *   | {isPending: true, number: number, ply: number}} Judged
 * @typedef {{text: string, canUndo: boolean, theme: ?string}} CoachWords said by the coach
 * @typedef {{number: number, isBetter: boolean}} Followed a line of the review: best play from a
 *   costly move on, by its number, or from the better one
 *
 * @typedef {{question: 'play', move: string}
 *   | {question: 'leave_game' | 'leave_room', room: string}
 *   | {question: 'join_next'}
 *   | {question: 'resign' | 'resign_which' | 'kick', name: string}
 *   | {question: 'become', former: string, name: string}} Question see `views/dialogs.js`
 *
 * @typedef {{kind: 'settings' | 'players' | 'invite' | 'standings' | 'rooms' | 'beside'}
 *   | {kind: 'told', title: string, text: string}
 *   | {kind: 'offer', link?: string}
 *   | {kind: 'powers', powers?: Power[]}
 *   | {kind: 'share' | 'mistakes'}
 *   | {kind: 'games', games: GameListed[], next: ?string, isComplete?: boolean}
 *   | Question & {kind: 'question', then: PageEvent, otherwise: ?PageEvent}} Dialog
 *   a `next` of null is on its way; the event `then` comes of the answer yes, `otherwise` of no
 *
 * @typedef {object} State
 * @property {Effect[]} effects what the page has to do after the last event; see `effects.js`
 *
 * The person and this browser:
 * @property {Identity} identity on this server
 * @property {string} guestName a name to begin with
 * @property {readonly string[]} ignored people whose messages aren't shown
 * @property {Preferences} settings
 * @property {Results} results the last ones against levels
 * @property {string} language code of the language that is shown
 * @property {Tables} phrases the tables of all languages, by their codes; see `words.js`
 * @property {boolean} prefersDark whether the device shows dark colours
 * @property {boolean} prefersContrast whether it shows strong contrasts, or colours of its own
 * @property {boolean} prefersStill whether the device wants nothing to move that needn't
 * @property {string} address of the page, without a room
 * @property {boolean} canShare whether the device can share a link with other programs
 * @property {?string} roomFromLink the room of the link that was opened, until the person is there
 * @property {?string} gameFromLink the finished game of such a link, until the server has sent it
 * @property {?Arrival & {problem?: string, isBusy?: boolean}} arrival of an identity by a link
 *
 * The link to the server:
 * @property {boolean} isLinked whether a name was given, and the link runs or has ended
 * @property {boolean} isOnline
 * @property {?('replaced' | 'banned')} ended why the link has ended for good
 * @property {?{text: string, isNameTaken: boolean}} problem with the name that was tried last
 * @property {?string} you the person's name as the server spells it
 * @property {GameOffered[]} games that the server offers
 * @property {number} serverMs the server's time at the last update or second
 * @property {boolean} isEntering whether a room was asked for, and hasn't answered
 * @property {?Picture} picture the room in which the person is
 * @property {?KeptRoom} kept that room as it was before the page was loaded again, until the server
 *   has told the present one; null without one
 * @property {boolean} isInvited whether the person came to watch, or has answered whether to play
 *
 * The lobby:
 * @property {?string} level that was chosen for the next game against the computer
 * @property {number} ticks times that the small boards of the lobby went on
 * @property {ReadonlyMap<string, Picture>} boards of running games, by the codes of their rooms
 * @property {boolean} isCodeAsked whether the field for a room's code is open
 * @property {boolean} startsWhenFull whether the game begins by itself once a friend has come
 * @property {{number: number, rooms: Map<string, RoomListed>, isComplete: boolean}} listing rooms
 * @property {?Form} form for a new room or the next game; see `form.js`
 * @property {?Place & {problem: string}} passwordFor the room that asks
 *
 * The room:
 * @property {?{text: string, rows: readonly string[]}} qrCode the one that was asked for last,
 *   without rows until the server answers
 * @property {Line[]} journal
 * @property {boolean} isReading whether the newest line of the journal is in sight
 * @property {number} unread lines of others that came while it wasn't
 * @property {Line[]} unsent lines of chat that the server hasn't answered
 * @property {number} lines number of the last line
 * @property {number} lastSeq number of the last event that the journal tells
 * @property {Command[]} asked commands of buttons that the server hasn't answered
 * @property {?Prediction} playing a move that is on its way to the server
 * @property {boolean} isMagnified whether a part of the board covers the page, for a finger
 * @property {boolean} wantsUndo whether that is to be taken back
 * @property {?Premove} premove a move that was typed before the turn
 * @property {?string} hint
 * @property {?CoachWords} coaching what the coach says, until the person plays on or closes it
 * @property {boolean} hadHint whether the person has asked for a hint in this game
 * @property {?number} thinking seat of a bot that thinks
 * @property {?{kind: string, value: ?GameGeometry, problem: string}} geometry of the board's game
 *
 * A game that is looked at:
 * @property {?Finished} finished a game outside of rooms
 * @property {?Review} review of the game, or the number of the one that was asked for
 * @property {?Judged} judged a position of it that was judged by itself
 * @property {number} reviews number of the last review or judgement that was asked for
 * @property {?number} replayAt number of tokens that are shown while looking back
 * @property {?Followed} line whose tokens these are, from its costly move on; null: the game's
 * @property {boolean} isReplaying whether the next one follows by itself
 *
 * @property {?Course} course puzzles or lessons, which are there while the person is in no room
 * @property {Mistakes} mistakes of the person in finished games, as far as they were found
 *
 * Over the view:
 * @property {?Dialog} dialog
 * @property {{text: string, key: number}[]} toasts
 * @property {number} toastCount
 *
 * @typedef {{picture: Picture, number: number, link: string}} Finished `link` is "" if only its
 *   players may see it
 *
 * @typedef {State & {picture: Picture}} RoomState that of a person in a room
 * @typedef {RoomState | State & {finished: Finished} | State & {course: Course}} BoardState that of
 *   a person who sees a room, a finished game or a puzzle
 * @typedef {Pick<State, 'identity' | 'guestName' | 'ignored' | 'settings' | 'results' | 'language'
 *   | 'phrases' | 'prefersDark' | 'prefersContrast' | 'prefersStill' | 'address' | 'canShare'
 *   | 'kept'> & {mistakes?: Mistakes}} Start the fields that the browser knows
 */

import { toGame } from '../addresses.js';
import { emptySeats, isToMove, lastMoves, roomMs, seatsOf } from '../mirror.js';
import { withLine } from '../review.js';
import { translator } from '../words.js';

/** The themes that styles/colours.css has, by the names in `data-theme`. */
export const THEMES = ['paper', 'light', 'dark', 'contrast'];

/**
 * Nothing is known of the game that is shown.
 *
 * @type {Pick<State, 'review' | 'judged'>}
 */
export const NO_REVIEW = { review: null, judged: null };

/**
 * Return the state before the first event; `start` has the fields that the browser knows.
 *
 * @type {(start: Start) => State}
 */
export function initialState(start) {
  return {
    effects: [],
    roomFromLink: null,
    gameFromLink: null,
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
    isInvited: false,
    level: null,
    ticks: 0,
    boards: new Map(),
    isCodeAsked: false,
    startsWhenFull: false,
    listing: { number: 0, rooms: new Map(), isComplete: false },
    form: null,
    passwordFor: null,
    qrCode: null,
    journal: [],
    isReading: true,
    unread: 0,
    unsent: [],
    lines: 0,
    lastSeq: 0,
    asked: [],
    playing: null,
    isMagnified: false,
    wantsUndo: false,
    premove: null,
    hint: null,
    coaching: null,
    hadHint: false,
    thinking: null,
    geometry: null,
    finished: null,
    course: null,
    mistakes: { name: '', games: {}, wanted: [], isSeeking: false },
    ...NO_REVIEW,
    reviews: 0,
    replayAt: null,
    line: null,
    isReplaying: false,
    dialog: null,
    toasts: [],
    toastCount: 0,
    ...start,
  };
}

/**
 * Return the state with one more effect.
 *
 * @type {<S extends State>(state: S, effect: Effect) => S}
 */
export function withEffect(state, effect) {
  return { ...state, effects: [...state.effects, effect] };
}

/**
 * Return the texts of the language that is shown, as a function.
 *
 * @type {(state: State) => Translate}
 */
export function wordsOf(state) {
  return translator(state.phrases, state.language);
}

/**
 * Return whether the person is in a room.
 *
 * @type {(state: State) => state is RoomState}
 */
export function isInRoom(state) {
  return state.picture !== null;
}

/**
 * Return whether the person sees a room or a finished game.
 *
 * @type {(state: State) => state is BoardState}
 */
export function isOnBoard(state) {
  return shownPicture(state) !== null;
}

/**
 * Return the room or the finished game that is shown; null if there is none.
 *
 * @overload
 * @param {BoardState} state
 * @returns {Picture}
 *
 * @overload
 * @param {State} state
 * @returns {?Picture}
 *
 * @param {State} state
 */
export function shownPicture(state) {
  return state.picture ?? state.finished?.picture ?? state.course?.picture ?? null;
}

/**
 * Return the course whose task is shown; null if there is none.
 *
 * @type {(state: State) => ?Course}
 */
export function shownCourse(state) {
  const { course } = state;
  return course?.picture === shownPicture(state) ? course : null;
}

/**
 * Return the game whose positions are shown: that of the board, or a line of its review.
 *
 * @type {(state: BoardState) => Picture}
 */
export function shownGame(state) {
  const picture = shownPicture(state);
  return state.line === null ? picture : withLine(picture, state.review, state.line);
}

/**
 * Return the number of its moves that are shown.
 *
 * @type {(state: BoardState) => number}
 */
export function shownCount(state) {
  return state.replayAt ?? shownPicture(state).tokens.length;
}

/**
 * Return the number of moves before the position that is shown; null at the end of the game, while
 * the present is shown, and in a line.
 *
 * @type {(state: State) => ?number}
 */
export function plyShown({ replayAt, line }) {
  return line === null ? replayAt : null;
}

/**
 * Return whether one can step through the game: it is over, or an earlier position is shown.
 *
 * @type {(state: BoardState) => boolean}
 */
export function isSteppable(state) {
  return state.replayAt !== null || shownPicture(state).phase === 'over';
}

/**
 * Return the address at which everybody may see the game of the board once it is over; "" if only
 * its players may.
 *
 * @type {(state: BoardState) => string}
 */
export function gameAddress(state) {
  const link = shownPicture(state).game_link;
  return link && state.address + toGame(link);
}

/**
 * Whether the invitation to the room is shown: in its dialog, or as the room waits for people.
 *
 * @type {(state: State) => boolean}
 */
export function isInviting({ dialog, picture }) {
  if (dialog?.kind === 'invite') return true;
  return picture?.phase === 'waiting' && emptySeats(picture) > 0;
}

/**
 * Return the link to a room.
 *
 * @type {(state: State, room: string) => string}
 */
export function linkTo({ address }, room) {
  return `${address}#${encodeURIComponent(room)}`;
}

/**
 * Return the person's name; null if they have none yet.
 *
 * @type {(state: State) => ?string}
 */
export function nameOf(state) {
  return state.you ?? state.identity.name;
}

/**
 * Return the seats of the person.
 *
 * @type {(state: State) => number[]}
 */
export function mySeats(state) {
  const picture = shownPicture(state);
  const course = shownCourse(state);
  if (course) return [course.puzzle.seat];
  return picture ? seatsOf(picture, nameOf(state)) : [];
}

/**
 * Whether the person is the host of the room.
 *
 * @type {(state: State) => boolean}
 */
export function isHost(state) {
  const picture = shownPicture(state);
  return picture !== null && picture.host === nameOf(state);
}

/**
 * Whether one of the person's seats is to move, and no bot stands in for it.
 *
 * @type {(state: State) => boolean}
 */
export function isMyTurn(state) {
  const picture = shownPicture(state);
  if (shownCourse(state)) return picture?.to_move !== null;
  return picture !== null && isToMove(picture, nameOf(state));
}

/**
 * Whether it is certain that one of the person's seats is to move in a room: without a connection
 * it may have changed.
 *
 * @type {(state: State) => boolean}
 */
export function knowsMyTurn(state) {
  return state.isOnline && isInRoom(state) && isMyTurn(state);
}

/**
 * Whether the board takes a move: at the person's turn, unless one is on its way or the past is
 * shown.
 *
 * @type {(state: State) => boolean}
 */
export function canMove(state) {
  return state.replayAt === null && state.playing === null && isMyTurn(state);
}

/**
 * Return the move that the board shows before the server has taken it: the one on its way, or that
 * of the question whether to play it; null without one, or where the position is another one.
 *
 * @type {(state: State) => ?string}
 */
export function predictedMove({ dialog, playing, picture }) {
  const answered = dialog?.kind === 'question' ? dialog.then : null;
  const predicted = answered?.type === 'play_now' ? answered : playing;
  if (predicted === null || picture?.phase !== 'playing') return null;
  const { move, seat, ply, game } = predicted;
  const { to_move: toMove, ply: plies, game_number: number } = picture;
  return seat === toMove && ply === plies && game === number ? move : null;
}

/**
 * Return the game of these settings as the server describes it.
 *
 * @type {(state: State, settings: {game: string}) => GameOffered | undefined}
 */
export function gameOf(state, settings) {
  return state.games.find((each) => each.game === settings.game);
}

/**
 * Return the tokens to mark: the moves of others since the person's last one.
 *
 * @type {(state: BoardState) => Set<number>}
 */
export function lastTokens(state) {
  const picture = shownPicture(state);
  const course = shownCourse(state);
  if (course) {
    const { moves } = course;
    return new Set(moves.map((_, index) => picture.tokens.length - moves.length + index));
  }
  return new Set(lastMoves(picture, mySeats(state)));
}

/**
 * Return the milliseconds that are left to the player who is to move; null without a clock, or
 * without a connection, as the turn may have passed on.
 *
 * @type {(state: State) => ?number}
 */
export function clockMs(state) {
  const picture = shownPicture(state);
  if (!state.isOnline || picture?.phase !== 'playing' || !picture.deadline_ms) return null;
  return Math.max(0, picture.deadline_ms - roomMs(picture, state.serverMs));
}

/**
 * Return the milliseconds for which a person has been thinking; null if no person is to move, or
 * nobody knows without a connection.
 *
 * @type {(state: State) => ?number}
 */
export function thinkingMs(state) {
  const picture = shownPicture(state);
  if (!state.isOnline || picture?.phase !== 'playing') return null;
  if (!picture.turn_since_ms || picture.to_move === null) return null;
  const thoughtMs = roomMs(picture, state.serverMs) - picture.turn_since_ms;
  return picture.seats[picture.to_move].bot === null ? Math.max(0, thoughtMs) : null;
}

/**
 * Return the event by which the page gives a command.
 *
 * @type {(message: Command) => PageEvent}
 */
export function commanded(message) {
  return { type: 'command', message };
}
