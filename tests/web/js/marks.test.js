import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { markOf } from '../../../server/boxroom_server/web/page/marks.js';

const PLAYERS = 500;
const picture = {
  settings: { game: 'dots' },
  seats: Array.from({ length: PLAYERS }, (_, glyph) => ({ glyph })),
};

describe('markOf', () => {
  it('gives each player a glyph of its own', () => {
    const glyphs = picture.seats.map((_, seat) => markOf(picture, seat, []).glyph);
    assert.equal(new Set(glyphs).size, PLAYERS);
  });

  it('shows a shape, a letter or a digit, and then the number of the player', () => {
    const [first, last, number] = [0, 73, 74].map((seat) => markOf(picture, seat, []).glyph);
    assert.deepEqual([first, last, number], ['●\uFE0E', '9', '75']);
  });

  it('gives eight players a colour of their own', () => {
    const colours = picture.seats.map((_, seat) => markOf(picture, seat, []).className);
    assert.equal(new Set(colours.slice(0, 8)).size, 8);
    assert.deepEqual(new Set(colours), new Set(colours.slice(0, 8)));
  });

  it("shows the game's own marks in place of glyphs", () => {
    const games = [{ game: 'dots', marks: 'xo' }];
    assert.equal(markOf(picture, 1, games).glyph, 'o');
  });
});
