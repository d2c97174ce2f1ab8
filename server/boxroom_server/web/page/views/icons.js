/**
 * Small pictures of buttons, as strokes in the colour of the text: fonts lack many of the
 * characters for them.
 *
 * @import { Description } from '../dom.js'
 * @import { Reaction } from '../protocol.js'
 *
 * @typedef {Reaction | 'clear'} IconName
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
};

/** @type {(name: IconName) => Description} */
export function iconView(name) {
  const path = h('path', { d: STROKES[name] });
  return h('svg.strokes', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, path);
}
