/**
 * The board of Dots and Boxes as SVG: what is drawn, and the choice of a line by touch, mouse or
 * keys.
 *
 * A pointer chooses the nearest free line, wherever it is, when it lifts. Where boxes are too small
 * for a finger, a first tap opens a magnifier, and a second one chooses in it.
 */

import { h, make } from '../dom.js';
import {
  boxesOf,
  describe,
  initialLines,
  linePlace,
  lines,
  nearestFree,
  neighbour,
  sidesOf,
} from './board_geometry.js';
import { Magnifier } from './magnifier.js';
import { DOUBLE_TAP_MS } from '../presses.js';
import { Viewport } from './viewport.js';

/** Size of a box in units of the drawing. */
const BOX = 100;
/** Id of the drawing, for the magnifier. */
const CONTENT = 'board-content';
/** Room around the dots, in the same units. */
const MARGIN = 42;
/** A box smaller than this many CSS pixels is magnified for a finger. */
const SMALL_BOX_PX = 40;
/** A pointer that is farther than this from every free line, in boxes, chooses none. */
const REACH = 0.75;

export class DotsBoard {
  /**
   * @param {{rows: number, cols: number, border: string}} size
   * @param {{t: Function, onMove: (move: string) => void}} services
   */
  constructor({ rows, cols, border }, { t, onMove }) {
    this.rows = rows;
    this.cols = cols;
    this.t = t;
    this.onMove = onMove;
    this.border = new Set(initialLines(rows, cols, border));
    this.names = lines(rows, cols);
    this.free = new Set(); // names of the lines that can be drawn
    this.moves = []; // what is drawn for each token: {token, seat, line, boxes}
    this.game = ''; // the game whose moves they are
    this.canMove = false;
    this.pointer = null; // id of the pointer that chooses a line
    this.preview = null; // name of the line under the pointer
    this.played = { name: null, at: -Infinity }; // the last choice by a pointer, and its time
    this.current = this.names[0]; // name of the line that has the keyboard's focus
    this.elements = new Map(); // by name of a line
    this.marks = new Map(); // the class that marks an element, by element
    this.draw();
    this.viewport = new Viewport(this.picture, this.area(), rows, cols, t);
    this.magnifier = new Magnifier(CONTENT, rows, cols, BOX, t);
    this.element = svg('div.board-frame', {}, this.viewport.element, this.magnifier.element);
    this.listen();
  }

  area() {
    return {
      x: -MARGIN,
      y: -MARGIN,
      width: this.cols * BOX + 2 * MARGIN,
      height: this.rows * BOX + 2 * MARGIN,
    };
  }

  // Drawing

  draw() {
    this.boxes = svg('g.boxes', { 'aria-hidden': 'true' });
    const content = svg(
      'g',
      { id: CONTENT },
      this.boxes,
      ...this.rowsOfLines(),
      svg('path.dots', { 'aria-hidden': 'true', d: this.dots() }),
    );
    const { x, y, width, height } = this.area();
    this.picture = svg(
      'svg.board',
      {
        viewBox: `${x} ${y} ${width} ${height}`,
        role: 'grid',
        'aria-label': this.t('board'),
      },
      content,
    );
  }

  /** Return all dots as one path: short strokes with round ends. */
  dots() {
    const rows = [...Array(this.rows + 1).keys()];
    const cols = [...Array(this.cols + 1).keys()];
    return rows.flatMap((row) => cols.map((col) => `M${col * BOX} ${row * BOX}h.01`)).join('');
  }

  rowsOfLines() {
    const rows = Array.from({ length: 2 * this.rows + 1 }, () => svg('g', { role: 'row' }));
    for (const name of this.names) {
      const place = linePlace(name, this.rows, this.cols);
      const element = svg('line.line', {
        role: 'gridcell',
        tabindex: name === this.current ? 0 : -1,
        x1: place.x1 * BOX,
        y1: place.y1 * BOX,
        x2: place.x2 * BOX,
        y2: place.y2 * BOX,
      });
      element.dataset.name = name;
      this.elements.set(name, element);
      rows[Math.round(place.y1 + place.y2)].append(element);
    }
    return rows;
  }

  /**
   * Show the position of `picture`.
   *
   * @param {object} shown as `shownOnBoard` returns it
   */
  show({ picture, canMove, marked, markOf, hint = null }) {
    const game = `${picture.log} ${picture.game_number}`;
    if (game !== this.game) this.clear(game);
    this.drawMoves(picture, markOf);
    this.mark(marked, hint);
    this.setCanMove(canMove);
  }

  clear(game) {
    this.game = game;
    this.moves = [];
    this.free = new Set(this.names.filter((name) => !this.border.has(name)));
    this.boxes.replaceChildren();
    this.marks.clear();
    for (const [name, element] of this.elements) {
      const isBorder = this.border.has(name);
      element.setAttribute('class', isBorder ? 'line border' : 'line');
      if (isBorder) element.setAttribute('aria-label', this.t('line_border', { move: name }));
      else this.label(name);
    }
  }

  /** Draw the moves of `picture`, of which only those after a common beginning change anything. */
  drawMoves(picture, markOf) {
    const { tokens, movers } = picture;
    const differs = ({ token, seat }, i) => token !== tokens[i] || seat !== movers[i];
    const first = this.moves.findIndex(differs);
    while (first >= 0 && this.moves.length > first) this.takeBack();
    if (this.moves.length === tokens.length) return;
    const taken = new Map(picture.taken.map(([index, ...boxes]) => [index, boxes]));
    for (let i = this.moves.length; i < tokens.length; i += 1) {
      this.add(picture, i, taken.get(i) ?? [], markOf(movers[i]));
    }
  }

  add(picture, index, boxes, mark) {
    const token = picture.tokens[index];
    const seat = picture.movers[index];
    const line = this.elements.get(token) ?? null; // null for a withdrawal
    if (line) {
      this.free.delete(token);
      this.setClass(line, `line drawn ${mark.className}`);
      const label = this.t('line_drawn', { move: token, name: picture.players[seat] });
      line.setAttribute('aria-label', label);
      this.labelNeighbours(token);
    }
    this.moves.push({ token, seat, line, boxes: boxes.map((box) => this.addBox(box, mark)) });
  }

  takeBack() {
    const { token, line, boxes } = this.moves.pop();
    boxes.forEach((box) => box.remove());
    if (!line) return;
    this.free.add(token);
    this.setClass(line, 'line');
    this.label(token);
    this.labelNeighbours(token);
  }

  addBox(box, mark) {
    const x = (box % this.cols) * BOX;
    const y = Math.floor(box / this.cols) * BOX;
    const square = svg('rect', { x: x + 7, y: y + 7, width: BOX - 14, height: BOX - 14, rx: 8 });
    const isLong = /^\d{3,}$/.test(mark.glyph); // of one player among a hundred or more
    const narrowed = isLong ? { textLength: BOX * 0.75, lengthAdjust: 'spacingAndGlyphs' } : {};
    const glyph = svg('text', { x: x + BOX / 2, y: y + BOX / 2, ...narrowed }, mark.glyph);
    const group = svg('g.box', { class: mark.className }, square, glyph);
    this.boxes.append(group);
    return group;
  }

  /** Give an element its classes; those of a mark or a preview end with that. */
  setClass(element, classes) {
    element.setAttribute('class', classes);
    this.marks.delete(element);
  }

  mark(marked, hint) {
    const wanted = new Map();
    for (const index of marked) {
      const { line, boxes } = this.moves[index] ?? { line: null, boxes: [] };
      for (const element of [line, ...boxes]) if (element) wanted.set(element, 'recent');
    }
    if (this.elements.has(hint)) wanted.set(this.elements.get(hint), 'hint');
    for (const [element, name] of this.marks) {
      if (wanted.get(element) !== name) element.classList.remove(name);
    }
    for (const [element, name] of wanted) {
      if (this.marks.get(element) !== name) element.classList.add(name);
    }
    this.marks = wanted;
  }

  setCanMove(canMove) {
    if (canMove === this.canMove) return;
    this.canMove = canMove;
    this.picture.classList.toggle('can-move', canMove);
    if (canMove) return;
    this.dropPointer();
    this.magnifier.close();
  }

  // Labels

  label(name) {
    this.elements
      .get(name)
      .setAttribute('aria-label', this.t('line_free', { move: name, where: this.where(name) }));
  }

  labelNeighbours(name) {
    const boxes = boxesOf(name, this.rows, this.cols);
    const near = boxes.flatMap((box) => Object.values(sidesOf(box, this.rows, this.cols)));
    for (const other of new Set(near)) if (this.free.has(other)) this.label(other);
  }

  /** Return the place of a free line in words: "third line of box 2,1". */
  where(name) {
    const drawn = { has: (line) => !this.free.has(line) };
    const { boxes } = describe(name, this.rows, this.cols, drawn);
    const words = ({ row, col, nth }) => this.t(`nth_${nth}`, { box: `${row},${col}` });
    return boxes.map(words).join(', ');
  }

  // Pointers

  listen() {
    for (const surface of [this.picture, this.magnifier.lens]) {
      const on = (type, handler) => surface.addEventListener(type, handler);
      on('pointerdown', (event) => this.pointerDown(event, surface));
      on('pointermove', (event) => this.pointerMove(event, surface));
      on('pointerup', (event) => this.pointerUp(event, surface));
      on('pointercancel', () => this.dropPointer());
      on('pointerleave', () => this.setPreview(null));
    }
    this.picture.addEventListener('keydown', (event) => this.keyDown(event));
    // An SVG with a listener for the focus of its own would take the focus itself.
    this.element.addEventListener('focusin', (event) => {
      if (event.target.dataset?.name) this.setCurrent(event.target.dataset.name);
    });
  }

  pointerDown(event, surface) {
    if (this.pointer !== null)
      this.dropPointer(); // two fingers zoom
    else if (this.canMove && event.button <= 0 && !this.isSecondTap(event, surface)) {
      this.pointer = event.pointerId;
      surface.setPointerCapture(event.pointerId); // to notice a release outside, too
      this.pointerMove(event, surface);
    }
  }

  pointerMove(event, surface) {
    const isOurs = event.pointerType !== 'touch' || event.pointerId === this.pointer;
    const isChoice = this.canMove && isOurs && !this.viewport.isDragging;
    if (!isChoice || isTooSmallFor(event, surface)) this.setPreview(null);
    else this.setPreview(this.nearest(event, surface, this.free));
  }

  pointerUp(event, surface) {
    if (event.pointerId !== this.pointer) return;
    const name = this.preview;
    this.dropPointer();
    this.magnifier.close();
    if (this.viewport.wasDragged) return;
    if (name !== null) {
      this.played = { name, at: event.timeStamp };
      this.play(name);
    } else if (isTooSmallFor(event, surface) && isOn(surface, event)) {
      this.magnifier.open(event, pointOn(surface, event));
    }
  }

  dropPointer() {
    this.pointer = null;
    this.setPreview(null);
  }

  /** Return the one of these lines that is nearest to the pointer; null if none is near. */
  nearest(event, surface, names) {
    const { x, y } = pointOn(surface, event);
    const found = nearestFree(x / BOX, y / BOX, names, this.rows, this.cols);
    return found.distance <= REACH ? found.name : null;
  }

  /** Whether this is the second tap of a double tap on a line, after which it is my turn again. */
  isSecondTap(event, surface) {
    const { name, at } = this.played;
    if (event.timeStamp - at > DOUBLE_TAP_MS) return false;
    return this.nearest(event, surface, this.elements) === name;
  }

  setPreview(name) {
    if (name === this.preview) return;
    if (this.preview !== null) this.elements.get(this.preview).classList.remove('preview');
    if (name !== null) this.elements.get(name).classList.add('preview');
    this.preview = name;
  }

  play(name) {
    if (!this.canMove || !this.free.has(name)) return;
    this.onMove(name);
  }

  // Keys

  keyDown(event) {
    const name = event.target.dataset?.name;
    if (!name) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.play(name);
      return;
    }
    const next = neighbour(name, event.key, this.rows, this.cols);
    if (next === undefined) return;
    event.preventDefault();
    if (next !== null) this.elements.get(next).focus();
  }

  setCurrent(name) {
    this.elements.get(this.current).setAttribute('tabindex', '-1');
    this.current = name;
    this.elements.get(name).setAttribute('tabindex', '0');
  }
}

/** Return the place of a pointer in the units of a picture. */
function pointOn(picture, event) {
  const matrix = picture.getScreenCTM().inverse();
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
}

/** Whether a pointer is over a picture, also while that captures it. */
function isOn(picture, event) {
  return picture.contains(document.elementFromPoint(event.clientX, event.clientY));
}

/** Whether the boxes of a picture are too small for a finger. */
function isTooSmallFor(event, picture) {
  return event.pointerType === 'touch' && BOX * picture.getScreenCTM().a < SMALL_BOX_PX;
}

function svg(...parts) {
  return make(h(...parts));
}
