/** The languages of the page. */

import { CODES, KEYS, TEXTS } from './phrases.js'; // which the server makes of all tables
import { languageFor } from './words.js';

/**
 * The tables of all languages, by their codes.
 *
 * `TEXTS` has a list for each of `CODES`: the texts of all `KEYS`, and 0 for one that isn't there.
 */
export const LANGUAGES = Object.fromEntries(
  CODES.map((code, place) => [code, tableOf(TEXTS[place])]),
);

function tableOf(texts) {
  return Object.fromEntries(KEYS.map((key, at) => [key, texts[at]]).filter(([, text]) => text));
}

/** Return the code of the language that the person chose, or else the browser's, or English. */
export function languageOf(chosen) {
  return languageFor(LANGUAGES, [chosen, ...(navigator.languages ?? [])]);
}
