/**
 * The state after what a person does outside of rooms, and what the server answers to that.
 *
 * @import { Arrival, Place } from '../identity_link.js'
 * @import { Command } from '../link.js'
 * @import { GameRecord, Games, Rooms } from '../protocol.js'
 * @import { Progress } from '../puzzles/progress.js'
 * @import { KeptRoom, KeptTogether, Preferences } from '../storage.js'
 * @import { Form } from './form.js'
 * @import { Failure, Handlers, Outcome } from './next.js'
 * @import { State } from './state.js'
 *
 * @typedef {{name: string, secret: string}} Brought an identity of another device
 *
 * @typedef {{type: 'start' | 'hidden' | 'stay' | 'take_over' | 'offer_identity'}
 *   | {type: 'greet', name: string}
 *   | {type: 'follow', room: ?string, arrival: ?Arrival, game?: ?string}
 *   | {type: 'game_seen', link: string} & Outcome<GameRecord>
 *   | {type: 'back', depth: number}
 *   | {type: 'identity_brought', place: ?Place} & Outcome<Brought>
 *   | {type: 'become', identity: Brought, place: ?Place}
 *   | {type: 'identity_offered'} & Outcome<{link: string, forMs: number}>
 *   | {type: 'offer_over', link: string}
 *   | {type: 'list_rooms', number: number} & Partial<Outcome>
 *   | {type: 'rooms_listed', number: number} & Outcome<Rooms>
 *   | {type: 'join' | 'join_now', room: string, watch?: boolean, password?: string}
 *   | {type: 'join_answered', room: string, watch: boolean, isAgain: boolean} & Outcome
 *   | {type: 'open_rooms' | 'no_password' | 'open_form' | 'close_form' | 'submit_form'}
 *   | {type: 'fill_in', changes: Partial<Form>}
 *   | {type: 'configured'} & Outcome
 *   | {type: 'prepared', commands?: Command[], first?: number} & Outcome
 *   | {type: 'created', commands: Command[], invites?: boolean, first?: number} & Outcome
 *   | {type: 'open_games' | 'more_games' | 'close_game' | 'try_again'}
 *   | {type: 'games_listed'} & Outcome<Games>
 *   | {type: 'open_game', number: number}
 *   | {type: 'game_fetched', number: number} & Outcome<GameRecord>
 *   | {type: 'change_settings', changes: Partial<Preferences>}
 *   | {type: 'set_sounds', on: boolean}
 *   | {type: 'settings_saved', settings: Preferences, language: string}
 *   | {type: 'kept_elsewhere', kept: KeptTogether, progress: Progress}
 *   | {type: 'device_looks'} & Pick<State, 'prefersDark' | 'prefersContrast'>} LobbyEvent
 */

/**
 * An event of a type.
 *
 * @template {LobbyEvent['type']} K
 * @typedef {Extract<LobbyEvent, {type: K}>} EventOf
 */

import { isRoomCode } from '../identity_link.js';
import { FOR_NOW } from '../link.js';
import { pictureFrom } from '../mirror.js';
import {
  ask,
  closeDialog,
  command,
  connect,
  enter,
  failed,
  goTo,
  greet,
  join,
  lookBack,
  openDialog,
  openLobby,
  openRooms,
  placeOf,
  toast,
} from './changes.js';
import { canHaveCoach, fieldsOf, filledIn, hasOpponents, newForm, settingsIn } from './form.js';
import { layersOf } from './layers.js';
import { entered } from './link_events.js';
import {
  isInRoom,
  isOnBoard,
  NO_REVIEW,
  shownCount,
  shownGame,
  withEffect,
  wordsOf,
} from './state.js';

/** Time in the lobby after which it is idle. */
const LOBBY_IDLE_MS = 5000;

/** @type {Handlers<LobbyEvent>} */
export const LOBBY_EVENTS = {
  start: (state) => start(state),
  /** The page may be gone after that. */
  hidden: (state) => withEffect(state, { type: 'keep_room', kept: keptRoom(state) }),
  greet: (state, { name }) => greet(state, name),
  /** A link was opened in this tab, or the address was changed. */
  follow: (state, { room, arrival, game = null }) => {
    if (arrival) return { ...state, arrival };
    const there = state.arrival ? stay(state) : state;
    if (room) return followTo(there, room);
    return game === null ? there : seeLinked(there, game);
  },
  /** The person wants back to the view with so many others below it. */
  back: (state, { depth }) =>
    layersOf(state)
      .slice(depth)
      .reverse()
      .reduce((shown, event) => withEffect(shown, { type: 'dispatch', event }), state),

  // The identity of a link, and one's own for another device

  stay,
  take_over: (state) => {
    const { arrival } = state;
    if (arrival === null) return state;
    const then = /** @type {const} */ ({ type: 'identity_brought', place: arrival.place });
    const busy = { ...state, arrival: { ...arrival, isBusy: true } };
    return withEffect(busy, { type: 'take_identity', arrival, then });
  },
  identity_brought: (state, { place, answer, error }) => {
    if (error) return arrivalFailed(state, error);
    const { name: former, secret } = state.identity;
    const event = /** @type {const} */ ({ type: 'become', identity: answer, place });
    if (!former || secret === answer.secret) return become(state, event);
    return ask(state, { question: 'become', former, name: answer.name }, event, { type: 'stay' });
  },
  become: (state, event) => become(state, event),
  offer_identity: (state) =>
    withEffect(state, {
      type: 'offer_identity',
      place: placeOf(state),
      then: { type: 'identity_offered' },
    }),
  identity_offered: (state, { answer, error }) => {
    if (error) return failed(state, error);
    if (state.dialog?.kind !== 'offer') return state;
    const { link, forMs } = answer;
    return withEffect(
      { ...state, dialog: { kind: 'offer', link } },
      { type: 'wait', ms: forMs, event: { type: 'offer_over', link } },
    );
  },
  offer_over: (state, { link }) =>
    state.dialog?.kind === 'offer' && state.dialog.link === link
      ? { ...state, dialog: { kind: 'offer' } }
      : state,

  // Rooms

  list_rooms: (state, { number }) => listRooms(state, number),
  rooms_listed: (state, event) => roomsListed(state, event),
  open_rooms: (state) => openRooms(state),
  join: (state, event) => goTo(state, event),
  join_now: (state, event) => join(state, event),
  join_answered: (state, event) => joinAnswered(state, event),
  no_password: (state) => closeDialog({ ...state, passwordFor: null }),
  open_form: (state) =>
    withEffect(
      { ...closeDialog(state), form: newForm(state, state.picture?.settings) },
      { type: 'make_token', then: { type: 'fill_in' } },
    ),
  /** The form has a token, the same at each attempt, so that these create one room. */
  fill_in: (state, { changes }) =>
    state.form === null ? state : { ...state, form: filledIn(state.form, changes) },
  close_form: (state) => ({ ...state, form: null }),
  submit_form: (state) => submitForm(state),
  configured: (state, { error }) => (error ? failed(state, error) : { ...state, form: null }),
  /** Commands may follow that take the other seats; then the game begins. */
  created: (state, { error, commands, invites = false, first }) => {
    const there = failed({ ...state, isEntering: false }, error);
    if (error) return there;
    if (commands.length) return prepare(there, commands, first);
    return { ...there, startsWhenFull: invites };
  },
  prepared: (state, { commands = [], first, error }) =>
    error ? failed(state, error) : prepare(state, commands, first),

  // Finished games

  open_games: (state) => moreGames(openDialog(state, { kind: 'games', games: [], next: '' })),
  more_games: (state) => moreGames(state),
  games_listed: (state, event) => gamesListed(state, event),
  open_game: (state, { number }) =>
    withEffect(state, {
      type: 'request',
      message: { type: 'get_game', game: number },
      then: { type: 'game_fetched', number },
    }),
  game_fetched: (state, { answer, error }) => {
    if (error) return failed(state, error);
    return openGame(closeDialog(state), answer);
  },
  game_seen: (state, { link, answer, error }) => {
    if (state.gameFromLink !== link) return state;
    const there = { ...state, gameFromLink: null };
    if (!error) return openGame(there, answer);
    const { isOffline, message } = error;
    return goOn(toast(there, isOffline ? wordsOf(state)('offline') : message));
  },
  close_game: (state) => goOn(lookBack({ ...state, finished: null, ...NO_REVIEW }, null)),
  try_again: (state) => tryAgain(state),

  // Settings

  change_settings: (state, { changes }) =>
    withEffect(state, { type: 'save_settings', changes, then: { type: 'settings_saved' } }),
  set_sounds: (state, { on }) => {
    const event = /** @type {const} */ ({ type: 'change_settings', changes: { sounds: on } });
    const set = withEffect(state, { type: 'dispatch', event });
    if (!on) return set;
    const sounding = withEffect(set, { type: 'sound', name: 'turn' });
    return withEffect(sounding, { type: 'ask_for_notices' });
  },
  settings_saved: (state, { settings, language }) => ({ ...state, settings, language }),
  kept_elsewhere: (state, { kept, progress }) => {
    const { course, mistakes } = state;
    const { name, isSeeking } = mistakes;
    const wanted = [...new Set([...mistakes.wanted, ...kept.mistakes.wanted])];
    wanted.sort((one, other) => other - one);
    const together = { ...kept.mistakes, wanted, isSeeking };
    const other = isSeeking ? mistakes : kept.mistakes;
    return {
      ...state,
      ...kept,
      mistakes: name === kept.mistakes.name ? together : other,
      course: course && { ...course, progress },
    };
  },
  device_looks: (state, { prefersDark, prefersContrast }) => {
    return { ...state, prefersDark, prefersContrast };
  },
};

/**
 * Greet the server with the name that is kept, if there is one and no other is brought.
 *
 * The room that was kept is shown at once, if no link leads to another one.
 *
 * @type {(state: State) => State}
 */
function start(state) {
  const { name } = state.identity;
  const { kept, roomFromLink, gameFromLink, arrival } = state;
  if (!name || arrival) return state;
  if (gameFromLink !== null) return greet(state, name);
  if (kept?.you !== name || (roomFromLink ?? kept.picture.room) !== kept.picture.room) {
    return greet(state, name);
  }
  const there = connect({ ...state, roomFromLink: null }, name, kept);
  return entered(there, { fresh: true, isBack: false });
}

/**
 * Return what brings the room back at once after the page was loaded again; null outside of rooms.
 *
 * @type {(state: State) => ?KeptRoom}
 */
function keptRoom({ picture, you, games, serverMs, geometry }) {
  return picture && you !== null ? { picture, you, games, serverMs, geometry } : null;
}

/**
 * Go on without the identity of a link.
 *
 * @type {(state: State) => State}
 */
function stay(state) {
  const there = { ...state, arrival: null };
  return state.isLinked ? there : start(there);
}

/**
 * Go to the room of a link, at once or after the welcome.
 *
 * @type {(state: State, room: string) => State}
 */
function followTo(state, room) {
  if (!isRoomCode(room)) return toast(state, wordsOf(state)('bad_link'));
  if (!isInRoom(state)) {
    return state.isOnline ? join(state, { room }) : { ...state, roomFromLink: room };
  }
  return room === state.picture.room ? state : goTo(state, { room });
}

/**
 * Ask for a finished game that everybody may see, unless the person is elsewhere.
 *
 * @type {(state: State, link: string) => State}
 */
function seeLinked(state, link) {
  if (isInRoom(state) || state.finished?.link === link) return state;
  const asked = { ...state, gameFromLink: link };
  return withEffect(asked, { type: 'see_game', link, then: { type: 'game_seen', link } });
}

/** @type {(state: State, answer: GameRecord) => State} */
function openGame(state, { game, room }) {
  if (!room) return goOn(failed(state, { message: wordsOf(state)('game_unreadable') }));
  const finished = { picture: pictureFrom(room), number: game.game, link: game.link ?? '' };
  return lookBack({ ...state, finished, ...NO_REVIEW }, null);
}

/**
 * Go on after a finished game: to the room of before, or to the list, which may have changed.
 *
 * @type {(state: State) => State}
 */
function goOn(state) {
  if (state.you === null || isInRoom(state)) return state;
  return withEffect(openLobby(state), { type: 'load_room', then: { type: 'come_back' } });
}

/** @type {(state: State, event: EventOf<'become'>) => State} */
function become(state, { identity, place }) {
  const saved = withEffect(state, { type: 'save_identity', identity });
  const fresh = {
    ...withEffect(saved, { type: 'save_room', place }),
    identity: { ...state.identity, ...identity },
    arrival: null,
    finished: null,
    roomFromLink: null,
  };
  return greet(fresh, identity.name);
}

/** @type {(state: State, error: Failure) => State} */
function arrivalFailed(state, { code, message, isOffline }) {
  if (state.arrival === null) return state; // the person doesn't want it any more
  const isForNow = isOffline || FOR_NOW.includes(code ?? '');
  const why = code === 'no_such_code' ? 'no_such_code' : 'arrival_damaged';
  const told = isOffline ? wordsOf(state)('arrival_offline') : message;
  const problem = isForNow ? told : wordsOf(state)(why);
  const kept = isForNow ? {} : { code: null };
  return { ...state, arrival: { ...state.arrival, ...kept, problem, isBusy: false } };
}

/** @type {(state: State, number: number, after?: string) => State} */
function listRooms(state, number, after = '') {
  return withEffect(state, {
    type: 'request',
    message: { type: 'list_rooms', ...(after && { after }) },
    then: { type: 'rooms_listed', number },
  });
}

/** @type {(state: State, event: EventOf<'rooms_listed'>) => State} */
function roomsListed(state, { number, answer, error }) {
  if (number !== state.listing.number) return state; // a newer list is on its way
  if (error) return failed(state, error);
  const rooms = new Map(state.listing.rooms);
  for (const room of answer.rooms) rooms.set(room.room, room);
  const listing = { ...state.listing, rooms, isComplete: !answer.next };
  const listed = { ...state, listing };
  if (answer.next) return listRooms(listed, number, answer.next);
  const event = /** @type {const} */ ({ type: 'find_mistakes', number });
  return withEffect(listed, { type: 'wait', ms: LOBBY_IDLE_MS, event });
}

/** @type {(state: State, event: EventOf<'join_answered'>) => State} */
function joinAnswered(state, { room, watch, isAgain, error }) {
  if (error?.isOffline && !isInRoom(state)) return state; // its link has ended
  const there = { ...state, isEntering: false };
  if (!error) return there;
  const isAsked = error.code === 'wrong_password';
  const passwordFor = { room, watch, problem: isAgain ? error.message : '' };
  if (isInRoom(there)) {
    return isAsked ? openRooms({ ...there, passwordFor }) : failed(there, error);
  }
  const refused = isAsked
    ? { ...there, passwordFor }
    : failed(withEffect(there, { type: 'save_room', place: null }), error);
  return state.listing.isComplete ? refused : openLobby(refused);
}

/**
 * Give commands one after the other, and then have the game begin.
 *
 * @type {(state: State, commands: Command[], first?: number) => State}
 */
function prepare(state, [next, ...commands], first) {
  return next
    ? command(state, next, { type: 'prepared', commands, first })
    : command(state, { type: 'start', ...(first && { first }) });
}

/** @type {(state: State) => State} */
function submitForm(state) {
  const { form } = state;
  if (form === null) return state;
  const settings = settingsIn(form);
  if (!form.isNew) return command(state, { type: 'configure', settings }, { type: 'configured' });
  const { opponent } = form;
  /** @type {Command[]} */
  const commands = hasOpponents(form) && opponent ? [{ type: 'fill', bot: opponent }] : [];
  if (form.hasCoach && canHaveCoach(state, form)) {
    commands.push({ type: 'coach', seat: 0, on: true });
  }
  const seats = Number(form.seats);
  const first = form.opening.length ? (seats - form.toMove) % seats : 0; // the person moves first
  return enter(state, {
    type: 'enter',
    message: { type: 'create_room', ...fieldsOf(form) },
    then: { type: 'created', commands, first },
  });
}

/**
 * Play from the position that is shown once more: in a room at once, with the same players; else in
 * a room of one's own, for which the form has the moves.
 *
 * @type {(state: State) => State}
 */
export function tryAgain(state) {
  if (!isOnBoard(state)) return state;
  const { settings, tokens, movers } = shownGame(state);
  const count = shownCount(state);
  const opening = tokens.slice(0, count);
  if (isInRoom(state)) {
    const again = { ...settings, opening, ...(count && { seat_range: null }) };
    if (String(opening) === String(settings.opening)) return command(state, { type: 'start' });
    return command(state, { type: 'configure', settings: again }, { type: 'prepared' });
  }
  const { game, options, seats } = settings;
  const form = { ...newForm(state), game, options, seats, opening, toMove: movers[count] ?? 0 };
  const lobby = openLobby(lookBack({ ...state, finished: null, ...NO_REVIEW, form }, null));
  return withEffect(lobby, { type: 'make_token', then: { type: 'fill_in' } });
}

/**
 * Ask for the next page of the list, unless it is on its way.
 *
 * @type {(state: State) => State}
 */
function moreGames(state) {
  const { dialog } = state;
  if (dialog?.kind !== 'games' || dialog.next === null) return state;
  const { next: after } = dialog;
  const asked = { ...state, dialog: { ...dialog, next: null } };
  const message = /** @type {const} */ ({ type: 'list_games', ...(after && { after }) });
  return withEffect(asked, { type: 'request', message, then: { type: 'games_listed' } });
}

/** @type {(state: State, event: EventOf<'games_listed'>) => State} */
function gamesListed(state, { answer, error }) {
  if (error) return failed(state, error);
  if (state.dialog?.kind !== 'games') return state;
  const games = [...state.dialog.games, ...answer.games];
  const next = answer.next ?? '';
  return { ...state, dialog: { kind: 'games', games, next, isComplete: next === '' } };
}
