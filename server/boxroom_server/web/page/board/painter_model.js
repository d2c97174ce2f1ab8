/**
 * Meaning of a geometry (docs/reference/protocol.md, "Geometry") in the picture of a room, without
 * a page.
 *
 * Nothing here knows a game: shapes belong to moves and to things that moves take, a heap has
 * counters that moves take, and men stand on things and move from one to another.
 *
 * @import { BoardShape, GameGeometry, Heap, Men } from '../protocol.js'
 * @import { Picture } from '../mirror.js'
 *
 * @typedef {Omit<GameGeometry, 'type' | 'id'>} Geometry
 * @typedef {Partial<Pick<Picture,
 *   'tokens' | 'movers' | 'taken' | 'phase' | 'to_move' | 'legal_moves'>>} Played
 * @typedef {{move: string, token: number, seat: ?number, things: number[]}} Move
 * @typedef {{seat: ?number, isKing: boolean}} Piece
 * @typedef {[number, number]} Point
 * @typedef {{state: 'fixed'|'free'|'owned', seat: ?number, playable: boolean, recent: boolean,
 *   won: boolean, isKing?: boolean, move?: ?string}} ShapeState
 * @typedef {{state: 'left'|'taken'|'gone', seat: ?number, move: ?string}} CounterState
 * @typedef {{shapes: ShapeState[], counters: CounterState[], left: number,
 *   takes: {move: string, takes: number, playable: boolean}[]}} Model
 */

/** Usual distance of neighbours in a geometry. */
export const UNIT = 100;

/**
 * Returns the state of every shape and counter.
 *
 * `marked` has the indices of the tokens whose effects are recent; by default the last token.
 * `chosen` has the labels of the squares of a move that were chosen, the first with a man.
 *
 * @param {Geometry} geometry
 * @param {Played} picture a room as in `in_room.room`
 * @param {{marked?: ?Set<number>, canMove?: boolean, chosen?: string[]}} [view]
 * @returns {Model}
 */
export function describe(geometry, picture, view = {}) {
  const { marked = null, canMove = false, chosen = [] } = view;
  const played = playedMoves(picture);
  const recent = marked ?? new Set([(picture.tokens ?? []).length - 1]);
  const mayPlay = canMove && picture.phase === 'playing';
  const { men = [] } = geometry;
  if (men.length) {
    const next = nextSquares(mayPlay ? (picture.legal_moves ?? []) : [], chosen);
    const shapes = describeMen({ ...geometry, men }, played, recent, next);
    return { shapes, ...describeHeap(undefined, played, recent, mayPlay) };
  }
  const owners = ownersOf(geometry, played);
  const row = winningRow(geometry, picture, owners);
  /** @type {(shape: BoardShape, index: number) => ShapeState} */
  const stateOf = (shape, index) => {
    if (shape.move == null && shape.thing == null) {
      return { state: 'fixed', seat: null, playable: false, recent: false, won: false };
    }
    const owner = owners.get(index);
    if (!owner) {
      const playable = mayPlay && shape.move != null;
      return { state: 'free', seat: null, playable, recent: false, won: false };
    }
    const { seat, token } = owner;
    return {
      state: 'owned',
      seat,
      playable: false,
      recent: recent.has(token),
      won: row.has(index),
    };
  };
  const shapes = geometry.shapes.map(stateOf);
  return { shapes, ...describeHeap(geometry.heap, played, recent, mayPlay) };
}

/**
 * Returns the moves among the tokens: who played them, and what each took.
 *
 * @type {(picture: Played) => Move[]}
 */
function playedMoves({ tokens = [], movers = [], taken = [] }) {
  const things = new Map(taken.map(([token, ...numbers]) => [token, numbers]));
  return tokens
    .map((move, token) => ({
      move,
      token,
      seat: movers[token] ?? null,
      things: things.get(token) ?? [],
    }))
    .filter(({ move }) => !move.startsWith('~'));
}

/**
 * Returns for the index of each owned shape the seat, and the token that made it so.
 *
 * @type {(geometry: Geometry, played: Move[]) => Map<number, Move>}
 */
function ownersOf(geometry, played) {
  const byMove = new Map(played.map((each) => [each.move, each]));
  const byThing = new Map(played.flatMap((each) => each.things.map((thing) => [thing, each])));
  const owners = new Map();
  geometry.shapes.forEach((shape, index) => {
    const { move, thing } = shape;
    const owner = move == null ? byThing.get(thing ?? -1) : byMove.get(move);
    if (owner) owners.set(index, owner);
  });
  return owners;
}

/**
 * @param {?Heap | undefined} heap
 * @param {Move[]} played
 * @param {Set<number>} recent
 * @param {boolean} mayPlay
 * @returns {Omit<Model, 'shapes'>}
 */
function describeHeap(heap, played, recent, mayPlay) {
  if (!heap) return { counters: [], takes: [], left: 0 };
  const sizes = new Map(heap.moves.map(({ move, takes }) => [move, takes]));
  /** @type {CounterState[]} */
  const counters = heap.counters.map(() => ({ state: 'left', seat: null, move: null }));
  let left = counters.length;
  for (const { move, token, seat } of played) {
    const first = left - (sizes.get(move) ?? 0);
    const state = recent.has(token) ? 'taken' : 'gone';
    counters.fill({ state, seat, move: null }, first, left);
    left = first;
  }
  const takes = heap.moves.map((each) => ({ ...each, playable: mayPlay && each.takes <= left }));
  for (const { move, takes: number } of takes) {
    if (number <= left) counters[left - number] = { state: 'left', seat: null, move };
  }
  return { counters, takes, left };
}

/**
 * Returns the label of a square of a move, such as `22x15x8`. After its end a move stays there,
 * which tells it from one that goes on.
 *
 * @type {(move: string, index: number) => string}
 */
function squareAt(move, index) {
  const labels = move.split(/[-x]/);
  return labels[index] ?? labels[labels.length - 1];
}

/** @type {(move: string, chosen: string[]) => boolean} */
function beginsWith(move, chosen) {
  return chosen.every((label, index) => squareAt(move, index) === label);
}

/**
 * Returns the squares that can be chosen after those that were chosen, by label, each with the move
 * that it completes, or null if others have still to be chosen. Another man can be chosen always.
 *
 * @param {string[]} moves all legal moves
 * @param {string[]} chosen the labels of squares, the first with a man
 * @returns {Map<string, ?string>}
 */
export function nextSquares(moves, chosen) {
  /** @type {Map<string, ?string>} */
  const next = new Map(moves.map((move) => [squareAt(move, 0), null]));
  for (const move of moves.filter((each) => beginsWith(each, chosen))) {
    const label = squareAt(move, chosen.length);
    const same = moves.filter((each) => beginsWith(each, [...chosen, label]));
    next.set(label, chosen.length && same.length === 1 ? move : null);
  }
  return next;
}

/**
 * Returns the chosen squares after one more: a man begins anew, unless it was chosen already.
 *
 * @type {(moves: string[], chosen: string[], label: string) => string[]}
 */
export function withSquare(moves, chosen, label) {
  const longer = [...chosen, label];
  if (moves.some((move) => beginsWith(move, longer))) return longer;
  return String(chosen) === label ? [] : [label];
}

/**
 * Returns the state of every shape of a board with men; those in `next` can be chosen.
 *
 * @param {Geometry & {men: Men[]}} geometry
 * @param {Move[]} played
 * @param {Set<number>} recent
 * @param {Map<string, ?string>} next see `nextSquares`
 * @returns {ShapeState[]}
 */
function describeMen(geometry, played, recent, next) {
  const { pieces, marked } = piecesAfter(geometry, played, recent);
  return geometry.shapes.map((shape) => {
    const { label = '' } = shape;
    const thing = shape.thing ?? -1;
    const known = { seat: null, playable: false, recent: marked.has(thing), won: false };
    if (thing < 0) return { ...known, state: 'fixed' };
    const piece = pieces.get(thing);
    const turn = { playable: next.has(label), move: next.get(label) };
    return { ...known, ...piece, ...turn, state: piece ? 'owned' : 'free' };
  });
}

/**
 * Returns the pieces by the things they stand on, and the ends of the recent moves.
 *
 * @param {Geometry & {men: Men[]}} geometry
 * @param {Move[]} played
 * @param {Set<number>} recent
 */
function piecesAfter({ shapes, men }, played, recent) {
  const things = new Map(shapes.map(({ label = '', thing }) => [label, thing ?? -1]));
  /** @type {Map<number, Piece>} */
  const pieces = new Map();
  /** @type {Set<number>} */
  const marked = new Set();
  men.forEach((each, seat) => {
    each.start.forEach((thing) => pieces.set(thing, { seat, isKing: false }));
  });
  for (const { move, token, seat, things: taken } of played) {
    const ends = move.split(/[-x]/).map((label) => things.get(label) ?? -1);
    const [from, to] = [ends[0], ends[ends.length - 1]];
    const isKing = pieces.get(from)?.isKing || (seat !== null && men[seat].crowning.includes(to));
    [from, ...taken].forEach((thing) => pieces.delete(thing));
    pieces.set(to, { seat, isKing });
    if (recent.has(token)) [from, to].forEach((thing) => marked.add(thing));
  }
  return { pieces, marked };
}

/**
 * Returns the indices of the shapes in the row that the last move won the game with, if any.
 *
 * @type {(geometry: Geometry, picture: Played, owners: Map<number, Move>) => Set<number>}
 */
function winningRow(geometry, picture, owners) {
  const tokens = picture.tokens ?? [];
  const last = [...owners].find(([, owner]) => owner.token === tokens.length - 1);
  if (!geometry.row || picture.phase !== 'over' || !last) return new Set();
  const [start, { seat }] = last;
  /** @type {Map<string, {index: number, place: number[]}>} */
  const byPlace = new Map();
  for (const [index, owner] of owners) {
    const { place } = geometry.shapes[index];
    if (place && owner.seat === seat) byPlace.set(place.join(), { index, place });
  }
  const from = geometry.shapes[start].place ?? [];
  /** @type {Set<number>} */
  const won = new Set();
  for (const { place } of byPlace.values()) {
    const step = place.map((at, axis) => at - from[axis]);
    if (Math.max(...step.map(Math.abs)) !== 1) continue;
    const back = step.map((at) => -at);
    const found = [start, ...walk(byPlace, from, step), ...walk(byPlace, from, back)];
    if (found.length >= geometry.row) found.forEach((index) => won.add(index));
  }
  return won;
}

/**
 * @type {(byPlace: Map<string, {index: number, place: number[]}>, from: number[],
 *   step: number[]) => number[]}
 */
function walk(byPlace, from, step) {
  const found = [];
  let place = from;
  for (;;) {
    place = place.map((at, axis) => at + step[axis]);
    const next = byPlace.get(place.join());
    if (!next) return found;
    found.push(next.index);
  }
}

// Points and distances

/**
 * Returns the points of a shape as pairs of x and y.
 *
 * @type {(shape: Pick<BoardShape, 'points'>) => Point[]}
 */
export function pointsOf({ points }) {
  /** @type {Point[]} */
  const pairs = [];
  for (let at = 0; at < points.length; at += 2) pairs.push([points[at], points[at + 1]]);
  return pairs;
}

/**
 * Returns the middle of a shape.
 *
 * @type {(shape: Pick<BoardShape, 'points'>) => Point}
 */
export function middleOf(shape) {
  const points = pointsOf(shape);
  const sum = points.reduce(([x, y], [a, b]) => [x + a, y + b], [0, 0]);
  return [sum[0] / points.length, sum[1] / points.length];
}

/**
 * Returns the radius of the largest circle around the middle that is sure to be in the shape.
 *
 * @type {(shape: BoardShape) => number}
 */
export function roomIn(shape) {
  if (shape.kind === 'circle') return shape.radius ?? 0;
  if (shape.kind === 'text') return UNIT / 2;
  const [x, y] = middleOf(shape);
  return shape.kind === 'polygon' ? toOutline(shape, x, y) : UNIT / 4;
}

/**
 * Returns the distance of a point from a shape; inside, it is below 0 and least in the middle.
 *
 * @type {(shape: BoardShape, x: number, y: number) => number}
 */
export function distanceTo(shape, x, y) {
  const [middleX, middleY] = middleOf(shape);
  const radius = shape.radius ?? 0;
  if (shape.kind === 'circle' || shape.kind === 'text') {
    return Math.hypot(x - middleX, y - middleY) - radius;
  }
  const distance = toOutline(shape, x, y);
  return shape.kind === 'polygon' && isInside(shape, x, y) ? -distance : distance;
}

/** @type {(shape: BoardShape, x: number, y: number) => number} */
function toOutline(shape, x, y) {
  const points = pointsOf(shape);
  if (shape.kind === 'polygon') points.push(points[0]);
  const each = points.slice(1).map((end, at) => toSegment(points[at], end, x, y));
  return Math.min(...each);
}

/** @type {(start: Point, end: Point, x: number, y: number) => number} */
function toSegment([x1, y1], [x2, y2], x, y) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1);
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x - x1 - share * dx, y - y1 - share * dy);
}

/** @type {(shape: BoardShape, x: number, y: number) => boolean} */
function isInside(shape, x, y) {
  const points = pointsOf(shape);
  let inside = false;
  points.forEach(([x1, y1], at) => {
    const [x2, y2] = points[(at + 1) % points.length];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  });
  return inside;
}

/**
 * Returns the index of the shape nearest to a point, or null if none is within `reach`.
 *
 * @param {BoardShape[]} shapes
 * @param {Iterable<number>} candidates indices of the shapes to choose from
 * @param {number} x
 * @param {number} y
 */
export function nearest(shapes, candidates, x, y, reach = 0.6 * UNIT) {
  let best = null;
  let least = reach;
  for (const index of candidates) {
    const distance = distanceTo(shapes[index], x, y);
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

/** @type {Record<string, Point>} */
const DIRECTIONS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Returns the index of the shape to which an arrow key leads, or null if there is none that way.
 *
 * A shape straight ahead is nearer than one aside.
 *
 * @param {BoardShape[]} shapes
 * @param {Iterable<number>} candidates
 * @param {number} from
 * @param {string} key
 * @returns {?number}
 */
export function neighbour(shapes, candidates, from, key) {
  const direction = DIRECTIONS[key];
  if (!direction) return null;
  const [startX, startY] = middleOf(shapes[from]);
  let best = null;
  let least = Infinity;
  for (const index of candidates) {
    const [x, y] = middleOf(shapes[index]);
    const ahead = (x - startX) * direction[0] + (y - startY) * direction[1];
    const aside = Math.abs((x - startX) * direction[1] + (y - startY) * direction[0]);
    if (ahead < 1 || ahead + 2 * aside >= least) continue;
    [best, least] = [index, ahead + 2 * aside];
  }
  return best;
}
