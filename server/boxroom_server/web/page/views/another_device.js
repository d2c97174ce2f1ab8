/**
 * The way of a person to another device: the link on the old one, the question on the new one.
 *
 * @import { Description, View } from '../dom.js'
 * @import { State } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h } from '../dom.js';

/**
 * Return the sheet from which a person takes their name to another device.
 *
 * @type {View<Description[]>}
 */
export function offerView({ dialog, identity }, t) {
  return [
    h('p', {}, t('other_device_text')),
    ...(dialog?.kind === 'offer' && dialog.link
      ? linkToCopy(t('other_device_link'), dialog.link, t)
      : [h('button.primary', { onclick: { type: 'offer_identity' } }, t('make_link'))]),
    h('p.help', {}, t(identity.isKept ? 'kept' : 'not_kept')),
  ];
}

/**
 * The view of a link that brings an identity to this browser: nothing happens without a button.
 *
 * @type {(arrival: NonNullable<State['arrival']>, t: Translate) => Description}
 */
export function arrivalView(arrival, t) {
  return h(
    'main.greeting',
    { key: 'arrival' },
    h('h1', {}, t('welcome')),
    arrival.problem
      ? h('p.problem', { role: 'alert' }, arrival.problem)
      : h('p', {}, t(arrival.code ? 'arrival_text' : 'arrival_damaged')),
    arrival.code
      ? h(
          'button.primary',
          { disabled: arrival.isBusy ?? false, onclick: { type: 'take_over' } },
          t('take_over'),
        )
      : null,
    h('button', { onclick: { type: 'stay' } }, t('stay')),
  );
}

/**
 * Return the part of a sheet by which a person copies a link.
 *
 * @type {(label: string, link: string, t: Translate, isMain?: boolean) => Description[]}
 */
export function linkToCopy(label, link, t, isMain = true) {
  const kind = isMain ? 'button.primary' : 'button';
  return [
    h('input', {
      readonly: true,
      value: link,
      'aria-label': label,
      onfocus: ({ target }) => target.select(),
    }),
    h('div.buttons', {}, h(kind, { key: 'copy', onclick: { type: 'copy_link' } }, t('copy'))),
  ];
}
