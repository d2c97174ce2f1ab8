/**
 * A game of Dots and Boxes to look at, the same one each time for a board: two players who take
 * every box they can, and else draw a line that gives none away, while there is one.
 *
 * @typedef {{tokens: string[], movers: number[], taken: number[][]}} DemoGame
 */

import { boxesOf, lines, sidesOf } from './board_geometry.js';

/**
 * The games that were asked for, by their board, as they are shown move by move.
 *
 * @type {Map<string, DemoGame>}
 */
const demoGames = new Map();

/**
 * Return a whole game on a board of that size.
 *
 * @type {(rows: number, cols: number) => DemoGame}
 */
export function demoGame(rows, cols) {
  const key = `${rows} ${cols}`;
  const game = demoGames.get(key) ?? demoGameOn(rows, cols);
  demoGames.set(key, game);
  return game;
}

/** @type {(rows: number, cols: number) => DemoGame} */
function demoGameOn(rows, cols) {
  /** @type {DemoGame} */
  const game = { tokens: [], movers: [], taken: [] };
  const random = numbersFrom(rows * 31 + cols);
  const free = new Set(lines(rows, cols));
  /** @type {(box: number) => number} */
  const openSides = (box) =>
    Object.values(sidesOf(box, rows, cols)).filter((side) => free.has(side)).length;
  let mover = 0;
  while (free.size) {
    const token = demoLine([...free], (line) => boxesOf(line, rows, cols).map(openSides), random);
    free.delete(token);
    game.tokens.push(token);
    game.movers.push(mover);
    const boxes = boxesOf(token, rows, cols).filter((box) => openSides(box) === 0);
    if (boxes.length) game.taken.push([game.tokens.length - 1, ...boxes]);
    else mover = 1 - mover;
  }
  return game;
}

/**
 * Return one of the free lines; `openSides` are those of the boxes beside a line.
 *
 * @type {(free: string[], openSides: (line: string) => number[], random: () => number) => string}
 */
function demoLine(free, openSides, random) {
  const taking = free.filter((line) => openSides(line).includes(1));
  const safe = free.filter((line) => !openSides(line).includes(2));
  const wanted = [taking, safe, free].find((some) => some.length) ?? free;
  return wanted[Math.floor(random() * wanted.length)];
}

/**
 * Return a function that returns numbers from 0 to 1, the same ones for the same `seed`.
 *
 * @type {(seed: number) => () => number}
 */
function numbersFrom(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
