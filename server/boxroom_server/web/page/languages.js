/**
 * The languages of the page.
 *
 * @import { Tables } from './words.js'
 */

import { CODES, KEYS, TEXTS } from './phrases.js'; // which the server makes of all tables
import { languageFor } from './words.js';

/**
 * The tables of all languages, by their codes.
 *
 * `TEXTS` has a list for each of `CODES`: the texts of all `KEYS`, and 0 for one that isn't there.
 *
 * @type {Tables}
 */
export const LANGUAGES = Object.fromEntries(
  CODES.map((code, place) => [code, tableOf(TEXTS[place])]),
);

/** @type {(texts: (import('./words.js').Text | 0)[]) => Tables[string]} */
function tableOf(texts) {
  /** @type {Tables[string]} */
  const table = {};
  KEYS.forEach((key, at) => {
    const text = texts[at];
    if (text) table[key] = text;
  });
  return table;
}

/**
 * Return the code of the language that the person chose, or else the browser's, or English.
 *
 * @type {(chosen: ?string) => string}
 */
export function languageOf(chosen) {
  return languageFor(LANGUAGES, [chosen, ...(navigator.languages ?? [])]);
}
