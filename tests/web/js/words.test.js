import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, it } from 'node:test';

import {
  languageFor,
  parametersOf,
  translator,
} from '../../../server/boxroom_server/web/page/words.js';

const PAGE = new URL('../../../server/boxroom_server/web/page/', import.meta.url);
const LANGUAGES = ['en', 'de'];

const TABLES = {
  en: {
    start: 'Start the game',
    boxes: { one: '{n} box', other: '{n} boxes' },
    turn: '{name}, your turn, {name}!',
    only: 'only {n} in English',
  },
  de: {
    start: 'Spiel beginnen',
    boxes: { one: '{n} Kästchen', other: '{n} Kästchen' },
    turn: '{name}, du ziehst, {name}!',
  },
};

describe('translator', () => {
  const t = translator(TABLES, 'de');

  it('puts parameters in, everywhere and as they are', () => {
    assert.equal(t('start'), 'Spiel beginnen');
    assert.equal(t('turn', { name: '$& {name}' }), '$& {name}, du ziehst, $& {name}!');
  });

  it('chooses the plural form', () => {
    const english = translator(TABLES);
    assert.equal(english('boxes', { n: 1 }), '1 box');
    assert.equal(english('boxes', { n: 0 }), '0 boxes');
    assert.equal(t('boxes', { n: 2 }), '2 Kästchen');
  });

  it('says in English what a language lacks, and else the key', () => {
    assert.equal(t('only', { n: 3 }), 'only 3 in English');
    assert.equal(t('nowhere'), 'nowhere');
    assert.equal(translator(TABLES, 'fr')('start'), 'Start the game');
  });

  it('leaves a parameter that is not given', () => {
    assert.equal(t('turn', { toString: 1 }), '{name}, du ziehst, {name}!');
  });
});

describe('languageFor', () => {
  it('is the first one wanted that there is', () => {
    assert.equal(languageFor(TABLES, [null, 'fr-CH', 'de-CH', 'en']), 'de');
    assert.equal(languageFor(TABLES, ['EN-us']), 'en');
    assert.equal(languageFor(TABLES, ['fr', 'constructor']), 'en');
  });
});

const isThere = LANGUAGES.every((code) => existsSync(new URL(`${code}.js`, PAGE)));

describe('the tables of the page', { skip: isThere ? false : 'there are none' }, async () => {
  const tables = {};
  for (const code of isThere ? LANGUAGES : []) {
    const module = await import(new URL(`${code}.js`, PAGE));
    [tables[code]] = Object.values(module);
  }

  it('have the same keys', () => {
    const [english, ...others] = LANGUAGES.map((code) => Object.keys(tables[code]).sort());
    others.forEach((keys) => assert.deepEqual(keys, english));
  });

  it('have the same parameters, and all plural forms', () => {
    for (const code of LANGUAGES) {
      const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
      for (const [key, entry] of Object.entries(tables[code])) {
        assert.deepEqual(parametersOf(entry), parametersOf(tables.en[key]), `${code} ${key}`);
        if (typeof entry === 'object') {
          assert.deepEqual(Object.keys(entry).sort(), [...forms].sort(), `${code} ${key}`);
        }
      }
    }
  });

  it('have what the page says', () => {
    for (const file of readdirSync(PAGE).filter((name) => name.endsWith('.js'))) {
      const source = readFileSync(new URL(file, PAGE), 'utf8');
      for (const [, key] of source.matchAll(/\bt\('([\w.]+)'/g)) {
        assert.ok(Object.hasOwn(tables.en, key), `${file} says ${key}`);
      }
    }
  });
});
