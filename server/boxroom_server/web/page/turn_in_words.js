/**
 * What the player to move can do, in words, for people who don't look at the board.
 *
 * The terminal says the same (`board_in_words.py`); docs/sentence-vectors.json holds both sides
 * together.
 *
 * @import { Picture } from './mirror.js'
 * @import { Translate } from './words.js'
 */

import { boxesOf, initialLines, lines, sidesOf } from './board/board_geometry.js';
import { needsGeometry, sizeOf } from './board/moves.js';

/**
 * Return how many lines take a box and how many are safe; empty in games other than Dots and
 * Boxes.
 *
 * @type {(picture: Picture, t: Translate) => string}
 */
export function turnInWords(picture, t) {
  const { settings, tokens } = picture;
  if (needsGeometry(settings)) return '';
  const counted = COUNTED.get(picture) ?? countedLines(sizeOf(settings), tokens);
  COUNTED.set(picture, counted);
  const { taking, safe } = counted;
  const take = taking ? `${t('taking_moves.dots', { n: taking })}. ` : '';
  return `${take}${t('safe_moves.dots', { n: safe })}.`;
}

/**
 * What was counted in a picture, which is shown many times: a large board has 1,860 lines.
 *
 * @type {WeakMap<Picture, ReturnType<typeof countedLines>>}
 */
const COUNTED = new WeakMap();

/**
 * Count the free lines that take a box, and those beside no box that has two sides or three.
 *
 * @type {(size: ReturnType<typeof sizeOf>, tokens: string[]) => {taking: number, safe: number}}
 */
function countedLines({ rows, cols, border }, tokens) {
  const drawn = new Set([...tokens, ...initialLines(rows, cols, border)]);
  const sidesDrawn = Array.from(
    { length: rows * cols },
    (_, box) => Object.values(sidesOf(box, rows, cols)).filter((side) => drawn.has(side)).length,
  );
  const most = lines(rows, cols)
    .filter((name) => !drawn.has(name))
    .map((name) => Math.max(...boxesOf(name, rows, cols).map((box) => sidesDrawn[box])));
  return {
    taking: most.filter((sides) => sides === 3).length,
    safe: most.filter((sides) => sides < 2).length,
  };
}
