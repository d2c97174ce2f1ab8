/**
 * The board of Dots and Boxes as SVG. A place is the name of a line.
 *
 * @import { Mark } from '../marks.js'
 * @import { Picture } from '../mirror.js'
 * @import { Translate } from '../words.js'
 * @import { Drawing, Place } from './board.js'
 * @import { BoardSize } from './moves.js'
 * @import { Shown } from './shown.js'
 *
 * @typedef {object} Drawn a token
 * @property {string} token
 * @property {number} seat
 * @property {Mark} mark
 * @property {?SVGElement} line null for a withdrawal
 * @property {SVGElement[]} boxes
 */

import { h, make } from '../dom.js';
import { called } from '../game_words.js';
import {
  boxesOf,
  describeLine,
  initialLines,
  linePlace,
  lines,
  nearestFree,
  neighbouringLine,
  sidesOf,
} from './board_geometry.js';

/** Size of a box in units of the drawing. */
const BOX = 100;
/** Room around the dots, in the same units. */
const MARGIN = 28;
/** Distances of a name from the line that it names, in the same units. */
const NAME_ABOVE = 25;
const NAME_ASIDE = 38;
/** A point that is farther than this from every line, in boxes, is at none. */
const REACH = 0.75;

/** @implements {Drawing} */
export class DotsDrawing {
  unit = BOX;
  controls = null;
  /**
   * Names of the lines that can be drawn.
   *
   * @type {Set<?Place>}
   */
  free = new Set();
  /**
   * What is drawn for each token.
   *
   * @type {Drawn[]}
   */
  #moves = [];
  /** The game whose moves they are. */
  #game = '';
  /**
   * The class that marks an element, by element.
   *
   * @type {Map<Element, string>}
   */
  #marks = new Map();
  /**
   * The classes of each line that shows a choice beforehand, by its name.
   *
   * @type {Map<?Place, string[]>}
   */
  #previews = new Map();
  /** The class of the player who is to move. */
  #moverClass = '';
  /**
   * The elements of lines, by name.
   *
   * @type {Map<?Place, SVGElement>}
   */
  #elements = new Map();
  #boxes = make(h('g.boxes', { 'aria-hidden': 'true' }));
  /**
   * The moves that are marked as the last ones.
   *
   * @type {Drawn[]}
   */
  #haloed = [];
  /** Under their lines. */
  #halos = make(h('g.halos', { 'aria-hidden': 'true' }));
  #names = make(h('g.names', { 'aria-hidden': 'true' }));

  /**
   * @param {BoardSize} size
   * @param {Translate} t
   */
  constructor({ rows, cols, border }, t) {
    this.rows = rows;
    this.cols = cols;
    this.t = t;
    this.border = new Set(initialLines(rows, cols, border));
    this.names = lines(rows, cols);
    this.first = this.names[0];
    this.properties = { role: 'grid', 'aria-label': t('board') };
    this.question = t('choose_line');
    this.extent = { width: cols * BOX, height: rows * BOX };
    this.area = {
      x: -MARGIN,
      y: -MARGIN,
      width: cols * BOX + 2 * MARGIN,
      height: rows * BOX + 2 * MARGIN,
    };
    const dots = h('path.dots', { 'aria-hidden': 'true', d: this.#dots() });
    const under = [this.#boxes, this.#halos, this.#grid()];
    const parts = [...under, ...this.#rowsOfLines(), dots, this.#names];
    this.content = make(h('g', { id: 'board-content' }, parts));
  }

  // Drawing

  /** Return all dots as one path: short strokes with round ends. */
  #dots() {
    const rows = [...Array(this.rows + 1).keys()];
    const cols = [...Array(this.cols + 1).keys()];
    return rows.flatMap((row) => cols.map((col) => `M${col * BOX} ${row * BOX}h.01`)).join('');
  }

  /**
   * Return the look of all free lines: straight lines across the whole board. The browser paints
   * these much faster than an element for each line of a box.
   */
  #grid() {
    const { width, height } = this.extent;
    /** @type {(count: number) => number[]} */
    const places = (count) => Array.from({ length: count + 1 }, (_, at) => at * BOX);
    const rows = places(this.rows).map((y) => h('line', { x1: 0, y1: y, x2: width, y2: y }));
    const cols = places(this.cols).map((x) => h('line', { x1: x, y1: 0, x2: x, y2: height }));
    return h('g.grid', { 'aria-hidden': 'true' }, rows, cols);
  }

  #rowsOfLines() {
    const rows = Array.from({ length: 2 * this.rows + 1 }, () => make(h('g', { role: 'row' })));
    for (const name of this.names) {
      const ends = this.#endsOf(name);
      const element = make(h('line.line', { role: 'gridcell', tabindex: -1, ...ends }));
      element.dataset.name = name;
      this.#elements.set(name, element);
      const place = linePlace(name, this.rows, this.cols);
      rows[Math.round(place.y1 + place.y2)].append(element);
    }
    return rows;
  }

  /** @param {string} name */
  #endsOf(name) {
    const ends = Object.entries(linePlace(name, this.rows, this.cols));
    return Object.fromEntries(ends.map(([end, at]) => [end, at * BOX]));
  }

  /** @param {Pick<Shown, 'picture' | 'marked' | 'markOf'> & Partial<Shown>} shown */
  show({ picture, marked, markOf, hints = [], named = [], mistake = null }) {
    const game = `${picture.log} ${picture.game_number}`;
    const seen = new Set(this.#previews.keys());
    this.preview(null, null);
    const isAnother = game !== this.#game;
    if (isAnother) this.#clear(game);
    const added = this.#drawMoves(picture, markOf);
    if (!isAnother) this.#appear(added, seen);
    this.#mark(marked, hints, mistake && `mistake ${markOf(mistake.seat).className}`, mistake);
    this.#nameLines(named);
    this.#moverClass = picture.to_move === null ? '' : markOf(picture.to_move).className;
  }

  /** @param {string} game */
  #clear(game) {
    this.#game = game;
    this.#moves = [];
    this.free = new Set(this.names.filter((name) => !this.border.has(name)));
    this.#boxes.replaceChildren();
    this.#marks.clear();
    for (const name of this.names) {
      const isBorder = this.border.has(name);
      const element = this.#elements.get(name);
      element?.setAttribute('class', isBorder ? 'line border' : 'line');
      if (isBorder) element?.setAttribute('aria-label', this.t('line_border', { move: name }));
      else this.#label(name);
    }
  }

  /**
   * Draw the moves of `picture`, of which only those after a common beginning change anything.
   *
   * @param {Picture} picture
   * @param {Shown['markOf']} markOf
   * @returns {Drawn[]} those that weren't there before
   */
  #drawMoves(picture, markOf) {
    const { tokens, movers } = picture;
    /** @type {(drawn: Drawn, i: number) => boolean} */
    const differs = ({ token, seat }, i) => token !== tokens[i] || seat !== movers[i];
    const first = this.#moves.findIndex(differs);
    while (first >= 0 && this.#moves.length > first) this.#takeBack();
    const kept = this.#moves.length;
    if (kept === tokens.length) return [];
    /** @type {Map<number, number[]>} */
    const taken = new Map(picture.taken.map(([index, ...boxes]) => [index, boxes]));
    for (let i = this.#moves.length; i < tokens.length; i += 1) {
      this.#add(picture, i, taken.get(i) ?? [], markOf(movers[i]));
    }
    return this.#moves.slice(kept);
  }

  /**
   * Have moves appear one after the other, each box after its line: styles/screens.css says how.
   *
   * @param {Drawn[]} moves
   * @param {Set<?Place>} seen names of lines that were shown beforehand, and so are there already
   */
  #appear(moves, seen) {
    const elements = moves.flatMap(({ token, line, boxes }) =>
      line && !seen.has(token) ? [line, ...boxes] : boxes,
    );
    for (const [nth, element] of elements.entries()) {
      element.classList.add('new');
      element.style.setProperty('--nth', `${nth}`);
    }
  }

  /**
   * @param {Picture} picture
   * @param {number} index
   * @param {number[]} boxes
   * @param {Mark} mark
   */
  #add(picture, index, boxes, mark) {
    const token = picture.tokens[index];
    const seat = picture.movers[index];
    const line = this.#elements.get(token) ?? null; // null for a withdrawal
    if (line) {
      this.free.delete(token);
      this.#setClass(line, `line drawn ${mark.className}`);
      const name = called(picture.players[seat], this.t);
      const label = this.t('line_drawn', { move: token, name });
      line.setAttribute('aria-label', label);
      this.#labelNeighbours(token);
    }
    const squares = boxes.map((box) => this.#addBox(box, mark));
    this.#moves.push({ token, seat, line, boxes: squares, mark });
  }

  #takeBack() {
    const { token, line = null, boxes = [] } = this.#moves.pop() ?? {};
    boxes.forEach((box) => box.remove());
    if (!line || token === undefined) return;
    this.free.add(token);
    this.#setClass(line, 'line');
    this.#label(token);
    this.#labelNeighbours(token);
  }

  /**
   * @param {number} box
   * @param {Mark} mark
   */
  #addBox(box, mark) {
    const x = (box % this.cols) * BOX;
    const y = Math.floor(box / this.cols) * BOX;
    const square = h('rect', { x: x + 7, y: y + 7, width: BOX - 14, height: BOX - 14, rx: 8 });
    const isLong = /^\d{3,}$/.test(mark.glyph); // of one player among a hundred or more
    const narrowed = isLong ? { textLength: BOX * 0.75, lengthAdjust: 'spacingAndGlyphs' } : {};
    const glyph = h('text', { x: x + BOX / 2, y: y + BOX / 2, ...narrowed }, mark.glyph);
    const group = make(h('g.box', { class: mark.className }, square, glyph));
    this.#boxes.append(group);
    return group;
  }

  /**
   * Give an element its classes; that of a mark ends with that.
   *
   * @param {Element} element
   * @param {string} classes
   */
  #setClass(element, classes) {
    element.setAttribute('class', classes);
    this.#marks.delete(element);
  }

  /**
   * @param {Set<number>} marked
   * @param {string[]} hints
   * @param {?string} classes of the mistake
   * @param {Shown['mistake']} mistake
   */
  #mark(marked, hints, classes, mistake) {
    /** @type {Map<Element, string>} */
    const wanted = new Map();
    for (const index of marked) {
      const { line, boxes } = this.#moves[index] ?? { line: null, boxes: [] };
      for (const element of [line, ...boxes]) if (element) wanted.set(element, 'recent');
    }
    for (const hint of hints) {
      const hinted = this.#elements.get(hint);
      if (hinted) wanted.set(hinted, 'hint');
    }
    const mistaken = mistake && this.#elements.get(mistake.move);
    if (mistaken && classes) wanted.set(mistaken, classes);
    for (const [element, names] of this.#marks) {
      if (wanted.get(element) !== names) element.classList.remove(...names.split(' '));
    }
    for (const [element, names] of wanted) {
      if (this.#marks.get(element) !== names) element.classList.add(...names.split(' '));
    }
    this.#marks = wanted;
    this.#showHalos([...marked].flatMap((index) => this.#moves[index] ?? []));
  }

  /**
   * Show what lies under the lines of moves. Halos that stay aren't touched: the browser would lay
   * the board out and paint it.
   *
   * @param {Drawn[]} moves
   */
  #showHalos(moves) {
    const isSame = moves.length === this.#haloed.length;
    if (isSame && moves.every((move, at) => move === this.#haloed[at])) return;
    this.#haloed = moves;
    const halos = moves
      .filter(({ line }) => line !== null)
      .map(({ token, mark }) =>
        make(h('line.halo', { class: mark.className, ...this.#endsOf(token) })),
      );
    this.#halos.replaceChildren(...halos);
  }

  /**
   * Write their names beside lines that a text is about: above or to the right, inside the board.
   *
   * @param {string[]} names
   */
  #nameLines(names) {
    const texts = names.flatMap((name) => {
      if (!this.#elements.has(name)) return [];
      const { x1, y1, x2, y2 } = linePlace(name, this.rows, this.cols);
      const isUpright = x1 === x2;
      const aside = x1 < this.cols ? NAME_ASIDE : -NAME_ASIDE;
      const x = ((x1 + x2) / 2) * BOX + (isUpright ? aside : 0);
      const above = y1 > 0 ? NAME_ABOVE : -NAME_ABOVE;
      const y = ((y1 + y2) / 2) * BOX - (isUpright ? 0 : above);
      return make(h('text', { x, y }, name));
    });
    this.#names.replaceChildren(...texts);
  }

  /**
   * Show lines in the colour of the player who is to move: one to draw, and one that is pending.
   *
   * @param {?Place} name
   * @param {?string} move
   */
  preview(name, move) {
    /** @type {Map<?Place, string>} */
    const wanted = new Map([
      [name, 'preview'],
      [move, 'pending'],
    ]);
    for (const [each, classes] of this.#previews) {
      if (wanted.get(each) === classes[0] && this.free.has(each)) continue;
      this.#elements.get(each)?.classList.remove(...classes);
      this.#previews.delete(each);
    }
    for (const [each, look] of wanted) {
      if (this.#previews.has(each) || !this.free.has(each)) continue;
      const classes = [look, this.#moverClass].filter(Boolean);
      this.#elements.get(each)?.classList.add(...classes);
      this.#previews.set(each, classes);
    }
  }

  // Labels

  /** @param {string} name */
  #label(name) {
    const label = this.t('line_free', { move: name, where: this.#where(name) });
    this.#elements.get(name)?.setAttribute('aria-label', label);
  }

  /** @param {string} name */
  #labelNeighbours(name) {
    const boxes = boxesOf(name, this.rows, this.cols);
    const near = boxes.flatMap((box) => Object.values(sidesOf(box, this.rows, this.cols)));
    for (const other of new Set(near)) if (this.free.has(other)) this.#label(other);
  }

  /**
   * Return the place of a free line in words: "third line of box 2,1".
   *
   * @param {string} name
   */
  #where(name) {
    const drawn = { has: (/** @type {string} */ line) => !this.free.has(line) };
    const { boxes } = describeLine(name, this.rows, this.cols, drawn);
    return boxes
      .map(({ row, col, nth }) => this.t(`nth_${nth}`, { box: `${row},${col}` }))
      .join(', ');
  }

  // Places

  /**
   * @param {number} x
   * @param {number} y
   */
  targetAt(x, y) {
    return this.#nearest(x, y, this.free);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  placeAt(x, y) {
    return this.#nearest(x, y, this.#elements);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {{has: (name: string) => boolean, size: number}} names
   */
  #nearest(x, y, names) {
    const found = nearestFree(x / BOX, y / BOX, names, this.rows, this.cols);
    return found.distance <= REACH ? found.name : null;
  }

  /** @param {?Place} name */
  choose(name) {
    return typeof name === 'string' && this.free.has(name) ? name : null;
  }

  /**
   * @param {Place} name
   * @param {string} key
   */
  next(name, key) {
    return neighbouringLine(String(name), key, this.rows, this.cols);
  }

  /** @param {Place} name */
  elementOf(name) {
    return this.#elements.get(name);
  }

  /** @param {Element} element */
  placeOf(element) {
    return element.getAttribute('data-name');
  }
}
