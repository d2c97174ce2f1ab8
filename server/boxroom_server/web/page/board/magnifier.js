/** A part of a board that covers the page, large enough for a finger. */

import { h, make } from '../dom.js';

/** Size of a box or cell, in CSS pixels: the middles of neighbouring lines are 45 apart. */
const BOX_PX = 64;
/** Boxes around the finger that are in sight, and their share beyond the outermost places. */
const SIGHT = 1.4;
const BEYOND = 0.3;

export class Magnifier {
  /**
   * @param {import('./board.js').Drawing} drawing what is magnified
   * @param {import('../words.js').Translate} t
   */
  constructor({ content, extent, unit, question }, t) {
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
        h('button', { onclick: () => this.close() }, t('cancel')),
      ),
    );
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
    const [x, across] = this.part(pointX, event.clientX - left, width, this.extent.width);
    const [y, down] = this.part(pointY, event.clientY - top, height, this.extent.height);
    this.lens.setAttribute('viewBox', `${x} ${y} ${across} ${down}`);
  }

  /**
   * Return the start and the size of what is seen in one direction of the board.
   *
   * What was under the finger stays there, unless a box beside it would be out of sight.
   *
   * @param {number} point
   * @param {number} fingerPx
   * @param {number} lensPx
   * @param {number} extent
   */
  part(point, fingerPx, lensPx, extent) {
    const { unit } = this;
    const unitsPerPx = unit / BOX_PX;
    const size = lensPx * unitsPerPx;
    const at = Math.max(0, Math.min(point, extent));
    const first = Math.max(-BEYOND * unit, at - SIGHT * unit);
    const last = Math.min(extent + BEYOND * unit, at + SIGHT * unit);
    return [Math.max(last - size, Math.min(point - fingerPx * unitsPerPx, first)), size];
  }

  close() {
    this.element.hidden = true;
    this.copy.removeAttribute('href');
  }
}
