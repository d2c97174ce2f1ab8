/** A part of a board that covers the page, large enough for a finger. */

import { h, make } from '../dom.js';
import { fitStrokes } from './strokes.js';

/** Size of a box or cell, in CSS pixels: the middles of neighbouring lines are 45 apart. */
export const BOX_PX = 64;
/** Boxes around the finger that are in sight, and their share beyond the outermost places. */
const SIGHT = 1.7;
const BEYOND = 0.3;

export class Magnifier {
  /**
   * @param {import('./board.js').Drawing} drawing what is magnified
   * @param {import('../words.js').Translate} t
   * @param {() => void} onCancel
   */
  constructor({ content, extent, unit, question }, t, onCancel) {
    this.content = content.id;
    this.extent = extent;
    this.unit = unit;
    this.copy = make(h('use'));
    this.lens = make(h('svg.lens', {}, this.copy));
    this.element = make(
      h(
        'div.magnifier',
        { hidden: true },
        h('p', {}, question),
        this.lens,
        h('button', { onclick: onCancel }, t('cancel')),
      ),
    );
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /**
   * Show what is around the finger of `event`, which is at a point of the board.
   *
   * @param {PointerEvent} event
   * @param {[number, number]} point
   */
  open(event, [pointX, pointY]) {
    // Only while it is seen: the browser makes a whole copy again at each change of the board.
    this.copy.setAttribute('href', `#${this.content}`);
    this.element.hidden = false;
    const { left, top, width, height } = this.lens.getBoundingClientRect();
    const { unit, extent } = this;
    const [x, across] = seenPart(pointX, event.clientX - left, width, extent.width, unit);
    const [y, down] = seenPart(pointY, event.clientY - top, height, extent.height, unit);
    this.lens.setAttribute('viewBox', `${x} ${y} ${across} ${down}`);
    fitStrokes(this.lens);
  }

  close() {
    this.element.hidden = true;
    this.copy.removeAttribute('href');
  }
}

/**
 * Return the start and the size of what is seen in one direction of a board.
 *
 * What was under the finger stays there, unless a box beside it would be out of sight.
 *
 * @param {number} point under the finger
 * @param {number} fingerPx its distance from the start of the lens
 * @param {number} lensPx the size of the lens
 * @param {number} extent the size of the board
 * @param {number} unit the size of a box or cell
 * @returns {[number, number]}
 */
export function seenPart(point, fingerPx, lensPx, extent, unit) {
  const unitsPerPx = unit / BOX_PX;
  const size = lensPx * unitsPerPx;
  const at = Math.max(0, Math.min(point, extent));
  const first = Math.max(-BEYOND * unit, at - SIGHT * unit);
  const last = Math.min(extent + BEYOND * unit, at + SIGHT * unit);
  return [Math.max(last - size, Math.min(point - fingerPx * unitsPerPx, first)), size];
}
