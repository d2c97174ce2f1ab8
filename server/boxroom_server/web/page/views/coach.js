/**
 * The coach: what it says, with what can be done about it, and the button that calls it.
 *
 * @import { View } from '../dom.js'
 * @import { Description } from '../dom.js'
 * @import { BoardState } from '../state/state.js'
 */

import { h } from '../dom.js';
import { commanded, gameOf, mySeats, shownPicture } from '../state/state.js';
import { button } from './buttons.js';

/** @type {View<?Description, BoardState>} */
export function coachView({ coaching }, t) {
  if (coaching === null) return null;
  const { text, canUndo, theme } = coaching;
  return h(
    'section.coach',
    { key: 'coach', 'aria-label': t('coach') },
    h('p', { role: 'status' }, text),
    h(
      'div.actions',
      {},
      canUndo ? button(t('undo'), { type: 'undo' }, '.primary') : null,
      theme === null ? null : button(t('coach.to_puzzles'), { type: 'practise', theme }),
      button(t('close'), { type: 'close_coach' }),
    ),
  );
}

/**
 * Return the button that calls the coach or sends it away; null where it can't help.
 *
 * @type {View<?Description, BoardState>}
 */
export function coachButton(state, t) {
  const { seats, settings } = shownPicture(state);
  const mine = mySeats(state);
  const people = seats.filter(({ member }) => member !== null);
  const isKnown = gameOf(state, settings)?.reviewed?.includes(settings.seats);
  if (!isKnown || people.length !== 1 || mine.length !== 1) return null;
  const [seat] = mine;
  const on = !seats[seat].coached;
  return button(t(on ? 'coach.call' : 'coach.dismiss'), commanded({ type: 'coach', seat, on }));
}
