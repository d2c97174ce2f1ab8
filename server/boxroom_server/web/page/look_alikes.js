/**
 * The plain forms of lines in characters that only look like those of moves and commands.
 *
 * People type such lines with another keyboard, with an input method that makes wide letters, or
 * on purpose. Only a copy takes the plain form, to recognise the line. The terminal has the same
 * function (`look_alikes.py`).
 */

import { TABLE } from './look_alike_table.js';

const NOT_SHOWN_ALONE = /[\p{M}\p{Cf}\u115f\u1160]/gu;
const DECIMAL = /\p{gc=Decimal_Number}/u;
/** @type {Record<string, string>} */
const NUMBER = { l: '1', I: '1', O: '0' };

/**
 * Return what `text` looks like in ASCII, as far as it does, without `text` itself.
 *
 * As `O` may be a letter or a digit, the first form prefers letters, and the last one digits. A
 * word of letters of one script is a word, not a move, and stays as it is, but for `hl` and `vO`,
 * which can hardly be told from `h1` and `v0`.
 *
 * @type {(text: string) => string[]}
 */
export function plainForms(text) {
  const words = text
    .normalize('NFKC')
    .replace(NOT_SHOWN_ALONE, '')
    .split(/([\s,;.]+)/);
  const forms = [false, true].map((digits) =>
    words.map((word) => plainWord(word, digits)).join(''),
  );
  return [...new Set(forms)].filter((form) => form !== text);
}

/** @type {(word: string, digits: boolean) => string} */
function plainWord(word, digits) {
  const chars = [...word];
  /** @type {(digits: boolean) => string} */
  const plain = (digits) => chars.map((char) => plainChar(char, digits)).join('');
  if (!/^\p{L}+$/u.test(word)) return plain(digits);
  if (chars.length === 1 && !isAscii(word)) return plain(false);
  if (/\p{Script=Latin}/u.test(word) && /\P{Script=Latin}/u.test(word)) return plain(digits);
  const isMove = digits && /^[a-z][lIO]+$/.test(word);
  return isMove ? word[0] + word.slice(1).replace(/[lIO]/g, (each) => NUMBER[each]) : word;
}

/**
 * Return a digit or a letter that `char` looks like; one of the other kind if need be.
 *
 * @type {(char: string, digits: boolean) => string}
 */
function plainChar(char, digits) {
  if (DECIMAL.test(char)) return digitOf(char);
  const likes = plainChars.get(char) ?? '';
  const wanted = [...likes].find((like) => /\d/.test(like) === digits);
  if (isAscii(char)) return (digits && wanted) || char;
  return wanted || likes[0] || char;
}

/**
 * Return the digit in ASCII: the digits of each script follow one another, from zero on.
 *
 * @type {(char: string) => string}
 */
function digitOf(char) {
  const code = Number(char.codePointAt(0));
  let before = 0;
  while (DECIMAL.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** @type {(text: string) => boolean} */
function isAscii(char) {
  return /^[\0-\x7f]*$/.test(char);
}

/**
 * The plain characters that each other character looks like.
 *
 * @type {Map<string, string>}
 */
const plainChars = new Map();
for (const [plain, likes] of Object.entries(TABLE)) {
  for (const like of likes) plainChars.set(like, (plainChars.get(like) ?? '') + plain);
}
