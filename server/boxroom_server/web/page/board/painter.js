/**
 * A board of any game, drawn as SVG from its geometry: pictures in, moves out.
 *
 * `painter_model.js` says what each shape shows; here are elements, pointers and keys. Nothing is
 * put in as markup, and colours are classes (painter.css).
 */

import { UNIT, describe, middleOf, nearest, neighbour, pointsOf, roomIn } from './painter_model.js';
import { DOUBLE_TAP_MS } from '../presses.js';

const SVG = 'http://www.w3.org/2000/svg';

/** Pixels of a `UNIT`: the least, the least that a finger hits easily, and the most. */
const LEAST = 24;
const EASY = 40;
const MOST = 120;

/** The share of the window's height that a board may take, unless it became too small to hit. */
const SHARE = 0.72;

function element(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function outline(shape) {
  const points = pointsOf(shape)
    .map((point) => point.join())
    .join(' ');
  const [x, y] = shape.points;
  switch (shape.kind) {
    case 'circle':
      return element('circle', { cx: x, cy: y, r: shape.radius });
    case 'line':
      return element('polyline', { points });
    case 'polygon':
      return element('polygon', { points });
    default:
      return null;
  }
}

/** One shape on the page: its outline, and the text in it. */
class ShapeView {
  constructor(shape) {
    this.shape = shape;
    this.group = element('g');
    this.text = null;
    this.shownClass = null;
    this.shownText = null;
    const drawn = outline(shape);
    if (drawn) this.group.append(drawn);
    if (shape.kind !== 'line') this.#addText();
  }

  /** Shows the shape with these classes; `mark` is of the seat that has it, `label` a text. */
  show(classes, mark = null, label = this.shape.label ?? '') {
    const belongs = this.shape.thing === undefined ? [] : ['thing'];
    const names = [this.shape.kind, ...belongs, ...classes, ...(mark ? [mark.className] : [])];
    const className = names.join(' ');
    if (className !== this.shownClass) this.group.setAttribute('class', className);
    this.shownClass = className;
    if (this.text) this.#write(mark ? mark.glyph : label, mark !== null);
  }

  /** Writes a glyph or a label. A text that stays isn't touched: the browser would lay it out. */
  #write(text, isGlyph) {
    const shown = `${isGlyph} ${text}`;
    if (shown === this.shownText) return;
    this.shownText = shown;
    const isLow = /^[a-z]$/.test(text); // no higher than an x, or nearly
    const wide = Math.min(0.8, 3.2 / text.length); // [100] is a king of the hundredth player
    const ofGlyph = isLow ? 1.75 : text.length > 1 ? wide : 1.3;
    const share = isGlyph ? ofGlyph : text.length > 2 ? 0.65 : 0.8;
    this.text.textContent = text;
    this.text.setAttribute('class', isGlyph ? 'glyph' : 'label');
    this.text.setAttribute('font-size', Math.round(Math.min(roomIn(this.shape), UNIT / 2) * share));
    this.text.setAttribute('dominant-baseline', isLow ? 'middle' : 'central');
  }

  #addText() {
    const [x, y] = middleOf(this.shape);
    this.text = element('text', { x, y, 'text-anchor': 'middle' });
    this.group.append(this.text);
  }
}

/** A board on the page. */
export class Painter {
  #onMove;
  #t;
  #views;
  #counters;
  #buttons;
  #frame;
  #left = null;
  #model = null;
  #picture = {};
  #markOf;
  /** The move that a bot suggests, or null. */
  #hint = null;
  /** What can be played: the shape to hit, the move, and the views that show it beforehand. */
  #targets = [];
  #aimed = null;
  /** The move that was played here and isn't in the picture yet. */
  #played = null;
  /** The shape that a pointer chose last, and the time. */
  #choice = { shape: null, at: -Infinity };
  /** The index of the shape whose man is to move, or null. */
  #start = null;
  /** How `show` was called last. */
  #view = {};
  /** Id of the pointer that is down, or null. */
  #pointer = null;
  /** The index of the shape that has the focus when the board has. */
  #current = null;
  #observer;

  /**
   * @param {import('./painter_model.js').Geometry} geometry
   * @param {{onMove: (move: string) => void, t: (name: string, values?: object) => string}} page
   */
  constructor(geometry, { onMove, t }) {
    this.geometry = geometry;
    this.#onMove = onMove;
    this.#t = t;
    this.#views = geometry.shapes.map((shape) => new ShapeView(shape));
    this.#counters = (geometry.heap?.counters ?? []).map((shape) => new ShapeView(shape));
    this.#buttons = (geometry.heap?.moves ?? []).map((each) => this.#button(each));
    this.#current = geometry.shapes.findIndex((shape) => this.#isPlace(shape));
    this.svg = this.#board();
    const container = document.createElement('div');
    this.element = container;
    container.className = 'painter';
    this.#frame = document.createElement('div');
    this.#frame.className = 'painter-frame';
    this.#frame.append(this.svg);
    container.replaceChildren(this.#frame, ...this.#heapControls());
    this.#listen();
    this.#observer = new ResizeObserver(() => this.#fit());
    this.#observer.observe(container);
    this.#fit();
  }

  /**
   * Shows the picture of a room; a move that was played here before waits for it no longer.
   *
   * @param {object} picture a room as in `in_room.room`
   * @param {{markOf: (seat: number) => {glyph: string, className: string}, marked: Set<number>,
   *   canMove?: boolean, hint?: string | null}} view the marks, the tokens whose effects are
   *   recent, whether a move can be made here, and a move that a bot suggests
   */
  show({ picture, markOf, marked, canMove = false, hint = null }) {
    const isSame = canMove && this.#picture.tokens?.length === picture.tokens?.length;
    if (!isSame || this.#played) this.#start = null;
    this.#picture = picture;
    this.#hint = hint;
    this.#markOf = markOf;
    this.#view = { marked, canMove };
    this.#played = null;
    this.#refresh();
  }

  /** Describes the picture anew, and draws it. */
  #refresh() {
    const view = { ...this.#view, start: this.#start };
    this.#model = describe(this.geometry, this.#picture, view);
    this.#targets = [...this.#shapeTargets(), ...this.#heapTargets()];
    const name = ({ move, index }) => move ?? index;
    const aimed = this.#aimed;
    this.#aimed = aimed && (this.#targets.find((each) => name(each) === name(aimed)) ?? null);
    this.#draw();
  }

  // Making

  #board() {
    const { width, height } = this.geometry;
    const svg = element('svg', {
      class: this.geometry.men?.length ? 'painter-board has-men' : 'painter-board',
      viewBox: `0 0 ${width} ${height}`,
      role: 'group',
      'aria-label': this.#t('painter.board'),
    });
    this.#views.forEach(({ group, shape }, index) => {
      if (!this.#isPlace(shape)) {
        group.setAttribute('aria-hidden', 'true');
        return;
      }
      group.setAttribute('role', 'button');
      group.setAttribute('tabindex', index === this.#current ? '0' : '-1');
      group.dataset.index = `${index}`;
    });
    for (const { group } of this.#counters) group.setAttribute('aria-hidden', 'true');
    svg.append(...[...this.#views, ...this.#counters].map(({ group }) => group));
    return svg;
  }

  #heapControls() {
    if (!this.geometry.heap) return [];
    this.#left = document.createElement('p');
    this.#left.className = 'painter-left';
    const moves = document.createElement('div');
    moves.className = 'painter-takes';
    moves.setAttribute('role', 'group');
    moves.setAttribute('aria-label', this.#t('painter.moves'));
    moves.append(...this.#buttons);
    return [this.#left, moves];
  }

  #button({ move, takes }) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = move;
    button.setAttribute('aria-label', this.#t('painter.take', { count: takes }));
    const target = () => this.#targets.find((each) => each.move === move) ?? null;
    button.addEventListener('click', () => this.#play(target()));
    for (const type of ['pointerenter', 'focus']) {
      button.addEventListener(type, () => this.#aim(target()));
    }
    for (const type of ['pointerleave', 'blur']) {
      button.addEventListener(type, () => this.#aim(null));
    }
    return button;
  }

  /** Makes the board as large as there is room for, but its parts not too small to be hit. */
  #fit() {
    const { width, height } = this.geometry;
    const across = (this.#frame.clientWidth * UNIT) / width;
    const down = (window.innerHeight * SHARE * UNIT) / height;
    const fitting = Math.max(Math.min(across, down), Math.min(across, EASY));
    const scale = Math.min(MOST, Math.max(LEAST, fitting)) / UNIT;
    this.svg.setAttribute('width', Math.floor(width * scale));
    this.svg.setAttribute('height', Math.floor(height * scale));
    const scrolls = scale * UNIT > Math.min(across, down) + 1;
    this.#frame.classList.toggle('scrolls', scrolls);
  }

  /** Whether a shape can be chosen at some time. */
  #isPlace({ move, thing }) {
    return move !== undefined || (thing !== undefined && Boolean(this.geometry.men?.length));
  }

  // Drawing

  /** Returns the shapes that can be chosen; a man has no move before its end is chosen. */
  #shapeTargets() {
    return this.#views
      .map((view, index) => {
        const { playable, move = view.shape.move } = this.#model.shapes[index];
        return { shape: view.shape, move, views: [view], index, playable };
      })
      .filter(({ playable }) => playable);
  }

  #heapTargets() {
    const { left, takes } = this.#model;
    return takes
      .filter(({ playable }) => playable)
      .map(({ move, takes: number }) => ({
        shape: this.#counters[left - number].shape,
        move,
        views: this.#counters.slice(left - number, left),
      }));
  }

  #draw() {
    const aimed = new Set((this.#played ?? this.#aimed)?.views);
    const mover = this.#picture.to_move ?? null;
    const preview = mover === null ? null : this.#markOf(mover);
    this.#views.forEach((view, index) => {
      const shape = this.#model.shapes[index];
      if (aimed.has(view) && shape.state === 'free') {
        view.show(['free', 'playable', 'preview'], preview);
      } else this.#drawShape(view, shape, index === this.#start);
    });
    this.#counters.forEach((view, index) => {
      if (aimed.has(view)) view.show(['counter', 'left', 'preview'], preview);
      else this.#drawCounter(view, this.#model.counters[index]);
    });
    this.#drawTakes();
  }

  #drawShape(view, { state, seat, playable, recent, won, isKing = false }, chosen) {
    const mark = state === 'owned' ? this.#mark(seat, isKing) : null;
    const hint = playable && this.#isHinted(view.shape);
    const flags = { playable, recent, won, hint, chosen };
    view.show([state, ...Object.keys(flags).filter((name) => flags[name])], mark);
    if (!this.#isPlace(view.shape)) return;
    const { move = view.shape.label } = view.shape;
    const name = this.#picture.players?.[seat] ?? '';
    const label = mark
      ? this.#t('painter.owned', { move, mark: mark.glyph, name })
      : this.#t('painter.free', { move });
    setAttribute(view.group, 'aria-label', label);
    setAttribute(view.group, 'aria-disabled', `${!playable}`);
    if (this.geometry.men?.length) setAttribute(view.group, 'aria-pressed', `${chosen}`);
  }

  #isHinted({ move, label }) {
    if (!this.geometry.men?.length) return move === this.#hint;
    return this.#hint?.split(/[-x]/).includes(label) ?? false;
  }

  #drawCounter(view, { state, seat, move }) {
    const mark = state === 'taken' ? this.#mark(seat) : null;
    const isTarget = move !== null && this.#targets.some((target) => target.move === move);
    const classes = ['counter', state, ...(isTarget ? ['playable'] : [])];
    view.show(classes, mark, state === 'left' && move !== null ? move : '');
  }

  #drawTakes() {
    if (!this.#left) return;
    this.#left.textContent = this.#t('painter.left', { count: this.#model.left });
    this.#model.takes.forEach(({ move, playable }, index) => {
      setAttribute(this.#buttons[index], 'aria-disabled', `${!playable}`);
      this.#buttons[index].classList.toggle('hint', playable && move === this.#hint);
    });
  }

  /** Returns the mark of a seat, and that of its kings in brackets. */
  #mark(seat, isKing = false) {
    if (seat === null) return { glyph: '', className: 'nobody' };
    const mark = this.#markOf(seat);
    return isKing ? { ...mark, glyph: `[${mark.glyph}]` } : mark;
  }

  // Playing

  #listen() {
    const on = (type, handler) => this.svg.addEventListener(type, handler);
    on('pointerdown', (event) => this.#press(event));
    on('pointermove', (event) => {
      const isOver = event.pointerType === 'mouse' || event.pointerId === this.#pointer;
      if (isOver) this.#aim(this.#targetAt(event));
    });
    on('pointerup', (event) => this.#lift(event));
    on('pointercancel', () => this.#letGo());
    on('pointerleave', () => this.#letGo());
    on('keydown', (event) => this.#key(event));
    // An SVG with a listener for the focus of its own would take the focus itself.
    this.#frame.addEventListener('focusin', ({ target }) => {
      this.#moveFocus(target.closest('[data-index]'));
    });
  }

  #press(event) {
    if (this.#pointer !== null) {
      this.#letGo(); // two fingers zoom
      return;
    }
    if (event.button !== 0 || this.#isSecondTap(event)) return;
    this.#pointer = event.pointerId;
    this.svg.setPointerCapture(event.pointerId);
    this.#aim(this.#targetAt(event));
  }

  #lift(event) {
    if (event.pointerId !== this.#pointer) return;
    const target = this.#aimed; // not what is there now, if the board was moved meanwhile
    this.#letGo();
    if (target) this.#choice = { shape: target.shape, at: event.timeStamp };
    this.#play(target);
  }

  #letGo() {
    this.#pointer = null;
    this.#aim(null);
  }

  #targetAt(event) {
    return this.#nearest(event, this.#targets);
  }

  /** Whether this is the second tap of a double tap on a shape, after which it is my turn again. */
  #isSecondTap(event) {
    if (event.timeStamp - this.#choice.at > DOUBLE_TAP_MS) return false;
    const places = this.#views.filter(({ shape }) => this.#isPlace(shape));
    return this.#nearest(event, [...places, ...this.#counters])?.shape === this.#choice.shape;
  }

  /** Returns the one of `all` whose shape is nearest to the pointer, or null if none is near. */
  #nearest(event, all) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const shapes = all.map(({ shape }) => shape);
    const index = nearest(shapes, shapes.keys(), x, y);
    return index === null ? null : all[index];
  }

  /** Shows beforehand what a move would do; null: nothing. */
  #aim(target) {
    if (target === this.#aimed || !this.#model) return;
    this.#aimed = target;
    this.#draw();
  }

  /** Plays a move, and lets no other be played until the next picture. */
  #play(target) {
    if (!target) return;
    if (target.move === undefined) {
      this.#start = target.index === this.#start ? null : target.index;
      this.#refresh();
      return;
    }
    this.#targets = [];
    [this.#played, this.#aimed] = [target, null];
    this.#draw();
    this.#onMove(target.move);
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || this.#current < 0) return;
    if (event.key === 'Enter' || event.key === ' ') {
      const { shape } = this.#views[this.#current];
      this.#play(this.#targets.find((target) => target.shape === shape) ?? null);
    } else {
      const next = this.#next(event.key);
      if (next === undefined) return;
      if (next !== null) this.#views[next].group.focus();
    }
    event.preventDefault();
  }

  /** Returns the index of the shape to which a key leads; undefined if it is no key for that. */
  #next(key) {
    const { shapes } = this.geometry;
    const all = [...shapes.keys()].filter((index) => this.#isPlace(shapes[index]));
    if (key === 'Home') return all[0];
    if (key === 'End') return all.at(-1);
    return key.startsWith('Arrow') ? neighbour(shapes, all, this.#current, key) : undefined;
  }

  #moveFocus(group) {
    if (!group) return;
    this.#views[this.#current].group.setAttribute('tabindex', '-1');
    this.#current = Number(group.dataset.index);
    group.setAttribute('tabindex', '0');
  }
}

function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
