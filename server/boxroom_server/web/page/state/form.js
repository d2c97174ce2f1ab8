/**
 * The form for a new room or the next game.
 *
 * @typedef {{isNew: boolean, game: string, options: object, seats: number | '', opponent: string,
 *   clock: number | '', onDrop: string, isPrivate: boolean, password: string, hints: boolean,
 *   takebacks: number | '', token: string}} Form
 */

/** Return a form with these settings of a room; without them with the usual ones of a new room. */
export function newForm({ games }, settings = null) {
  const known = settings ?? {};
  return {
    isNew: settings === null,
    game: known.game ?? games[0]?.game ?? 'dots',
    options: { ...known.options },
    seats: known.seats ?? 2,
    opponent: '',
    clock: known.clock_s ?? '',
    onDrop: known.on_drop ?? 'bot',
    isPrivate: known.private ?? false,
    password: '',
    hints: known.hints ?? true,
    takebacks: known.takebacks ?? 10,
    token: '',
  };
}

/** Return whether bots may be chosen for the other seats of a new room, which may have just one. */
export function hasOpponents({ isNew, seats }) {
  return isNew && Number(seats) !== 1;
}

/** Return the settings for the server. */
export function settingsIn(form) {
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

/** Return the fields of the message that creates the room. */
export function fieldsOf(form) {
  const { token, isPrivate, password } = form;
  return { token, settings: settingsIn(form), ...(isPrivate && { password }) };
}
