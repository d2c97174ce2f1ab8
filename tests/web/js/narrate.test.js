import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import {
  fold,
  NUDGE_AFTER_MS,
  pictureFrom,
} from '../../../server/boxroom_server/web/page/mirror.js';
import { narrate } from '../../../server/boxroom_server/web/page/narrate.js';
import { turnInWords } from '../../../server/boxroom_server/web/page/turn_in_words.js';
import { translator } from '../../../server/boxroom_server/web/page/words.js';

function read(path) {
  return JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url)));
}

const TABLES = Object.fromEntries(
  ['en', 'de'].map((code) => [code, read(`common/boxroom_common/phrases/${code}.json`)]),
);

/** Return what `reader` reads about the events of a mirror vector. */
function sentences({ before, events: { seq, events } }, reader, language, games) {
  const t = translator(TABLES, language);
  const lines = [];
  let picture = pictureFrom(before);
  for (const [i, event] of events.entries()) {
    const after = fold(picture, event, seq + i);
    lines.push(...narrate(event, picture, after, reader, t, games));
    picture = after;
  }
  return lines.map(({ author, text }) => (author ? `${author}: ${text}` : text));
}

describe('the sentences about events', () => {
  const mirrorVectors = read('docs/mirror-vectors.json');
  const { games, vectors, nudge_after_ms: nudgeAfterMs } = read('docs/sentence-vectors.json');

  it('come beside the time from which on a player can be nudged', () => {
    assert.equal(NUDGE_AFTER_MS, nudgeAfterMs);
  });

  it('are those of the terminal, for each reader in each language', () => {
    for (const { vector, sentences: expected } of vectors) {
      for (const [language, byReader] of Object.entries(expected)) {
        for (const [reader, said] of Object.entries(byReader)) {
          const read = sentences(mirrorVectors[vector], reader, language, games);
          const trimmed = said.map((sentence) => sentence.trim()); // in the terminal a table
          assert.deepEqual(read, trimmed, `vector ${vector}, ${reader || 'nobody'}`);
        }
      }
    }
  });

  it('say that a member is back, but not one who only came to another server', () => {
    const scene = mirrorVectors.filter((it) => it.scene === 'a_member_comes_to_another_server');
    const returns = scene.filter(({ events: { events } }) => events[0].type === 'returned');
    const said = returns.map((vector) => sentences(vector, '', 'en', games));
    assert.deepEqual(said, [[], ['Bob is back.']]);
  });

  it('are followed by what can be played, as in the terminal', () => {
    for (const { vector, turn } of vectors) {
      const picture = pictureFrom(mirrorVectors[vector].after);
      for (const [language, expected] of Object.entries(turn)) {
        const isOn = picture.phase === 'playing';
        const said = isOn ? turnInWords(picture, translator(TABLES, language)) : '';
        assert.equal(said, expected, `vector ${vector} in ${language}`);
      }
    }
  });
});
