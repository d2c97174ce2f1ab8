/**
 * Small pictures of buttons, as strokes in the colour of the text: fonts lack many of the
 * characters for them, or have them as coloured pictures.
 *
 * @import { Description } from '../dom.js'
 * @import { Reaction } from '../protocol.js'
 * @import { PageEvent } from '../state/next.js'
 *
 * @typedef {'clear' | 'invite' | 'host' | 'menu' | 'settings' | 'moves' | 'more' | 'close' |
 *   'whole'} ThingName
 * @typedef {'first' | 'back' | 'next' | 'last'} StepName
 * @typedef {Reaction | ThingName | StepName} IconName
 */

import { h } from '../dom.js';

const FACE = 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zM9 9.5v.5M15 9.5v.5';

/**
 * The strokes of each icon in a square of 24 units; those of reactions have their names.
 *
 * @type {Record<IconName, string>}
 */
const STROKES = {
  gg: 'M8 4h8v5a4 4 0 0 1-8 0zM8 6H4.5q0 4 4 4M16 6h3.5q0 4-4 4M12 13v4M8 20q0-3 4-3t4 3z',
  gl:
    'M12 12C5 12 5 5 9 5c3 0 3 4 3 7c0-3 0-7 3-7c4 0 4 7-3 7' +
    'c7 0 7 7 3 7c-3 0-3-4-3-7c0 3 0 7-3 7c-4 0-4-7 3-7M12 12v9',
  nice: 'M12 3l2.7 5.7 6.3.8-4.6 4.3 1.2 6.2-5.6-3-5.6 3 1.2-6.2L3 9.5l6.3-.8z',
  thanks: 'M12 20C5 15 3 12 3 8.5a4.5 4.5 0 0 1 9-1a4.5 4.5 0 0 1 9 1C21 12 19 15 12 20z',
  oops: `${FACE}M8 16q1.3-2 2.7 0t2.7 0t2.6 0`,
  wow: `${FACE}M12 13.5a2 2.2 0 1 0 0 4.4a2 2.2 0 0 0 0-4.4z`,
  clear: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  invite: 'M10 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8zM3 20q0-5 7-5t7 5M19 7v6M16 10h6',
  host: 'M5 19h14M5 15L3 6l5 4 4-6 4 6 5-4-2 9z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  settings:
    'M10.2 5.3l.2-2.5h3.2l.2 2.5 1.6.7 2-1.6 2.2 2.2-1.6 2 .7 1.6 2.5.2v3.2l-2.5.2-.7 1.6 1.6 2-2' +
    '.2 2.2-2-1.6-1.6.7-.2 2.5h-3.2l-.2-2.5-1.6-.7-2 1.6-2.2-2.2 1.6-2-.7-1.6-2.5-.2v-3.2l2.5-.2' +
    '.7-1.6-1.6-2 2.2-2.2 2 1.6zM12 9a3 3 0 1 0 0 6a3 3 0 0 0 0-6z',
  moves: 'M8 12h8M6 10a2 2 0 1 0 0 4a2 2 0 0 0 0-4zM18 10a2 2 0 1 0 0 4a2 2 0 0 0 0-4z',
  more: 'M4.6 11.6h.8v.8h-.8zm7 0h.8v.8h-.8zm7 0h.8v.8h-.8z',
  close: 'M6 6l12 12M18 6L6 18',
  whole: 'M14 4h6v6M10 20H4v-6M20 4L4 20',
  first: 'M12 6l-6 6 6 6M18 6l-6 6 6 6',
  back: 'M15 6l-6 6 6 6',
  next: 'M9 6l6 6-6 6',
  last: 'M6 6l6 6-6 6M12 6l6 6-6 6',
};

/**
 * Return a button with an icon in place of its label.
 *
 * @type {(icon: IconName, label: string, onclick: PageEvent, more?: object) => Description}
 */
export function iconButton(icon, label, onclick, more) {
  const names = { key: icon, type: 'button', 'aria-label': label, title: label };
  return h('button.icon', { ...names, onclick, ...more }, iconView(icon));
}

/** @type {(name: IconName) => Description} */
export function iconView(name) {
  const path = h('path', { d: STROKES[name] });
  return h('svg.strokes', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, path);
}
