/**
 * A picture of the board for other people, made of what the page shows.
 *
 * It draws the elements of the board on a canvas with the styles that they have. (A browser would
 * draw the SVG itself only from an address that the page's policy doesn't allow.)
 *
 * @typedef {(context: CanvasRenderingContext2D) => void} Run fills or strokes an element
 */

/** Width of a picture, and heights of the rows above and below the board, in its pixels. */
const IMAGE_WIDTH = 1080;
const IMAGE_ROW = 110;

/**
 * Share a picture of the board, or save it where the browser shares no files.
 *
 * @type {(root: Element, title: string, link: string) => Promise<void>}
 */
export async function sharePicture(root, title, link) {
  const board = root.querySelector('svg.board');
  if (!(board instanceof SVGSVGElement)) return;
  const canvas = canvasOf(board, root.querySelector('.scores')?.children ?? [], link);
  /** @type {?Blob} */
  const image = await new Promise((done) => canvas.toBlob(done, 'image/png'));
  if (image === null) return;
  const files = [new File([image], 'boxroom.png', { type: image.type })];
  const shared = { files, title, ...(link && { url: link }) };
  if (navigator.canShare?.(shared)) await navigator.share(shared).catch(() => {}); // or not
  else saveImage(image);
}

/** @type {(image: Blob) => void} */
function saveImage(image) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(image);
  link.download = 'boxroom.png';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** @type {(board: SVGSVGElement, players: Iterable<Element>, link: string) => HTMLCanvasElement} */
function canvasOf(board, players, link) {
  const seen = board.getBoundingClientRect();
  const scale = IMAGE_WIDTH / seen.width;
  const canvas = document.createElement('canvas');
  canvas.width = IMAGE_WIDTH;
  canvas.height = Math.round(seen.height * scale) + 2 * IMAGE_ROW;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
  context.fillStyle = backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.textBaseline = 'middle';
  writePlayers(context, [...players], fontFamily);
  context.fillStyle = color;
  context.textAlign = 'center';
  context.font = `30px ${fontFamily}`;
  const middle = canvas.height - IMAGE_ROW / 2;
  context.fillText(link || 'Boxroom', IMAGE_WIDTH / 2, middle, IMAGE_WIDTH - 40);
  const [left, top] = [-seen.left * scale, IMAGE_ROW - seen.top * scale];
  const place = new DOMMatrix([scale, 0, 0, scale, left, top]);
  for (const element of board.querySelectorAll('line, path, rect, circle, polygon, text')) {
    if (element instanceof SVGGraphicsElement) drawElement(context, element, place);
  }
  return canvas;
}

/** @type {(context: CanvasRenderingContext2D, players: Element[], font: string) => void} */
function writePlayers(context, players, font) {
  const width = IMAGE_WIDTH / Math.max(1, players.length);
  context.font = `600 42px ${font}`;
  context.textAlign = 'center';
  players.forEach((player, index) => {
    const [mark, name, score] = ['.mark', '.name', '.score'].map(
      (part) => player.querySelector(part)?.textContent ?? '',
    );
    const { color } = getComputedStyle(player.querySelector('.mark') ?? player);
    context.fillStyle = color;
    context.fillText(`${mark} ${name} ${score}`, width * (index + 0.5), IMAGE_ROW / 2, width - 20);
  });
}

/** @type {(context: CanvasRenderingContext2D, it: SVGGraphicsElement, place: DOMMatrix) => void} */
function drawElement(context, it, place) {
  const matrix = it.getScreenCTM();
  const style = getComputedStyle(it);
  if (matrix === null || style.display === 'none' || style.visibility === 'hidden') return;
  const at = place.multiply(matrix);
  context.save();
  context.setTransform(at);
  const opacity = Number(style.opacity);
  const isThin = style.getPropertyValue('vector-effect') === 'non-scaling-stroke';
  context.fillStyle = style.fill;
  context.strokeStyle = style.stroke;
  context.lineWidth = parseFloat(style.strokeWidth) / (isThin ? matrix.a : 1);
  context.lineCap = style.strokeLinecap === 'round' ? 'round' : 'butt';
  context.lineJoin = 'round';
  const dashes = style.strokeDasharray.split(/[\s,]+/).map(parseFloat);
  context.setLineDash(dashes.some(Number.isNaN) ? [] : dashes);
  const [fill, stroke] = it instanceof SVGTextElement ? lettersOf(context, it, style) : shapeOf(it);
  /** @type {[string, number, Run][]} */
  const parts = [
    [style.stroke, Number(style.strokeOpacity), stroke],
    [style.fill, Number(style.fillOpacity), fill],
  ];
  if (!style.paintOrder.startsWith('stroke')) parts.reverse();
  for (const [colour, share, run] of parts) {
    context.globalAlpha = opacity * share;
    if (colour !== 'none') run(context);
  }
  context.restore();
}

/**
 * @type {(context: CanvasRenderingContext2D, it: SVGElement, style: CSSStyleDeclaration) =>
 *   [Run, Run]}
 */
function lettersOf(context, it, style) {
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const text = it.textContent ?? '';
  const [x, y] = [Number(it.getAttribute('x')), Number(it.getAttribute('y'))];
  return [(on) => on.fillText(text, x, y), (on) => on.strokeText(text, x, y)];
}

/** @type {(it: SVGElement) => [Run, Run]} */
function shapeOf(it) {
  const path = traced(it);
  return [(on) => on.fill(path), (on) => on.stroke(path)];
}

/** @type {(it: SVGElement) => Path2D} */
function traced(it) {
  if (it.tagName === 'path') return new Path2D(it.getAttribute('d') ?? '');
  /** @type {(name: string) => number} */
  const number = (name) => Number(it.getAttribute(name));
  const path = new Path2D();
  if (it.tagName === 'line') {
    path.moveTo(number('x1'), number('y1'));
    path.lineTo(number('x2'), number('y2'));
  } else if (it.tagName === 'rect') {
    path.rect(number('x'), number('y'), number('width'), number('height'));
  } else if (it.tagName === 'circle') {
    path.arc(number('cx'), number('cy'), number('r'), 0, 2 * Math.PI);
  } else {
    path.addPath(new Path2D(`M${it.getAttribute('points')}Z`));
  }
  return path;
}
