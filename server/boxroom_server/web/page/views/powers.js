/**
 * The sheet of what the host can do now, and why not the rest.
 *
 * @import { Description, View } from '../dom.js'
 * @import { Command } from '../link.js'
 * @import { Power } from '../protocol.js'
 * @import { PageEvent } from '../state/next.js'
 * @import { Translate } from '../words.js'
 */

import { h } from '../dom.js';
import { commanded } from '../state/state.js';

/** Powers that a long list names once, without a person. */
const OF_ONE = ['mute', 'unmute', 'kick', 'unbar', 'hand_over'];

/** @type {View<Description[]>} */
export function powersView({ dialog }, t) {
  if (dialog?.kind !== 'powers') return [];
  return [h('ul.powers', {}, ...(dialog.powers ?? []).map((power) => powerItem(power, t)))];
}

/** @type {(power: Power, t: Translate) => Description} */
function powerItem(power, t) {
  const { power: kind, name = '', refused, message } = power;
  const does = t(`power.${kind}${OF_ONE.includes(kind) && !name ? '.any' : ''}`, { name });
  const isPossible = !refused;
  return h(
    'li',
    { key: `${kind} ${name}` },
    h('button', { disabled: !isPossible, onclick: useOf(power) }, does),
    isPossible ? null : h('small', {}, t.said({ phrase: refused, message })),
  );
}

/**
 * Return the event by which the host uses a power, or chooses what is still open.
 *
 * @type {(power: Power) => PageEvent}
 */
function useOf({ power, name = '', arguments: given, is_open: isOpen }) {
  if (power === 'configure') return { type: 'open_form' };
  if (power === 'kick' && name) return { type: 'kick', name };
  if (isOpen) return { type: 'open_dialog', dialog: { kind: 'players' } };
  return commanded(/** @type {Command} */ ({ type: power, ...given }));
}
