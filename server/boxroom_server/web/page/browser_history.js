/**
 * The browser's history of this page: an entry for the lobby, and one for each view over it.
 *
 * Theory of operation. An entry has as its state the `depth`: the number of views over the lobby.
 * After each event of the page, `show` has the browser go to the entry of the depth that is shown,
 * or makes it. When a person goes to another entry, that is an event of the page: `back` to less
 * depth, which closes views or asks whether to; else `follow`, as the address may name another
 * room. Then `show` goes or makes its way from there. Entries without a state are made by the
 * browser where a person opens a link to this page, or changes the address by hand.
 *
 * @import { Dispatch } from './dom.js'
 * @import { State } from './state/state.js'
 */

import { gameAt } from './addresses.js';
import { readFragment } from './identity_link.js';
import { addressOf, isOnItsWay, layersOf } from './state/layers.js';

export class BrowserHistory {
  #dispatch;
  /** The depth of the present entry. */
  #depth = Number(history.state?.depth ?? 0);
  /** Whether the browser is on its way to another entry, as the page wants that. */
  #isMoving = false;
  /** The depth and the address of the page that is shown. */
  #shown = { depth: 0, address: '' };

  /** @param {Dispatch} dispatch */
  constructor(dispatch) {
    this.#dispatch = dispatch;
    window.addEventListener('popstate', () => this.#arrived());
  }

  /** Have the page follow the address. */
  follow() {
    const game = gameAt(location);
    this.#dispatch({ type: 'follow', ...readFragment(location.hash), game });
  }

  /**
   * Go to the entry of a state, unless it is open which view comes next.
   *
   * @param {State} state
   */
  show(state) {
    if (isOnItsWay(state)) return;
    const address = state.address + addressOf(state);
    this.#shown = { depth: layersOf(state).length, address };
    if (!this.#isMoving) this.#goToShown();
  }

  #goToShown() {
    const { depth, address } = this.#shown;
    if (history.state === null || depth === this.#depth) this.#name(address);
    while (depth > this.#depth) {
      this.#depth += 1;
      history.pushState({ depth: this.#depth }, '', address);
    }
    if (depth === this.#depth) return;
    this.#isMoving = true;
    history.go(depth - this.#depth);
  }

  /**
   * Give the present entry its depth and address, unless it has them.
   *
   * @param {string} address
   */
  #name(address) {
    if (history.state !== null && address === location.href) return;
    history.replaceState({ depth: this.#depth }, '', address);
  }

  #arrived() {
    const wasWanted = this.#isMoving;
    const before = this.#depth;
    this.#isMoving = false;
    this.#depth = Number(history.state?.depth ?? before);
    if (wasWanted) this.#goToShown();
    else if (this.#depth < before) this.#dispatch({ type: 'back', depth: this.#depth });
    else this.follow();
  }
}
