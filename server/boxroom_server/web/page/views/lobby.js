/** The lobby: the open rooms, and the ways to another one. */

import { h } from '../dom.js';
import { settingsInWords } from '../narrate.js';
import { nameOf } from '../state/state.js';
import { roomForm } from './room_form.js';

export function lobbyView(state, t) {
  const settings = { type: 'open_dialog', dialog: { kind: 'settings' } };
  return h(
    'main.lobby',
    { key: 'lobby' },
    h(
      'header',
      {},
      h('h1', {}, t('welcome')),
      h('span.who', {}, nameOf(state)),
      h('button.icon', { 'aria-label': t('settings'), onclick: settings }, '⚙'),
    ),
    state.passwordFor ? passwordForm(state, t) : null,
    state.form ? roomForm(state, t) : chooser(state, t),
  );
}

function chooser(state, t) {
  const disabled = !state.isOnline;
  return h(
    'div',
    { key: 'chooser' },
    h('button.primary.wide', { disabled, onclick: { type: 'open_form' } }, t('new_room')),
    h('h2', {}, t('rooms')),
    roomList(state, t),
    h('button.wide', { disabled, onclick: { type: 'open_games' } }, t('my_games')),
    h(
      'form.by-code',
      { onsubmit: ({ target }) => joining(target.elements.room.value.trim()) },
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
    ),
  );
}

function joining(room) {
  return room ? { type: 'join', room } : null;
}

function roomList(state, t) {
  const { rooms, isComplete } = state.listing;
  if (!isComplete) return h('p.help', {}, t('connecting'));
  if (!rooms.size) return h('p.help', {}, t('no_rooms'));
  const sorted = [...rooms.values()].sort(fullestFirst);
  return h('ul.rooms', {}, ...sorted.map((room) => roomItem(state, room, t)));
}

/** Order rooms as the server does: those with an empty seat first, of these the fullest. */
function fullestFirst(a, b) {
  return (
    Number(a.empty_seats === 0) - Number(b.empty_seats === 0) ||
    b.people - a.people ||
    (a.room < b.room ? -1 : 1)
  );
}

function roomItem({ games }, entry, t) {
  const { room, phase } = entry;
  const settings = { options: {}, ...entry.settings, game: entry.settings.game ?? 'dots' };
  const canSit = entry.empty_seats > 0 && phase !== 'playing';
  return h(
    'li',
    { key: room },
    h(
      'div',
      {},
      h('strong', {}, room),
      h('span', {}, settingsInWords(settings, t, games)),
      h('span.help', {}, [t(phase), ...peopleIn(entry, t)].join(', ')),
    ),
    canSit ? h('button.primary', { onclick: { type: 'join', room } }, t('join')) : null,
    h('button', { onclick: { type: 'join', room, watch: true } }, t('watch')),
  );
}

function peopleIn(entry, t) {
  const numbers = [
    ['people', entry.people],
    ['bots', entry.bots],
    ['watching_n', entry.spectators],
    ['empty_seats', entry.empty_seats],
  ];
  return numbers.filter(([, n]) => n).map(([key, n]) => t(key, { n }));
}

function passwordForm({ passwordFor: { room, watch, problem } }, t) {
  const submit = ({ target }) => {
    const password = target.elements.password.value;
    return { type: 'join', room, watch, password };
  };
  return h(
    'form.card',
    { key: 'password', onsubmit: submit },
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
