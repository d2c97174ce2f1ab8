/** Random text: secrets that cannot be guessed, and names to begin with. */

/**
 * Return as many random bytes in hexadecimal; it also works where the page came by plain http.
 *
 * @type {(bytes: number) => string}
 */
export function randomText(bytes) {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, '0')).join('');
}

/** Return a name to begin with, so that a guest needs one tap; two guests rarely get the same. */
export function guestName() {
  const [first, second, number] = crypto.getRandomValues(new Uint16Array(3));
  const consonants = 'bdfgklmnprst';
  const vowels = 'aeiou';
  /** @type {(n: number) => string} */
  const syllable = (n) => consonants[n % 12] + vowels[Math.floor(n / 12) % 5];
  const word = syllable(first) + syllable(second);
  return `${word[0].toUpperCase()}${word.slice(1)} ${(number % 90) + 10}`;
}
