/**
 * The board of Dots and Boxes as SVG: what is drawn, and the choice of a line by touch, mouse or
 * keys.
 *
 * A pointer chooses the nearest free line, wherever it is. Where boxes are too small for a finger,
 * a magnifier opens at the first touch, and a second touch chooses in it.
 */

import { svg, h } from './dom.js';
import {
  boxesOf,
  describe,
  initialLines,
  linePlace,
  lines,
  nearestFree,
  sidesOf,
} from './board_geometry.js';
import { Viewport } from './viewport.js';

/** Size of a box in units of the drawing. */
const BOX = 100;
/** Room around the dots, in the same units. */
const MARGIN = 42;
/** A box smaller than this many CSS pixels is magnified for a finger. */
const SMALL_BOX_PX = 40;
/** Size of a box in the magnifier, in CSS pixels. */
const MAGNIFIED_BOX_PX = 60;
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
    this.count = 0; // tokens that are shown
    this.game = ''; // the game whose tokens they are
    this.canMove = false;
    this.preview = null; // name of the line under the pointer
    this.current = null; // name of the line that has the keyboard's focus
    this.elements = new Map(); // by name of a line
    this.boxesOfToken = new Map(); // elements of the boxes that a token took, by its number
    this.markedElements = [];
    this.draw();
    this.viewport = new Viewport(this.picture, this.area(), rows, cols, t);
    this.element = h('div.board-frame', {}, this.viewport.element, this.magnifier());
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
    this.boxes = svg('g', { 'aria-hidden': 'true' });
    const dots = svg('g.dots', { 'aria-hidden': 'true' });
    for (let row = 0; row <= this.rows; row += 1) {
      for (let col = 0; col <= this.cols; col += 1) {
        dots.append(svg('circle', { cx: col * BOX, cy: row * BOX, r: 7 }));
      }
    }
    this.content = svg('g', { id: 'board-content' }, this.boxes, ...this.rowsOfLines(), dots);
    const { x, y, width, height } = this.area();
    this.picture = svg(
      'svg.board',
      {
        viewBox: `${x} ${y} ${width} ${height}`,
        role: 'grid',
        'aria-label': this.t('board'),
      },
      this.content,
    );
  }

  rowsOfLines() {
    const rows = Array.from({ length: 2 * this.rows + 1 }, () => svg('g', { role: 'row' }));
    for (const name of this.names) {
      const place = linePlace(name, this.rows, this.cols);
      const element = svg('line.line', {
        role: 'gridcell',
        tabindex: -1,
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
   * @param {{canMove: boolean, marked: Set<number>, markOf: Function, hint: string | null}} shown
   *   `marked` has the tokens to mark, as numbers
   */
  show(picture, { canMove, marked, markOf, hint = null }) {
    const count = picture.tokens.length;
    const game = `${picture.log} ${picture.game_number}`;
    if (game !== this.game || count < this.count) this.clear(game);
    const taken = new Map(picture.taken.map(([index, ...boxes]) => [index, boxes]));
    for (; this.count < count; this.count += 1) {
      this.add(picture, this.count, taken.get(this.count) ?? [], markOf);
    }
    this.mark(picture, marked, hint);
    this.setCanMove(canMove);
  }

  clear(game) {
    this.game = game;
    this.count = 0;
    this.free = new Set(this.names.filter((name) => !this.border.has(name)));
    this.boxes.replaceChildren();
    this.boxesOfToken.clear();
    this.markedElements = [];
    for (const [name, element] of this.elements) {
      element.setAttribute('class', this.border.has(name) ? 'line border' : 'line');
      if (this.border.has(name))
        element.setAttribute('aria-label', this.t('line_border', { move: name }));
      else this.label(name);
    }
  }

  add(picture, index, boxes, markOf) {
    const token = picture.tokens[index];
    const element = this.elements.get(token);
    const seat = picture.movers[index];
    const mark = markOf(seat);
    if (element) {
      this.free.delete(token);
      element.setAttribute('class', `line drawn ${mark.className}`);
      element.setAttribute(
        'aria-label',
        this.t('line_drawn', { move: token, name: picture.players[seat] }),
      );
      this.labelNeighbours(token);
    }
    for (const box of boxes) this.addBox(box, index, mark);
  }

  addBox(box, index, mark) {
    const x = (box % this.cols) * BOX;
    const y = Math.floor(box / this.cols) * BOX;
    const square = svg('rect', {
      x: x + 7,
      y: y + 7,
      width: BOX - 14,
      height: BOX - 14,
      rx: 8,
    });
    const glyph = svg('text', { x: x + BOX / 2, y: y + BOX / 2 }, mark.glyph);
    const group = svg('g.box', { class: mark.className }, square, glyph);
    this.boxesOfToken.set(index, [...(this.boxesOfToken.get(index) ?? []), group]);
    this.boxes.append(group);
  }

  mark(picture, marked, hint) {
    for (const element of this.markedElements) element.classList.remove('recent', 'hint');
    this.markedElements = [];
    const mark = (element, name) => {
      if (!element) return;
      element.classList.add(name);
      this.markedElements.push(element);
    };
    for (const index of marked) {
      mark(this.elements.get(picture.tokens[index]), 'recent');
      for (const box of this.boxesOfToken.get(index) ?? []) mark(box, 'recent');
    }
    if (hint !== null) mark(this.elements.get(hint), 'hint');
  }

  /** Return the line that a typed text names, in either case; null if it names none. */
  moveNamed(text) {
    const name = text.toLowerCase();
    return this.elements.has(name) ? name : null;
  }

  setCanMove(canMove) {
    this.canMove = canMove;
    this.picture.classList.toggle('can-move', canMove);
    if (!canMove) this.setPreview(null);
    if (this.current === null || !this.elements.get(this.current)) this.setCurrent(this.names[0]);
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
    const { picture } = this;
    picture.addEventListener('pointerdown', (event) => this.pointerDown(event));
    picture.addEventListener('pointermove', (event) => this.pointerMove(event));
    picture.addEventListener('pointerup', (event) => this.pointerUp(event));
    picture.addEventListener('pointercancel', () => this.dropPointer());
    picture.addEventListener('pointerleave', () => this.setPreview(null));
    picture.addEventListener('keydown', (event) => this.keyDown(event));
    picture.addEventListener('focusin', (event) => {
      if (event.target.dataset?.name) this.setCurrent(event.target.dataset.name);
    });
  }

  pointerDown(event) {
    if (!this.canMove || event.button > 0) return;
    if (this.viewport.hasTwoFingers) {
      this.dropPointer();
      return;
    }
    this.pointer = event.pointerId;
    if (event.pointerType !== 'touch') return this.setPreview(this.nearest(this.picture, event));
    if (this.boxPx() < SMALL_BOX_PX) return this.openMagnifier(event);
    this.setPreview(this.nearest(this.picture, event));
    return undefined;
  }

  pointerMove(event) {
    if (!this.canMove || this.viewport.hasTwoFingers || this.viewport.isDragging)
      return this.setPreview(null);
    if (event.pointerType === 'touch' && event.pointerId !== this.pointer) return undefined;
    if (event.pointerType === 'touch' && this.boxPx() < SMALL_BOX_PX) return undefined;
    this.setPreview(this.nearest(this.picture, event));
    return undefined;
  }

  pointerUp(event) {
    if (event.pointerId !== this.pointer) return;
    const name = this.preview;
    this.dropPointer();
    if (name !== null && !this.viewport.wasDragged) this.play(name);
  }

  dropPointer() {
    this.pointer = null;
    this.setPreview(null);
  }

  /** Return the free line nearest to the pointer in `picture`; null if none is near. */
  nearest(picture, event) {
    const inverse = picture.getScreenCTM()?.inverse();
    if (!inverse) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(inverse);
    const found = nearestFree(point.x / BOX, point.y / BOX, this.free, this.rows, this.cols);
    return found.distance <= REACH ? found.name : null;
  }

  /** Return the size of a box on the screen, in CSS pixels. */
  boxPx() {
    return BOX * (this.picture.getScreenCTM()?.a ?? 1);
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

  // The magnifier

  magnifier() {
    this.lens = svg('svg.lens', {}, svg('use', { href: '#board-content' }));
    this.lensTitle = h('p', {}, this.t('choose_line'));
    this.overlay = h(
      'div.magnifier',
      { hidden: true },
      this.lensTitle,
      this.lens,
      h('button', { onclick: () => this.closeMagnifier() }, this.t('cancel')),
    );
    this.lens.addEventListener('pointerdown', (event) =>
      this.setPreview(this.nearest(this.lens, event)),
    );
    this.lens.addEventListener('pointermove', (event) =>
      this.setPreview(this.nearest(this.lens, event)),
    );
    this.lens.addEventListener('pointercancel', () => this.setPreview(null));
    this.lens.addEventListener('pointerup', () => {
      const name = this.preview;
      this.closeMagnifier();
      if (name !== null) this.play(name);
    });
    return this.overlay;
  }

  openMagnifier(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(
      this.picture.getScreenCTM().inverse(),
    );
    const width = Math.min(this.element.clientWidth, this.element.clientHeight);
    const size = (width / MAGNIFIED_BOX_PX) * BOX;
    const area = this.area();
    const left = between(area.x, point.x - size / 2, area.x + area.width - size);
    const top = between(area.y, point.y - size / 2, area.y + area.height - size);
    this.lens.setAttribute('viewBox', `${left} ${top} ${size} ${size}`);
    this.overlay.hidden = false;
    this.pointer = null;
  }

  closeMagnifier() {
    this.overlay.hidden = true;
    this.setPreview(null);
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
    const next = this.neighbour(name, event.key);
    if (next === undefined) return;
    event.preventDefault();
    if (next !== null) this.elements.get(next).focus();
  }

  /** Return the line in the direction of a key: null at the rim, undefined for another key. */
  neighbour(name, key) {
    const kind = name[0];
    const number = Number(name.slice(1));
    const columns = kind === 'h' ? this.cols : this.cols + 1;
    const row = Math.floor(number / columns);
    const col = number % columns;
    switch (key) {
      case 'ArrowLeft':
        return col > 0 ? `${kind}${number - 1}` : null;
      case 'ArrowRight':
        return col < columns - 1 ? `${kind}${number + 1}` : null;
      case 'Home':
        return `${kind}${row * columns}`;
      case 'End':
        return `${kind}${row * columns + columns - 1}`;
      case 'ArrowUp':
        if (kind === 'v') return `h${row * this.cols + Math.min(col, this.cols - 1)}`;
        return row > 0 ? `v${(row - 1) * (this.cols + 1) + col}` : null;
      case 'ArrowDown':
        if (kind === 'v') return `h${(row + 1) * this.cols + Math.min(col, this.cols - 1)}`;
        return row < this.rows ? `v${row * (this.cols + 1) + col}` : null;
      default:
        return undefined;
    }
  }

  setCurrent(name) {
    if (this.current !== null) this.elements.get(this.current).setAttribute('tabindex', '-1');
    this.current = name;
    this.elements.get(name).setAttribute('tabindex', '0');
  }
}

function between(least, value, most) {
  return Math.max(least, Math.min(value, Math.max(least, most)));
}
