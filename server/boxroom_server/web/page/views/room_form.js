/**
 * The form for a new room or the next game, made from what the server says of its games.
 *
 * @import { Description, View } from '../dom.js'
 * @import { GameOffered, OnDrop, OptionOffered } from '../protocol.js'
 * @import { Form } from '../state/form.js'
 * @import { PageEvent } from '../state/next.js'
 * @import { State } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h } from '../dom.js';
import { called, labelOf, meaningOf, titleOfGame, valueInWords } from '../game_words.js';
import { canHaveCoach, hasOpponents } from '../state/form.js';
import { gameOf } from '../state/state.js';
import { suggestedLevel } from '../suggested_level.js';

/** @type {OnDrop[]} */
const ON_DROP = ['bot', 'wait', 'forfeit'];

/** @type {(state: State, form: Form, t: Translate) => Description} */
export function roomForm(state, form, t) {
  return h(
    'form.card.room-form',
    { key: 'room-form', onsubmit: { type: 'submit_form' } },
    h('h2', {}, t(form.isNew ? 'new_room' : 'next_game')),
    ...gameFields(state, form, t),
    openingField(form, t),
    h(
      'details',
      {},
      h('summary', {}, t('more_settings')),
      ...furtherFields(form, t),
      ...(form.isNew ? privacyFields(form, t) : []),
    ),
    h(
      'div.buttons',
      {},
      h('button', { type: 'button', onclick: { type: 'close_form' } }, t('cancel')),
      h('button.primary', { type: 'submit' }, t(form.isNew ? 'create' : 'save_settings')),
    ),
  );
}

/**
 * Return the event that changes fields of the form.
 *
 * @type {(changes: Partial<Form>) => PageEvent}
 */
function set(changes) {
  return { type: 'fill_in', changes };
}

/** @type {(state: State, form: Form, t: Translate) => (?Description)[]} */
function gameFields(state, form, t) {
  const { games } = state;
  const game = gameOf(state, form);
  const titles = games.map((each) => [each.game, titleOfGame(each, t)]);
  const opponents = [['', t('for_people')], ...botChoices(state, game, t)];
  const seats = { least: game?.least_seats ?? 2, most: game?.most_seats ?? 50 };
  const more = { ...seats, least: form.seats || seats.least, placeholder: t('most_seats_none') };
  return [
    select(t('game'), 'game', titles, form.game, (value) =>
      set({ game: value, options: {}, mostSeats: '' }),
    ),
    h(
      'div.options',
      { key: form.game },
      ...(game?.options ?? []).map((option) => optionField(form, option, t)),
    ),
    number(t('seats'), 'seats', form.seats, seats, (value) => set({ seats: value })),
    seats.least === seats.most
      ? null
      : number(t('most_seats'), 'most_seats', form.mostSeats, more, (value) =>
          set({ mostSeats: value }),
        ),
    hasOpponents(form)
      ? select(t('opponents'), 'opponent', opponents, form.opponent, (value) =>
          set({ opponent: value }),
        )
      : null,
    canHaveCoach(state, form)
      ? checkbox(t('coach.label'), 'coach', form.hasCoach, (value) => set({ hasCoach: value }))
      : null,
  ];
}

/** @type {(form: Form, t: Translate) => ?Description} */
function openingField({ opening }, t) {
  const text = t('keep_opening', { n: opening.length });
  return opening.length ? checkbox(text, 'opening', true, () => set({ opening: [] })) : null;
}

/** @type {(form: Form, t: Translate) => Description[]} */
function furtherFields(form, t) {
  const clock = { least: 1, most: 86400, placeholder: t('clock_off') };
  const takebacks = { least: 0, most: 1000 };
  const bestOf = { least: 0, most: 999, placeholder: t('best_of_off') };
  const onDrop = ON_DROP.map((each) => [each, t(`on_drop_${each}`)]);
  return [
    number(t('clock'), 'clock', form.clock, clock, (value) => set({ clock: value })),
    number(t('takebacks'), 'takebacks', form.takebacks, takebacks, (value) =>
      set({ takebacks: value }),
    ),
    number(t('standin_s'), 'stand_in', form.standIn, { least: 5, most: 86400 }, (value) =>
      set({ standIn: value }),
    ),
    number(t('best_of'), 'best_of', form.bestOf, bestOf, (value) => set({ bestOf: value })),
    select(t('on_drop'), 'on_drop', onDrop, form.onDrop, (value) =>
      set({ onDrop: ON_DROP.find((each) => each === value) }),
    ),
    checkbox(t('hints'), 'hints', form.hints, (value) => set({ hints: value })),
  ];
}

/** @type {(form: Form, t: Translate) => (?Description)[]} */
function privacyFields(form, t) {
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
            oninput: ({ target }) => set({ password: target.value }),
          }),
        )
      : null,
  ];
}

/**
 * Return the bots of a game, levels first, each with its text: for the options of a `select`.
 *
 * @type {(state: State, game: GameOffered | undefined, t: Translate) => string[][]}
 */
export function botChoices(state, game, t) {
  const levels = game?.levels ?? [];
  const suggested = suggestedLevel(state.results[game?.game ?? ''] ?? [], levels);
  const others = (game?.bots ?? []).filter((bot) => !levels.includes(bot));
  return [
    ...levels.map((bot) => {
      const name = t('level', { name: called(bot, t) });
      return [bot, bot === suggested ? t('suggested', { name }) : name];
    }),
    ...others.map((bot) => [bot, t('bot_named', { name: bot })]),
  ];
}

/** @type {(form: Form, option: OptionOffered, t: Translate) => Description} */
function optionField(form, option, t) {
  const label = labelOf(form, option, t);
  const help = meaningOf(form, option, t);
  const value = form.options[option.name] ?? option.default;
  /** @type {(changed: number | string) => PageEvent} */
  const change = (changed) => set({ options: { ...form.options, [option.name]: changed } });
  if (option.choices?.length) {
    return select(
      label,
      option.name,
      option.choices.map((each) => [each, valueInWords(form, option, each, t)]),
      value,
      change,
      help,
    );
  }
  const isNumber = typeof option.default === 'number';
  return h(
    'label',
    { title: help },
    label,
    h('input', {
      name: option.name,
      value,
      type: isNumber ? 'number' : 'text',
      required: true,
      ...(isNumber && { min: option.least, max: option.most, inputmode: 'numeric' }),
      onchange: (event) => change(isNumber ? Number(event.target.value) : event.target.value),
    }),
    h('span.help', {}, help),
  );
}

/**
 * @param {string} label
 * @param {string} name
 * @param {string[][]} choices
 * @param {string | number} value
 * @param {(value: string) => PageEvent} change
 * @param {string} help
 */
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

/**
 * @param {string} label
 * @param {string} name
 * @param {number | ''} value
 * @param {{least: number, most: number, placeholder?: string}} bounds
 * @param {(value: number | '') => PageEvent} change
 */
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

/**
 * @param {string} label
 * @param {string} name
 * @param {boolean} value
 * @param {(value: boolean) => PageEvent} change
 */
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
