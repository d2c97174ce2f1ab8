/**
 * The board of the room's game or of a finished one, in its place among the views.
 *
 * @import { RoomSettings } from '../mirror.js'
 * @import { Description, Dispatch } from '../dom.js'
 * @import { State } from '../state/state.js'
 * @import { Translate } from '../words.js'
 * @import { Drawing } from './board.js'
 * @import { Geometry } from './painter_model.js'
 */

import { h, make } from '../dom.js';
import { isOnBoard, mySeats, shownPicture } from '../state/state.js';
import { Board } from './board.js';
import { DotsDrawing } from './dots_drawing.js';
import { kindOf, needsGeometry, sizeOf } from './moves.js';
import { Painter } from './painter.js';
import { stepBySwipes } from '../steps.js';
import { shownOnBoard } from './shown.js';
import { seenFrom } from './sides.js';

/** The place that keeps a board while the views around it change. */
export class BoardPlace {
  #element = make(h('div.board-host'));
  #dispatch;
  #kind = '';
  /**
   * The board; null while its geometry is missing.
   *
   * @type {?Board}
   */
  board = null;

  /** @param {Dispatch} dispatch */
  constructor(dispatch) {
    this.#dispatch = dispatch;
    stepBySwipes(this.#element, dispatch, () => this.board?.viewport.zoom === 1);
  }

  /**
   * Show the board of the state in `place`, unless that is null.
   *
   * @param {?Element} place
   * @param {State} state
   * @param {Translate} t
   */
  show(place, state, t) {
    if (place === null || !isOnBoard(state)) return;
    if (place.firstChild !== this.#element) place.replaceChildren(this.#element);
    const { settings } = shownPicture(state);
    const { geometry } = state;
    const isKnown = geometry?.kind === kindOf(settings);
    const { value, problem } = isKnown ? geometry : { value: null, problem: '' };
    const [seat = 0] = mySeats(state);
    const kind = [state.language, kindOf(settings), value !== null, problem, seat].join();
    if (kind !== this.#kind) this.#make(settings, value && seenFrom(value, seat), problem, t);
    this.#kind = kind;
    this.board?.show(shownOnBoard(state));
  }

  /**
   * @param {RoomSettings} settings
   * @param {?Geometry} geometry
   * @param {string} problem
   * @param {Translate} t
   */
  #make(settings, geometry, problem, t) {
    const drawing = drawingOf(settings, geometry, t);
    /** @type {(move: string) => void} */
    const onMove = (move) => this.#dispatch({ type: 'play', move });
    /** @type {(on: boolean) => void} */
    const onMagnify = (on) => this.#dispatch({ type: 'magnify', on });
    this.board?.closeMagnifier();
    this.board = drawing && new Board(drawing, { t, onMove, onMagnify });
    this.#element.replaceChildren(this.board?.element ?? make(placeholder(problem, t)));
  }
}

/**
 * Return the drawing of a game's board; null while its geometry is missing.
 *
 * @type {(settings: RoomSettings, geometry: ?Geometry, t: Translate) => ?Drawing}
 */
function drawingOf(settings, geometry, t) {
  if (!needsGeometry(settings)) return new DotsDrawing(sizeOf(settings), t);
  return geometry && new Painter(geometry, t);
}

/** @type {(problem: string, t: Translate) => Description} */
function placeholder(problem, t) {
  return problem ? h('p.problem', {}, problem) : h('p.help', {}, t('connecting'));
}
