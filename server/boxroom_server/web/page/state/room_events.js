/**
 * The state after what a person does in a room, at its board or at a finished game.
 *
 * @import { Command } from '../link.js'
 * @import { ChatTo, GameGeometry, GameReview, Powers } from '../protocol.js'
 * @import { Handlers, Outcome } from './next.js'
 * @import { Audience, Dialog, RoomState, State } from './state.js'
 *
 * @typedef {{type: 'command', message: Command}
 *   | {type: 'once_answered', message: Command} & Outcome
 *   | {type: 'answered' | 'play_answered' | 'sat_as'} & Outcome
 *   | {type: 'play', move: string}
 *   | {type: 'play_now', move: string, seat: number, ply: number}
 *   | {type: 'premove', move: ?string}
 *   | {type: 'hint' | 'undo' | 'leave' | 'resign' | 'show_again' | 'ask_review'}
 *   | {type: 'leave_now', nextRoom: ?string}
 *   | {type: 'left', nextRoom: ?string} & Outcome
 *   | {type: 'answer_request', agree: boolean}
 *   | {type: 'typed' | 'say', text: string, to?: Audience}
 *   | {type: 'say_answered', line: number} & Outcome
 *   | {type: 'sit_as' | 'kick', name: string}
 *   | {type: 'look_back', count: ?number}
 *   | {type: 'replay_next', after: number}
 *   | {type: 'review_answered', number: number} & Outcome<GameReview>
 *   | {type: 'geometry_answered', kind: string} & Outcome<GameGeometry>
 *   | {type: 'open_powers'}
 *   | {type: 'powers_answered'} & Outcome<Powers>
 *   | {type: 'open_dialog', dialog: Dialog}
 *   | {type: 'close_dialog' | 'answer_yes' | 'copy_link' | 'copied'}
 *   | {type: 'toast_over', key: number}} RoomEvent
 */

import { moveNamed } from '../board/moves.js';
import { plainForms } from '../look_alikes.js';
import { explained, findingsOf } from '../review.js';
import {
  ask,
  askPowers,
  closeDialog,
  command,
  commandOnce,
  failed,
  join,
  leave,
  lookBack,
  numbered,
  openDialog,
  play,
  playNow,
  toast,
} from './changes.js';
import { premoveOf } from './premoves.js';
import {
  commanded,
  isInRoom,
  isMyTurn,
  lastTokens,
  mySeats,
  nameOf,
  shownPicture,
  withEffect,
  wordsOf,
} from './state.js';

/** Time for which each move is shown while moves are shown again. */
const REPLAY_MS = 600;

/** @type {Handlers<RoomEvent>} */
export const ROOM_EVENTS = {
  /** A command of the room, such as {type: 'start'}. */
  command: (state, { message }) => commandOnce(state, message),
  once_answered: (state, { message, error }) => {
    const asked = state.asked.filter((each) => each !== message);
    return failed({ ...state, asked }, error);
  },
  answered: (state, { error }) => failed(state, error),

  // Moves

  play: (state, { move }) => (isInRoom(state) && isMyTurn(state) ? play(state, move) : state),
  play_now: (state, event) => (state.picture === null ? state : playNow(state, event)),
  play_answered: (state, { error }) => {
    const answered = failed({ ...state, playing: null, wantsUndo: false }, error);
    return state.wantsUndo ? undo(answered) : answered;
  },
  premove: inRoom((state, { move }) => setPremove(state, move)),
  hint: inRoom((state) => {
    const { to_move: seat, ply, game_number: game } = state.picture;
    return seat === null ? state : command(state, { type: 'ask_hint', seat, ply, game });
  }),
  /** Also a move that is still on its way to the server. */
  undo: (state) => (state.playing === null ? undo(state) : { ...state, wantsUndo: true }),
  answer_request: inRoom((state, { agree }) => {
    const { undo, request, game_number: game } = state.picture;
    if (undo) return command(state, { type: 'answer_undo', ply: undo.ply, agree, game });
    return request ? command(state, { type: 'answer', since: request.since, agree }) : state;
  }),

  // Chat

  typed: inRoom(typed),
  say: (state, event) => say(state, event),
  say_answered: (state, { line, error }) => {
    const unsent = state.unsent.filter((each) => each.key !== line);
    return failed({ ...state, unsent }, error);
  },

  // Seats and members

  sit_as: (state, { name }) => command(state, { type: 'sit', name }, { type: 'sat_as' }),
  sat_as: (state, { error }) =>
    error ? failed(state, error) : withEffect(state, { type: 'clear_field', name: 'player' }),
  kick: (state, { name }) =>
    ask(state, { question: 'kick', name }, commanded({ type: 'kick', member: name })),
  leave: inRoom((state) => leave(state)),
  leave_now: (state, { nextRoom }) =>
    withEffect(state, { type: 'leave', then: { type: 'left', nextRoom } }),
  left: (state, { nextRoom, error }) =>
    error || nextRoom === null ? failed(state, error) : join(state, { room: nextRoom }),
  resign: inRoom(resign),

  // Looking back

  look_back: (state, { count }) => lookBack(state, count),
  show_again: (state) => {
    const [first] = isInRoom(state) ? lastTokens(state) : [];
    return first === undefined ? state : showOne(state, first);
  },
  replay_next: (state, { after }) => {
    if (!state.isReplaying || state.replayAt !== after) return state;
    const isLast = after + 1 >= (shownPicture(state)?.tokens.length ?? 0);
    return isLast ? lookBack(state, null) : showOne(state, after + 1);
  },
  ask_review: (state) => askReview(state),
  review_answered: (state, event) => reviewAnswered(state, event),
  geometry_answered: (state, { kind, answer, error }) => {
    if (state.geometry?.kind !== kind) return state;
    if (error?.isOffline) return { ...state, geometry: null };
    return {
      ...state,
      geometry: { kind, value: answer ?? null, problem: error?.message ?? '' },
    };
  },

  // Dialogs and messages in passing

  open_powers: (state) => askPowers(openDialog(state, { kind: 'powers' })),
  powers_answered: (state, { answer, error }) => {
    if (state.dialog?.kind !== 'powers') return state;
    if (error) return failed(closeDialog(state), error);
    return { ...state, dialog: { kind: 'powers', powers: answer.powers } };
  },

  /** `dialog` has a kind, of which `views/dialogs.js` has the views. */
  open_dialog: (state, { dialog }) => openDialog(state, dialog),
  close_dialog: (state) => closeDialog(state),
  answer_yes: (state) => {
    if (state.dialog?.kind !== 'question') return state;
    const { then: event } = state.dialog;
    return withEffect({ ...state, dialog: null }, { type: 'dispatch', event });
  },
  copy_link: (state) => withEffect(state, { type: 'copy', then: { type: 'copied' } }),
  copied: (state) => toast(state, wordsOf(state)('copied')),
  toast_over: (state, { key }) => ({
    ...state,
    toasts: state.toasts.filter((each) => each.key !== key),
  }),
};

/**
 * Return what `handler` does in a room; elsewhere an event comes too late, and changes nothing.
 *
 * @template E
 * @param {(state: RoomState, event: E) => State} handler
 * @returns {(state: State, event: E) => State}
 */
function inRoom(handler) {
  return (state, event) => (isInRoom(state) ? handler(state, event) : state);
}

/**
 * Keep a move for the person's next turn, in place of the one that was kept; null drops it.
 *
 * @type {(state: RoomState, move: ?string) => State}
 */
function setPremove(state, move) {
  const premove = move === null ? null : premoveOf(state.picture, nameOf(state), move);
  const kept = { ...state, premove };
  const isRefused = move !== null && premove === null;
  return isRefused ? toast(kept, wordsOf(state)('no_turn', { move })) : kept;
}

/**
 * Take back the person's last move.
 *
 * @type {(state: State) => State}
 */
function undo(state) {
  if (state.picture === null) return state;
  const { ply, game_number: game } = state.picture;
  return command(state, { type: 'undo', ply, game });
}

/**
 * Say a line, or play the move that it names; as chat that would tell the others.
 *
 * @type {(state: RoomState, event: {text: string, to?: Audience}) => State}
 */
function typed(state, { text, to }) {
  const [, action] = /^\s*\/me\s+(.+)/s.exec(text) ?? [];
  const clearing = /** @type {const} */ ({ type: 'clear_field', name: 'text' });
  if (action && typeof to !== 'object') return act(withEffect(state, clearing), action, to);
  const isInGame = mySeats(state).length > 0 && state.picture.phase === 'playing';
  const move = isInGame ? moveIn(state, text) : null;
  const problem = move === null ? lookAlikeIn(state, text, isInGame) : null;
  if (problem !== null) return toast(state, problem);
  const cleared = withEffect(state, clearing);
  if (move === null) return say(cleared, { text, to });
  return isMyTurn(state) ? play(cleared, move) : setPremove(cleared, move);
}

/**
 * Return why a line isn't said that looks like a command or like a move, or null.
 *
 * @type {(state: RoomState, typedText: string, isInGame: boolean) => ?string}
 */
function lookAlikeIn(state, typedText, isInGame) {
  const t = wordsOf(state);
  const text = typedText.trim();
  for (const plain of [text, ...plainForms(text)]) {
    if (/^\/[\w?]/.test(plain) && !/^\p{L}/u.test(text)) return t('no_commands_here');
    const move = isInGame ? moveIn(state, plain) : null;
    if (move !== null) return t('looks_like_move', { move });
  }
  return null;
}

/**
 * Return the move of the board that a typed line names, such as "H 3"; null if it names none.
 *
 * @type {(state: RoomState, text: string) => ?string}
 */
function moveIn({ picture, geometry }, text) {
  return moveNamed(text.replace(/\s+/g, ''), picture.settings, geometry?.value ?? null);
}

/**
 * Say what the person does, to be shown behind the name.
 *
 * @type {(state: State, text: string, to?: ChatTo) => State}
 */
function act(state, text, to = 'all') {
  return command(state, { type: 'say', text, action: true, ...(to !== 'all' && { to }) });
}

/** @type {(state: State, event: {text: string, to?: Audience}) => State} */
function say(state, { text, to = 'all' }) {
  const trimmed = text.trim();
  if (!trimmed) return state;
  const unsent = { kind: 'unsent', text: trimmed, seat: null, author: nameOf(state) };
  const [line] = numbered(state, [unsent]);
  const shown = { ...state, lines: line.key, unsent: [...state.unsent, line] };
  const then = /** @type {const} */ ({ type: 'say_answered', line: line.key });
  if (typeof to === 'object') return command(shown, { type: 'tell', text: trimmed, ...to }, then);
  return command(shown, { type: 'say', text: trimmed, ...(to !== 'all' && { to }) }, then);
}

/** @type {(state: RoomState) => State} */
function resign(state) {
  const { picture } = state;
  const seats = mySeats(state);
  const seat = seats.find((each) => each === picture.to_move) ?? seats[0];
  const question = seats.length > 1 ? 'resign_which' : 'resign';
  const event = commanded({ type: 'resign', seat });
  return ask(state, { question, name: picture.players[seat] }, event);
}

/**
 * Show the first `count` moves, and soon one more.
 *
 * @type {(state: State, count: number) => State}
 */
function showOne(state, count) {
  return withEffect(lookBack(state, count, true), {
    type: 'wait',
    ms: REPLAY_MS,
    event: { type: 'replay_next', after: count },
  });
}

/**
 * Ask where the game was lost.
 *
 * @type {(state: State) => State}
 */
function askReview(state) {
  const number = state.reviews + 1;
  const game = state.finished?.number;
  return withEffect(
    { ...state, reviews: number, review: { isPending: true, number } },
    {
      type: 'request',
      message: { type: 'get_review', ...(game && { game }) },
      then: { type: 'review_answered', number },
    },
  );
}

/**
 * Open the position before the move that decided the game.
 *
 * @type {(state: State, event: Extract<RoomEvent, {type: 'review_answered'}>) => State}
 */
function reviewAnswered(state, { number, answer, error }) {
  const isWanted = state.review?.isPending && state.review.number === number;
  if (error) return failed(isWanted ? { ...state, review: null } : state, error);
  if (!isWanted) return state; // another game began
  const [found] = explained(findingsOf(answer, mySeats(state)));
  const reviewed = { ...state, review: answer };
  return found ? lookBack(reviewed, found.number - 1) : reviewed;
}
