/** Premoves: for which seat they are, and until when they can be played. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pictureFrom } from '../../../server/boxroom_server/web/page/mirror.js';
import { isValid, premoveOf } from '../../../server/boxroom_server/web/page/state/premoves.js';

const ADA = { glyph: 0, name: 'Ada', member: 'Ada' };
const BOB = { glyph: 1, name: 'Bob', member: 'Bob' };

function picture(more = {}) {
  return pictureFrom({
    room: 'attic',
    log: 'the log',
    phase: 'playing',
    settings: {},
    game_number: 1,
    seats: [ADA, BOB, { glyph: 2, name: 'easy', bot: 'easy' }],
    players: ['Ada', 'Bob', 'easy'],
    to_move: 0,
    tokens: ['h0', 'h1', 'h2'],
    ...more,
  });
}

test('a premove is for the next seat of its player', () => {
  assert.deepEqual(premoveOf(picture(), 'Bob', 'h3'), {
    seat: 1,
    move: 'h3',
    log: 'the log',
    game: 1,
    tokens: ['h0', 'h1', 'h2'],
  });
  const twice = picture({ seats: [BOB, ADA, { ...BOB, name: 'Cem' }], to_move: 1 });
  assert.equal(premoveOf(twice, 'Bob', 'h3').seat, 2);
});

test('without a turn to come there is no premove', () => {
  assert.equal(premoveOf(picture(), 'Eve', 'h3'), null);
  assert.equal(premoveOf(picture(), 'Ada', 'h3'), null, 'it is her turn');
  assert.equal(premoveOf(picture({ phase: 'over' }), 'Bob', 'h3'), null);
  assert.equal(premoveOf(picture({ tokens: ['~1'] }), 'Bob', 'h3'), null);
  const away = picture({ seats: [ADA, { ...BOB, bot: 'easy' }, ADA] });
  assert.equal(premoveOf(away, 'Bob', 'h3'), null, 'a bot stands in');
});

test('a premove is valid as long as its game goes on from where it was', () => {
  const premove = premoveOf(picture(), 'Bob', 'h3');
  const valid = (more) => isValid(premove, picture(more), 'Bob');
  assert.ok(valid({ tokens: ['h0', 'h1', 'h2', 'h4'] }));
  assert.ok(!valid({ tokens: ['h0', 'h1'] }), 'a move was taken back');
  assert.ok(!valid({ tokens: ['h0', 'h1', 'v2', 'h4'] }), 'and another one played');
  assert.ok(!valid({ log: 'that of another room' }));
  assert.ok(!valid({ game_number: 2 }));
  assert.ok(!valid({ phase: 'over' }));
  assert.ok(!valid({ seats: [ADA, ADA, ADA] }));
  assert.ok(!valid({ tokens: ['h0', 'h1', 'h2', '~1'] }));
});
