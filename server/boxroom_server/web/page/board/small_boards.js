/**
 * Small boards to look at, in elements of the class `small-board`: the drawing of the real board,
 * without its pointers and keys.
 *
 * @import { State } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h, make } from '../dom.js';
import { smallBoard } from '../state/way_in.js';
import { DotsDrawing } from './dots_drawing.js';
import { kindOf, sizeOf } from './moves.js';
import { keepStrokesFitted } from './strokes.js';

export class SmallBoards {
  /**
   * The drawing in each place, and the kind of its board.
   *
   * @type {WeakMap<Element, {kind: string, drawing: DotsDrawing}>}
   */
  #drawings = new WeakMap();

  /**
   * Show the boards of a state in their places below `root`.
   *
   * @param {Element} root
   * @param {State} state
   * @param {Translate} t
   */
  show(root, state, t) {
    for (const place of root.querySelectorAll('.small-board')) {
      const shown = smallBoard(state, place.getAttribute('data-board') ?? '');
      if (shown === null) continue;
      const { settings } = shown.picture;
      const kind = kindOf(settings);
      const known = this.#drawings.get(place);
      const drawing = known?.kind === kind ? known.drawing : new DotsDrawing(sizeOf(settings), t);
      if (drawing !== known?.drawing) place.replaceChildren(picture(drawing));
      this.#drawings.set(place, { kind, drawing });
      drawing.show(shown);
    }
  }

  /**
   * Return the names of the boards below `root` that a person can see.
   *
   * @param {Element} root
   */
  inSight(root) {
    if (document.visibilityState !== 'visible') return [];
    return [...root.querySelectorAll('.small-board')]
      .filter((place) => isInSight(place.getBoundingClientRect()))
      .map((place) => place.getAttribute('data-board') ?? '');
  }
}

/** @type {(place: DOMRect) => boolean} */
function isInSight({ top, bottom }) {
  return bottom > 0 && top < window.innerHeight;
}

/** @type {(drawing: DotsDrawing) => Node} */
function picture({ area: { x, y, width, height }, content }) {
  content.removeAttribute('id'); // there are several
  const viewBox = `${x} ${y} ${width} ${height}`;
  const board = make(h('svg.board', { viewBox, 'aria-hidden': 'true' }, content));
  keepStrokesFitted(board);
  return board;
}
