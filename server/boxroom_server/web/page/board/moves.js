/** Boards and moves by name, without a page. */

import { lines } from './board_geometry.js';

/** Return whether the server has to say how the board of a game looks. */
export function needsGeometry({ game }) {
  return game !== 'dots';
}

/** Return the same text for settings whose boards look the same. */
export function kindOf({ game, options, seats }) {
  return JSON.stringify([game, options, seats]);
}

/** Return the size of a board of Dots and Boxes. */
export function sizeOf({ options: { rows = 5, cols = 5, border = 'none' } }) {
  return { rows, cols, border };
}

/**
 * Return the move that a typed text names, in either case; null if it names none.
 *
 * @param {?import('./painter_model.js').Geometry} geometry that of another game than Dots and Boxes
 */
export function moveNamed(text, settings, geometry) {
  if (!needsGeometry(settings)) return lineNamed(text.toLowerCase(), sizeOf(settings));
  if (geometry === null) return null;
  const { shapes, heap, men } = geometry;
  if (men?.length) return /^\d+([-x]\d+)+$/i.test(text) ? text.toLowerCase() : null;
  const moves = [...shapes, ...(heap?.moves ?? [])].map(({ move }) => move);
  return moves.find((move) => move?.toLowerCase() === text.toLowerCase()) ?? null;
}

function lineNamed(name, { rows, cols }) {
  return lines(rows, cols).includes(name) ? name : null;
}
