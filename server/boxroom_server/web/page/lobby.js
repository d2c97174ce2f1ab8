/** The lobby: the open rooms, and the ways to another one. */

import { h } from './dom.js';
import { openGames } from './games.js';
import { settingsInWords } from './narrate.js';
import { newForm, roomForm } from './room_form.js';
import { openSettings } from './settings.js';

export function lobbyView(app) {
  const { t } = app;
  return h(
    'main.lobby',
    { 'data-key': 'lobby' },
    h(
      'header',
      {},
      h('h1', {}, t('welcome')),
      h('span.who', {}, app.me),
      h('button.icon', { 'aria-label': t('settings'), onclick: () => openSettings(app) }, '⚙'),
    ),
    app.passwordFor ? passwordForm(app) : null,
    app.form ? roomForm(app) : chooser(app),
  );
}

function chooser(app) {
  const { t } = app;
  const open = () => {
    app.form = newForm(app);
    app.render();
  };
  const joinByCode = (event) => {
    event.preventDefault();
    const room = event.target.elements.room.value.trim();
    if (room) app.join(room);
  };
  return h(
    'div',
    { 'data-key': 'chooser' },
    h('button.primary.wide', { disabled: !app.isOnline, onclick: open }, t('new_room')),
    h('h2', {}, t('rooms')),
    roomList(app),
    h('button.wide', { disabled: !app.isOnline, onclick: () => openGames(app) }, t('my_games')),
    h(
      'form.by-code',
      { onsubmit: joinByCode },
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

function roomList(app) {
  const { t } = app;
  if (app.rooms === null) return h('p.help', {}, t('connecting'));
  if (!app.rooms.size) return h('p.help', {}, t('no_rooms'));
  const rooms = [...app.rooms.values()].sort(fullestFirst);
  return h('ul.rooms', {}, ...rooms.map((room) => roomItem(app, room)));
}

/** Order rooms as the server does: those with an empty seat first, of these the fullest. */
function fullestFirst(a, b) {
  return (
    Number(a.empty_seats === 0) - Number(b.empty_seats === 0) ||
    b.people - a.people ||
    (a.room < b.room ? -1 : 1)
  );
}

function roomItem(app, room) {
  const { t } = app;
  const numbers = [
    ['people', room.people],
    ['bots', room.bots],
    ['watching_n', room.spectators],
    ['empty_seats', room.empty_seats],
  ];
  const there = numbers.filter(([, n]) => n).map(([key, n]) => t(key, { n }));
  const canSit = room.empty_seats > 0 && room.phase !== 'playing';
  return h(
    'li',
    { 'data-key': room.room },
    h(
      'div',
      {},
      h('strong', {}, room.room),
      h(
        'span',
        {},
        settingsInWords(
          { options: {}, ...room.settings, game: room.settings.game ?? 'dots' },
          t,
          app.games,
        ),
      ),
      h('span.help', {}, [t(room.phase), ...there].join(', ')),
    ),
    canSit ? h('button.primary', { onclick: () => app.join(room.room) }, t('join')) : null,
    h('button', { onclick: () => app.join(room.room, { watch: true }) }, t('watch')),
  );
}

function passwordForm(app) {
  const { t, passwordFor } = app;
  const submit = (event) => {
    event.preventDefault();
    app.join(passwordFor.room, {
      password: event.target.elements.password.value,
      watch: passwordFor.watch,
    });
  };
  const cancel = () => {
    app.passwordFor = null;
    app.render();
  };
  return h(
    'form.card',
    { 'data-key': 'password', onsubmit: submit },
    h('label', { for: 'password' }, t('needs_password', { room: passwordFor.room })),
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
    passwordFor.problem ? h('p.problem', { role: 'alert' }, passwordFor.problem) : null,
    h(
      'div.buttons',
      {},
      h('button', { type: 'button', onclick: cancel }, t('cancel')),
      h('button.primary', { type: 'submit' }, t('join')),
    ),
  );
}
