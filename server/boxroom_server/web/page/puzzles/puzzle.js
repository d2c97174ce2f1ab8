/**
 * Puzzles of Dots and Boxes: what a line of their file means, and best play after a move.
 *
 * A puzzle has few free lines, so that the values of all sets of them fit into a table. Terminal
 * and page read the same file (`boxroom_engine.review.puzzle`).
 *
 * @import { Picture } from '../mirror.js'
 *
 * @typedef {object} Puzzle
 * @property {string} name its position, which no other puzzle has
 * @property {number} rows
 * @property {number} cols
 * @property {string[]} drawn the lines that are drawn
 * @property {string[]} free the other lines
 * @property {number[][]} boxes those of each seat
 * @property {number} seat of the person, who is to move
 * @property {string[]} best the moves that win
 * @property {string} theme
 * @property {number} grade
 *
 * @typedef {{movers: number[], taken: [number, ...number[]][], scores: number[], toMove: ?number}}
 *   Played what comes of some moves
 */

import { boxesOf, lines, sidesOf } from '../board/board_geometry.js';
import { pictureFrom } from '../mirror.js';

/** The seat of the lines that were drawn before, nobody knows by whom. */
const BEFORE = 2;

/** @type {(line: string) => Puzzle} */
export function parsePuzzle(line) {
  const [board, name, best, theme, grade] = line.split(' ');
  const [rows, cols] = board.split('x').map(Number);
  const [edges, boxes, seat] = name.split('/');
  const names = lines(rows, cols);
  const isDrawn = members(edges, names.length);
  return {
    name,
    rows,
    cols,
    drawn: names.filter((_, edge) => isDrawn.includes(edge)),
    free: names.filter((_, edge) => !isDrawn.includes(edge)),
    boxes: boxes.split(',').map((set) => members(set, rows * cols)),
    seat: Number(seat),
    best: best.split(','),
    theme,
    grade: Number(grade),
  };
}

/**
 * Return the members of a set that is a hexadecimal number, one bit for each.
 *
 * @type {(set: string, count: number) => number[]}
 */
function members(set, count) {
  const bits = BigInt(`0x${set}`);
  return [...Array(count).keys()].filter((each) => (bits >> BigInt(each)) & 1n);
}

/**
 * Play moves from the position of a puzzle.
 *
 * @type {(puzzle: Puzzle, moves: string[]) => Played}
 */
export function afterMoves(puzzle, moves) {
  const { rows, cols, seat, free } = puzzle;
  const left = new Set(free);
  const scores = puzzle.boxes.map((boxes) => boxes.length);
  /** @type {Played} */
  const result = { movers: [], taken: [], scores, toMove: seat };
  for (const [index, move] of moves.entries()) {
    const mover = result.toMove ?? seat;
    left.delete(move);
    const isWhole = (/** @type {number} */ box) =>
      Object.values(sidesOf(box, rows, cols)).every((side) => !left.has(side));
    const boxes = boxesOf(move, rows, cols).filter(isWhole);
    result.movers.push(mover);
    if (boxes.length) result.taken.push([index, ...boxes]);
    scores[mover] += boxes.length;
    result.toMove = left.size ? (boxes.length ? mover : 1 - mover) : null;
  }
  return result;
}

/**
 * Return best play by both from `move` on, that move included: who can takes boxes first.
 *
 * @type {(puzzle: Puzzle, move: string) => string[]}
 */
export function bestLine({ free, rows, cols }, move) {
  const sides = [...Array(rows * cols).keys()].map((box) =>
    Object.values(sidesOf(box, rows, cols)).reduce((set, side) => {
      const at = free.indexOf(side);
      return at < 0 ? set : set | (1 << at);
    }, 0),
  );
  const beside = free.map((_, at) => sides.filter((set) => set & (1 << at)));
  const values = valuesOf(beside);
  const line = [move];
  let left = values.length - 1 - (1 << free.indexOf(move));
  while (left) {
    const at = bestMove(values, beside, left);
    line.push(free[at]);
    left &= ~(1 << at);
  }
  return line;
}

/**
 * Return for each set of free lines the boxes that who moves still gets less those of the other.
 *
 * @type {(beside: number[][]) => Int8Array}
 */
function valuesOf(beside) {
  const values = new Int8Array(1 << beside.length);
  for (let left = 1; left < values.length; left += 1) {
    let most = -128;
    for (let at = 0; at < beside.length; at += 1) {
      if (left & (1 << at)) most = Math.max(most, marginOf(values, beside, left, at));
    }
    values[left] = most;
  }
  return values;
}

/** @type {(beside: number[][], left: number, at: number) => number} */
function boxesTaken(beside, left, at) {
  let taken = 0;
  for (const set of beside[at]) if ((set & left) === 1 << at) taken += 1;
  return taken;
}

/** @type {(values: Int8Array, beside: number[][], left: number, at: number) => number} */
function marginOf(values, beside, left, at) {
  const taken = boxesTaken(beside, left, at);
  const rest = values[left & ~(1 << at)];
  return taken ? taken + rest : -rest;
}

/** @type {(values: Int8Array, beside: number[][], left: number) => number} */
function bestMove(values, beside, left) {
  const best = [...beside.keys()].filter(
    (at) => left & (1 << at) && marginOf(values, beside, left, at) === values[left],
  );
  return best.find((at) => boxesTaken(beside, left, at)) ?? best[0];
}

/**
 * Return the picture of a puzzle after some moves, for the board, on which only the first is asked.
 *
 * Boxes that were taken before belong to tokens that draw nothing.
 *
 * @type {(puzzle: Puzzle, moves: string[]) => Picture}
 */
export function puzzlePicture(puzzle, moves) {
  const { rows, cols, drawn, boxes, name } = puzzle;
  const { movers, taken, scores } = afterMoves(puzzle, moves);
  const first = drawn.length + boxes.length;
  return pictureFrom({
    room: '',
    log: name,
    seq: 0,
    host: null,
    settings: { game: 'dots', options: { rows, cols }, seats: 2 },
    phase: 'playing',
    seats: [0, 1, BEFORE].map((glyph) => ({ glyph, name: '' })),
    members: [],
    players: ['', '', ''],
    tokens: [...drawn, ...boxes.map((_, seat) => `~${seat}`), ...moves],
    movers: [...drawn.map(() => BEFORE), ...boxes.keys(), ...movers],
    taken: [
      ...boxes.map((each, seat) => taking(drawn.length + seat, each)),
      ...taken.map(([index, ...each]) => taking(first + index, each)),
    ],
    scores,
    to_move: moves.length ? null : puzzle.seat,
  });
}

/** @type {(index: number, boxes: number[]) => [number, ...number[]]} */
function taking(index, boxes) {
  return [index, ...boxes];
}
