/**
 * The lobby: the open rooms, and the ways to another one.
 *
 * @import { Description, View } from '../dom.js'
 * @import { RoomListed } from '../protocol.js'
 * @import { PageEvent } from '../state/next.js'
 * @import { State } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h, typedIn } from '../dom.js';
import { settingsInWords } from '../narrate.js';
import { isInRoom, nameOf } from '../state/state.js';
import { runningGames } from '../state/way_in.js';
import { cardsView } from './cards.js';
import { iconButton } from './icons.js';
import { roomForm } from './room_form.js';

/** @type {View<Description>} */
export function lobbyView(state, t) {
  /** @type {PageEvent} */
  const settings = { type: 'open_dialog', dialog: { kind: 'settings' } };
  return h(
    'main.lobby',
    { key: 'lobby' },
    h(
      'header',
      {},
      h('h1', {}, t('welcome')),
      h('span.who', {}, nameOf(state)),
      iconButton('settings', t('settings'), settings),
    ),
    state.passwordFor ? passwordForm(state.passwordFor, t) : null,
    state.form ? roomForm(state, state.form, t) : chooser(state, t),
  );
}

/** @type {View<Description>} */
function chooser(state, t) {
  return h(
    'div',
    { key: 'chooser' },
    cardsView(state, t),
    ...roomsToEnter(state, t),
    furtherWays(state, t),
    state.isCodeAsked ? byCode(t) : null,
  );
}

/**
 * Return the list of the open rooms of which no card shows the game; nothing if there is none.
 *
 * @type {View<Description[]>}
 */
function roomsToEnter(state, t) {
  const shown = runningGames(state).map(({ room }) => room);
  const rooms = [...state.listing.rooms.values()].filter(({ room }) => !shown.includes(room));
  return rooms.length ? [h('h2', {}, t('rooms')), roomItems(state, rooms, t)] : [];
}

/** @type {View<Description>} */
function furtherWays(state, t) {
  const disabled = !state.isOnline;
  return h(
    'nav.actions',
    { 'aria-label': t('more_settings') },
    h('button', { disabled, onclick: { type: 'open_form' } }, t('new_room')),
    h(
      'button',
      { 'aria-expanded': state.isCodeAsked, onclick: { type: 'ask_code' } },
      t('have_code'),
    ),
    h('button', { disabled, onclick: { type: 'open_games' } }, t('my_games')),
    h('button', { disabled, onclick: { type: 'open_mistakes' } }, t('mistakes.title')),
    h('button', { onclick: { type: 'open_puzzles', lesson: '' } }, t('lesson.lessons')),
    h('button', { onclick: { type: 'open_puzzles' } }, t('puzzle.puzzles')),
  );
}

/**
 * Return the other rooms, to which one goes from a room.
 *
 * @type {View<(?Description)[]>}
 */
export function otherRoomsView(state, t) {
  return [
    state.passwordFor ? passwordForm(state.passwordFor, t) : null,
    roomList(state, t),
    byCode(t),
  ];
}

/** @type {(t: Translate) => Description} */
function byCode(t) {
  return h(
    'form.by-code',
    { onsubmit: ({ target }) => joining(typedIn(target, 'room').trim()) },
    h('label', { for: 'room' }, t('room_code')),
    h('input', {
      id: 'room',
      name: 'room',
      maxlength: 100,
      autocapitalize: 'none',
      autocomplete: 'off',
      spellcheck: 'false',
    }),
    h('button', { type: 'submit' }, t('join')),
  );
}

/** @type {(room: string) => ?PageEvent} */
function joining(room) {
  return room ? { type: 'join', room } : null;
}

/** @type {View<Description>} */
function roomList(state, t) {
  const { rooms, isComplete } = state.listing;
  if (!isComplete) return h('p.help', {}, t('connecting'));
  if (!rooms.size) return h('p.help', {}, t('no_rooms'));
  return roomItems(state, [...rooms.values()], t);
}

/** @type {(state: State, rooms: RoomListed[], t: Translate) => Description} */
function roomItems(state, rooms, t) {
  const sorted = rooms.sort(fullestFirst);
  return h('ul.rooms', {}, ...sorted.map((room) => roomItem(state, room, t)));
}

/**
 * Order rooms as the server does: those with an empty seat first, of these the fullest.
 *
 * @type {(a: RoomListed, b: RoomListed) => number}
 */
function fullestFirst(a, b) {
  return (
    Number(a.empty_seats === 0) - Number(b.empty_seats === 0) ||
    b.people - a.people ||
    (a.room < b.room ? -1 : 1)
  );
}

/** @type {(state: State, entry: RoomListed, t: Translate) => Description} */
function roomItem(state, entry, t) {
  const { room, phase } = entry;
  const isHere = isInRoom(state) && state.picture.room === room;
  const settings = { options: {}, ...entry.settings, game: entry.settings.game ?? 'dots' };
  const canSit = entry.empty_seats > 0 && phase !== 'playing';
  return h(
    'li',
    { key: room },
    h(
      'div',
      {},
      h('strong', {}, room),
      h('span', {}, settingsInWords(settings, t, state.games)),
      h('span.help', {}, [t(phase), ...peopleIn(entry, t)].join(', ')),
    ),
    isHere ? h('span.help', {}, t('here')) : null,
    canSit && !isHere
      ? h('button.primary', { onclick: { type: 'join', room } }, t('join'))
      : null,
    isHere ? null : h('button', { onclick: { type: 'join', room, watch: true } }, t('watch')),
  );
}

/** @type {(entry: RoomListed, t: Translate) => string[]} */
function peopleIn(entry, t) {
  /** @type {[string, number][]} */
  const numbers = [
    ['people', entry.people],
    ['bots', entry.bots],
    ['watching_n', entry.spectators],
    ['empty_seats', entry.empty_seats],
  ];
  return numbers.filter(([, n]) => n).map(([key, n]) => t(key, { n }));
}

/** @type {(asked: NonNullable<State['passwordFor']>, t: Translate) => Description} */
function passwordForm({ room, watch, problem }, t) {
  return h(
    'form.card',
    {
      key: 'password',
      onsubmit: ({ target }) => {
        return { type: 'join', room, watch, password: typedIn(target, 'password') };
      },
    },
    h('label', { for: 'password' }, t('needs_password', { room })),
    h('input', {
      id: 'password',
      name: 'password',
      type: 'password',
      required: true,
      maxlength: 200,
      autocomplete: 'off',
      placeholder: t('password'),
      autofocus: true,
    }),
    problem ? h('p.problem', { role: 'alert' }, problem) : null,
    h(
      'div.buttons',
      {},
      h('button', { type: 'button', onclick: { type: 'no_password' } }, t('cancel')),
      h('button.primary', { type: 'submit' }, t('join')),
    ),
  );
}
