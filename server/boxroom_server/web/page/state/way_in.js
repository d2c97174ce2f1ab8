/**
 * The cards of the first view: the games that a tap begins, and the boards that show a game.
 *
 * @import { Shown } from '../board/shown.js'
 * @import { Command, Entry } from '../link.js'
 * @import { QrCode, RoomListed, Rooms, Snapshot } from '../protocol.js'
 * @import { Picture } from '../mirror.js'
 * @import { Handlers, Outcome } from './next.js'
 * @import { State } from './state.js'
 *
 * @typedef {{type: 'play_computer' | 'invite_friend'}
 *   | {type: 'play_here', name: string}
 *   | {type: 'ask_code'}
 *   | {type: 'choose_level', level: string}
 *   | {type: 'qr_code_made', text: string} & Outcome<QrCode>
 *   | {type: 'tick', number: number}
 *   | {type: 'boards_in_sight', names: string[]}
 *   | {type: 'looked', room: string} & Outcome<Rooms>} WayInEvent
 *
 * @typedef {Pick<Shown, 'picture' | 'marked' | 'markOf'>} SmallBoard
 */

import { demoGame } from '../board/demo_game.js';
import { needsGeometry } from '../board/moves.js';
import { markOf } from '../marks.js';
import { lackingPlayers, pictureFrom } from '../mirror.js';
import { pictureAt } from '../review.js';
import { suggestedLevel } from '../suggested_level.js';
import { closeDialog, command, enter, tickSoon } from './changes.js';
import { fieldsOf, newForm } from './form.js';
import { gameOf, isHost, isInRoom, withEffect } from './state.js';

/** The sizes of boards that are offered: boxes in a row, and rows. */
export const SIZES = [3, 5, 7];

const DOTS = { game: 'dots' };
/**
 * A room of which nothing is known.
 *
 * @type {Snapshot}
 */
const EMPTY_ROOM = {
  room: '',
  log: '',
  seq: 0,
  phase: 'playing',
  settings: {},
  host: null,
  seats: [],
  members: [],
};
/** The size of the board that invites a friend. */
const FRIEND_SIZE = 4;
/** Moves for which a whole board stays before the game begins again. */
const DEMO_PAUSE = 4;
/** The part of a game after which it is interesting. */
const DEMO_FROM = 0.4;
/** The part of a game that is shown where nothing moves. */
const DEMO_STILL = 0.7;
/** Running games that are shown at once. */
const MOST_GAMES = 3;
/** Ticks after which they are asked for anew. */
const GAMES_EVERY = 3;
/** The beginning of the name of a room's board, as in a link to the room. */
const ROOM_BOARD = '#';

/** @type {Handlers<WayInEvent>} */
export const WAY_IN_EVENTS = {
  play_computer: (state) => create(state, [{ type: 'fill', bot: levelOf(state) }]),
  /** Another player at this device has a seat of the same member. */
  play_here: (state, { name }) => {
    const changes = { beside: name };
    const then = /** @type {const} */ ({ type: 'settings_saved' });
    const begun = create(closeDialog(state), [{ type: 'sit', name }]);
    return withEffect(begun, { type: 'save_settings', changes, then });
  },
  invite_friend: (state) => create(state, []),
  /** Where the server makes no code, the link does. */
  qr_code_made: (state, { text, answer, error }) => {
    if (error) return error.isOffline ? { ...state, qrCode: null } : state;
    return { ...state, qrCode: { text, rows: answer.rows } };
  },
  ask_code: (state) => ({ ...state, isCodeAsked: true }),
  choose_level: (state, { level }) => ({ ...state, level }),
  /** The person is in the lobby since it was opened for the time of that number. */
  tick: (state, { number }) => {
    if (number !== state.listing.number || isInRoom(state)) return state;
    const ticked = tickSoon({ ...state, ticks: state.ticks + 1 });
    if (state.ticks % GAMES_EVERY || !runningGames(state).length) return ticked;
    return withEffect(ticked, { type: 'look_around', then: { type: 'boards_in_sight' } });
  },
  boards_in_sight: (state, { names }) =>
    runningGames(state)
      .filter(({ room }) => names.includes(boardOf(room)))
      .reduce((looking, { room }) => look(looking, room), state),
  looked: (state, { room, answer }) => {
    if (!answer?.board) return state;
    const boards = new Map(state.boards);
    const kept = runningGames(state).map((each) => each.room);
    for (const each of boards.keys()) if (!kept.includes(each)) boards.delete(each);
    return { ...state, boards: boards.set(room, pictureFrom(answer.board)) };
  },
};

/**
 * Return the levels of the computer, the lowest first.
 *
 * @type {(state: State) => readonly string[]}
 */
export function levelsOf(state) {
  return gameOf(state, DOTS)?.levels ?? [];
}

/**
 * Return the level of the next game: the chosen one, or the one that the last games suggest.
 *
 * @type {(state: State) => string}
 */
export function levelOf(state) {
  const suggested = suggestedLevel(state.results[DOTS.game] ?? [], levelsOf(state));
  return state.level ?? suggested ?? '';
}

/**
 * Create a room for two with the board of the chosen size, where commands take the other seat, or
 * a friend is invited to it.
 *
 * @type {(state: State, commands: Command[]) => State}
 */
function create(state, commands) {
  const { size } = state.settings;
  const form = { ...newForm(state), ...DOTS, options: { rows: size, cols: size } };
  const { settings } = fieldsOf(form);
  /** @type {Entry} */
  const message = { type: 'create_room', settings };
  const then = /** @type {const} */ ({ type: 'created', commands, invites: !commands.length });
  return enter(state, { type: 'enter', message, then });
}

/**
 * Begin the game that a friend was invited to, as soon as all seats are taken.
 *
 * @type {(state: State) => State}
 */
export function startWhenFull(state) {
  const { picture, startsWhenFull } = state;
  if (!startsWhenFull || picture?.phase !== 'waiting' || !isHost(state)) return state;
  if (lackingPlayers(picture) > 0) return state;
  return command({ ...state, startsWhenFull: false }, { type: 'start' });
}

/** @type {(state: State, room: string) => State} */
function look(state, room) {
  return withEffect(state, {
    type: 'request',
    message: { type: 'look', room, board: true },
    then: { type: 'looked', room },
  });
}

/**
 * Return the running games that are shown: those of the most people, on boards that the page draws
 * by itself.
 *
 * @type {(state: State) => RoomListed[]}
 */
export function runningGames({ listing }) {
  return [...listing.rooms.values()]
    .filter(({ phase }) => phase === 'playing')
    .filter(({ settings }) => !needsGeometry({ ...DOTS, ...settings }))
    .sort((a, b) => b.people - a.people || (a.room < b.room ? -1 : 1))
    .slice(0, MOST_GAMES);
}

/**
 * Return the name of the small board of a room.
 *
 * @type {(room: string) => string}
 */
export function boardOf(room) {
  return ROOM_BOARD + room;
}

/**
 * Return what a small board shows: that of a room its game, `computer` and `friend` one of nobody;
 * null if there is no such board.
 *
 * @type {(state: State, name: string) => ?SmallBoard}
 */
export function smallBoard(state, name) {
  if (name.startsWith(ROOM_BOARD)) return watched(state, name.slice(ROOM_BOARD.length));
  switch (name) {
    case 'computer':
      return demo(state, state.settings.size);
    case 'friend':
      return demo(state, FRIEND_SIZE);
    default:
      return null;
  }
}

/**
 * Return the game of a room, before the first look at it an empty board.
 *
 * @type {(state: State, room: string) => ?SmallBoard}
 */
function watched({ boards, listing, games }, room) {
  const entry = listing.rooms.get(room);
  if (entry === undefined) return null;
  const picture = boards.get(room) ?? pictureFrom({ ...EMPTY_ROOM, settings: entry.settings });
  return shownAsItIs(picture, games);
}

/** @type {(picture: Picture, games: State['games']) => SmallBoard} */
function shownAsItIs(picture, games) {
  return {
    picture,
    marked: new Set([picture.tokens.length - 1]),
    markOf: (seat) => markOf(picture, seat, games),
  };
}

/** @type {(state: State, size: number) => SmallBoard} */
function demo({ ticks, prefersStill, games }, size) {
  const { tokens, movers, taken } = demoGame(size, size);
  const settings = { ...DOTS, options: { rows: size, cols: size } };
  const seats = [{ glyph: 0 }, { glyph: 1 }];
  const whole = pictureFrom({ ...EMPTY_ROOM, settings, seats, tokens, movers, taken });
  const most = tokens.length;
  const at = Math.floor(most * DEMO_FROM) + ticks;
  const count = prefersStill ? Math.floor(most * DEMO_STILL) : at % (most + DEMO_PAUSE);
  return shownAsItIs(pictureAt(whole, count), games);
}
