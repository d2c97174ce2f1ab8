/**
 * The side from which a board is drawn, where the men of each seat have one of their own.
 *
 * @import { Geometry } from './painter_model.js'
 */

/**
 * Return a geometry as the player in `seat` sees it, who has the own men at the bottom.
 *
 * @type {(geometry: Geometry, seat: number) => Geometry}
 */
export function seenFrom(geometry, seat) {
  return startsAtTop(geometry, seat) ? turned(geometry) : geometry;
}

/** @type {(geometry: Geometry, seat: number) => boolean} */
function startsAtTop({ shapes, men = [], height }, seat) {
  const things = new Set(men[seat]?.start);
  const own = shapes.filter(({ thing }) => thing != null && things.has(thing));
  return own.length > 0 && own.every(({ points }) => points[1] < height / 2);
}

/** @type {(geometry: Geometry) => Geometry} */
function turned(geometry) {
  const { width, height } = geometry;
  const shapes = geometry.shapes.map((shape) => ({
    ...shape,
    points: shape.points.map((at, index) => (index % 2 ? height : width) - at),
  }));
  return { ...geometry, shapes };
}
