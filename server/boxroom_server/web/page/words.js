/**
 * The words of the page in the person's language.
 *
 * A table has a text for each key. A text may have parameters, `{name}`, and may be one for each
 * plural form instead: {one: '{n} box', other: '{n} boxes'}, chosen by the parameter `n`. The forms
 * are those of Intl.PluralRules. What a table lacks is English.
 */

const ENGLISH = 'en';

/**
 * Return `t(key, parameters)` for a language: the text of `key`, with its parameters put in.
 *
 * `tables` are those of all languages, by their codes; `en` must be among them.
 */
export function translator(tables, language = ENGLISH) {
  const own = Object.hasOwn(tables, language) ? tables[language] : {};
  return (key, parameters = {}) => {
    const isOwn = Object.hasOwn(own, key);
    const [spoken, table] = isOwn ? [language, own] : [ENGLISH, tables[ENGLISH]];
    return withParameters(inForm(table[key], spoken, parameters.n) ?? key, parameters);
  };
}

function inForm(entry, language, number) {
  if (typeof entry !== 'object') {
    return entry;
  }
  return entry[new Intl.PluralRules(language).select(number)] ?? entry.other;
}

function withParameters(text, parameters) {
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    Object.hasOwn(parameters, name) ? String(parameters[name]) : whole,
  );
}

/** Return the first of the languages in `wanted` ("de-AT") that has a table ("de"), or English. */
export function languageFor(tables, wanted) {
  const codes = wanted.filter(Boolean).map((code) => code.toLowerCase().split('-')[0]);
  return codes.find((code) => Object.hasOwn(tables, code)) ?? ENGLISH;
}

/** Return the parameters that a text has, sorted: of all its plural forms together. */
export function parametersOf(entry) {
  const texts = typeof entry === 'object' ? Object.values(entry) : [entry];
  const names = texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  return [...new Set(names)].sort();
}
