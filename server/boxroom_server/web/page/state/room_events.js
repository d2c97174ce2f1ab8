/**
 * The state after what a person does in a room, at its board or at a finished game.
 *
 * @import { Command } from '../link.js'
 * @import { GameGeometry, GameReview, PositionJudgement, Powers } from '../protocol.js'
 * @import { Handlers, Outcome } from './next.js'
 * @import { Audience, BoardState, Dialog, Followed, Prediction, RoomState, State }
 *   from './state.js'
 *
 * @typedef {{type: 'command', message: Command}
 *   | {type: 'once_answered', message: Command} & Outcome
 *   | {type: 'answered' | 'play_answered' | 'sat_as'} & Outcome
 *   | {type: 'play', move: string}
 *   | {type: 'play_now'} & Prediction
 *   | {type: 'premove', move: ?string}
 *   | {type: 'magnify', on: boolean}
 *   | {type: 'hint' | 'undo' | 'leave' | 'leave_now' | 'resign' | 'show_again'}
 *   | {type: 'ask_review' | 'ask_judgement'}
 *   | {type: 'answer_request', agree: boolean}
 *   | {type: 'close_coach'}
 *   | {type: 'practise', theme: string}
 *   | {type: 'typed' | 'say', text: string, to?: Audience}
 *   | {type: 'say_answered', line: number} & Outcome
 *   | {type: 'sit_as' | 'kick', name: string}
 *   | {type: 'ignore', name: string, on: boolean}
 *   | {type: 'rename', name: string}
 *   | {type: 'renamed', former: ?string} & Outcome<string>
 *   | {type: 'clear' | 'show_newest'}
 *   | {type: 'reading', isReading: boolean}
 *   | {type: 'look_back', count: ?number, line?: ?Followed}
 *   | {type: 'step', by: number}
 *   | {type: 'replay_next', after: number}
 *   | {type: 'review_answered', number: number} & Outcome<GameReview>
 *   | {type: 'judgement_answered', number: number} & Outcome<PositionJudgement>
 *   | {type: 'geometry_answered', kind: string} & Outcome<GameGeometry>
 *   | {type: 'open_powers'}
 *   | {type: 'powers_answered'} & Outcome<Powers>
 *   | {type: 'open_dialog', dialog: Dialog}
 *   | {type: 'share_picture'}
 *   | {type: 'close_dialog' | 'answer_yes' | 'copy_link' | 'copied'}
 *   | {type: 'share', text: string}
 *   | {type: 'toast_over', key: number}} RoomEvent
 */

import { explained, findingsOf } from '../review.js';
import {
  ask,
  askPowers,
  closeDialog,
  command,
  commandOnce,
  failed,
  ignore,
  leave,
  lookBack,
  openDialog,
  play,
  playNow,
  rename,
  report,
  toast,
} from './changes.js';
import { answerPuzzle, openPuzzles } from './puzzle_events.js';
import {
  commanded,
  gameAddress,
  isInRoom,
  isMyTurn,
  isOnBoard,
  isSteppable,
  lastTokens,
  mySeats,
  plyShown,
  shownCount,
  shownPicture,
  withEffect,
  wordsOf,
} from './state.js';
import { say, setPremove, typed } from './typed_lines.js';

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

  play: (state, { move }) => {
    if (isInRoom(state)) return isMyTurn(state) ? play(state, move) : state;
    return state.course && !state.finished ? answerPuzzle(state, state.course, move) : state;
  },
  play_now: (state, event) => (state.picture === null ? state : playNow(state, event)),
  play_answered: (state, { error }) => {
    const answered = failed({ ...state, playing: null, wantsUndo: false }, error);
    return state.wantsUndo ? undo(answered) : answered;
  },
  magnify: (state, { on }) => ({ ...state, isMagnified: on }),
  premove: inRoom((state, { move }) => setPremove(state, move)),
  hint: inRoom((state) => {
    const { to_move: seat, ply, game_number: game } = state.picture;
    return seat === null ? state : command(state, { type: 'ask_hint', seat, ply, game });
  }),
  /** Also a move that is still on its way to the server. */
  undo: (state) => (state.playing === null ? undo(state) : { ...state, wantsUndo: true }),
  close_coach: (state) => ({ ...state, coaching: null }),
  /** Leave the room for puzzles of a theme. */
  practise: inRoom((state, { theme }) =>
    openPuzzles(withEffect(state, { type: 'leave', then: { type: 'answered' } }), { theme }),
  ),
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

  ignore: (state, { name, on }) => ignore(state, name, on),
  clear: (state) => ({ ...state, journal: [], isReading: true, unread: 0 }),
  show_newest: (state) => withEffect(state, { type: 'show_newest' }),
  reading: (state, { isReading }) => {
    return { ...state, isReading, unread: isReading ? 0 : state.unread };
  },

  // The name

  rename: (state, { name }) => rename(state, name),
  renamed: (state, { former, answer, error }) => {
    if (error) return failed(state, error);
    const text = wordsOf(state)('event.renamed', { former, name: answer });
    const closed = closeDialog(state);
    if (!isInRoom(state)) return toast(closed, text);
    return report(closed, [{ kind: 'event', text, seat: null }]);
  },

  // Seats and members

  sit_as: (state, { name }) => command(state, { type: 'sit', name }, { type: 'sat_as' }),
  sat_as: (state, { error }) =>
    error ? failed(state, error) : withEffect(state, { type: 'clear_field', name: 'player' }),
  kick: (state, { name }) =>
    ask(state, { question: 'kick', name }, commanded({ type: 'kick', member: name })),
  leave: inRoom((state) => leave(state)),
  leave_now: (state) => withEffect(state, { type: 'leave', then: { type: 'answered' } }),
  resign: inRoom(resign),

  // Looking back

  /** Also a line of the review, by the costly move with which it begins, or before which. */
  look_back: (state, { count, line }) => lookBack(state, count, line),
  step: (state, { by }) =>
    isOnBoard(state) && isSteppable(state) && state.dialog === null
      ? lookBack(state, shownCount(state) + by, state.line)
      : state,
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
  ask_judgement: (state) => (isOnBoard(state) ? askJudgement(state) : state),
  judgement_answered: (state, event) => judgementAnswered(state, event),
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
  share_picture: (state) => {
    if (!isOnBoard(state)) return state;
    const title = shownPicture(state).players.join(' – ');
    return withEffect(state, { type: 'share_picture', title, link: gameAddress(state) });
  },
  copy_link: (state) => withEffect(state, { type: 'copy', then: { type: 'copied' } }),
  share: (state, { text }) => withEffect(state, { type: 'share', text, then: { type: 'copied' } }),
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
 * Take back the person's last move.
 *
 * @type {(state: State) => State}
 */
function undo(state) {
  if (state.picture === null) return state;
  const { ply, game_number: game } = state.picture;
  return command(state, { type: 'undo', ply, game });
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
  return withEffect(lookBack(state, count, null, true), {
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
  return withEffect(
    { ...state, reviews: number, review: { isPending: true, number } },
    {
      type: 'request',
      message: { type: 'get_review', ...gameAsked(state) },
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

/**
 * Return the fields by which a request names the game that is shown: none for that of the room.
 *
 * @type {(state: State) => {link?: string, game?: number}}
 */
function gameAsked({ finished }) {
  if (finished === null) return {};
  const { number: game, link } = finished;
  return link ? { link } : { game };
}

/**
 * Ask what was best in the position that is shown, and what the move that was played there cost.
 *
 * @type {(state: BoardState) => State}
 */
function askJudgement(state) {
  const ply = plyShown(state);
  if (ply === null) return state;
  const number = state.reviews + 1;
  const played = shownPicture(state).tokens[ply];
  const move = played === undefined || played[0] === '~' ? {} : { move: played };
  return withEffect(
    { ...state, reviews: number, judged: { isPending: true, number, ply } },
    {
      type: 'request',
      message: { type: 'judge', ply, ...move, ...gameAsked(state) },
      then: { type: 'judgement_answered', number },
    },
  );
}

/** @type {(state: State, event: Extract<RoomEvent, {type: 'judgement_answered'}>) => State} */
function judgementAnswered(state, { number, answer, error }) {
  const isWanted = state.judged?.isPending && state.judged.number === number;
  if (error) return failed(isWanted ? { ...state, judged: null } : state, error);
  return isWanted ? { ...state, judged: answer } : state;
}
