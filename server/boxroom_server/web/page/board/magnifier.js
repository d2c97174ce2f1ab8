/** A part of a board that covers the page, with boxes large enough for a finger. */

import { h, make } from '../dom.js';

/** Size of a box, in CSS pixels: the middles of neighbouring lines are 45 apart. */
const BOX_PX = 64;
/** Boxes around the finger that are in sight, and their share beyond the outermost dots. */
const SIGHT = 1.4;
const BEYOND = 0.3;

export class Magnifier {
  /**
   * @param {string} content id of the element that is magnified, a board whose first dot is at 0, 0
   * @param {number} box size of a box in its units
   */
  constructor(content, rows, cols, box, t) {
    this.content = content;
    this.rows = rows;
    this.cols = cols;
    this.box = box;
    this.copy = make(h('use'));
    this.lens = make(h('svg.lens', {}, this.copy));
    this.element = make(
      h(
        'div.magnifier',
        { hidden: true },
        h('p', {}, t('choose_line')),
        this.lens,
        h('button', { onclick: () => this.close() }, t('cancel')),
      ),
    );
  }

  /** Show the lines around the finger of `event`, which is at `point` of the board. */
  open(event, point) {
    // Only while it is seen: the browser makes a whole copy again at each change of the board.
    this.copy.setAttribute('href', `#${this.content}`);
    this.element.hidden = false;
    const { left, top, width, height } = this.lens.getBoundingClientRect();
    const [x, across] = this.part(point.x, event.clientX - left, width, this.cols);
    const [y, down] = this.part(point.y, event.clientY - top, height, this.rows);
    this.lens.setAttribute('viewBox', `${x} ${y} ${across} ${down}`);
  }

  /**
   * Return the start and the size of what is seen in one direction, in which there are `boxes`.
   *
   * What was under the finger stays there, unless a box beside it would be out of sight.
   */
  part(point, fingerPx, lensPx, boxes) {
    const { box } = this;
    const unitsPerPx = box / BOX_PX;
    const size = lensPx * unitsPerPx;
    const at = Math.max(0, Math.min(point, boxes * box));
    const first = Math.max(-BEYOND * box, at - SIGHT * box);
    const last = Math.min((boxes + BEYOND) * box, at + SIGHT * box);
    return [Math.max(last - size, Math.min(point - fingerPx * unitsPerPx, first)), size];
  }

  close() {
    this.element.hidden = true;
    this.copy.removeAttribute('href');
  }
}
