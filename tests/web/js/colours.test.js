/** The colours of seats, seen with each kind of colour blindness, in every theme. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { markOf } from '../../../server/boxroom_server/web/page/marks.js';
import { THEMES } from '../../../server/boxroom_server/web/page/state/state.js';

const STYLE = readFileSync(
  new URL('../../../server/boxroom_server/web/page/styles/colours.css', import.meta.url),
  'utf8',
);
const SEATS = [...Array(8).keys()];
/** Least distance of two colours in OKLab: three times what is just noticed, some 0.02. */
const LEAST_DISTANCE = 0.06;
/** That of the two players of most games. */
const DISTANCE_OF_TWO = 0.2;
/** Least contrast of text by WCAG 2.2, AA. */
const LEAST_CONTRAST = 4.5;

/**
 * How colours are seen without one kind of cones, in linear RGB: severity 1.0 of Machado, Oliveira
 * and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE
 * Transactions on Visualization and Computer Graphics 15 (6), 2009.
 */
const VISIONS = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
/** From linear RGB to OKLab (Björn Ottosson, "A perceptual color space", 2020), in two steps. */
const TO_CONES = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

const times = (matrix, vector) =>
  matrix.map((row) => row.reduce((sum, each, i) => sum + each * vector[i], 0));
const clipped = (rgb) => rgb.map((each) => Math.min(1, Math.max(0, each)));
const oklab = (linear) => times(TO_LAB, times(TO_CONES, linear).map(Math.cbrt));

/** The linear RGB of a colour such as #0b5fd0. */
function linear(hex) {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return parts.map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
}

function contrast(one, other) {
  const [low, high] = [one, other]
    .map((hex) => times([[0.2126, 0.7152, 0.0722]], linear(hex))[0])
    .sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** The colour of a custom property in a theme: that of the last block that names the theme. */
function colourOf(name, theme) {
  const blocks = [...STYLE.matchAll(/^:root([^{]*)\{([^}]*)\}/gm)];
  const texts = blocks
    .filter(([, selector]) => selector.includes(`'${theme}'`))
    .flatMap(([, , block]) => block.match(`${name}: (#[0-9a-f]{6});`)?.[1] ?? []);
  assert.equal(texts.length, 1, `${name} of ${theme}`);
  return texts[0];
}

for (const theme of THEMES) {
  const colours = SEATS.map((seat) => colourOf(`--seat-${seat}`, theme));
  describe(`The colours of seats in the theme ${theme}`, () => {
    for (const [vision, matrix] of Object.entries(VISIONS)) {
      it(`are told apart with ${vision} vision`, () => {
        const seen = colours.map((hex) => oklab(clipped(times(matrix, linear(hex)))));
        for (const [one, other] of SEATS.flatMap((a) => SEATS.slice(a + 1).map((b) => [a, b]))) {
          const distance = Math.hypot(...seen[one].map((each, i) => each - seen[other][i]));
          const least = one === 0 && other === 1 ? DISTANCE_OF_TWO : LEAST_DISTANCE;
          assert.ok(distance >= least, `seats ${one} and ${other}: ${distance.toFixed(3)}`);
        }
      });
    }

    it('can be read on the page, and the page on them', () => {
      for (const ground of ['--paper', '--raised']) {
        for (const [seat, colour] of colours.entries()) {
          const seen = contrast(colour, colourOf(ground, theme));
          assert.ok(seen >= LEAST_CONTRAST, `seat ${seat} on ${ground}: ${seen.toFixed(2)}`);
        }
      }
    });

    it('leave text readable', () => {
      for (const text of ['--ink', '--faint', '--accent', '--warning']) {
        for (const ground of ['--paper', '--raised']) {
          const seen = contrast(colourOf(text, theme), colourOf(ground, theme));
          assert.ok(seen >= LEAST_CONTRAST, `${text} on ${ground}: ${seen.toFixed(2)}`);
        }
      }
    });
  });
}

describe('Shapes', () => {
  it('are a second code for the seats', () => {
    const picture = { seats: SEATS.map((glyph) => ({ glyph })), settings: { game: 'dots' } };
    const marks = SEATS.map((seat) => markOf(picture, seat, []));
    assert.equal(new Set(marks.map(({ glyph }) => glyph)).size, SEATS.length);
    assert.equal(new Set(marks.map(({ className }) => className)).size, SEATS.length);
  });
});
