/** The state after what a person does in a room, at its board or at a finished game. */

import { moveNamed } from '../board/moves.js';
import { plainForms } from '../look_alikes.js';
import { decisive } from '../review.js';
import {
  ask,
  closeDialog,
  command,
  failed,
  lookBack,
  numbered,
  openDialog,
  play,
  playNow,
  request,
  toast,
} from './changes.js';
import { premoveOf } from './premoves.js';
import {
  commanded,
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

export const ROOM_EVENTS = {
  /** A command of the room, such as {type: 'start'}. */
  command: (state, { message }) => command(state, message),
  answered: (state, { error }) => failed(state, error),

  // Moves

  play: (state, { move }) => (isMyTurn(state) ? play(state, move) : state),
  play_now: (state, event) => (state.picture === null ? state : playNow(state, event)),
  play_answered: (state, { error }) => {
    const answered = failed({ ...state, playing: null, wantsUndo: false }, error);
    return state.wantsUndo ? undo(answered) : answered;
  },
  premove: (state, { move }) => setPremove(state, move),
  hint: (state) => {
    const { to_move: seat, ply, game_number: game } = state.picture;
    return command(state, { type: 'ask_hint', seat, ply, game });
  },
  /** Also a move that is still on its way to the server. */
  undo: (state) => (state.playing === null ? undo(state) : { ...state, wantsUndo: true }),
  answer_undo: (state, { agree }) => {
    const { undo: asked, game_number: game } = state.picture;
    return command(state, { type: 'answer_undo', ply: asked.ply, agree, game });
  },

  // Chat

  typed: (state, event) => typed(state, event),
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
  leave: (state) => {
    const isInGame = state.picture.phase === 'playing' && mySeats(state).length > 0;
    const question = isInGame ? 'leave_game' : 'leave_room';
    return ask(state, { question, room: state.picture.room }, { type: 'leave_now' });
  },
  leave_now: (state) => withEffect(state, { type: 'leave', then: { type: 'answered' } }),
  resign: (state) => resign(state),

  // Looking back

  look_back: (state, { count }) => lookBack(state, count),
  show_again: (state) => {
    const [first] = lastTokens(state);
    return first === undefined ? state : showOne(state, first);
  },
  replay_next: (state, { after }) => {
    if (!state.isReplaying || state.replayAt !== after) return state;
    const isLast = after + 1 >= shownPicture(state).tokens.length;
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

  /** `dialog` has a kind, of which `views/dialogs.js` has the views. */
  open_dialog: (state, { dialog }) => openDialog(state, dialog),
  close_dialog: (state) => closeDialog(state),
  answer_yes: (state) => {
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

/** Keep a move for the person's next turn, in place of the one that was kept; null drops it. */
function setPremove(state, move) {
  const premove = move === null ? null : premoveOf(state.picture, nameOf(state), move);
  const kept = { ...state, premove };
  const isRefused = move !== null && premove === null;
  return isRefused ? toast(kept, wordsOf(state)('no_turn', { move })) : kept;
}

/** Take back the person's last move. */
function undo(state) {
  if (state.picture === null) return state;
  const { ply, game_number: game } = state.picture;
  return command(state, { type: 'undo', ply, game });
}

/** Say a line, or play the move that it names; as chat that would tell the others. */
function typed(state, { text, to }) {
  const isInGame = mySeats(state).length > 0 && state.picture.phase === 'playing';
  const move = isInGame ? moveIn(state, text) : null;
  const problem = move === null ? lookAlikeIn(state, text, isInGame) : null;
  if (problem !== null) return toast(state, problem);
  const cleared = withEffect(state, { type: 'clear_field', name: 'text' });
  if (move === null) return say(cleared, { text, to });
  return isMyTurn(state) ? play(cleared, move) : setPremove(cleared, move);
}

/** Return why a line isn't said that looks like a command or like a move, or null. */
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

/** Return the move of the board that a typed line names, such as "H 3"; null if it names none. */
function moveIn({ picture, geometry }, text) {
  return moveNamed(text.replace(/\s+/g, ''), picture.settings, geometry?.value ?? null);
}

function say(state, { text, to = 'all' }) {
  const trimmed = text.trim();
  if (!trimmed) return state;
  const unsent = { kind: 'unsent', text: trimmed, seat: null, author: nameOf(state) };
  const [line] = numbered(state, [unsent]);
  const shown = { ...state, lines: line.key, unsent: [...state.unsent, line] };
  const message = { type: 'say', text: trimmed, ...(to !== 'all' && { to }) };
  return command(shown, message, { type: 'say_answered', line: line.key });
}

function resign(state) {
  const { picture } = state;
  const seats = mySeats(state);
  const seat = seats.includes(picture.to_move) ? picture.to_move : seats[0];
  const question = seats.length > 1 ? 'resign_which' : 'resign';
  const event = commanded({ type: 'resign', seat });
  return ask(state, { question, name: picture.players[seat] }, event);
}

/** Show the first `count` moves, and soon one more. */
function showOne(state, count) {
  const event = { type: 'replay_next', after: count };
  return withEffect(lookBack(state, count, true), { type: 'wait', ms: REPLAY_MS, event });
}

/** Ask where the game was lost. */
function askReview(state) {
  const number = state.reviews + 1;
  const asked = { ...state, reviews: number, review: { isPending: true, number } };
  const game = state.finished?.number;
  const message = { type: 'get_review', ...(game && { game }) };
  return request(asked, message, { type: 'review_answered', number });
}

/** Open the position before the move that decided the game. */
function reviewAnswered(state, { number, answer, error }) {
  const isWanted = state.review?.number === number; // else another game began
  if (error) return failed(isWanted ? { ...state, review: null } : state, error);
  if (!isWanted) return state;
  const found = decisive(answer, mySeats(state));
  const reviewed = { ...state, review: answer };
  return found ? lookBack(reviewed, found.number - 1) : reviewed;
}
