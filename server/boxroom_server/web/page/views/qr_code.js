/**
 * A QR code as SVG: one path of all dark modules on a light ground, in any theme.
 *
 * @import { Description } from '../dom.js'
 */

import { h } from '../dom.js';

/**
 * Return the picture of a code; each of its `rows` has `1` for a dark module and `0` for a
 * light one.
 *
 * @type {(rows: readonly string[], label: string) => Description}
 */
export function qrCodeView(rows, label) {
  const dark = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(({ 0: run, index: x }) => `M${x} ${y}h${run.length}v1H${x}z`),
  );
  const { length: size } = rows;
  return h(
    'svg.qr-code',
    { viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label },
    h('path', { d: dark.join('') }),
  );
}
