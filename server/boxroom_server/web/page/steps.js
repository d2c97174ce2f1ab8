/**
 * Keys and swipes by which a person steps through a game.
 *
 * @import { Dispatch } from './dom.js'
 */

/** Moves by which each key goes on; a game has fewer than it takes to go beyond an end. */
const STEPS = new Map([
  ['ArrowLeft', -1],
  ['ArrowRight', 1],
  ['PageUp', -10],
  ['PageDown', 10],
  ['Home', -Infinity],
  ['End', Infinity],
]);
/** What has uses of its own for these keys. */
const OWN_KEYS = 'input, textarea, select, dialog, [tabindex="0"]';
/** A swipe is longer than this, in CSS pixels, and more across than along the page. */
const SWIPE_PX = 40;

/**
 * Step at keys that nothing else on the page uses.
 *
 * @type {(root: Document, dispatch: Dispatch) => void}
 */
export function stepByKeys(root, dispatch) {
  root.addEventListener('keydown', (event) => {
    const by = STEPS.get(event.key);
    const { target, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (by === undefined || event.defaultPrevented) return;
    if (altKey || ctrlKey || metaKey || shiftKey) return;
    if (target instanceof Element && target.closest(OWN_KEYS) !== null) return;
    dispatch({ type: 'step', by });
  });
}

/**
 * Step by swipes of one finger over an element: to the left goes on, as in a book.
 *
 * @type {(element: HTMLElement, dispatch: Dispatch, isFree: () => boolean) => void}
 */
export function stepBySwipes(element, dispatch, isFree) {
  /** @type {?PointerEvent} */
  let start = null;
  element.addEventListener('pointerdown', (event) => {
    start = event.pointerType === 'touch' && event.isPrimary && isFree() ? event : null;
  });
  element.addEventListener('pointercancel', () => {
    start = null;
  });
  element.addEventListener('pointerup', (event) => {
    if (start === null || event.pointerId !== start.pointerId) return;
    const [across, along] = [event.clientX - start.clientX, event.clientY - start.clientY];
    start = null;
    if (Math.abs(across) < SWIPE_PX || Math.abs(across) < 2 * Math.abs(along)) return;
    dispatch({ type: 'step', by: across < 0 ? 1 : -1 });
  });
}
