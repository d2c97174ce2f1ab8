/**
 * A board of any game: pointers, keys, the focus, the move that is on its way, zoom and magnifier.
 *
 * A pointer chooses the nearest place that can be chosen, wherever it is, when it lifts. Where
 * places are too small for a finger, a first tap opens a magnifier, and a second one chooses in it.
 *
 * What is on the board is a drawing: `DotsDrawing` or `Painter`. A place is something on it that
 * can be chosen at some time: a line, a cell, a man, the next counters of a heap.
 *
 * @import { Mark } from '../marks.js'
 * @import { Picture } from '../mirror.js'
 * @import { Translate } from '../words.js'
 * @import { Shown } from './shown.js'
 *
 * @typedef {string | number} Place
 * @typedef {{width: number, height: number}} Size
 * @typedef {'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel' | 'pointerleave'}
 *   PointerEventName
 *
 * @typedef {object} Drawing
 * @property {SVGElement} content everything that is drawn, with an id
 * @property {Size & {x: number, y: number}} area that is shown
 * @property {Size} extent of what can be tapped, from 0, 0
 * @property {number} unit distance of neighbouring places, more or less
 * @property {Record<string, unknown>} properties of the whole board: its role and name
 * @property {string} question over the magnifier
 * @property {?HTMLElement} controls more ways to choose moves, each with the `data-move` it plays
 * @property {?Place} first the place of the keyboard at the beginning
 * @property {(shown: Shown) => void} show draws a position, see `shownOnBoard`
 * @property {(place: ?Place, move: ?string) => void} preview shows what a choice would do, and a
 *   move that waits for the server
 * @property {(x: number, y: number) => ?Place} targetAt the place to choose near a point, or null
 * @property {(x: number, y: number) => unknown} placeAt the place near a point, or null
 * @property {(place: ?Place) => ?string} choose the move by which a place is chosen; null if none
 *   yet
 * @property {(place: Place, key: string) => ?Place | undefined} next the place to which a key
 *   leads: null at the rim, undefined for another key
 * @property {(place: Place) => ?SVGElement | undefined} elementOf
 * @property {(element: Element) => ?Place} placeOf the place of an element, or null
 */

import { h, make } from '../dom.js';
import { DOUBLE_TAP_MS } from '../presses.js';
import { Magnifier } from './magnifier.js';
import { keepStrokesFitted } from './strokes.js';
import { BoardViewport } from './viewport.js';

/** A place smaller than this many CSS pixels is magnified for a finger. */
export const SMALL_PX = 40;
/** A place is never larger than this many CSS pixels. */
const LARGE_PX = 160;

export class Board {
  #onMove;
  #onMagnify;
  #canMove = false;
  /**
   * Id of the pointer that chooses, or null.
   *
   * @type {?number}
   */
  #pointer = null;
  /**
   * The place under the pointer, whose choice is shown beforehand, or null.
   *
   * @type {?Place}
   */
  #aimed = null;
  /**
   * The move that was chosen here or is on its way to the server, or null.
   *
   * @type {?string}
   */
  #pending = null;
  /**
   * The place of the last choice by a pointer, and its time.
   *
   * @type {{place: unknown, at: number}}
   */
  #choice = { place: null, at: -Infinity };
  /**
   * The place that has the focus when the board has.
   *
   * @type {?Place}
   */
  #current = null;

  /**
   * @param {Drawing} drawing
   * @param {{t: Translate, onMove: (move: string) => void, onMagnify: (on: boolean) => void}}
   *   services `onMagnify` is told of what opens and closes the magnifier here
   */
  constructor(drawing, { t, onMove, onMagnify }) {
    this.drawing = drawing;
    this.#onMove = onMove;
    this.#onMagnify = onMagnify;
    const { area, content, controls, properties } = drawing;
    const { x, y, width, height } = area;
    const viewBox = `${x} ${y} ${width} ${height}`;
    this.picture = make(h('svg.board', { ...properties, viewBox }, content));
    this.picture.style.maxWidth = `${(width / drawing.unit) * LARGE_PX}px`;
    keepStrokesFitted(this.picture);
    this.viewport = new BoardViewport(this.picture, drawing, t);
    this.magnifier = new Magnifier(drawing, t, () => this.closeMagnifier());
    this.element = make(
      h('div.board-frame', {}, this.viewport.element, this.magnifier.element, controls),
    );
    this.#moveFocus(drawing.first);
    this.#listen();
    if (controls) this.#listenTo(controls);
  }

  /**
   * Show a position, as `shownOnBoard` returns it.
   *
   * @param {Shown} shown
   */
  show(shown) {
    this.#pending = shown.pending ?? null;
    this.drawing.show(shown);
    if (shown.canMove !== this.#canMove) this.#setCanMove(shown.canMove);
    if (!shown.isMagnified && this.magnifier.isOpen) this.magnifier.close();
    this.#preview();
  }

  /**
   * Have moves made or not; what a pointer has begun ends with that.
   *
   * @param {boolean} canMove
   */
  #setCanMove(canMove) {
    this.#canMove = canMove;
    this.picture.classList.toggle('can-move', canMove);
    if (!canMove) [this.#pointer, this.#aimed] = [null, null];
  }

  /** Close the magnifier if it is open. */
  closeMagnifier() {
    if (!this.magnifier.isOpen) return;
    this.magnifier.close();
    this.#onMagnify(false);
  }

  /** Whether a place can be chosen: not before the server has answered the last move. */
  get #isOpen() {
    return this.#canMove && this.#pending === null;
  }

  // Pointers

  #listen() {
    for (const surface of [this.picture, this.magnifier.lens]) {
      /** @type {(type: PointerEventName, handler: (event: PointerEvent) => void) => void} */
      const on = (type, handler) => surface.addEventListener(type, handler);
      on('pointerdown', (event) => this.#pointerDown(event, surface));
      on('pointermove', (event) => this.#pointerMove(event, surface));
      on('pointerup', (event) => this.#pointerUp(event, surface));
      on('pointercancel', () => this.#letGo());
      on('pointerleave', () => this.#aim(null));
      surface.addEventListener('mousedown', (event) => this.#keepFocusOff(event));
    }
    this.picture.addEventListener('keydown', (event) => this.#keyDown(event));
    // An SVG with a listener for the focus of its own would take the focus itself.
    this.element.addEventListener('focusin', ({ target }) => {
      const place = this.#placeOf(target);
      if (place !== null) this.#moveFocus(place);
    });
  }

  /**
   * Leave the focus to the keyboard; what had it loses it, such as the line for chat.
   *
   * @param {MouseEvent} event
   */
  #keepFocusOff(event) {
    event.preventDefault();
    const { activeElement: focused } = document;
    const isOurs = this.element.contains(focused);
    if (!isOurs && focused instanceof HTMLElement) focused.blur();
  }

  /**
   * @param {PointerEvent} event
   * @param {SVGSVGElement} surface
   */
  #pointerDown(event, surface) {
    if (this.#pointer !== null)
      this.#letGo(); // two fingers zoom
    else if (this.#isOpen && event.button <= 0 && !this.#isSecondTap(event, surface)) {
      this.#pointer = event.pointerId;
      surface.setPointerCapture(event.pointerId); // to notice a release outside, too
      this.#pointerMove(event, surface);
    }
  }

  /**
   * @param {PointerEvent} event
   * @param {SVGSVGElement} surface
   */
  #pointerMove(event, surface) {
    const isOurs = event.pointerType !== 'touch' || event.pointerId === this.#pointer;
    const isChoice = this.#isOpen && isOurs && !this.viewport.isDragging;
    if (!isChoice || this.#isTooSmallFor(event, surface)) this.#aim(null);
    else this.#aim(this.drawing.targetAt(...pointOn(surface, event)));
  }

  /**
   * @param {PointerEvent} event
   * @param {SVGSVGElement} surface
   */
  #pointerUp(event, surface) {
    if (event.pointerId !== this.#pointer) return;
    const aimed = this.#aimed; // not what is there now, if the board was moved meanwhile
    const choice = { place: this.#placeAt(event, surface), at: event.timeStamp };
    this.#letGo();
    this.closeMagnifier();
    if (this.viewport.wasDragged) return;
    if (aimed !== null) {
      this.#choice = choice;
      this.#choose(aimed);
    } else if (this.#isTooSmallFor(event, surface) && isOn(surface, event)) {
      this.magnifier.open(event, pointOn(surface, event));
      this.#onMagnify(true);
    }
  }

  #letGo() {
    this.#pointer = null;
    this.#aim(null);
  }

  /**
   * @param {PointerEvent} event
   * @param {SVGSVGElement} surface
   */
  #placeAt(event, surface) {
    return this.drawing.placeAt(...pointOn(surface, event));
  }

  /**
   * Whether this is the second tap of a double tap on a place, after which it is my turn again.
   *
   * @param {PointerEvent} event
   * @param {SVGSVGElement} surface
   */
  #isSecondTap(event, surface) {
    const { place, at } = this.#choice;
    return event.timeStamp - at <= DOUBLE_TAP_MS && this.#placeAt(event, surface) === place;
  }

  /**
   * Whether the places on a surface are too small for a finger.
   *
   * @param {PointerEvent} event
   * @param {SVGSVGElement} surface
   */
  #isTooSmallFor(event, surface) {
    const scale = surface.getScreenCTM()?.a ?? 1;
    return event.pointerType === 'touch' && this.drawing.unit * scale < SMALL_PX;
  }

  // Choices

  /** @param {?Place} place */
  #aim(place) {
    if (place === this.#aimed) return;
    this.#aimed = place;
    this.#preview();
  }

  #preview() {
    this.drawing.preview(this.#aimed, this.#pending);
  }

  /**
   * Choose a place. A move that this makes is shown at once, and is the only one until `show`.
   *
   * @param {?Place} place
   */
  #choose(place) {
    if (!this.#isOpen) return;
    const move = this.drawing.choose(place);
    if (move === null) return;
    [this.#aimed, this.#pending] = [null, move];
    this.#preview();
    this.#onMove(move);
  }

  /** @param {HTMLElement} controls */
  #listenTo(controls) {
    /** @type {(event: Event) => ?string} */
    const placeOf = ({ target }) => {
      const button = target instanceof Element ? target.closest('[data-move]') : null;
      return button?.getAttribute('data-move') ?? null;
    };
    controls.addEventListener('click', (event) => this.#choose(placeOf(event)));
    for (const type of ['pointerover', 'focusin']) {
      controls.addEventListener(type, (event) => this.#isOpen && this.#aim(placeOf(event)));
    }
    for (const type of ['pointerout', 'focusout']) {
      controls.addEventListener(type, () => this.#aim(null));
    }
  }

  /** @param {?EventTarget} target */
  #placeOf(target) {
    return target instanceof Element ? this.drawing.placeOf(target) : null;
  }

  // Keys

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    const place = this.#placeOf(event.target);
    if (place === null || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#choose(place);
      return;
    }
    const next = this.drawing.next(place, event.key);
    if (next === undefined) return;
    event.preventDefault();
    if (next !== null) this.drawing.elementOf(next)?.focus();
  }

  /** @param {?Place} place */
  #moveFocus(place) {
    if (place === null) return;
    if (this.#current !== null) this.#setTabIndex(this.#current, '-1');
    this.#current = place;
    this.#setTabIndex(place, '0');
  }

  /**
   * @param {Place} place
   * @param {string} index
   */
  #setTabIndex(place, index) {
    this.drawing.elementOf(place)?.setAttribute('tabindex', index);
  }
}

/**
 * Return the place of a pointer in the units of a picture.
 *
 * @param {SVGGraphicsElement} picture
 * @param {PointerEvent} event
 * @returns {[number, number]}
 */
function pointOn(picture, event) {
  const matrix = picture.getScreenCTM()?.inverse();
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  return [x, y];
}

/**
 * Whether a pointer is over a picture, also while that captures it.
 *
 * @type {(picture: Element, event: PointerEvent) => boolean}
 */
function isOn(picture, event) {
  return picture.contains(document.elementFromPoint(event.clientX, event.clientY));
}
