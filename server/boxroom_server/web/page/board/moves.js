/**
 * Boards and moves by name, without a page.
 *
 * @import { RoomSettings } from '../mirror.js'
 * @import { Geometry } from './painter_model.js'
 *
 * @typedef {{rows: number, cols: number, border: number | string}} BoardSize
 */

import { lines } from './board_geometry.js';

/**
 * Return whether the server has to say how the board of a game looks.
 *
 * @type {(settings: {game: string}) => boolean}
 */
export function needsGeometry({ game }) {
  return game !== 'dots';
}

/**
 * Return the same text for settings whose boards look the same.
 *
 * @type {(settings: Pick<RoomSettings, 'game' | 'options' | 'seats'>) => string}
 */
export function kindOf({ game, options, seats }) {
  return JSON.stringify([game, options, seats]);
}

/**
 * Return the size of a board of Dots and Boxes.
 *
 * @type {(settings: Pick<RoomSettings, 'options'>) => BoardSize}
 */
export function sizeOf({ options: { rows = 5, cols = 5, border = 'none' } }) {
  return { rows: Number(rows), cols: Number(cols), border };
}

/**
 * Return the move that a typed text names, in either case; null if it names none.
 *
 * @param {string} text
 * @param {RoomSettings} settings
 * @param {?Geometry} geometry that of another game than Dots and Boxes
 */
export function moveNamed(text, settings, geometry) {
  if (!needsGeometry(settings)) return lineNamed(text.toLowerCase(), sizeOf(settings));
  if (geometry === null) return null;
  const { shapes, heap, men } = geometry;
  if (men?.length) return /^\d+([-x]\d+)+$/i.test(text) ? text.toLowerCase() : null;
  const moves = [...shapes, ...(heap?.moves ?? [])].map(({ move }) => move);
  return moves.find((move) => move?.toLowerCase() === text.toLowerCase()) ?? null;
}

/** @type {(name: string, size: BoardSize) => ?string} */
function lineNamed(name, { rows, cols }) {
  return lines(rows, cols).includes(name) ? name : null;
}
