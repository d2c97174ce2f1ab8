/** Scores that are counted up, point by point, as the boxes of a move fill. */

import { h, make } from './dom.js';

/** As in styles/screens.css the boxes of one move, one after the other. */
const STEP_MS = 70;
/** Steps in which also a score is counted that has grown by more, as after a lost connection. */
const MOST_STEPS = 8;

export class CountedScores {
  /** The step of each score that is being counted. */
  #steps = new WeakMap();

  /**
   * Show the scores of views, which have them in `data-score`; where nothing may move, at once.
   *
   * @param {Element} root
   * @param {boolean} isStill
   */
  show(root, isStill) {
    for (const place of root.querySelectorAll('[data-score]')) {
      const before = shownAt(place);
      const grown = scoreOf(place) - before;
      if (isStill || Number.isNaN(before) || grown < 0) write(place, scoreOf(place));
      else if (grown && !this.#steps.has(place)) {
        this.#steps.set(place, Math.ceil(grown / MOST_STEPS));
        this.#count(place);
      }
    }
  }

  /** @param {Element} place */
  #count(place) {
    const next = shownAt(place) + this.#steps.get(place);
    write(place, Math.min(next, scoreOf(place)));
    if (next < scoreOf(place)) setTimeout(() => this.#count(place), STEP_MS);
    else this.#steps.delete(place);
  }
}

/** @type {(place: Element) => number} */
function scoreOf(place) {
  return Number(place.getAttribute('data-score'));
}

/** @type {(place: Element) => number} */
function shownAt({ firstChild }) {
  return firstChild === null ? NaN : Number(firstChild.textContent);
}

/** @type {(place: Element, score: number) => void} */
function write(place, score) {
  if (shownAt(place) !== score) place.replaceChildren(make(h('span', {}, `${score}`)));
}
