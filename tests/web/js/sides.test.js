import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { seenFrom } from '../../../server/boxroom_server/web/page/board/sides.js';

const BOARD = {
  width: 100,
  height: 200,
  shapes: [
    { kind: 'polygon', points: [10, 10, 50, 50], label: '1', thing: 0 },
    { kind: 'polygon', points: [50, 150, 90, 190], label: '2', thing: 1 },
    { kind: 'text', points: [20, 90], label: 'a' },
  ],
  men: [
    { start: [0], crowning: [1] },
    { start: [1], crowning: [0] },
  ],
};

describe('a board with men', () => {
  it('is turned for the player whose men start at the top', () => {
    const { shapes, ...others } = seenFrom(BOARD, 0);
    assert.deepEqual(
      shapes.map(({ points }) => points),
      [
        [90, 190, 50, 150],
        [50, 50, 10, 10],
        [80, 110],
      ],
    );
    assert.deepEqual(
      shapes.map(({ label, thing }) => [label, thing]),
      BOARD.shapes.map(({ label, thing }) => [label, thing]),
    );
    assert.deepEqual(others, { width: 100, height: 200, men: BOARD.men });
  });

  it('stays as it is for the other one, and for seats without men', () => {
    assert.equal(seenFrom(BOARD, 1), BOARD);
    assert.equal(seenFrom(BOARD, 2), BOARD);
  });
});

describe('a board without men', () => {
  it('is the same for all', () => {
    const board = { width: 100, height: 200, shapes: BOARD.shapes };
    assert.equal(seenFrom(board, 0), board);
  });
});
