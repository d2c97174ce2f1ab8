/**
 * The board of any game as SVG, drawn from its geometry.
 *
 * `painter_model.js` says what each shape shows. Nothing is put in as markup, and colours are
 * classes (styles/painter.css).
 *
 * @import { Mark } from '../marks.js'
 * @import { BoardShape, HeapMove } from '../protocol.js'
 * @import { Translate } from '../words.js'
 * @import { Drawing, Place } from './board.js'
 * @import { CounterState, Geometry, Model, Played, ShapeState } from './painter_model.js'
 * @import { Shown } from './shown.js'
 *
 * @typedef {{place: Place, shape: BoardShape, move?: ?string, views: ShapeView[]}} Target
 */

import { h, make } from '../dom.js';
import { called } from '../game_words.js';
import {
  UNIT,
  describe,
  middleOf,
  nearest,
  neighbour,
  pointsOf,
  roomIn,
  withSquare,
} from './painter_model.js';

/** @type {(shape: BoardShape) => string} */
function pointsText(shape) {
  return pointsOf(shape)
    .map((point) => point.join())
    .join(' ');
}

/** @param {BoardShape} shape */
function outline(shape) {
  const points = pointsText(shape);
  const [x, y] = shape.points;
  switch (shape.kind) {
    case 'circle':
      return h('circle', { cx: x, cy: y, r: shape.radius });
    case 'line':
      return h('polyline', { points });
    case 'polygon':
      return h('polygon', { points });
    default:
      return null;
  }
}

/** The mark where no seat has one. */
const NOBODY = { glyph: '', className: 'nobody' };

/** One shape on the page: its outline, and the text in it. */
class ShapeView {
  /** @param {BoardShape} shape */
  constructor(shape) {
    this.shape = shape;
    this.shownClass = '';
    this.shownText = '';
    const [x, y] = middleOf(shape);
    const hasText = shape.kind !== 'line';
    this.text = hasText ? make(h('text', { x, y, 'text-anchor': 'middle' })) : null;
    const halo = hasText ? null : h('polyline.halo', { points: pointsText(shape) });
    this.group = make(h('g', {}, halo, outline(shape), this.text));
  }

  /**
   * Show the shape with these classes; `mark` is of the seat that has it, `label` a text.
   *
   * @param {string[]} classes
   * @param {?Mark} mark
   * @param {string} label
   */
  show(classes, mark = null, label = this.shape.label ?? '') {
    const belongs = this.shape.thing == null ? [] : ['thing'];
    const names = [this.shape.kind, ...belongs, ...classes, ...(mark ? [mark.className] : [])];
    const className = names.join(' ');
    if (className !== this.shownClass) this.group.setAttribute('class', className);
    this.shownClass = className;
    if (this.text) this.#write(this.text, mark ? mark.glyph : label, mark !== null);
  }

  /**
   * Write a glyph or a label. A text that stays isn't touched: the browser would lay it out.
   *
   * @param {Element} element
   * @param {string} text
   * @param {boolean} isGlyph
   */
  #write(element, text, isGlyph) {
    const shown = `${isGlyph} ${text}`;
    if (shown === this.shownText) return;
    this.shownText = shown;
    const isLow = /^[a-z]$/.test(text); // no higher than an x, or nearly
    const wide = Math.min(0.8, 3.2 / text.length); // [100] is a king of the hundredth player
    const ofGlyph = isLow ? 1.75 : text.length > 1 ? wide : 1.3;
    const share = isGlyph ? ofGlyph : text.length > 2 ? 0.65 : 0.8;
    const size = Math.round(Math.min(roomIn(this.shape), UNIT / 2) * share);
    element.textContent = text;
    element.setAttribute('class', isGlyph ? 'glyph' : 'label');
    element.setAttribute('font-size', `${size}`);
    element.setAttribute('dominant-baseline', isLow ? 'middle' : 'central');
  }
}

/** @implements {Drawing} */
export class Painter {
  unit = UNIT;
  #t;
  #views;
  #counters;
  #buttons;
  /** @type {?HTMLElement} */
  #left = null;
  /** @type {Model} */
  #model = { shapes: [], counters: [], left: 0, takes: [] };
  /** @type {Played & {players?: string[]}} */
  #picture = {};
  /** @type {(seat: number) => Mark} */
  #markOf = () => NOBODY;
  /**
   * The move that a bot suggests, or null.
   *
   * @type {?string}
   */
  #hint = null;
  /**
   * What can be chosen: the place, its shape, its move, and the views that show it beforehand.
   *
   * @type {Target[]}
   */
  #targets = [];
  /**
   * The views that show a choice or a move beforehand, and how.
   *
   * @type {Map<ShapeView, 'preview' | 'pending'>}
   */
  #previews = new Map();
  /**
   * The labels of the squares of a move that were chosen, the first with a man.
   *
   * @type {string[]}
   */
  #chosen = [];
  /**
   * How `show` was called last.
   *
   * @type {Partial<Shown>}
   */
  #view = {};

  /**
   * @param {Geometry} geometry
   * @param {Translate} t
   */
  constructor(geometry, t) {
    this.geometry = geometry;
    this.#t = t;
    this.#views = geometry.shapes.map((shape) => new ShapeView(shape));
    this.#counters = (geometry.heap?.counters ?? []).map((shape) => new ShapeView(shape));
    this.#buttons = (geometry.heap?.moves ?? []).map((each) => this.#button(each));
    const first = geometry.shapes.findIndex((shape) => this.#isPlace(shape));
    this.first = first < 0 ? null : first;
    this.properties = { role: 'group', 'aria-label': t('board') };
    this.question = t('choose_move');
    this.extent = { width: geometry.width, height: geometry.height };
    this.area = { x: 0, y: 0, ...this.extent };
    this.content = this.#content();
    this.controls = geometry.heap ? this.#heapControls() : null;
  }

  /**
   * Show the picture of a room. A man stays chosen while nothing is played.
   *
   * @param {Pick<Shown, 'picture' | 'markOf' | 'marked'> & Partial<Shown>} shown
   */
  show({ picture, markOf, marked, canMove = false, pending = null, hints = [] }) {
    const isSame = canMove && this.#picture.tokens?.length === picture.tokens?.length;
    if (!isSame || pending !== null) this.#chosen = [];
    this.#picture = picture;
    [this.#hint = null] = hints;
    this.#markOf = markOf;
    this.#view = { marked, canMove };
    this.#previews = new Map();
    this.#refresh();
  }

  /** Describe the picture anew, and draw it. */
  #refresh() {
    const view = { ...this.#view, chosen: this.#chosen };
    this.#model = describe(this.geometry, this.#picture, view);
    this.#targets = [...this.#shapeTargets(), ...this.#heapTargets()];
    this.#draw();
  }

  // Making

  #content() {
    this.#views.forEach(({ group, shape }, index) => {
      if (!this.#isPlace(shape)) {
        group.setAttribute('aria-hidden', 'true');
        return;
      }
      group.setAttribute('role', 'button');
      group.setAttribute('tabindex', '-1');
      group.dataset.index = `${index}`;
    });
    for (const { group } of this.#counters) group.setAttribute('aria-hidden', 'true');
    const groups = [...this.#views, ...this.#counters].map(({ group }) => group);
    const kind = this.geometry.men?.length ? 'has-men' : '';
    return make(h('g.painter-board', { id: 'board-content', class: kind }, groups));
  }

  #heapControls() {
    this.#left = make(h('p.painter-left'));
    const label = this.#t('painter.moves');
    const moves = h('div.painter-takes', { role: 'group', 'aria-label': label }, this.#buttons);
    return make(h('div', {}, this.#left, moves));
  }

  /** @param {HeapMove} move */
  #button({ move, takes }) {
    const label = this.#t('painter.take', { count: takes });
    return make(h('button', { type: 'button', 'aria-label': label, 'data-move': move }, move));
  }

  /**
   * Whether a shape can be chosen at some time.
   *
   * @param {BoardShape} shape
   */
  #isPlace({ move, thing }) {
    return move != null || (thing != null && Boolean(this.geometry.men?.length));
  }

  // Drawing

  /** Return the shapes that can be chosen; a man has no move before its end is chosen. */
  #shapeTargets() {
    return this.#views
      .map((view, place) => {
        const { playable, move = view.shape.move } = this.#model.shapes[place];
        return { place, shape: view.shape, move, views: [view], playable };
      })
      .filter(({ playable }) => playable);
  }

  #heapTargets() {
    const { left, takes } = this.#model;
    return takes
      .filter(({ playable }) => playable)
      .map(({ move, takes: number }) => ({
        place: move,
        shape: this.#counters[left - number].shape,
        move,
        views: this.#counters.slice(left - number, left),
      }));
  }

  /**
   * @param {?Place} place
   * @param {?string} move
   */
  preview(place, move) {
    const aimed = this.#targets.find((target) => target.place === place)?.views ?? [];
    /** @type {Map<ShapeView, 'preview' | 'pending'>} */
    const views = new Map(aimed.map((view) => [view, 'preview']));
    for (const view of this.#viewsOf(move)) views.set(view, 'pending');
    const isKnown = [...views].every(([view, look]) => this.#previews.get(view) === look);
    if (isKnown && views.size === this.#previews.size) return;
    this.#previews = views;
    this.#draw();
  }

  /**
   * Return the views that show a move.
   *
   * @param {?string} move
   */
  #viewsOf(move) {
    if (move === null) return [];
    const { heap, men } = this.geometry;
    const takes = heap?.moves.find((each) => each.move === move)?.takes ?? 0;
    const { left } = this.#model;
    if (takes) return this.#counters.slice(Math.max(0, left - takes), left);
    const end = men?.length ? move.split(/[-x]/).at(-1) : null;
    return this.#views.filter(({ shape }) => (end ? shape.label === end : shape.move === move));
  }

  #draw() {
    const mover = this.#picture.to_move ?? null;
    const preview = mover === null ? null : this.#markOf(mover);
    this.#views.forEach((view, index) => {
      const shape = this.#model.shapes[index];
      const look = this.#previews.get(view);
      if (look && shape.state === 'free') view.show(['free', 'playable', look], preview);
      else this.#drawShape(view, shape, this.#chosen.includes(view.shape.label ?? ''));
    });
    this.#counters.forEach((view, index) => {
      const look = this.#previews.get(view);
      if (look) view.show(['counter', 'left', look], preview);
      else this.#drawCounter(view, this.#model.counters[index]);
    });
    this.#drawTakes();
  }

  /**
   * @param {ShapeView} view
   * @param {ShapeState} shape
   * @param {boolean} chosen
   */
  #drawShape(view, { state, seat, playable, recent, won, isKing = false }, chosen) {
    const mark = state === 'owned' ? this.#mark(seat, isKing) : null;
    const hint = playable && this.#isHinted(view.shape);
    const flags = { playable, recent, won, hint, chosen };
    const names = Object.entries(flags).flatMap(([name, isOn]) => (isOn ? [name] : []));
    view.show([state, ...names], mark);
    if (!this.#isPlace(view.shape)) return;
    const move = view.shape.move ?? view.shape.label;
    const name = called(this.#picture.players?.[seat ?? -1], this.#t);
    const label = mark
      ? this.#t('painter.owned', { move, mark: mark.glyph, name })
      : this.#t('painter.free', { move });
    setAttribute(view.group, 'aria-label', label);
    setAttribute(view.group, 'aria-disabled', `${!playable}`);
    if (this.geometry.men?.length) setAttribute(view.group, 'aria-pressed', `${chosen}`);
  }

  /** @param {BoardShape} shape */
  #isHinted({ move, label }) {
    if (!this.geometry.men?.length) return move === this.#hint;
    return this.#hint?.split(/[-x]/).includes(label ?? '') ?? false;
  }

  /**
   * @param {ShapeView} view
   * @param {CounterState} counter
   */
  #drawCounter(view, { state, seat, move }) {
    const mark = state === 'taken' ? this.#mark(seat) : null;
    const isTarget = move !== null && this.#targets.some((target) => target.move === move);
    const classes = ['counter', state, ...(isTarget ? ['playable'] : [])];
    view.show(classes, mark, state === 'left' && move !== null ? move : '');
  }

  #drawTakes() {
    if (!this.#left) return;
    this.#left.textContent = this.#t('counters_left', { count: this.#model.left });
    this.#model.takes.forEach(({ move, playable }, index) => {
      setAttribute(this.#buttons[index], 'aria-disabled', `${!playable}`);
      this.#buttons[index].classList.toggle('hint', playable && move === this.#hint);
    });
  }

  /**
   * Return the mark of a seat, and that of its kings in brackets.
   *
   * @param {?number} seat
   * @param {boolean} isKing
   */
  #mark(seat, isKing = false) {
    if (seat === null) return NOBODY;
    const mark = this.#markOf(seat);
    return isKing ? { ...mark, glyph: `[${mark.glyph}]` } : mark;
  }

  // Places: the index of a shape, or a move of the heap

  /**
   * @param {number} x
   * @param {number} y
   */
  targetAt(x, y) {
    return this.#nearest(x, y, this.#targets)?.place ?? null;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  placeAt(x, y) {
    const places = this.#views.filter(({ shape }) => this.#isPlace(shape));
    return this.#nearest(x, y, [...places, ...this.#counters])?.shape ?? null;
  }

  /**
   * Return the one of `all` whose shape is nearest to a point, or null if none is near.
   *
   * @template {{shape: BoardShape}} T
   * @param {number} x
   * @param {number} y
   * @param {T[]} all
   * @returns {?T}
   */
  #nearest(x, y, all) {
    const shapes = all.map(({ shape }) => shape);
    const index = nearest(shapes, shapes.keys(), x, y);
    return index === null ? null : all[index];
  }

  /**
   * Choose a place; of a man first the start, which lets the person choose the end.
   *
   * @param {?Place} place
   */
  choose(place) {
    const target = this.#targets.find((each) => each.place === place);
    if (target?.move != null) return target.move;
    if (target && typeof place === 'number') {
      const { legal_moves: moves = [] } = this.#picture;
      this.#chosen = withSquare(moves, this.#chosen, target.shape.label ?? '');
      this.#refresh();
    }
    return null;
  }

  /**
   * @param {Place} place
   * @param {string} key
   */
  next(place, key) {
    const { shapes } = this.geometry;
    const all = [...shapes.keys()].filter((index) => this.#isPlace(shapes[index]));
    if (key === 'Home') return all[0];
    if (key === 'End') return all.at(-1);
    return key.startsWith('Arrow') ? neighbour(shapes, all, Number(place), key) : undefined;
  }

  /** @param {Place} place */
  elementOf(place) {
    return this.#views[Number(place)].group;
  }

  /** @param {Element} element */
  placeOf(element) {
    const index = element.closest('[data-index]')?.getAttribute('data-index') ?? null;
    return index === null ? null : Number(index);
  }
}

/** @type {(node: Element, name: string, value: string) => void} */
function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
