/**
 * The form for a new room or the next game.
 *
 * @import { Unnumbered } from '../link.js'
 * @import { RoomSettings } from '../mirror.js'
 * @import { CreateRoom, OnDrop, RequestedSettings } from '../protocol.js'
 * @import { State } from './state.js'
 *
 * @typedef {{isNew: boolean, game: string, options: Record<string, number | string>,
 *   seats: number | '', mostSeats: number | '', opponent: string, clock: number | '',
 *   onDrop: OnDrop, isPrivate: boolean, password: string, hints: boolean, takebacks: number | '',
 *   hasCoach: boolean, standIn: number | '', bestOf: number | '', opening: string[],
 *   toMove: number, token: string}} Form
 *   `seats` is the least number if more people than that can play, up to `mostSeats`; `opening` has
 *   the moves with which games begin, and `toMove` the seat that moves then
 */

import { gameOf } from './state.js';

/**
 * Return a form with these settings of a room; without them with the usual ones of a new room.
 *
 * @type {(state: State, settings?: ?RoomSettings) => Form}
 */
export function newForm({ games }, settings = null) {
  /** @type {Partial<RoomSettings>} */
  const known = settings ?? {};
  return {
    isNew: settings === null,
    game: known.game ?? games[0]?.game ?? 'dots',
    options: { ...known.options },
    seats: known.seat_range?.[0] ?? known.seats ?? 2,
    mostSeats: known.seat_range?.[1] ?? '',
    opponent: '',
    hasCoach: false,
    clock: known.clock_s ?? '',
    onDrop: known.on_drop ?? 'bot',
    isPrivate: known.private ?? false,
    password: '',
    hints: known.hints ?? true,
    takebacks: known.takebacks ?? 10,
    standIn: known.stand_in_s ?? 60,
    bestOf: known.best_of || '',
    opening: known.opening ?? [],
    toMove: 0,
    token: '',
  };
}

/**
 * Return a form with other values; an opening stays only where the board and the seats do.
 *
 * @type {(form: Form, changes: Partial<Form>) => Form}
 */
export function filledIn(form, changes) {
  const isOther = ['game', 'options', 'seats', 'mostSeats'].some((name) => name in changes);
  return { ...form, ...(isOther && { opening: [] }), ...changes };
}

/**
 * Return whether bots may be chosen for the other seats of a new room, which may have just one.
 *
 * @type {(form: Form) => boolean}
 */
export function hasOpponents({ isNew, seats }) {
  return isNew && Number(seats) !== 1;
}

/**
 * Return whether the coach can help in a new room: one person plays against a bot.
 *
 * @type {(state: State, form: Form) => boolean}
 */
export function canHaveCoach(state, form) {
  const seats = Number(form.seats);
  const isFixed = form.mostSeats === '' || form.mostSeats === seats;
  const isAgainstBot = hasOpponents(form) && form.opponent !== '';
  return isAgainstBot && isFixed && (gameOf(state, form)?.reviewed ?? []).includes(seats);
}

/**
 * Return the settings for the server.
 *
 * @type {(form: Form) => RequestedSettings}
 */
export function settingsIn(form) {
  const seats = Number(form.seats) || 2;
  const most = form.mostSeats || seats;
  return {
    game: form.game,
    options: form.options,
    seats,
    ...(most !== seats && { seat_range: [seats, most] }),
    ...(form.clock !== '' && { clock_s: Number(form.clock) }),
    on_drop: form.onDrop,
    private: form.isPrivate,
    hints: form.hints,
    takebacks: Number(form.takebacks),
    stand_in_s: Number(form.standIn) || 60,
    ...(form.bestOf && { best_of: form.bestOf }),
    ...(form.opening.length && { opening: form.opening }),
  };
}

/**
 * Return the fields of the message that creates the room.
 *
 * @type {(form: Form) => Omit<Unnumbered<CreateRoom>, 'type'>}
 */
export function fieldsOf(form) {
  const { token, isPrivate, password } = form;
  return { token, settings: settingsIn(form), ...(isPrivate && { password }) };
}
