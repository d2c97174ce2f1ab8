/** The board of the room's game or of a finished one, in its place among the views. */

import { h, make } from '../dom.js';
import { shownPicture } from '../state/state.js';
import { Board } from './board.js';
import { DotsDrawing } from './dots_drawing.js';
import { kindOf, needsGeometry, sizeOf } from './moves.js';
import { Painter } from './painter.js';
import { shownOnBoard } from './shown.js';

/** The place that keeps a board while the views around it change. */
export class BoardPlace {
  #element = make(h('div.board-host'));
  #dispatch;
  #kind = '';
  /** The board; null while its geometry is missing. */
  board = null;

  constructor(dispatch) {
    this.#dispatch = dispatch;
  }

  /** Show the board of the state in `place`, unless that is null. */
  show(place, state, t) {
    if (place === null) return;
    if (place.firstChild !== this.#element) place.replaceChildren(this.#element);
    const { settings } = shownPicture(state);
    const isKnown = state.geometry?.kind === kindOf(settings);
    const { value, problem } = isKnown ? state.geometry : { value: null, problem: '' };
    const kind = [state.language, kindOf(settings), value !== null, problem].join();
    if (kind !== this.#kind) this.#make(settings, value, problem, t);
    this.#kind = kind;
    this.board?.show(shownOnBoard(state));
  }

  #make(settings, geometry, problem, t) {
    const drawing = drawingOf(settings, geometry, t);
    const onMove = (move) => this.#dispatch({ type: 'play', move });
    this.board = drawing && new Board(drawing, { t, onMove });
    this.#element.replaceChildren(this.board?.element ?? make(waiting(problem, t)));
  }
}

/** Return the drawing of a game's board; null while its geometry is missing. */
function drawingOf(settings, geometry, t) {
  if (!needsGeometry(settings)) return new DotsDrawing(sizeOf(settings), t);
  return geometry && new Painter(geometry, t);
}

function waiting(problem, t) {
  return problem ? h('p.problem', {}, problem) : h('p.help', {}, t('connecting'));
}
