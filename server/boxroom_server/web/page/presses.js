/**
 * Presses and their clicks: a tap does something only to the control on which the finger landed.
 *
 * A browser sends the click to whatever is under the finger when it lifts, which may have come or
 * moved there since it landed: a dialog, a magnifier, a button below a new banner.
 */

/** A press within this time after a press or move is the second tap of a double tap. */
export const DOUBLE_TAP_MS = 350;

/** Distance within which it is so, in CSS pixels. */
const DOUBLE_TAP_PX = 8;

/**
 * Drop the clicks under `root` that began, or whose double click began, on another control; and the
 * second press of a double tap on a button, as a board that is there now draws before the click.
 *
 * @type {(root: Document) => void}
 */
export function keepClicksToTheirPress(root) {
  /** @type {?Element} */
  let pressed = null; // control on which a pointer went down, until its click
  /** @type {?Element} */
  let first = null; // control on which the first press of a double click went down
  /** @type {?Element} */
  let landed = null; // control on which a pointer went down last
  let [at, x, y] = [-Infinity, 0, 0]; // time and place of the last press
  /** @type {(event: PointerEvent) => void} */
  const press = (event) => {
    const control = controlOf(event.target);
    const isNear = Math.hypot(event.clientX - x, event.clientY - y) <= DOUBLE_TAP_PX;
    const isSecond = isNear && event.timeStamp - at <= DOUBLE_TAP_MS;
    const isStray = isSecond && control !== landed && landed?.closest('button');
    if (isStray) event.stopImmediatePropagation();
    [at, x, y] = [event.timeStamp, event.clientX, event.clientY];
    pressed = landed = control;
  };
  /** @type {(event: MouseEvent) => void} */
  const drop = (event) => {
    if (event.detail === 0 || pressed === null) return; // by a key, or of a label's input
    if (event.detail === 1) first = pressed;
    const isOwn = controlOf(event.target) === pressed && first === pressed;
    if (event.type === 'click') pressed = null;
    if (isOwn) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  root.addEventListener('pointerdown', press, { capture: true });
  root.addEventListener('mousedown', drop, { capture: true }); // of a tap, which moves the focus
  root.addEventListener('click', drop, { capture: true });
}

/** @type {(target: EventTarget | null) => ?Element} */
function controlOf(target) {
  if (!(target instanceof Element)) return null;
  const control = target.closest('a, button, input, select, summary, svg');
  return control ?? target.closest('label')?.control ?? target;
}
