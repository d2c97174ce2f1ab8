/**
 * The words of the page in the person's language.
 *
 * A table has a text for each key. A text may have places, `{name}`, and may be one for each plural
 * form instead: {one: '{n} box', other: '{n} boxes'}, chosen by the value of `n`. A list is joined
 * by "and", or in a place such as `{names:or}` by "or". In a place such as `{seat+1}` stands the
 * next number, as people count from 1. What a table lacks is English.
 *
 * The terminal reads the same tables (`boxroom_common.phrases`).
 *
 * @import { Phrase } from './protocol.js'
 *
 * @typedef {string | number | boolean | null | undefined | Phrase | (string | Phrase)[]} Value
 * @typedef {Record<string, Value>} Values
 * @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>> & {other: string}} Text
 * @typedef {Record<string, Text>} Table
 * @typedef {Record<string, Table>} Tables
 * @typedef {Record<string, string>} Sentences one in each language, by its code
 * @typedef {ReturnType<typeof translator>} Translate
 */

const ENGLISH = 'en';

const PLACE = /\{(\w+)(?::(\w+)|(\+1))?\}/g;

/**
 * Return `t(key, values)` for a language: the text of `key`, with its values put in.
 *
 * `tables` are those of all languages, by their codes; `en` must be among them. A value is a text,
 * a number, a phrase ({key, values}) or a list of texts and phrases.
 *
 * `t.of(sentences)` returns the sentence in the language, or else in English.
 *
 * `t.said(message)` returns what a message of a server says, by its `phrase`, or by its English
 * `message` if the tables lack the phrase or a part of it.
 *
 * @param {Tables} tables
 */
export function translator(tables, language = ENGLISH) {
  const own = Object.hasOwn(tables, language) ? tables[language] : {};

  /** @type {(key: string, values?: Values) => string} */
  function t(key, values = {}) {
    const isOwn = Object.hasOwn(own, key);
    const [spoken, table] = isOwn ? [language, own] : [ENGLISH, tables[ENGLISH]];
    const text = inForm(table[key], spoken, Number(values.n)) ?? key;
    return text.replace(PLACE, (whole, name, conjunction = 'and', next) => {
      if (!Object.hasOwn(values, name)) return whole;
      const value = values[name];
      return next && typeof value === 'number' ? `${value + 1}` : inWords(value, conjunction);
    });
  }

  /** @type {(value: Value, conjunction: string) => string} */
  function inWords(value, conjunction) {
    if (Array.isArray(value)) {
      const parts = value.map((each) => inWords(each, conjunction));
      if (parts.length < 2) return parts.join('');
      return `${parts.slice(0, -1).join(', ')} ${t(conjunction)} ${parts.at(-1)}`;
    }
    return isPhrase(value) ? t(value.key, value.values) : String(value);
  }

  /** @type {(phrase: Phrase) => boolean} */
  function isKnown({ key, values = {} }) {
    const parts = Object.values(values).flat().filter(isPhrase);
    const isHere = Object.hasOwn(own, key) || Object.hasOwn(tables[ENGLISH], key);
    return isHere && parts.every(isKnown);
  }

  /** @type {(message: {phrase?: ?Phrase, message?: string}) => string} */
  t.said = ({ phrase, message = '' }) =>
    phrase && isKnown(phrase) ? t(phrase.key, phrase.values) : message;

  /** @type {(sentences: Sentences) => string} */
  t.of = (sentences) => sentences[language] ?? sentences[ENGLISH] ?? '';

  return t;
}

/** @type {(value: Value) => value is Phrase} */
function isPhrase(value) {
  return typeof value === 'object' && value !== null && 'key' in value;
}

/** @type {(entry: Text | undefined, language: string, number: number) => string | undefined} */
function inForm(entry, language, number) {
  if (typeof entry !== 'object') return entry;
  return entry[new Intl.PluralRules(language).select(number)] ?? entry.other;
}

/**
 * Return the first of the languages in `wanted` ("de-AT") that has a table ("de"), or English.
 *
 * @type {(tables: Tables, wanted: (?string)[]) => string}
 */
export function languageFor(tables, wanted) {
  const codes = wanted.map((code) => code?.toLowerCase().split('-')[0] ?? '');
  return codes.find((code) => Object.hasOwn(tables, code)) ?? ENGLISH;
}
