/** The form for a new room or the next game, made from what the server says of its games. */

import { h } from './dom.js';
import { randomText } from './random_text.js';

/** Return the state of a form: the settings of `room`, or those by default for a new room. */
export function newForm(app, room = null) {
  const settings = room?.settings ?? {};
  return {
    isNew: room === null,
    game: settings.game ?? app.games[0]?.game ?? 'dots',
    options: { ...settings.options },
    seats: settings.seats ?? 2,
    opponent: '',
    clock: settings.clock_s ?? '',
    onDrop: settings.on_drop ?? 'bot',
    isPrivate: settings.private ?? false,
    password: '',
    hints: settings.hints ?? true,
    takebacks: settings.takebacks ?? 10,
    token: randomText(16), // the same at each attempt, which creates one room
  };
}

export function roomForm(app) {
  const { t, form } = app;
  const game = app.games.find((each) => each.game === form.game);
  const set = (changes) => {
    Object.assign(form, changes);
    app.render();
  };
  return h(
    'form.card.room-form',
    { 'data-key': 'room-form', onsubmit: (event) => submit(event, app) },
    h('h2', {}, t(form.isNew ? 'new_room' : 'next_game')),
    ...gameFields(app, game, set),
    h(
      'details',
      {},
      h('summary', {}, t('more_settings')),
      ...furtherFields(app, set),
      ...(form.isNew ? privacyFields(app, set) : []),
    ),
    h(
      'div.buttons',
      {},
      h('button', { type: 'button', onclick: () => close(app) }, t('cancel')),
      h('button.primary', { type: 'submit' }, t(form.isNew ? 'create' : 'save_settings')),
    ),
  );
}

function gameFields(app, game, set) {
  const { t, form } = app;
  const titles = app.games.map((each) => [each.game, each.title]);
  const opponents = [['', t('for_people')], ...botChoices(app, game)];
  const seats = { least: game?.least_seats ?? 1, most: game?.most_seats ?? 50 };
  return [
    select(t('game'), 'game', titles, form.game, (value) => set({ game: value, options: {} })),
    h(
      'div.options',
      { 'data-key': form.game },
      ...(game?.options ?? []).map((option) => optionField(form, option, set)),
    ),
    number(t('seats'), 'seats', form.seats, seats, (value) => set({ seats: value })),
    hasOpponents(form)
      ? select(t('opponents'), 'opponent', opponents, form.opponent, (value) =>
          set({ opponent: value }),
        )
      : null,
  ];
}

/** Return whether bots may be chosen for the other seats of a new room, which may have just one. */
function hasOpponents({ isNew, seats }) {
  return isNew && Number(seats) !== 1;
}

function furtherFields(app, set) {
  const { t, form } = app;
  const clock = { least: 1, most: 86400, placeholder: t('clock_off') };
  const takebacks = { least: 0, most: 1000 };
  const onDrop = ['bot', 'wait', 'forfeit'].map((each) => [each, t(`on_drop_${each}`)]);
  return [
    number(t('clock'), 'clock', form.clock, clock, (value) => set({ clock: value })),
    number(t('takebacks'), 'takebacks', form.takebacks, takebacks, (value) =>
      set({ takebacks: value }),
    ),
    select(t('on_drop'), 'on_drop', onDrop, form.onDrop, (value) => set({ onDrop: value })),
    checkbox(t('hints'), 'hints', form.hints, (value) => set({ hints: value })),
  ];
}

function privacyFields(app, set) {
  const { t, form } = app;
  return [
    checkbox(t('private_room'), 'private', form.isPrivate, (value) => set({ isPrivate: value })),
    form.isPrivate
      ? h(
          'label',
          {},
          t('password'),
          h('input', {
            type: 'password',
            required: true,
            maxlength: 200,
            autocomplete: 'new-password',
            value: form.password,
            oninput: (event) => {
              form.password = event.target.value;
            },
          }),
        )
      : null,
  ];
}

/** Return the bots of a game, levels first, each with its text: for the options of a `select`. */
export function botChoices({ t }, game) {
  const levels = game?.levels ?? [];
  const others = (game?.bots ?? []).filter((bot) => !levels.includes(bot));
  return [
    ...levels.map((bot) => [bot, t('level', { name: t(bot) })]),
    ...others.map((bot) => [bot, t('bot_named', { name: bot })]),
  ];
}

function optionField(form, option, set) {
  const value = form.options[option.name] ?? option.default;
  const change = (changed) => set({ options: { ...form.options, [option.name]: changed } });
  if (option.choices?.length) {
    return select(
      option.name,
      option.name,
      option.choices.map((each) => [each, each]),
      value,
      change,
      option.help,
    );
  }
  const isNumber = typeof option.default === 'number';
  return h(
    'label',
    { title: option.help },
    option.name,
    h('input', {
      name: option.name,
      value,
      type: isNumber ? 'number' : 'text',
      required: true,
      ...(isNumber && { min: option.least, max: option.most, inputmode: 'numeric' }),
      onchange: (event) => change(isNumber ? Number(event.target.value) : event.target.value),
    }),
    h('span.help', {}, option.help),
  );
}

function select(label, name, choices, value, change, help = '') {
  return h(
    'label',
    {},
    label,
    h(
      'select',
      { name, onchange: (event) => change(event.target.value) },
      ...choices.map(([each, text]) =>
        h('option', { value: each, selected: each === value }, text),
      ),
    ),
    help ? h('span.help', {}, help) : null,
  );
}

function number(label, name, value, { least, most, placeholder = '' }, change) {
  return h(
    'label',
    {},
    label,
    h('input', {
      name,
      type: 'number',
      inputmode: 'numeric',
      value,
      min: least,
      max: most,
      placeholder,
      // Not `onchange`, which comes with the press of a button, and could move the button away.
      oninput: (event) => change(event.target.value === '' ? '' : Number(event.target.value)),
    }),
  );
}

function checkbox(label, name, value, change) {
  return h(
    'label.check',
    {},
    h('input', {
      type: 'checkbox',
      name,
      checked: value,
      onchange: (event) => change(event.target.checked),
    }),
    label,
  );
}

function close(app) {
  app.form = null;
  app.render();
}

function settingsOf(form) {
  return {
    game: form.game,
    options: form.options,
    seats: Number(form.seats) || 2,
    ...(form.clock !== '' && { clock_s: Number(form.clock) }),
    on_drop: form.onDrop,
    private: form.isPrivate,
    hints: form.hints,
    takebacks: Number(form.takebacks),
  };
}

async function submit(event, app) {
  event.preventDefault();
  const { form } = app;
  const settings = settingsOf(form);
  if (!form.isNew) {
    if (await app.command({ type: 'configure', settings })) close(app);
    return;
  }
  const message = {
    token: form.token,
    settings,
    ...(form.isPrivate && { password: form.password }),
  };
  if (!(await app.create(message))) return;
  if (!form.opponent || !hasOpponents(form)) return;
  if (await app.command({ type: 'fill', bot: form.opponent })) await app.command({ type: 'start' });
}
