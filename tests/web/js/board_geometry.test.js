import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  boxesOf,
  describeLine,
  initialLines,
  linePlace,
  lines,
  nearestFree,
  neighbouringLine,
  sidesOf,
} from '../../../server/boxroom_server/web/page/board/board_geometry.js';
import { seeded } from './random.js';

const SIZES = [
  [1, 1],
  [1, 4],
  [2, 3],
  [5, 5],
  [20, 30],
];

describe('lines', () => {
  it('are named and placed as docs/reference/protocol.md draws them', () => {
    const names = ['h0', 'h1', 'h2', 'h3', 'h4', 'h5', 'v0', 'v1', 'v2', 'v3', 'v4', 'v5'];
    assert.deepEqual(lines(2, 2), names);
    assert.deepEqual(linePlace('h3', 2, 2), { x1: 1, y1: 1, x2: 2, y2: 1 });
    assert.deepEqual(linePlace('v5', 2, 2), { x1: 2, y1: 1, x2: 2, y2: 2 });
  });

  it('are all in different places, one box long', () => {
    for (const [rows, cols] of SIZES) {
      const places = lines(rows, cols).map((name) => linePlace(name, rows, cols));
      const isOnBoard = ({ x1, y1, x2, y2 }) => x1 >= 0 && y1 >= 0 && x2 <= cols && y2 <= rows;
      assert.equal(new Set(places.map((place) => JSON.stringify(place))).size, places.length);
      assert.ok(places.every(({ x1, y1, x2, y2 }) => x2 - x1 + y2 - y1 === 1));
      assert.ok(places.every(isOnBoard));
    }
  });

  it('know their boxes, and boxes their lines', () => {
    assert.deepEqual(sidesOf(3, 2, 2), { top: 'h3', bottom: 'h5', left: 'v4', right: 'v5' });
    assert.deepEqual(boxesOf('h3', 2, 2), [1, 3]);
    assert.deepEqual(boxesOf('v3', 2, 2), [2]);
    for (const [rows, cols] of SIZES) {
      for (const name of lines(rows, cols)) {
        const boxes = boxesOf(name, rows, cols);
        assert.ok(boxes.length === 1 || boxes.length === 2, name);
        assert.ok(boxes.every((box) => Object.values(sidesOf(box, rows, cols)).includes(name)));
      }
    }
  });

  it('of the border are drawn at the start', () => {
    assert.deepEqual(initialLines(2, 2), []);
    assert.deepEqual(initialLines(2, 2, 'half'), ['h4', 'h5', 'v0', 'v3']);
    assert.deepEqual(initialLines(1, 2, 'full'), ['h0', 'h1', 'h2', 'h3', 'v0', 'v2']);
  });
});

describe('describe', () => {
  it('says which line of which box it would be', () => {
    assert.deepEqual(describeLine('h3', 2, 2, new Set(['v4', 'v5', 'h1'])), {
      name: 'h3',
      isHorizontal: true,
      boxes: [
        { box: 3, row: 2, col: 2, side: 'top', drawn: 2, nth: 3 },
        { box: 1, row: 1, col: 2, side: 'bottom', drawn: 1, nth: 2 },
      ],
    });
  });

  it('counts no line twice, also if it is drawn itself', () => {
    const { boxes } = describeLine('v0', 1, 1, new Set(lines(1, 1)));
    assert.deepEqual(boxes, [{ box: 0, row: 1, col: 1, side: 'left', drawn: 3, nth: 4 }]);
  });
});

describe('nearestFree', () => {
  const all = new Set(lines(5, 5));

  it('finds a line from a point on it, and the second nearest', () => {
    const found = nearestFree(2.5, 1, all, 5, 5);
    assert.equal(found.name, 'h7');
    assert.equal(found.distance, 0);
    assert.equal(found.secondDistance, 0.5);
  });

  it('passes over lines that are drawn', () => {
    const free = new Set(['h0', 'v29']);
    assert.equal(nearestFree(4.9, 4.9, free, 5, 5).name, 'v29');
    assert.equal(nearestFree(0, 0.1, free, 5, 5).name, 'h0');
  });

  it('takes of two lines with the same dot the one along which the point lies', () => {
    // h0 comes from the left to the dot in which v1 begins, which goes down.
    const free = new Set(['h0', 'v1']);
    const [one, other] = [nearestFree(1.05, -0.2, free, 5, 5), nearestFree(1.2, -0.05, free, 5, 5)];
    assert.deepEqual([one.name, one.second], ['h0', 'v1']);
    assert.deepEqual([other.name, other.second], ['v1', 'h0']);
    assert.ok(isClose(one.distance, one.secondDistance));
  });

  it('takes the earlier one of two that are equally near, also after rounding', () => {
    assert.equal(nearestFree(0.5, 0.5, all, 5, 5).name, 'h0');
    for (let size = 7; size < 90; size += 1) {
      const [x, y] = [(3 * size + size / 2) / size, (2 * size + size / 2) / size];
      assert.equal(nearestFree(x, y, all, 5, 5).name, 'h13', `${size}`);
    }
  });

  it('knows when there is no line, or only one', () => {
    const none = { name: null, distance: Infinity, second: null, secondDistance: Infinity };
    assert.deepEqual(nearestFree(1, 1, new Set(), 5, 5), none);
    const { name, second, secondDistance } = nearestFree(-90, 400, new Set(['v3']), 5, 5);
    assert.deepEqual([name, second, secondDistance], ['v3', null, Infinity]);
  });

  it('finds what a search through all lines finds', () => {
    const random = seeded(3);
    for (const [rows, cols] of SIZES) {
      for (let i = 0; i < 300; i += 1) {
        const share = random();
        const free = new Set(lines(rows, cols).filter(() => random() < share));
        const [x, y] = [random() * (cols + 2) - 1, random() * (rows + 2) - 1];
        const distances = [...free].map((name) => distanceTo(name, x, y, rows, cols));
        const [first = Infinity, second = Infinity] = distances.sort((one, other) => one - other);
        const found = nearestFree(x, y, free, rows, cols);
        assert.ok(isClose(found.distance, first), `${found.distance} is not ${first}`);
        assert.ok(isClose(found.secondDistance, second), `${found.secondDistance}, not ${second}`);
        assert.ok(found.name === null || isClose(distanceTo(found.name, x, y, rows, cols), first));
        assert.ok(found.name === null || found.name !== found.second);
      }
    }
  });
});

/** Return the distance of a point from a line as the least of those from points along it. */
function distanceTo(name, x, y, rows, cols) {
  const { x1, y1, x2, y2 } = linePlace(name, rows, cols);
  const along = Math.min(1, Math.max(0, (x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)));
  return Math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1));
}

function isClose(one, other) {
  return one === other || Math.abs(one - other) < 1e-9;
}

describe('the keys', () => {
  const KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'];

  it('lead along a row of lines and to the rows beside it, not over the rim', () => {
    const to = (name) => KEYS.map((key) => neighbouringLine(name, key, 2, 3));
    assert.deepEqual(to('h4'), ['h3', 'h5', 'v1', 'v5', 'h3', 'h5']);
    assert.deepEqual(to('v7'), ['v6', null, 'h5', 'h8', 'v4', 'v7']);
    assert.deepEqual(to('h0'), [null, 'h1', null, 'v0', 'h0', 'h2']);
    assert.deepEqual(to('h8'), ['h7', null, 'v6', null, 'h6', 'h8']);
    assert.equal(neighbouringLine('h4', 'x', 2, 3), undefined);
  });

  it('reach every line from any other', () => {
    for (const [rows, cols] of SIZES) {
      const reached = new Set(['h0']);
      for (const name of reached) {
        KEYS.map((key) => neighbouringLine(name, key, rows, cols))
          .filter((next) => next !== null)
          .forEach((next) => reached.add(next));
      }
      assert.deepEqual([...reached].sort(), lines(rows, cols).sort());
    }
  });
});
