import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { botChoices } from '../../../server/boxroom_server/web/page/views/room_form.js';
import { suggestedLevel } from '../../../server/boxroom_server/web/page/suggested_level.js';
import { next } from '../../../server/boxroom_server/web/page/state/next.js';
import { fresh, inGame, t, update } from './page_state.js';

const CASES = new URL('../../golden/suggested_levels.json', import.meta.url);
const LEVELS = ['child', 'beginner', 'easy', 'medium', 'hard', 'expert'];
const DOTS = { game: 'dots', title: 'Dots', bots: ['random', ...LEVELS], levels: LEVELS };
const EASY = { glyph: 1, name: 'easy', bot: 'easy' };

/** The state after the end of a game of Ada against the holder of another seat. */
function ended(winners, { holder = EASY, event = null, ...room } = {}, results = {}) {
  const ada = { glyph: 0, name: 'Ada', member: 'Ada' };
  const before = { ...inGame({ seats: [ada, holder], ...room }), results };
  const asked = event ? happening(before, event) : before;
  const over = { ...asked.picture, phase: 'over', winners };
  return happening(asked, { type: 'ended', scores: [1, 0], winners }, over);
}

function happening(state, event, after = state.picture) {
  const { type, update: told, seen } = update('event', after, {
    event,
    before: state.picture,
    after,
  });
  return next(state, { type, update: told, seen: { ...seen, games: [DOTS] } });
}

describe('the suggested level', () => {
  it('is the one that the terminal suggests', () => {
    for (const { results, level } of JSON.parse(readFileSync(CASES, 'utf8'))) {
      assert.equal(suggestedLevel(results, LEVELS), level, JSON.stringify(results));
    }
  });

  it('is none without levels', () => {
    assert.equal(suggestedLevel([], []), undefined);
  });

  it('is named in one word where bots are chosen', () => {
    const state = fresh({ results: { dots: [['easy', 1]] } });
    const texts = botChoices(state, DOTS, t).map(([, text]) => text);
    assert.deepEqual(texts.filter((text) => text.includes('suggested')), [
      'Level: Easy (suggested)',
    ]);
  });
});

describe('a result against a level', () => {
  it('is kept behind the one before', () => {
    const { results, effects } = ended([0], {}, { dots: [['child', 0], ['child', 1]] });
    assert.deepEqual(results, { dots: [['child', 1], ['easy', 1]] });
    assert.deepEqual(effects.find(({ type }) => type === 'save_results')?.results, results);
    assert.deepEqual(ended([1]).results, { dots: [['easy', 0]] });
    assert.deepEqual(ended([0, 1]).results, { dots: [['easy', 0.5]] });
  });

  it('counts as drawn after help', () => {
    assert.deepEqual(ended([0], { undos: 1 }).results.dots, [['easy', 0.5]]);
    assert.deepEqual(ended([0], { unrated: true }).results.dots, [['easy', 0.5]]);
    const event = { type: 'hint_asked', seat: 0 };
    assert.deepEqual(ended([0], { event }).results.dots, [['easy', 0.5]]);
  });

  it('is none against people and algorithms', () => {
    const bob = { glyph: 1, name: 'Bob', member: 'Bob' };
    const greedy = { glyph: 1, name: 'greedy', bot: 'greedy' };
    for (const holder of [bob, greedy, { ...bob, bot: 'easy' }]) {
      assert.deepEqual(ended([0], { holder }).results, {});
    }
  });
});
