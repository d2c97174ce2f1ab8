import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import {
  called,
  labelOf,
  meaningOf,
  rulesOf,
  titleOfGame,
  valueInWords,
} from '../../../server/boxroom_server/web/page/game_words.js';
import { reviewView } from '../../../server/boxroom_server/web/page/views/review.js';
import { roomForm } from '../../../server/boxroom_server/web/page/views/room_form.js';
import { settingsView } from '../../../server/boxroom_server/web/page/views/settings.js';
import { translator } from '../../../server/boxroom_server/web/page/words.js';
import { fresh, found, inGame, textOf } from './page_state.js';

const read = (code) => {
  const path = `../../../common/boxroom_common/phrases/${code}.json`;
  return JSON.parse(readFileSync(new URL(path, import.meta.url)));
};
const german = translator({ en: {}, de: read('de') }, 'de');
const english = translator({ en: {} }, 'en');

const BORDER = { name: 'border', help: 'lines', default: 'none', choices: ['none', 'half'] };
const ROWS = { name: 'rows', help: 'rows of boxes', default: 5, least: 1, most: 9 };
const DOTS = { game: 'dots', title: 'Dots', rules: 'Draw.', bots: [], options: [ROWS, BORDER] };
const CHESS = { ...DOTS, game: 'chess', title: 'Chess', options: [BORDER] };

describe('the words of games', () => {
  it('are those of the language', () => {
    assert.equal(titleOfGame(DOTS, german), 'Käsekästchen');
    assert.match(rulesOf(DOTS, german), /Linie/);
    assert.equal(labelOf(DOTS, BORDER, german), 'Rand');
    assert.match(meaningOf(DOTS, ROWS, german), /Kästchen/);
    assert.equal(valueInWords(DOTS, BORDER, 'half', german), 'halb');
    assert.equal(valueInWords(DOTS, ROWS, 5, german), '5');
  });

  it('are titles for levels, and names as they are for all others', () => {
    const names = ['easy', 'child 12', 'expert (bot)', 'greedy 2', 'easy going', 'games', ''];
    const titles = ['Leicht', 'Kind 12', 'Experte (bot)', 'greedy 2', 'easy going', 'games', ''];
    assert.deepEqual(
      names.map((name) => called(name, german)),
      titles,
    );
    assert.equal(called(null, german), '');
  });

  it('are those of the server where the table has none', () => {
    for (const [game, t] of [
      [CHESS, german],
      [DOTS, english],
    ]) {
      assert.equal(titleOfGame(game, t), game.title);
      assert.equal(rulesOf(game, t), 'Draw.');
      assert.equal(labelOf(game, BORDER, t), 'border');
      assert.equal(meaningOf(game, BORDER, t), 'lines');
      assert.equal(valueInWords(game, BORDER, 'half', t), 'half');
    }
  });

  it('are in the form for a room, and in the settings with the rules', () => {
    const form = { opening: [], isNew: true, game: 'dots', options: {}, seats: 2, opponent: '' };
    const state = { ...fresh(), games: [DOTS, CHESS], form };
    const text = textOf(roomForm(state, form, german));
    for (const said of ['Käsekästchen', 'Chess', 'Reihen', 'Rand', 'keiner', 'halb']) {
      assert.ok(text.includes(said), said);
    }
    assert.match(textOf(settingsView(state, german)), /Regeln: Käsekästchen.*vierte Linie/s);
  });

  it('are in the list of words below a review', () => {
    const review = { first_judged: 1, words: { chain: 'boxes', zugzwang: 'a pity' } };
    const finding = { number: 1, seat: 0, exact: true, lost: 1, move: 'h0', better: 'h1' };
    const state = { ...inGame(), review: { ...review, findings: [finding] } };
    const words = found(reviewView(state, german), ({ tag }) => tag === 'dt' || tag === 'dd');
    const [chain, meaning, ...unknown] = words.map(textOf);
    assert.equal(chain, 'Kette');
    assert.match(meaning, /^Kästchen/);
    assert.deepEqual(unknown, ['zugzwang', 'a pity']);
  });
});
