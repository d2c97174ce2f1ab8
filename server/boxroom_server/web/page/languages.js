/** The languages of the page. */

import LANGUAGES from './phrases.js'; // which the server makes of the tables of all languages
import { languageFor, translator } from './words.js';

export { LANGUAGES };

/** Return the code of the language that the person chose, or else the browser's, or English. */
export function languageOf(chosen) {
  return languageFor(LANGUAGES, [chosen, ...(navigator.languages ?? [])]);
}

/** Return the texts of a language, as a function; see `words.js`. */
export function translatorFor(code) {
  return translator(LANGUAGES, code);
}
