/**
 * The lines and boxes of Dots and Boxes: names, places, neighbours, and the line nearest to a tap.
 *
 * Lengths are in boxes, from the board's top left dot: x to the right, y down. Names are those of
 * docs/reference/protocol.md, "Drawing the board". Nothing here knows how large a box is on the
 * screen.
 *
 * @typedef {'top' | 'bottom' | 'left' | 'right'} Side
 * @typedef {{name: ?string, distance: number, toMiddle: number}} Measured
 */

/**
 * Return the names of all lines: the horizontal ones row by row, then the vertical ones.
 *
 * @type {(rows: number, cols: number) => string[]}
 */
export function lines(rows, cols) {
  return [...named('h', (rows + 1) * cols), ...named('v', rows * (cols + 1))];
}

/** @type {(letter: string, count: number) => string[]} */
function named(letter, count) {
  return Array.from({ length: count }, (_, number) => `${letter}${number}`);
}

/**
 * Return the ends of a line: {x1, y1, x2, y2}.
 *
 * @type {(name: string, rows: number, cols: number) => {x1: number, y1: number, x2: number,
 *   y2: number}}
 */
export function linePlace(name, rows, cols) {
  const { isHorizontal, row, col } = parsed(name, cols);
  return {
    x1: col,
    y1: row,
    x2: col + (isHorizontal ? 1 : 0),
    y2: row + (isHorizontal ? 0 : 1),
  };
}

/**
 * @type {(name: string, cols: number) => {isHorizontal: boolean, number: number, row: number,
 *   col: number}}
 */
function parsed(name, cols) {
  const isHorizontal = name[0] === 'h';
  const number = Number(name.slice(1));
  const inRow = isHorizontal ? cols : cols + 1;
  return { isHorizontal, number, row: Math.floor(number / inRow), col: number % inRow };
}

/**
 * Return the lines around a box, by side. Boxes are numbered from 0, row by row.
 *
 * @type {(box: number, rows: number, cols: number) => Record<Side, string>}
 */
export function sidesOf(box, rows, cols) {
  const row = Math.floor(box / cols);
  const left = row * (cols + 1) + (box % cols);
  return { top: `h${box}`, bottom: `h${box + cols}`, left: `v${left}`, right: `v${left + 1}` };
}

/**
 * Return the numbers of the one or two boxes beside a line, the upper or left one first.
 *
 * @type {(name: string, rows: number, cols: number) => number[]}
 */
export function boxesOf(name, rows, cols) {
  return beside(name, rows, cols).map(({ box }) => box);
}

/**
 * Return {box, side} for each box beside a line: `side` is the line's side of that box.
 *
 * @type {(name: string, rows: number, cols: number) => {box: number, row: number, col: number,
 *   side: Side}[]}
 */
function beside(name, rows, cols) {
  const { isHorizontal, row, col } = parsed(name, cols);
  /** @type {{row: number, col: number, side: Side}[]} */
  const places = isHorizontal
    ? [
        { row: row - 1, col, side: 'bottom' },
        { row, col, side: 'top' },
      ]
    : [
        { row, col: col - 1, side: 'right' },
        { row, col, side: 'left' },
      ];
  return places
    .filter((place) => place.row >= 0 && place.row < rows && place.col >= 0 && place.col < cols)
    .map((place) => ({ ...place, box: place.row * cols + place.col }));
}

/**
 * Return what words say of a line: which line of which box it would be.
 *
 * {name, isHorizontal, boxes}: for each box beside it {box, row, col, side, drawn, nth}, with row
 * and col from 1. `drawn` counts the box's other lines in the set `drawn`, and `nth` is the
 * number that this line is or would be: 4 completes the box. The box where it is highest is first.
 *
 * @param {string} name
 * @param {number} rows
 * @param {number} cols
 * @param {{has: (name: string) => boolean}} drawn
 */
export function describeLine(name, rows, cols, drawn = new Set()) {
  const boxes = beside(name, rows, cols).map(({ box, row, col, side }) => {
    const others = Object.values(sidesOf(box, rows, cols)).filter(
      (other) => other !== name && drawn.has(other),
    ).length;
    return { box, row: row + 1, col: col + 1, side, drawn: others, nth: others + 1 };
  });
  boxes.sort((one, other) => other.nth - one.nth);
  return { name, isHorizontal: name[0] === 'h', boxes };
}

/**
 * Return the name of the line to which a key leads: null at the rim, undefined for another key.
 *
 * Left and right stay in the row of lines; up and down go to the next row, which is of the other
 * direction.
 *
 * @type {(name: string, key: string, rows: number, cols: number) => ?string | undefined}
 */
export function neighbouringLine(name, key, rows, cols) {
  const { isHorizontal, row, col } = parsed(name, cols);
  const inRow = isHorizontal ? cols : cols + 1;
  /** @type {(at: number) => ?string} */
  const inThisRow = (at) => (at >= 0 && at < inRow ? `${name[0]}${row * inRow + at}` : null);
  /** @type {(at: number) => ?string} */
  const vertical = (at) => (at >= 0 && at < rows ? `v${at * (cols + 1) + col}` : null);
  /** @type {(at: number) => string} */
  const horizontal = (at) => `h${at * cols + Math.min(col, cols - 1)}`;
  switch (key) {
    case 'ArrowLeft':
      return inThisRow(col - 1);
    case 'ArrowRight':
      return inThisRow(col + 1);
    case 'Home':
      return inThisRow(0);
    case 'End':
      return inThisRow(inRow - 1);
    case 'ArrowUp':
      return isHorizontal ? vertical(row - 1) : horizontal(row);
    case 'ArrowDown':
      return isHorizontal ? vertical(row) : horizontal(row + 1);
    default:
      return undefined;
  }
}

/**
 * Return the names of the lines that the border draws at the start: `none`, `half` or `full`.
 *
 * @type {(rows: number, cols: number, border?: string | number) => string[]}
 */
export function initialLines(rows, cols, border = 'none') {
  return lines(rows, cols).filter((name) => {
    const { x1, y1, x2, y2 } = linePlace(name, rows, cols);
    const isLeftOrBottom = x2 === 0 || y1 === rows;
    const isTopOrRight = y2 === 0 || x1 === cols;
    return (border !== 'none' && isLeftOrBottom) || (border === 'full' && isTopOrRight);
  });
}

/**
 * Return the free line nearest to the point (x, y), and the second nearest.
 *
 * {name, distance, second, secondDistance}; `name` or `second` is null and its distance Infinity
 * if there are not so many. The nearer the two distances, the less is it clear which one is meant.
 * Of equally near lines the one whose middle is nearer comes first: next to a dot that is the one
 * along which the point lies. If their middles are equally near, too, it is the one of the lower
 * place in `lines`.
 *
 * @param {number} x
 * @param {number} y
 * @param {{has: (name: string) => boolean, size: number}} free the names of the free lines
 * @param {number} rows
 * @param {number} cols
 */
export function nearestFree(x, y, free, rows, cols) {
  const everywhere = 1 + rows + cols + Math.abs(x) + Math.abs(y);
  let best = NONE;
  let second = NONE;
  let radius = 1;
  // A line that begins further away than `radius` is at least `radius - 1` away.
  while (second.distance > radius - 1 && radius < everywhere) {
    radius *= 2;
    [best, second] = nearestTwo(
      linesAround(x, y, radius, rows, cols)
        .filter((name) => free.has(name))
        .map((name) => measured(name, x, y, cols)),
    );
  }
  return {
    name: best.name,
    distance: best.distance,
    second: second.name,
    secondDistance: second.distance,
  };
}

/** @type {Measured} */
const NONE = { name: null, distance: Infinity, toMiddle: Infinity };
/** Less than this is no difference: coordinates come from divisions by the size of a box. */
const EPSILON = 1e-9;

/** @type {(measuredLines: Measured[]) => Measured[]} */
function nearestTwo(measuredLines) {
  return measuredLines.reduce(
    ([best, second], one) => {
      if (isNearer(one, best)) {
        return [one, best];
      }
      return isNearer(one, second) ? [best, one] : [best, second];
    },
    [NONE, NONE],
  );
}

/** @type {(one: Measured, other: Measured) => boolean} */
function isNearer(one, other) {
  const difference = one.distance - other.distance;
  return Math.abs(difference) > EPSILON ? difference < 0 : one.toMiddle < other.toMiddle - EPSILON;
}

/** @type {(name: string, x: number, y: number, cols: number) => Measured} */
function measured(name, x, y, cols) {
  const { x1, y1, x2, y2 } = linePlace(name, 0, cols);
  return {
    name,
    distance: Math.hypot(x - clamp(x, x1, x2), y - clamp(y, y1, y2)),
    toMiddle: Math.hypot(x - (x1 + x2) / 2, y - (y1 + y2) / 2),
  };
}

/**
 * Return the lines that begin at most `radius` from (x, y) in each direction, as in `lines`.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} rows
 * @param {number} cols
 */
function linesAround(x, y, radius, rows, cols) {
  const [firstRow, lastRow] = [Math.max(0, Math.ceil(y - radius)), Math.floor(y + radius)];
  const [firstCol, lastCol] = [Math.max(0, Math.ceil(x - radius)), Math.floor(x + radius)];
  /** @type {string[]} */
  const part = [];
  /** @type {[string, number, number][]} */
  const kinds = [
    ['h', rows + 1, cols],
    ['v', rows, cols + 1],
  ];
  for (const [letter, inColumn, inRow] of kinds) {
    for (let row = firstRow; row <= Math.min(lastRow, inColumn - 1); row += 1) {
      for (let col = firstCol; col <= Math.min(lastCol, inRow - 1); col += 1) {
        part.push(`${letter}${row * inRow + col}`);
      }
    }
  }
  return part;
}

/** @type {(number: number, least: number, most: number) => number} */
function clamp(number, least, most) {
  return Math.min(most, Math.max(least, number));
}
