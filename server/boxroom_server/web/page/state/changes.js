/** Changes of the state that several events have in common. */

import { markOf } from '../marks.js';
import { audienceOf } from '../mirror.js';
import { shownPicture, withEffect } from './state.js';

/** Time for which a message in passing is shown. */
const TOAST_MS = 5000;
/** Lines of the journal that are kept, and the number from which the oldest are dropped. */
const KEPT_LINES = 200;
const MOST_LINES = 300;

/** Show a message in passing. */
export function toast(state, text) {
  const key = state.toastCount + 1;
  const toasts = [...state.toasts, { text, key }].slice(-2);
  const shown = { ...state, toasts, toastCount: key };
  return withEffect(shown, { type: 'wait', ms: TOAST_MS, event: { type: 'toast_over', key } });
}

/** Show why something failed, if it did. Without a connection a banner says so already. */
export function failed(state, error) {
  return error && !error.isOffline ? toast(state, error.message) : state;
}

/** Send a command to the room; the event `then` comes with its answer or error. */
export function command(state, message, then = { type: 'answered' }) {
  return withEffect(state, { type: 'command', message, then });
}

/** Ask the server something; the event `then` comes with its answer or error. */
export function request(state, message, then) {
  return withEffect(state, { type: 'request', message, then });
}

/** Connect to the server under a name. */
export function greet(state, name) {
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
  };
  return withEffect(fresh, { type: 'greet', name, secret: state.identity.secret });
}

/** Keep the room to which the person comes back after a reload, and show it in the address. */
export function keepPlace(state) {
  const kept = withEffect(state, { type: 'save_room', place: placeOf(state) });
  return showAddress(kept);
}

/** Show the room in the page's address, from which it comes back there; else nothing. */
export function showAddress(state) {
  return withEffect(state, { type: 'show_address', room: state.picture?.room ?? null });
}

/** Show the open rooms, and their changes: first the changes, so that none is missed. */
export function openLobby(state) {
  const number = state.listing.number + 1;
  const listing = { number, rooms: new Map(), isComplete: false };
  const message = { type: 'watch_rooms' };
  return request({ ...state, listing }, message, { type: 'list_rooms', number });
}

/** Ask for a room; the event `then` comes with its answer or error. */
export function enter(state, message, then) {
  if (state.isEntering) return state; // such as by the first tap of two
  return withEffect({ ...state, isEntering: true }, { type: 'enter', message, then });
}

export function join(state, { room, password = '', watch = false }) {
  const message = {
    type: 'join_room',
    room,
    ...(password && { password }),
    ...(watch && { watch }),
  };
  return enter(state, message, { type: 'join_answered', room, watch, isAgain: password !== '' });
}

/** Add lines to the journal. */
export function report(state, lines) {
  const added = numbered(state, lines);
  const journal = [...state.journal, ...added];
  return {
    ...state,
    lines: state.lines + lines.length,
    // Many at once, as all others move when the first one goes, and the browser paints them anew.
    journal: journal.length > MOST_LINES ? journal.slice(-KEPT_LINES) : journal,
  };
}

/** Return lines with their keys, and the marks of their seats as they are now. */
export function numbered(state, lines) {
  const picture = shownPicture(state);
  const markAt = (seat) =>
    seat === null || seat >= picture.seats.length ? null : markOf(picture, seat, state.games);
  return lines.map((line, i) => ({ ...line, key: state.lines + 1 + i, mark: markAt(line.seat) }));
}

/** Show the position after the first `count` moves; null: the present one. */
export function lookBack(state, count, isReplaying = false) {
  const most = shownPicture(state)?.tokens.length ?? 0;
  const replayAt = count === null ? null : Math.max(0, Math.min(count, most));
  return { ...state, replayAt, isReplaying };
}

/** Forget what was shown about a position that is gone. */
export function forgetPosition(state) {
  return lookBack({ ...state, hint: null, thinking: null, review: null }, null);
}

/** Open a dialog, in place of another one, which is answered by no. */
export function openDialog(state, dialog) {
  return { ...closeDialog(state), dialog };
}

/** Close the dialog. A question that was not answered by yes has its other consequence. */
export function closeDialog(state) {
  const { otherwise = null } = state.dialog ?? {};
  const closed = { ...state, dialog: null };
  return otherwise === null ? closed : withEffect(closed, { type: 'dispatch', event: otherwise });
}

/**
 * Ask a question, as `question` and its other fields say: see `questionOf` in `views/dialogs.js`.
 *
 * The event `then` comes if it is answered by yes, and `otherwise`, if there is one, if not.
 */
export function ask(state, question, then, otherwise = null) {
  return openDialog(state, { kind: 'question', ...question, then, otherwise });
}

/** Play a move of the person, whose turn it is, after the question that the person may want. */
export function play(state, move) {
  const { to_move: seat, ply } = state.picture;
  const event = { type: 'play_now', move, seat, ply };
  if (state.settings.confirms) return ask(state, { question: 'play', move }, event);
  return playNow(state, event);
}

export function playNow(state, { move, seat, ply }) {
  const message = { type: 'play', seat, move, ply };
  return command({ ...state, playing: move }, message, { type: 'play_answered' });
}

/** Return the place of the person: the room, and whether they watch; null outside of rooms. */
export function placeOf({ picture, you }) {
  return picture && { room: picture.room, watch: audienceOf(picture, you) === 'spectator' };
}
