/** The languages of the page. Another one is another table here. */

import de from './de.js';
import en from './en.js';
import { languageFor, translator } from './words.js';

export const LANGUAGES = { en, de };

/** Return the code of the language that the person chose, or else the browser's, or English. */
export function languageOf(chosen) {
  return languageFor(LANGUAGES, [chosen, ...(navigator.languages ?? [])]);
}

/** Return the texts of a language, as a function; see `words.js`. */
export function translatorFor(code) {
  return translator(LANGUAGES, code);
}
