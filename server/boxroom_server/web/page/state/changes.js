/**
 * Changes of the state that several events have in common.
 *
 * @import { Effect, Then, ThenOfCommand } from '../effects.js'
 * @import { Place } from '../identity_link.js'
 * @import { Command } from '../link.js'
 * @import { Told } from '../narrate.js'
 * @import { KeptRoom } from '../storage.js'
 * @import { Failure, PageEvent } from './next.js'
 * @import { Dialog, Followed, Line, Prediction, Question, RoomState, State } from './state.js'
 */

import { markOf } from '../marks.js';
import { audienceOf, canVote, joiningNext } from '../mirror.js';
import {
  commanded,
  isInRoom,
  isOnBoard,
  mySeats,
  nameOf,
  NO_REVIEW,
  shownGame,
  shownPicture,
  withEffect,
} from './state.js';

/** Time for which a message in passing is shown. */
const TOAST_MS = 5000;
/** Time after which the small boards of the lobby go on. */
const TICK_MS = 900;
/** Lines of the journal that are kept, and the number from which the oldest are dropped. */
const KEPT_LINES = 200;
const MOST_LINES = 300;

/**
 * Show a message in passing.
 *
 * @type {(state: State, text: string) => State}
 */
export function toast(state, text) {
  const key = state.toastCount + 1;
  const toasts = [...state.toasts, { text, key }].slice(-2);
  const shown = { ...state, toasts, toastCount: key };
  return withEffect(shown, { type: 'wait', ms: TOAST_MS, event: { type: 'toast_over', key } });
}

/**
 * Show why something failed, if it did. Without a connection a banner says so already.
 *
 * @type {(state: State, error?: Failure) => State}
 */
export function failed(state, error) {
  return error && !error.isOffline ? toast(state, error.message) : state;
}

/**
 * Send a command to the room; the event `then` comes with its answer or error.
 *
 * @type {(state: State, message: Command, then?: ThenOfCommand) => State}
 */
export function command(state, message, then) {
  return withEffect(state, { type: 'command', message, then: then ?? { type: 'answered' } });
}

/**
 * Send the command of a button to the room, once of two presses.
 *
 * @type {(state: State, message: Command) => State}
 */
export function commandOnce(state, message) {
  const text = JSON.stringify(message);
  if (state.asked.some((each) => JSON.stringify(each) === text)) return state;
  const asked = [...state.asked, message];
  return command({ ...state, asked }, message, { type: 'once_answered', message });
}

/**
 * Connect to the server under a name, and go to the room of the link or of the last visit.
 *
 * @type {(state: State, name: string) => State}
 */
export function greet(state, name) {
  const greeted = connect(state, name, null);
  if (state.gameFromLink !== null || state.finished !== null) return greeted;
  if (state.roomFromLink) return join(greeted, { room: state.roomFromLink });
  return withEffect(greeted, { type: 'load_room', then: { type: 'come_back' } });
}

/**
 * Connect to the server under a name, in the room that was kept, if there is one.
 *
 * @type {(state: State, name: string, kept: ?KeptRoom) => State}
 */
export function connect(state, name, kept) {
  const fresh = {
    ...state,
    isLinked: true,
    isOnline: false,
    ended: null,
    problem: null,
    you: null,
    games: [],
    isEntering: false,
    picture: null,
    listing: { ...state.listing, isComplete: false },
    ...kept,
    kept,
  };
  return withEffect(fresh, { type: 'greet', name, secret: state.identity.secret, kept });
}

/**
 * Keep the room to which the person comes back after a reload.
 *
 * @type {(state: State) => State}
 */
export function keepPlace(state) {
  return withEffect(state, { type: 'save_room', place: placeOf(state) });
}

/**
 * Show the open rooms, and their changes: first the changes, so that none is missed.
 *
 * @type {(state: State) => State}
 */
export function openLobby(state) {
  const number = state.listing.number + 1;
  const listing = { number, rooms: new Map(), isComplete: false };
  const opened = withEffect(
    { ...state, listing },
    { type: 'request', message: { type: 'watch_rooms' }, then: { type: 'list_rooms', number } },
  );
  return tickSoon(opened);
}

/**
 * Have the small boards of the lobby go on soon.
 *
 * @type {(state: State) => State}
 */
export function tickSoon(state) {
  const event = /** @type {const} */ ({ type: 'tick', number: state.listing.number });
  return withEffect(state, { type: 'wait', ms: TICK_MS, event });
}

/**
 * Ask for the open rooms, from a room, in which the server tells no changes of them.
 *
 * @type {(state: State) => State}
 */
export function openRooms(state) {
  const number = state.listing.number + 1;
  const listing = { number, rooms: new Map(), isComplete: false };
  const opened = openDialog({ ...state, listing }, { kind: 'rooms' });
  return withEffect(opened, { type: 'dispatch', event: { type: 'list_rooms', number } });
}

/**
 * Ask for a room, once of two taps.
 *
 * @type {(state: State, effect: Extract<Effect, {type: 'enter'}>) => State}
 */
export function enter(state, effect) {
  return state.isEntering ? state : withEffect({ ...state, isEntering: true }, effect);
}

/**
 * Go to a room, from another one, too; who plays a game there is asked first.
 *
 * @type {(state: State, where: {room: string, password?: string, watch?: boolean}) => State}
 */
export function goTo(state, where) {
  const there = state.dialog?.kind === 'rooms' ? closeDialog(state) : state;
  if (!isInRoom(state) || where.password) return join(there, where);
  const { phase, room } = state.picture;
  if (phase !== 'playing' || !mySeats(state).length) return join(there, where);
  const { room: wanted, watch } = where;
  const event = /** @type {const} */ ({ type: 'join_now', room: wanted, watch });
  return ask(there, { question: 'leave_game', room }, event);
}

/** @type {(state: State, where: {room: string, password?: string, watch?: boolean}) => State} */
export function join(state, { room, password = '', watch = false }) {
  return enter({ ...state, isInvited: watch }, {
    type: 'enter',
    message: { type: 'join_room', room, ...(password && { password }), ...(watch && { watch }) },
    then: { type: 'join_answered', room, watch, isAgain: password !== '' },
  });
}

/**
 * Add lines to the journal.
 *
 * @type {(state: State, lines: Told[]) => State}
 */
export function report(state, lines) {
  const added = numbered(state, lines);
  const journal = [...state.journal, ...added];
  return {
    ...state,
    lines: state.lines + lines.length,
    unread: state.isReading ? 0 : state.unread + lines.filter(isFromOthers).length,
    // Many at once, as all others move when the first one goes, and the browser paints them anew.
    journal: journal.length > MOST_LINES ? journal.slice(-KEPT_LINES) : journal,
  };
}

/** @type {(line: Told) => boolean} */
function isFromOthers({ kind }) {
  return ['chat', 'private', 'aside'].includes(kind);
}

/**
 * Take another name.
 *
 * @type {(state: State, name: string) => State}
 */
export function rename(state, name) {
  const then = /** @type {const} */ ({ type: 'renamed', former: nameOf(state) });
  return withEffect(state, { type: 'rename', name, then });
}

/**
 * Ignore a person from now on, or listen again.
 *
 * @type {(state: State, name: string, isIgnored: boolean) => State}
 */
export function ignore(state, name, isIgnored) {
  const others = state.ignored.filter((each) => each !== name);
  const names = isIgnored ? [...others, name] : others;
  return withEffect({ ...state, ignored: names }, { type: 'save_ignored', names });
}

/**
 * Return lines with their keys, and the marks of their seats as they are now.
 *
 * @type {(state: State, lines: Told[]) => Line[]}
 */
export function numbered(state, lines) {
  const picture = shownPicture(state);
  /** @type {(seat: ?number) => Line['mark']} */
  const markAt = (seat) =>
    seat === null || picture === null || seat >= picture.seats.length
      ? null
      : markOf(picture, seat, state.games);
  return lines.map((line, i) => ({ ...line, key: state.lines + 1 + i, mark: markAt(line.seat) }));
}

/**
 * Show the position after the first `count` moves of the game, or of a line; null: the present one.
 *
 * The end of a game that is over is the present one.
 *
 * @type {(state: State, count: ?number, line?: ?Followed, isReplaying?: boolean) => State}
 */
export function lookBack(state, count, line = null, isReplaying = false) {
  const looking = { ...state, line: count === null ? null : line, isReplaying };
  if (count === null || !isOnBoard(looking)) return { ...looking, replayAt: null };
  const [first, most] = [line === null ? 0 : line.number - 1, shownGame(looking).tokens.length];
  const isEnd = count >= most && line === null && shownPicture(looking).phase === 'over';
  return { ...looking, replayAt: isEnd ? null : Math.max(first, Math.min(count, most)) };
}

/**
 * Forget what was shown about a position that is gone.
 *
 * @type {(state: State) => State}
 */
export function forgetPosition(state) {
  const gone = { ...state, hint: null, coaching: null, thinking: null, ...NO_REVIEW };
  return lookBack(gone, null);
}

/**
 * Open a dialog, in place of another one, which is answered by no.
 *
 * @type {(state: State, dialog: Dialog) => State}
 */
export function openDialog(state, dialog) {
  return { ...closeDialog(state), dialog };
}

/**
 * Ask what the host can do now, for the dialog that shows it.
 *
 * @type {(state: State) => State}
 */
export function askPowers(state) {
  return withEffect(state, {
    type: 'request',
    message: { type: 'get_powers' },
    then: { type: 'powers_answered' },
  });
}

/**
 * Close the dialog. A question that was not answered by yes has its other consequence.
 *
 * @type {(state: State) => State}
 */
export function closeDialog(state) {
  const { dialog } = state;
  const passwordFor = dialog?.kind === 'rooms' ? null : state.passwordFor;
  const closed = { ...state, dialog: null, passwordFor };
  if (dialog?.kind !== 'question' || dialog.otherwise === null) return closed;
  return withEffect(closed, { type: 'dispatch', event: dialog.otherwise });
}

/**
 * Ask a question, as `question` and its other fields say: see `questionOf` in `views/dialogs.js`.
 *
 * The event `then` comes if it is answered by yes, and `otherwise`, if there is one, if not.
 *
 * @type {(state: State, question: Question, then: PageEvent, otherwise?: ?PageEvent) => State}
 */
export function ask(state, question, then, otherwise = null) {
  return openDialog(state, { kind: 'question', ...question, then, otherwise });
}

/**
 * Leave the room, after a question.
 *
 * @type {(state: RoomState) => State}
 */
export function leave(state) {
  const { phase, room } = state.picture;
  const isInGame = phase === 'playing' && mySeats(state).length > 0;
  const question = isInGame ? 'leave_game' : 'leave_room';
  return ask(state, { question, room }, { type: 'leave_now' });
}

/**
 * Close a question about a game that has gone on to where it isn't one any more.
 *
 * @type {(state: State, questions: Question['question'][]) => State}
 */
export function dropQuestion(state, questions) {
  const { dialog } = state;
  const isOver = dialog?.kind === 'question' && questions.includes(dialog.question);
  return isOver ? closeDialog(state) : state;
}

/**
 * Ask a spectator of a game once whether to play in the next one, if that has a seat left.
 *
 * @type {(state: State) => State}
 */
export function invite(state) {
  const { picture, dialog } = state;
  const me = nameOf(state);
  if (state.isInvited || dialog !== null || picture?.phase !== 'playing' || me === null) {
    return state;
  }
  if (joiningNext(picture).includes(me)) return { ...state, isInvited: true };
  if (!canVote(picture, me)) return state;
  const invited = { ...state, isInvited: true };
  return ask(invited, { question: 'join_next' }, commanded({ type: 'rematch' }));
}

/**
 * Play a move of the person, whose turn it is, after the question that the person may want.
 *
 * @type {(state: RoomState, move: string) => State}
 */
export function play(state, move) {
  const { to_move: seat, ply, game_number: game } = state.picture;
  if (seat === null) return state;
  const prediction = { move, seat, ply, game };
  if (!state.settings.confirms) return playNow(state, prediction);
  return ask(state, { question: 'play', move }, { type: 'play_now', ...prediction });
}

/** @type {(state: State, prediction: Prediction) => State} */
export function playNow(state, { move, seat, ply, game }) {
  const playing = { ...state, playing: { move, seat, ply, game } };
  return command(playing, { type: 'play', seat, move, ply, game }, { type: 'play_answered' });
}

/**
 * Return the place of the person: the room, and whether they watch; null outside of rooms.
 *
 * @type {(state: State) => ?Place}
 */
export function placeOf({ picture, you }) {
  return picture && { room: picture.room, watch: audienceOf(picture, you) === 'spectator' };
}
