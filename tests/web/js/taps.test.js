/**
 * The share of taps that draw the line which was meant, on a board 360 px wide.
 *
 * A finger's taps spread around the aim by 1.2 mm in each direction (standard deviation), which is
 * 7.6 px: the CSS pixels of a phone are 160 to an inch. Each tap has a position of its own, with a
 * random part of the lines drawn, and aims at a free line; empty boards are the hardest, as no line
 * near the aim is drawn. Where boxes are smaller than 40 px, the first tap opens a loupe, in which
 * a box has 64 px, and the second one draws.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  linePlace,
  lines,
  nearestFree,
} from '../../../server/boxroom_server/web/page/board/board_geometry.js';
import { normal, seeded } from './random.js';

const TAPS = 1_000;
const BOARD_PX = 360;
const SPREAD_PX = (1.2 / 25.4) * 160;
const LOUPE_BELOW_PX = 40;
const LOUPE_BOX_PX = 64;
/** Distance around the finger that the loupe shows at least, 1.7 boxes. */
const LOUPE_PX = 108;

/** Aims along a line, from 0 to 1: its middle, or anywhere in its middle third. */
const AIMS = {
  'the middle': () => 0.5,
  'the middle third': (random) => (1 + random()) / 3,
};

/** Return the parts of the taps that draw the right line without a loupe, and with one. */
function shares(size, aimAlong, partDrawn, seed) {
  const random = seeded(seed);
  const spread = normal(random);
  const boxPx = BOARD_PX / size;
  const hits = { plain: 0, loupe: 0 };
  for (let i = 0; i < TAPS; i += 1) {
    const { free, name } = position(size, partDrawn(random), random);
    const aim = pointOn(linePlace(name, size, size), aimAlong(random));
    const tapped = (px) => {
      const [x, y] = [aim.x, aim.y].map((aimed) => aimed + (spread() * SPREAD_PX) / px);
      return { x, y };
    };
    const draws = ({ x, y }) => nearestFree(x, y, free, size, size).name === name;
    const first = tapped(boxPx);
    const isInLoupe = Math.hypot(first.x - aim.x, first.y - aim.y) * LOUPE_BOX_PX < LOUPE_PX;
    hits.plain += draws(first);
    hits.loupe += isInLoupe && draws(tapped(LOUPE_BOX_PX));
  }
  return { plain: hits.plain / TAPS, loupe: hits.loupe / TAPS, hasLoupe: boxPx < LOUPE_BELOW_PX };
}

/** Return a position with that part of the lines drawn, and a free line. */
function position(size, part, random) {
  const all = lines(size, size);
  const name = all[Math.floor(random() * all.length)];
  return { free: new Set(all.filter((one) => one === name || random() >= part)), name };
}

function pointOn({ x1, y1, x2, y2 }, along) {
  return { x: x1 + along * (x2 - x1), y: y1 + along * (y2 - y1) };
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;

function report(t, what, { plain, loupe, hasLoupe }) {
  const withLoupe = hasLoupe ? `, with a loupe ${percent(loupe)}` : '';
  t.diagnostic(`${what}: ${percent(plain)}${withLoupe}`);
}

describe('taps with a spread of 1.2 mm', () => {
  for (const [size, least] of [
    [5, 0.99],
    [10, 0.97],
    [20, 0.97],
  ]) {
    for (const [aim, along] of Object.entries(AIMS)) {
      it(`draw the right line on ${size}×${size}, aimed at ${aim}`, (t) => {
        const what = `${size}×${size}, ${aim}`;
        const inGames = shares(size, along, (random) => random(), size);
        const onEmptyBoards = shares(size, along, () => 0, size);
        report(t, `${what}, in games`, inGames);
        report(t, `${what}, on empty boards`, onEmptyBoards);
        for (const { plain, loupe, hasLoupe } of [inGames, onEmptyBoards]) {
          assert.ok((hasLoupe ? loupe : plain) >= least);
        }
      });
    }
  }
});
