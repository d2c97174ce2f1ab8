import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe as group, it } from 'node:test';

import {
  UNIT,
  describe,
  distanceTo,
  middleOf,
  nearest,
  neighbour,
  nextSquares,
  roomIn,
  withSquare,
} from '../../../server/boxroom_server/web/page/board/painter_model.js';

const GAMES = ['dots', 'noughts', 'stonehenge', 'subtract-square'];

/** Returns the geometry of a game and a whole game on it, as the engine wrote them. */
function recorded(game) {
  const url = new URL(`../../golden/games/geometry-${game}.txt`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8'));
}

/** Returns the picture of a recorded game after so many of its moves. */
function after(game, moves) {
  return {
    phase: moves < game.tokens.length ? 'playing' : 'over',
    tokens: game.tokens.slice(0, moves),
    movers: game.movers.slice(0, moves),
    taken: game.taken.filter(([token]) => token < moves),
  };
}

function playable(geometry, model) {
  const shapes = geometry.shapes.filter((_, index) => model.shapes[index].playable);
  const takes = model.takes.filter((each) => each.playable);
  return [...shapes, ...takes].map(({ move }) => move).sort();
}

const CELLS = {
  width: 320,
  height: 220,
  row: 3,
  shapes: [0, 1, 2, 3, 4, 5].map((cell) => ({
    kind: 'polygon',
    points: square(10 + (cell % 3) * 100, 10 + Math.floor(cell / 3) * 100),
    label: `${cell}`,
    move: `${cell}`,
    place: [Math.floor(cell / 3), cell % 3],
  })),
};

function square(x, y, side = 90) {
  return [x, y, x + side, y, x + side, y + side, x, y + side];
}

const HEAP = {
  width: 700,
  height: 100,
  shapes: [],
  heap: {
    counters: [0, 1, 2, 3, 4, 5, 6].map((at) => ({
      kind: 'circle',
      points: [50 + 100 * at, 50],
      radius: 40,
    })),
    moves: [
      { move: '1', takes: 1 },
      { move: '4', takes: 4 },
    ],
  },
};

function picture(tokens, fields = {}) {
  const movers = tokens.map((_, token) => token % 2);
  return { phase: 'playing', tokens, movers, taken: [], ...fields };
}

group('describe', () => {
  for (const name of GAMES) {
    it(`agrees with the rules of ${name} about every position of a game`, () => {
      const { geometry, game } = recorded(name);
      for (let moves = 0; moves <= game.tokens.length; moves += 1) {
        const model = describe(geometry, after(game, moves), { canMove: true });
        assert.deepEqual(playable(geometry, model), [...game.legal[moves]].sort());
      }
    });

    it(`shows in ${name} who played and took what`, () => {
      const { geometry, game } = recorded(name);
      const model = describe(geometry, after(game, game.tokens.length));
      geometry.shapes.forEach((shape, index) => {
        const token =
          shape.move === undefined
            ? (game.taken.find(([, ...things]) => things.includes(shape.thing))?.[0] ?? -1)
            : game.tokens.indexOf(shape.move);
        assert.equal(model.shapes[index].seat, game.movers[token] ?? null);
        const isFixed = shape.move === undefined && shape.thing === undefined;
        assert.equal(model.shapes[index].state === 'fixed', isFixed);
      });
    });
  }

  it('lets nobody play without a turn or a game', () => {
    assert.deepEqual(playable(CELLS, describe(CELLS, picture([]))), []);
    for (const phase of ['waiting', 'over']) {
      const seen = picture([], { phase });
      assert.deepEqual(playable(CELLS, describe(CELLS, seen, { canMove: true })), []);
    }
  });

  it('can do without movers and taken, which old servers do not send', () => {
    const { shapes } = describe(CELLS, { phase: 'playing', tokens: ['0'] });
    assert.equal(shapes[0].state, 'owned');
    assert.equal(shapes[0].seat, null);
  });

  it('ignores withdrawals', () => {
    const { shapes } = describe(CELLS, picture(['3', '~1', '4']));
    assert.deepEqual(
      shapes.map(({ seat }) => seat),
      [null, null, null, 0, 0, null],
    );
  });

  it('marks the last move as recent, or the moves that it is told', () => {
    const recent = (model) => model.shapes.flatMap((each, at) => (each.recent ? [at] : []));
    const seen = picture(['3', '4', '1']);
    assert.deepEqual(recent(describe(CELLS, seen)), [1]);
    assert.deepEqual(recent(describe(CELLS, seen, { marked: new Set([1, 2]) })), [1, 4]);
    assert.deepEqual(recent(describe(CELLS, seen, { marked: new Set() })), []);
  });

  it('marks what a recent move took', () => {
    const thing = { kind: 'circle', points: [9, 9], radius: 5, thing: 7 };
    const geometry = { ...CELLS, shapes: [...CELLS.shapes, thing, { ...thing, thing: 8 }] };
    const { shapes } = describe(geometry, picture(['0', '1'], { taken: [[1, 7]] }));
    assert.deepEqual([shapes[6].seat, shapes[6].recent], [1, true]);
    assert.deepEqual([shapes[7].seat, shapes[7].state], [null, 'free']);
  });

  it('marks the row that won, and no other', () => {
    const won = (tokens, phase) =>
      describe(CELLS, picture(tokens, { phase })).shapes.flatMap((each, at) =>
        each.won ? [at] : [],
      );
    assert.deepEqual(won(['0', '3', '1', '4', '2'], 'over'), [0, 1, 2]);
    assert.deepEqual(won(['0', '3', '2', '4', '1'], 'over'), [0, 1, 2]);
    assert.deepEqual(won(['0', '3', '1', '4', '2'], 'playing'), []);
    assert.deepEqual(won(['0', '3', '1', '2', '4'], 'over'), []);
    assert.deepEqual(won(['0', '3', '1', '~1'], 'over'), []);
  });

  it('finds a winning row in any number of dimensions', () => {
    const { geometry, game } = recorded('noughts');
    const { shapes } = describe(geometry, after(game, game.tokens.length));
    const won = geometry.shapes.filter((_, at) => shapes[at].won).map(({ place }) => place);
    assert.equal(won.length, geometry.row);
    const step = won[1].map((at, axis) => at - won[0][axis]);
    assert.deepEqual(
      won[2],
      won[1].map((at, axis) => at + step[axis]),
    );
    assert.equal(Math.max(...step.map(Math.abs)), 1);
  });
});

group('a heap', () => {
  const states = (model) => model.counters.map(({ state }) => state[0]).join('');

  it('loses its last counters, which stay visible while the move is recent', () => {
    assert.equal(states(describe(HEAP, picture([]))), 'lllllll');
    assert.equal(states(describe(HEAP, picture(['4']))), 'llltttt');
    const model = describe(HEAP, picture(['4', '1']));
    assert.equal(states(model), 'lltgggg');
    assert.deepEqual([model.left, model.counters[2].seat], [2, 1]);
    const all = describe(HEAP, picture(['4', '1']), { marked: new Set([0, 1]) });
    assert.equal(states(all), 'llttttt');
  });

  it('has each move at the first counter that it takes, as long as there are enough', () => {
    const moves = (tokens) =>
      describe(HEAP, picture(tokens), { canMove: true })
        .counters.map(({ move }) => move ?? '')
        .join();
    assert.equal(moves([]), ',,,4,,,1');
    assert.equal(moves(['1', '1']), ',4,,,1,,');
    assert.equal(moves(['4']), ',,1,,,,');
    const { takes } = describe(HEAP, picture(['4']), { canMove: true });
    assert.deepEqual(
      takes.map((each) => each.playable),
      [true, false],
    );
  });
});

group('men', () => {
  const at = ({ shapes }, label) => shapes.findIndex((shape) => shape.label === label);
  const { geometry, game } = recorded('draughts');
  const seen = (moves) => ({
    ...after(game, moves),
    to_move: game.movers[moves] ?? null,
    legal_moves: game.legal[moves],
  });
  const choices = (moves, chosen = []) => {
    const { shapes } = describe(geometry, seen(moves), { canMove: true, chosen });
    const playable = geometry.shapes.flatMap(({ label }, index) =>
      shapes[index].playable ? [[label, shapes[index]]] : [],
    );
    return new Map(playable);
  };

  it('can be chosen where a legal move begins, and then the ends of their moves', () => {
    game.tokens.forEach((token, moves) => {
      const men = choices(moves);
      for (const { seat, move } of men.values()) {
        assert.deepEqual([seat, move], [game.movers[moves], null]);
      }
      const offered = [...men.keys()].flatMap((man) =>
        [...choices(moves, [man]).values()].flatMap(({ move }) => move ?? []),
      );
      assert.deepEqual(offered.sort(), [...game.legal[moves]].sort());
      assert.ok(offered.includes(token));
    });
  });

  it('are as many as the captures leave, some of them kings', () => {
    const { shapes } = describe(geometry, seen(game.tokens.length));
    const taken = game.taken.reduce((sum, [, ...things]) => sum + things.length, 0);
    const start = geometry.men.reduce((sum, men) => sum + men.start.length, 0);
    assert.equal(shapes.filter(({ seat }) => seat !== null).length, start - taken);
    assert.ok(shapes.some(({ isKing }) => isKing));
  });

  it('cannot be chosen without a turn', () => {
    const { shapes } = describe(geometry, seen(0));
    assert.ok(shapes.every(({ playable }) => !playable));
  });

  it('are marked where the last move began and ended', () => {
    const { shapes } = describe(geometry, seen(1));
    const marked = geometry.shapes.filter((_, index) => shapes[index].recent);
    assert.deepEqual(marked.map(({ label }) => label).sort(), game.tokens[0].split('-').sort());
  });
});

group('nearest', () => {
  it('is the shape under the point, or the nearest within reach', () => {
    assert.equal(nearest(CELLS.shapes, CELLS.shapes.keys(), 55, 55), 0);
    assert.equal(nearest(CELLS.shapes, CELLS.shapes.keys(), 104, 55), 0);
    assert.equal(nearest(CELLS.shapes, CELLS.shapes.keys(), 106, 55), 1);
    assert.equal(nearest(CELLS.shapes, CELLS.shapes.keys(), -30, 55), 0);
    assert.equal(nearest(CELLS.shapes, CELLS.shapes.keys(), -80, 55), null);
  });

  it('passes over shapes that are no candidates', () => {
    assert.equal(nearest(CELLS.shapes, [1, 4], 80, 55), 1);
    assert.equal(nearest(CELLS.shapes, [], 55, 55), null);
  });

  it('measures lines and circles', () => {
    const line = { kind: 'line', points: [0, 0, 100, 0] };
    const circle = { kind: 'circle', points: [50, 50], radius: 20 };
    assert.equal(distanceTo(line, 50, 30), 30);
    assert.equal(distanceTo(line, 130, 40), 50);
    assert.equal(distanceTo(circle, 50, 80), 10);
    assert.equal(distanceTo({ kind: 'text', points: [0, 0], label: 'x' }, 3, 4), 5);
    assert.deepEqual(middleOf(line), [50, 0]);
    assert.equal(roomIn(circle), 20);
    assert.equal(roomIn(CELLS.shapes[0]), 45);
  });

  for (const name of ['dots', 'noughts', 'stonehenge']) {
    it(`finds each move of ${name} at its middle`, () => {
      const { shapes } = recorded(name).geometry;
      const candidates = [...shapes.keys()].filter((at) => shapes[at].move !== undefined);
      for (const index of candidates) {
        const [x, y] = middleOf(shapes[index]);
        assert.equal(nearest(shapes, candidates, x + UNIT / 10, y - UNIT / 10), index);
      }
    });
  }
});

group('the next squares', () => {
  const MOVES = ['1-5', '9x18', '22x15x8', '22x17x8', '22x8', '30x21', '30x21x30', '31x31'];

  it('of all moves are those where men start', () => {
    const starts = ['1', '9', '22', '30', '31'];
    assert.deepEqual([...nextSquares(MOVES, [])], starts.map((label) => [label, null]));
  });

  it('complete a move that no other shares them with, and leave other men to choose', () => {
    const others = { 9: null, 22: null, 30: null, 31: null };
    const next = Object.fromEntries(nextSquares(MOVES, ['1']));
    assert.deepEqual(next, { 1: null, 5: '1-5', ...others });
  });

  it('let the man be chosen as the end of a capture that ends where it began', () => {
    assert.equal(nextSquares(MOVES, ['31']).get('31'), '31x31');
  });

  it('lead to each legal move and to no other', () => {
    const found = [];
    const follow = (chosen) => {
      for (const [label, move] of nextSquares(MOVES, chosen)) {
        const longer = withSquare(MOVES, chosen, label);
        if (move !== null) found.push(move);
        else if (longer.length > chosen.length) follow(longer);
      }
    };
    follow([]);
    assert.deepEqual(found.sort(), [...MOVES].sort());
  });

  it('begin anew with another man, and end with the same', () => {
    assert.deepEqual(withSquare(MOVES, ['1'], '9'), ['9']);
    assert.deepEqual(withSquare(MOVES, ['1'], '1'), []);
    assert.deepEqual(withSquare(MOVES, ['22', '15'], '22'), ['22']);
  });
});

group('neighbour', () => {
  it('is the next shape in the direction of the arrow', () => {
    const to = (from, key) => neighbour(CELLS.shapes, CELLS.shapes.keys(), from, key);
    assert.equal(to(0, 'ArrowRight'), 1);
    assert.equal(to(1, 'ArrowDown'), 4);
    assert.equal(to(4, 'ArrowLeft'), 3);
    assert.equal(to(4, 'ArrowUp'), 1);
    assert.equal(to(2, 'ArrowRight'), null);
    assert.equal(to(0, 'Enter'), null);
  });

  for (const name of ['dots', 'noughts', 'stonehenge', 'draughts']) {
    it(`leads from any move or square of ${name} to any other`, () => {
      const { shapes, men } = recorded(name).geometry;
      const key = men ? 'thing' : 'move';
      const candidates = [...shapes.keys()].filter((at) => shapes[at][key] !== undefined);
      for (const start of candidates) {
        const reached = new Set([start]);
        for (const from of reached) {
          for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
            const next = neighbour(shapes, candidates, from, key);
            if (next !== null) reached.add(next);
          }
        }
        assert.equal(reached.size, candidates.length);
      }
    });
  }
});
