/** The languages of the page. */

import LANGUAGES from './phrases.js'; // which the server makes of the tables of all languages
import { languageFor } from './words.js';

export { LANGUAGES };

/** Return the code of the language that the person chose, or else the browser's, or English. */
export function languageOf(chosen) {
  return languageFor(LANGUAGES, [chosen, ...(navigator.languages ?? [])]);
}
