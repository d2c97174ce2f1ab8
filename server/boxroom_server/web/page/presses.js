/**
 * Presses and their clicks: a tap does something only to the control on which the finger landed.
 *
 * A browser sends the click to whatever is under the finger when it lifts, which may have come or
 * moved there since it landed: a dialog, a magnifier, a button below a new banner.
 */

/** A press within this time after a move is the second tap of a double tap. */
export const DOUBLE_TAP_MS = 350;

/**
 * Drop the clicks under `root` that began, or whose double click began, on another control.
 *
 * @type {(root: Document) => void}
 */
export function keepClicksToTheirPress(root) {
  /** @type {?Element} */
  let pressed = null; // control on which a pointer went down, until its click
  /** @type {?Element} */
  let first = null; // control on which the first press of a double click went down
  /** @type {(event: Event) => void} */
  const press = ({ target }) => {
    pressed = controlOf(target);
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
