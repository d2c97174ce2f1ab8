/**
 * The parts of the document that a browser shows around the page: its title, icon, colour and
 * language.
 *
 * @import { State } from './state/state.js'
 * @import { Translate } from './words.js'
 */

import { knowsMyTurn } from './state/state.js';
import { themeOf, titleOf } from './views/page_view.js';

export class DocumentHead {
  #document;
  #icon;
  /** Addresses of icons. The document's own address may change, and with it what is relative. */
  #icons;

  /** @param {Document} document */
  constructor(document) {
    this.#document = document;
    const icon = document.querySelector('link[rel="icon"]');
    this.#icon = /** @type {HTMLLinkElement} */ (icon);
    const { href, dataset, baseURI } = this.#icon;
    this.#icons = { usual: href, turn: new URL(dataset.turn ?? href, baseURI).href };
  }

  /**
   * Show the state. What stays isn't touched: a change of the title costs a millisecond.
   *
   * @param {State} state
   * @param {Translate} t
   */
  show(state, t) {
    const { title, documentElement: html } = this.#document;
    const shown = titleOf(state, t);
    if (title !== shown) this.#document.title = shown;
    if (html.lang !== state.language) html.lang = state.language;
    const theme = themeOf(state);
    if (html.dataset.theme !== theme) this.#showTheme(html, theme);
    const icon = this.#icons[knowsMyTurn(state) ? 'turn' : 'usual'];
    if (this.#icon.href !== icon) this.#icon.href = icon;
  }

  /**
   * Show a theme, also in the bars of a browser.
   *
   * @param {HTMLElement} html
   * @param {string} theme
   */
  #showTheme(html, theme) {
    html.dataset.theme = theme;
    const paper = getComputedStyle(html).getPropertyValue('--paper').trim();
    const metas = this.#document.querySelectorAll('meta');
    for (const meta of metas) if (meta.name === 'theme-color') meta.content = paper;
  }
}
