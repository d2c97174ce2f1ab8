/** Random text that cannot be guessed. */

/** Return as many random bytes in hexadecimal; it also works where the page came by plain http. */
export function randomText(bytes) {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, '0')).join('');
}
