/**
 * Every line of every board up to 30×30, tapped on a phone: without the magnifier, or in it.
 *
 * The sizes are those of the page at 360×740, and of what a phone on its side leaves.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { SMALL_PX } from '../../../server/boxroom_server/web/page/board/board.js';
import {
  linePlace,
  lines,
  nearestFree,
} from '../../../server/boxroom_server/web/page/board/board_geometry.js';
import { BOX_PX, seenPart } from '../../../server/boxroom_server/web/page/board/magnifier.js';
import { seeded } from './random.js';

const MOST = 30;
const SIZES = Array.from({ length: MOST }, (_, number) => number + 1);

/** Places on the screen, in CSS pixels: of the board, and of the magnifier's lens. */
const SCREENS = [
  {
    board: { x: 8, y: 105, width: 344, height: 360 },
    lens: { x: 8, y: 30, width: 344, height: 654 },
  },
  {
    board: { x: 8, y: 98, width: 380, height: 216 },
    lens: { x: 8, y: 30, width: 624, height: 278 },
  },
];
/** Distances of a tap from what it is aimed at. */
const ERRORS_PX = [-8, 0, 8];
/** Least distance of the middles of two lines where a finger chooses one. */
const EASY_PX = 44;

const UNIT = 100;
const MARGIN = 42;

/** Return the pixels of a unit of a board that a place of the screen shows whole. */
function scaleOf({ width, height }, rows, cols) {
  return Math.min(width / (cols * UNIT + 2 * MARGIN), height / (rows * UNIT + 2 * MARGIN));
}

/** Check that what is tapped in one direction is in sight in the lens, with both of its ends. */
function checkDirection(boxes, scale, [boardPx, boardSizePx], [lensPx, lensSizePx]) {
  const extent = boxes * UNIT;
  const firstDotPx = boardPx + (boardSizePx - extent * scale) / 2;
  for (let half = 0; half <= 2 * boxes; half += 1) {
    const middle = (half * UNIT) / 2;
    const ends = half % 2 ? [middle - UNIT / 2, middle + UNIT / 2] : [middle, middle];
    for (const error of ERRORS_PX) {
      const fingerPx = firstDotPx + middle * scale + error;
      const point = middle + error / scale;
      const [start, size] = seenPart(point, fingerPx - lensPx, lensSizePx, extent, UNIT);
      const isSeen = start <= ends[0] && ends[1] <= start + size;
      assert.ok(isSeen, `${boxes} boxes, at ${middle} + ${error} px`);
    }
  }
}

/** Return the distance of the middles of two neighbouring lines where a box has so many pixels. */
const apart = (boxPx) => boxPx * Math.SQRT1_2;

describe('a finger', () => {
  it('sees the whole line that it taps in the magnifier of every board', () => {
    for (const { board, lens } of SCREENS) {
      for (const rows of SIZES) {
        for (const cols of SIZES) {
          const scale = scaleOf(board, rows, cols);
          if (scale * UNIT >= SMALL_PX) continue;
          const [across, down] = [
            [board.x, board.width],
            [board.y, board.height],
          ];
          checkDirection(cols, scale, across, [lens.x, lens.width]);
          checkDirection(rows, scale, down, [lens.y, lens.height]);
        }
      }
    }
  });

  it('has lines as far apart as it needs in the magnifier, and nearly so without it', () => {
    assert.ok(apart(BOX_PX) >= EASY_PX);
    assert.ok(apart(SMALL_PX) >= 28);
  });

  it('means the line whose middle it taps, on every board', () => {
    for (const rows of SIZES) {
      for (const cols of [1, 2, 7, MOST]) {
        const all = lines(rows, cols);
        const free = new Set(all);
        for (const name of all) {
          const { x1, y1, x2, y2 } = linePlace(name, rows, cols);
          const found = nearestFree((x1 + x2) / 2, (y1 + y2) / 2, free, rows, cols);
          assert.equal(found.name, name);
        }
      }
    }
  });

  it('means the same line up to halfway to the next one', () => {
    const random = seeded(1);
    const pick = (count) => Math.floor(random() * count);
    for (let i = 0; i < 20_000; i += 1) {
      const [rows, cols] = [1 + pick(MOST), 1 + pick(MOST)];
      const all = lines(rows, cols);
      const name = all[pick(all.length)];
      const { x1, y1, x2, y2 } = linePlace(name, rows, cols);
      const angle = 2 * Math.PI * random();
      const reach = 0.49 * apart(1) * random();
      const x = (x1 + x2) / 2 + reach * Math.cos(angle);
      const y = (y1 + y2) / 2 + reach * Math.sin(angle);
      assert.equal(nearestFree(x, y, new Set(all), rows, cols).name, name);
    }
  });
});
