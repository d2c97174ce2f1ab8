/** The languages of the page. */

import { CODES, TEXTS } from './phrases.js'; // which the server makes of all tables
import { languageFor } from './words.js';

/**
 * The tables of all languages, by their codes.
 *
 * `TEXTS` has the texts of each key in the order of `CODES`, and false for one that isn't there.
 */
export const LANGUAGES = Object.fromEntries(CODES.map((code, place) => [code, tableAt(place)]));

function tableAt(place) {
  const texts = Object.entries(TEXTS).map(([key, each]) => [key, each[place]]);
  return Object.fromEntries(texts.filter(([, text]) => text));
}

/** Return the code of the language that the person chose, or else the browser's, or English. */
export function languageOf(chosen) {
  return languageFor(LANGUAGES, [chosen, ...(navigator.languages ?? [])]);
}
