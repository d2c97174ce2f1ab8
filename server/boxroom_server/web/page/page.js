/**
 * The page: it holds the state, performs its effects, and shows its views.
 *
 * @import { Link } from './link.js'
 * @import { PageEvent } from './state/next.js'
 * @import { State } from './state/state.js'
 * @import { Store } from './storage.js'
 */

import { render } from './dom.js';
import { BrowserHistory } from './browser_history.js';
import { perform } from './effects.js';
import { BoardPlace } from './board/board_place.js';
import { CountedScores } from './counted_scores.js';
import { DocumentHead } from './document_head.js';
import { SmallBoards } from './board/small_boards.js';
import { Sounds } from './sounds.js';
import { next } from './state/next.js';
import { stepByKeys } from './steps.js';
import { clockMs, wordsOf } from './state/state.js';
import { pageView } from './views/page_view.js';

/** A journal that is scrolled to less than this from its end follows it. */
const NEAR_END_PX = 40;

export class Page {
  /**
   * The link to the server; null before there is a name.
   *
   * @type {?Link}
   */
  link = null;
  sounds = new Sounds();
  board = new BoardPlace((/** @type {PageEvent} */ event) => this.dispatch(event));
  smallBoards = new SmallBoards();
  scores = new CountedScores();
  history = new BrowserHistory((/** @type {PageEvent} */ event) => this.dispatch(event));

  /**
   * Events that wait, as another one is being handled.
   *
   * @type {PageEvent[]}
   */
  #events = [];
  #isHandling = false;
  #isScheduled = false;
  #clock = 0;
  /**
   * The journal, its last line, and how far it could be scrolled, when it was last shown.
   *
   * @type {{place: ?Element, last: ?Node, bottom: number}}
   */
  #journal = { place: null, last: null, bottom: 0 };
  /** A journal that gets lower, such as by a keyboard, still shows its newest line. */
  #journalSize = new ResizeObserver(([{ target }]) => this.#showNewest(target));
  /**
   * The element of the player who was last to move.
   *
   * @type {?Element}
   */
  #mover = null;

  /**
   * `state` is the first one; `store` keeps things in the browser, `tab` in this tab, and `url` is
   * the server's.
   *
   * @param {Element} root
   * @param {{state: State, store: Store, tab: Store, url: string}} start
   */
  constructor(root, { state, store, tab, url }) {
    this.root = root;
    this.state = state;
    this.head = new DocumentHead(root.ownerDocument);
    this.store = store;
    this.tab = tab;
    this.url = url;
    const look = () => this.#noticeReading();
    root.addEventListener('scroll', look, { capture: true, passive: true }); // it doesn't bubble
    root.ownerDocument.addEventListener('visibilitychange', look);
    stepByKeys(document, (event) => this.dispatch(event));
  }

  /**
   * Change the state by an event, perform its effects, and show it soon.
   *
   * @param {PageEvent} event
   */
  dispatch(event) {
    this.#events.push(event);
    if (this.#isHandling) return;
    this.#isHandling = true;
    try {
      for (let each = this.#events.shift(); each; each = this.#events.shift()) this.#handle(each);
    } finally {
      this.#isHandling = false;
      this.#schedule();
    }
  }

  /** @param {PageEvent} event */
  #handle(event) {
    this.state = next(this.state, event);
    for (const effect of this.state.effects) perform(this, effect.type, effect);
  }

  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.show();
    });
  }

  /** Show the state. */
  show() {
    const { state, root } = this;
    const t = wordsOf(state);
    this.head.show(state, t);
    render(root, pageView(state, t), (/** @type {PageEvent} */ event) =>
      this.dispatch(event),
    );
    this.board.show(root.querySelector('.board-place'), state, t);
    this.smallBoards.show(root, state, t);
    this.scores.show(root, state.prefersStill);
    this.#openDialog(state.dialog !== null);
    this.#scrollJournal();
    this.#scrollToMover();
    this.#awaitSecond();
    this.history.show(state);
  }

  /** @param {boolean} isOpen */
  #openDialog(isOpen) {
    const dialog = this.root.querySelector('dialog');
    if (isOpen && !dialog?.open) dialog?.showModal();
    else if (!isOpen && dialog?.open) dialog.close();
  }

  #scrollJournal() {
    const place = this.root.querySelector('.journal');
    const last = place?.lastChild ?? null;
    if (place === null || last === null || last === this.#journal.last) return;
    if (place !== this.#journal.place) {
      this.#journalSize.disconnect();
      this.#journalSize.observe(place);
    }
    this.#journal = { ...this.#journal, place, last };
    this.#showNewest(place);
  }

  /**
   * Show the newest line, unless the person has scrolled up to read earlier ones.
   *
   * @param {Element} place
   */
  #showNewest(place) {
    const bottom = place.scrollHeight - place.clientHeight;
    const end = Math.min(bottom, this.#journal.bottom) - NEAR_END_PX;
    if (place.scrollTop >= end) place.scrollTop = bottom;
    this.#journal.bottom = bottom;
  }

  /** Have it known whether the newest line of the journal is in sight. */
  #noticeReading() {
    const place = this.root.querySelector('.journal');
    if (place === null) return;
    const below = place.scrollHeight - place.clientHeight - place.scrollTop;
    const isReading = below <= NEAR_END_PX && !document.hidden;
    if (isReading !== this.state.isReading) this.dispatch({ type: 'reading', isReading });
  }

  /** Show the player whose turn has come among the others. */
  #scrollToMover() {
    const mover = this.root.querySelector('.scores .to-move');
    if (mover !== null && mover !== this.#mover) scrollWithin(mover);
    this.#mover = mover;
  }

  /** Have the clock of the player who is to move shown again at each second. */
  #awaitSecond() {
    clearTimeout(this.#clock);
    const ms = clockMs(this.state);
    if (!ms) return;
    const second = () =>
      this.link && this.dispatch({ type: 'second', serverMs: this.link.serverNow() });
    this.#clock = setTimeout(second, (ms % 1000) + 20);
  }
}

/**
 * Scroll the parent of an element to it, and not the whole page, as `scrollIntoView` does.
 *
 * @param {Element} element
 */
function scrollWithin(element) {
  const parent = element.parentElement;
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const seen = (parent ?? element).getBoundingClientRect();
  parent?.scrollBy(
    beyond(left, right, seen.left, seen.right),
    beyond(top, bottom, seen.top, seen.bottom),
  );
}

/**
 * Return how far something from `start` to `end` lies before or behind what is seen.
 *
 * @type {(start: number, end: number, first: number, last: number) => number}
 */
function beyond(start, end, first, last) {
  return start < first ? start - first : Math.max(0, end - last);
}
