/**
 * The width of strokes and dots on a board: so many CSS pixels, on a board of one box as on one of
 * a thousand. styles/board.css says how many, and at most which share of a box.
 */

/**
 * Tell a picture's style how many of its units a CSS pixel is.
 *
 * @type {(picture: SVGSVGElement) => void}
 */
export function fitStrokes(picture) {
  const scale = picture.getScreenCTM()?.a ?? 0; // 0 while it isn't seen
  if (scale > 0) picture.style.setProperty('--px', `${1 / scale}px`);
}

/**
 * Fit the strokes of a picture now and whenever it gets another size.
 *
 * @type {(picture: SVGSVGElement) => void}
 */
export function keepStrokesFitted(picture) {
  new ResizeObserver(() => fitStrokes(picture)).observe(picture);
}
