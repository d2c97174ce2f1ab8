/**
 * The visible part of a board: zoomed by two fingers, the wheel or buttons, and moved by dragging.
 *
 * @import { Description } from '../dom.js'
 *
 * @typedef {{x: number, y: number}} Point
 */

import { h, make } from '../dom.js';
import { iconView } from '../views/icons.js';
import { fitStrokes } from './strokes.js';

/** Boards with fewer boxes or cells than this in a row or column are always shown whole. */
const LEAST_ZOOMED = 12;
/** Boxes or cells across the visible part at the closest. */
const CLOSEST = 4;
/** A pointer that moves farther than this drags the board, in CSS pixels. */
const DRAG_PX = 10;

export class BoardViewport {
  /**
   * @param {SVGSVGElement} picture
   * @param {import('./board.js').Drawing} drawing what it shows
   * @param {import('../words.js').Translate} t
   */
  constructor(picture, { area, extent, unit }, t) {
    this.picture = picture;
    this.area = area;
    const across = Math.max(extent.width, extent.height) / unit;
    this.canZoom = across >= LEAST_ZOOMED;
    this.most = across / CLOSEST;
    this.zoom = 1;
    this.centre = { x: area.x + area.width / 2, y: area.y + area.height / 2 };
    /** @type {Map<number, Point>} */
    this.pointers = new Map(); // by id: the last place of each finger or button that is down
    /** @type {Point} */
    this.start = { x: 0, y: 0 }; // where the only pointer went down
    this.isDragging = false;
    this.wasDragged = false;
    this.element = make(h('div.viewport', {}, picture, this.canZoom ? this.buttons(t) : null));
    if (this.canZoom) this.listen();
  }

  get hasTwoFingers() {
    return this.pointers.size > 1;
  }

  /** @param {import('../words.js').Translate} t */
  buttons(t) {
    /** @type {(label: string, text: string | Description, onclick: () => void) => Description} */
    const button = (label, text, onclick) =>
      h('button', { 'aria-label': label, title: label, onclick }, text);
    return h(
      'div.zoom',
      {},
      button(t('zoom_in'), '+', () => this.zoomTo(this.zoom * 1.5)),
      button(t('zoom_out'), '−', () => this.zoomTo(this.zoom / 1.5)),
      button(t('zoom_fit'), iconView('whole'), () => this.zoomTo(1)),
    );
  }

  listen() {
    const { picture } = this;
    picture.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.zoomTo(this.zoom * (event.deltaY < 0 ? 1.2 : 1 / 1.2), event);
      },
      { passive: false },
    );
    // Before the board's own listeners, which ask for the number of fingers.
    picture.addEventListener('pointerdown', (event) => this.pointerDown(event), {
      capture: true,
    });
    picture.addEventListener('pointermove', (event) => this.pointerMove(event), {
      capture: true,
    });
    for (const type of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      picture.addEventListener(type, (event) => this.pointerUp(event), { capture: true });
    }
  }

  /** @param {PointerEvent} event */
  pointerDown(event) {
    if (this.pointers.size === 0) {
      this.start = { x: event.clientX, y: event.clientY };
      this.wasDragged = false;
    }
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    // Else nobody tells the board that a mouse button was released outside of it.
    this.picture.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  pointerMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (this.hasTwoFingers) {
      const [, other = now] = [...this.pointers].find(([id]) => id !== event.pointerId) ?? [];
      const ratio = distance(now, other) / Math.max(1, distance(before, other));
      this.zoomTo(this.zoom * ratio, {
        clientX: (now.x + other.x) / 2,
        clientY: (now.y + other.y) / 2,
      });
      this.wasDragged = true;
    } else if (this.isDragging || (this.zoom > 1 && distance(now, this.start) > DRAG_PX)) {
      this.isDragging = true;
      this.wasDragged = true;
      const scale = this.picture.getScreenCTM()?.a ?? 1;
      this.moveTo(
        this.centre.x - (now.x - before.x) / scale,
        this.centre.y - (now.y - before.y) / scale,
      );
    }
    this.pointers.set(event.pointerId, now);
  }

  /** @param {PointerEvent} event */
  pointerUp(event) {
    this.pointers.delete(event.pointerId);
    if (this.pointers.size === 0) this.isDragging = false;
  }

  /**
   * Zoom, and keep what is under `at` (with clientX and clientY) where it is.
   *
   * @param {number} wanted
   * @param {?{clientX: number, clientY: number}} at
   */
  zoomTo(wanted, at = null) {
    const zoom = Math.max(1, Math.min(wanted, this.most));
    let { x, y } = this.centre;
    const inverse = at && this.picture.getScreenCTM()?.inverse();
    if (inverse) {
      const point = new DOMPoint(at.clientX, at.clientY).matrixTransform(inverse);
      x = point.x + ((x - point.x) * this.zoom) / zoom;
      y = point.y + ((y - point.y) * this.zoom) / zoom;
    }
    this.zoom = zoom;
    this.moveTo(x, y);
    fitStrokes(this.picture);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  moveTo(x, y) {
    const { area, zoom } = this;
    const longest = Math.max(area.width, area.height) / zoom;
    const width = Math.min(area.width, longest);
    const height = Math.min(area.height, longest);
    this.centre = {
      x: Math.max(area.x + width / 2, Math.min(x, area.x + area.width - width / 2)),
      y: Math.max(area.y + height / 2, Math.min(y, area.y + area.height - height / 2)),
    };
    const left = this.centre.x - width / 2;
    const top = this.centre.y - height / 2;
    this.picture.setAttribute('viewBox', `${left} ${top} ${width} ${height}`);
  }
}

/** @type {(a: Point, b: Point) => number} */
function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
