import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { languageFor, translator } from '../../../server/boxroom_server/web/page/words.js';

const TABLES = {
  en: {
    start: 'Start the game',
    boxes: { one: '{n} box', other: '{n} boxes' },
    turn: '{name}, your turn, {name}!',
    won: '{names} win with {what}',
    which: 'one of {names:or}',
    and: 'and',
    or: 'or',
    only: 'only {n} in English',
    seat: 'seat {seat+1}',
  },
  de: {
    start: 'Spiel beginnen',
    boxes: { one: '{n} Kästchen', other: '{n} Kästchen' },
    turn: '{name}, du ziehst, {name}!',
    won: '{names} gewinnen mit {what}',
    and: 'und',
  },
};

describe('translator', () => {
  const t = translator(TABLES, 'de');

  it('puts parameters in, everywhere and as they are', () => {
    assert.equal(t('start'), 'Spiel beginnen');
    assert.equal(t('turn', { name: '$& {name}' }), '$& {name}, du ziehst, $& {name}!');
  });

  it('counts from 1 where programs count from 0', () => {
    assert.equal(t('seat', { seat: 0 }), 'seat 1');
    assert.equal(t('seat', {}), 'seat {seat+1}');
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

  it('joins lists and says phrases in them', () => {
    const what = { key: 'boxes', values: { n: 2 } };
    const won = { names: ['Ada', 'Ben', 'Cy'], what };
    assert.equal(t('won', won), 'Ada, Ben und Cy gewinnen mit 2 Kästchen');
    assert.equal(t('won', { names: ['Ada'], what: 'x' }), 'Ada gewinnen mit x');
    const names = [what, { key: 'start' }];
    assert.equal(t('which', { names }), 'one of 2 Kästchen or Spiel beginnen');
  });

  it('says what a server says, in English where it does not know the phrase', () => {
    const what = { key: 'boxes', values: { n: 1 } };
    const phrase = { key: 'won', values: { names: ['Ada'], what } };
    assert.equal(t.said({ message: 'Ada wins', phrase }), 'Ada gewinnen mit 1 Kästchen');
    assert.equal(t.said({ message: 'Ada wins' }), 'Ada wins');
    const newer = { key: 'won', values: { names: [{ key: 'newer' }], what } };
    assert.equal(t.said({ message: 'Ada wins', phrase: newer }), 'Ada wins');
    assert.equal(t.said({ message: 'Ada wins', phrase: { key: 'toString' } }), 'Ada wins');
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
