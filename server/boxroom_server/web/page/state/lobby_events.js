/** The state after what a person does outside of rooms, and what the server answers to that. */

import { FOR_NOW } from '../link.js';
import { pictureFrom } from '../mirror.js';
import {
  ask,
  closeDialog,
  command,
  enter,
  failed,
  greet,
  join,
  lookBack,
  openDialog,
  openLobby,
  placeOf,
  request,
  showAddress,
} from './changes.js';
import { fieldsOf, hasOpponents, newForm, settingsIn } from './form.js';
import { withEffect, wordsOf } from './state.js';

export const LOBBY_EVENTS = {
  /** Greet the server with the name that is kept, if there is one and no other is brought. */
  start: (state) => {
    const { name } = state.identity;
    return name && !state.arrival ? greet(state, name) : state;
  },
  greet: (state, { name }) => greet(state, name),
  /** A link was opened in this tab. */
  follow: (state, { room, arrival }) => {
    if (arrival) return showAddress({ ...state, arrival });
    if (!room || state.picture) return state;
    // Else after the welcome.
    return state.isOnline ? join(state, { room }) : { ...state, roomFromLink: room };
  },

  // The identity of a link, and one's own for another device

  stay: (state) => {
    const there = { ...state, arrival: null };
    return state.isLinked ? there : LOBBY_EVENTS.start(there);
  },
  take_over: (state) =>
    withEffect(
      { ...state, arrival: { ...state.arrival, isBusy: true } },
      {
        type: 'take_identity',
        arrival: state.arrival,
        then: { type: 'identity_brought', place: state.arrival.place },
      },
    ),
  identity_brought: (state, { place, answer, error }) => {
    if (error) return arrivalFailed(state, error);
    const { name: former, secret } = state.identity;
    const event = { type: 'become', identity: answer, place };
    if (!former || secret === answer.secret) return become(state, event);
    const question = { question: 'become', former, name: answer.name };
    return ask(state, question, event, { type: 'stay' });
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
    const event = { type: 'offer_over', link };
    const dialog = { kind: 'offer', link };
    return withEffect({ ...state, dialog }, { type: 'wait', ms: forMs, event });
  },
  offer_over: (state, { link }) =>
    state.dialog?.link === link ? { ...state, dialog: { kind: 'offer' } } : state,

  // Rooms

  list_rooms: (state, { number }) => listRooms(state, number),
  rooms_listed: (state, event) => roomsListed(state, event),
  join: (state, event) => join(state, event),
  join_answered: (state, event) => joinAnswered(state, event),
  no_password: (state) => ({ ...state, passwordFor: null }),
  open_form: (state) =>
    withEffect(
      { ...state, form: newForm(state, state.picture?.settings) },
      { type: 'make_token', then: { type: 'fill_in' } },
    ),
  /** The form has a token, the same at each attempt, so that these create one room. */
  fill_in: (state, { changes }) =>
    state.form === null ? state : { ...state, form: { ...state.form, ...changes } },
  close_form: (state) => ({ ...state, form: null }),
  submit_form: (state) => submitForm(state),
  configured: (state, { error }) => (error ? failed(state, error) : { ...state, form: null }),
  created: (state, { error, opponent }) => {
    const there = failed({ ...state, isEntering: false }, error);
    if (error || !opponent) return there;
    return command(there, { type: 'fill', bot: opponent }, { type: 'filled' });
  },
  filled: (state, { error }) => (error ? failed(state, error) : command(state, { type: 'start' })),

  // Finished games

  open_games: (state) => moreGames(openDialog(state, { kind: 'games', games: [], next: '' })),
  more_games: (state) => moreGames(state),
  games_listed: (state, event) => gamesListed(state, event),
  open_game: (state, { number }) =>
    request(state, { type: 'get_game', game: number }, { type: 'game_fetched', number }),
  game_fetched: (state, { number, answer, error }) => {
    if (error) return failed(state, error);
    if (!answer.room) return failed(state, { message: wordsOf(state)('game_unreadable') });
    const finished = { picture: pictureFrom(answer.room), number };
    return lookBack({ ...closeDialog(state), finished, review: null }, 0);
  },
  /** The list of open rooms may have changed meanwhile. */
  close_game: (state) => openLobby({ ...state, finished: null, review: null, replayAt: null }),

  // Settings

  change_settings: (state, { changes }) =>
    withEffect(state, { type: 'save_settings', changes, then: { type: 'settings_saved' } }),
  settings_saved: (state, { settings, language }) => ({ ...state, settings, language }),
  device_dark: (state, { isDark }) => ({ ...state, prefersDark: isDark }),
};

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

function arrivalFailed(state, { code, message, isOffline }) {
  if (state.arrival === null) return state; // the person doesn't want it any more
  const isForNow = isOffline || FOR_NOW.includes(code);
  const why = code === 'no_such_code' ? 'no_such_code' : 'arrival_damaged';
  const problem = isForNow ? message : wordsOf(state)(why);
  const kept = isForNow ? {} : { code: null };
  return { ...state, arrival: { ...state.arrival, ...kept, problem, isBusy: false } };
}

function listRooms(state, number, after = '') {
  const message = { type: 'list_rooms', ...(after && { after }) };
  return request(state, message, { type: 'rooms_listed', number });
}

function roomsListed(state, { number, answer, error }) {
  if (number !== state.listing.number) return state; // a newer list is on its way
  if (error) return failed(state, error);
  const rooms = new Map(state.listing.rooms);
  for (const room of answer.rooms) rooms.set(room.room, room);
  const listing = { ...state.listing, rooms, isComplete: !answer.next };
  const listed = { ...state, listing };
  return answer.next ? listRooms(listed, number, answer.next) : listed;
}

function joinAnswered(state, { room, watch, isAgain, error }) {
  const there = { ...state, isEntering: false };
  if (!error) return there;
  const isAsked = error.code === 'wrong_password';
  const passwordFor = { room, watch, problem: isAgain ? error.message : '' };
  const refused = isAsked
    ? { ...there, passwordFor }
    : failed(withEffect(there, { type: 'save_room', place: null }), error);
  return state.listing.isComplete ? refused : openLobby(refused);
}

function submitForm(state) {
  const { form } = state;
  const settings = settingsIn(form);
  if (!form.isNew) return command(state, { type: 'configure', settings }, { type: 'configured' });
  const opponent = hasOpponents(form) ? form.opponent : '';
  return enter(state, { type: 'create_room', ...fieldsOf(form) }, { type: 'created', opponent });
}

/** Ask for the next page of the list, unless it is on its way. */
function moreGames(state) {
  const { next: after } = state.dialog;
  if (after === null) return state;
  const dialog = { ...state.dialog, next: null };
  const message = { type: 'list_games', ...(after && { after }) };
  return request({ ...state, dialog }, message, { type: 'games_listed' });
}

function gamesListed(state, { answer, error }) {
  if (error) return failed(state, error);
  if (state.dialog?.kind !== 'games') return state;
  const games = [...state.dialog.games, ...answer.games];
  const next = answer.next ?? '';
  return { ...state, dialog: { kind: 'games', games, next, isComplete: next === '' } };
}
