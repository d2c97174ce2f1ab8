import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import {
  GapError,
  audienceOf,
  fold,
  lastMoves,
  pictureFrom,
  seatsOf,
} from '../../../server/boxroom_server/web/page/mirror.js';

const VECTORS = new URL('../../../docs/mirror-vectors.json', import.meta.url);

/** Return the picture after all events of an `events` message. */
function foldEntry(picture, { seq, at_ms: atMs, events }) {
  return events.reduce((before, event, i) => fold(before, event, seq + i, atMs), picture);
}

function duel(fields = {}) {
  return pictureFrom({
    room: 'attic',
    log: 'f00d',
    seq: 7,
    phase: 'playing',
    settings: { options: { rows: 1, cols: 2 } },
    host: 'Ada',
    seats: [
      { glyph: 0, name: 'Ada', member: 'Ada', since: 3 },
      { glyph: 1, name: 'Bob', member: 'Bob', since: 5 },
    ],
    members: [{ name: 'Ada' }, { name: 'Bob' }],
    game_number: 1,
    players: ['Ada', 'Bob'],
    to_move: 0,
    scores: [0, 0],
    ...fields,
  });
}

function played(picture, seat, move, taken, toMove) {
  const scores = picture.scores.map((score, i) => score + (i === seat ? taken.length : 0));
  const event = { type: 'played', seat, move, taken, to_move: toMove, scores };
  return fold(picture, event, picture.seq + 1, 0);
}

describe('the vectors that the engine made', () => {
  const vectors = JSON.parse(readFileSync(VECTORS));

  it('are folded as the engine folds them', () => {
    for (const { before, events, after } of vectors) {
      const folded = foldEntry(pictureFrom(before), events);
      assert.deepEqual(folded, pictureFrom(after), JSON.stringify(events));
    }
  });

  it('have every type of event that changes more than the number', () => {
    const types = new Set(vectors.flatMap(({ events }) => events.events.map(({ type }) => type)));
    const needed = ['told', 'played', 'withdrew', 'undo_asked', 'undo_agreed', 'undone', 'woken'];
    for (const type of needed) {
      assert.ok(types.has(type), `no vector has ${type}`);
    }
  });
});

describe('pictureFrom', () => {
  it('fills in all defaults', () => {
    const picture = pictureFrom({
      room: 'attic',
      log: 'f00d',
      seq: 3,
      phase: 'waiting',
      settings: { seats: 3 },
      host: 'Ada',
      seats: [{ glyph: 0, member: 'Ada', name: 'Ada', since: 3 }, { glyph: 1 }, { glyph: 2 }],
      members: [{ name: 'Ada' }],
      chat: [{ seq: 2, member: 'Ada', text: 'hello', at_ms: 5 }],
    });
    assert.equal(picture.settings.game, 'dots');
    assert.equal(picture.settings.seats, 3);
    assert.equal(picture.settings.takebacks, 10);
    assert.deepEqual(picture.seats[1], {
      glyph: 1,
      name: null,
      member: null,
      bot: null,
      missed: 0,
      since: 0,
      coached: false,
    });
    assert.deepEqual(picture.members, [
      { name: 'Ada', connected: true, grace_until_ms: null, person: '', away: null },
    ]);
    assert.equal(picture.chat[0].to, 'all');
    assert.equal(picture.ply, 0);
    assert.deepEqual(picture.winners, []);
    assert.ok(Object.isFrozen(picture));
  });

  it('counts the ply from the tokens, unless a takeback has raised it', () => {
    assert.equal(duel({ tokens: ['h0', '~1'] }).ply, 2);
    assert.equal(duel({ tokens: ['h0'], ply: 5 }).ply, 5);
  });
});

describe('fold', () => {
  it('leaves the picture before as it was', () => {
    const before = duel();
    const copy = structuredClone(before);
    fold(before, { type: 'left', member: 'Bob' }, 8);
    played(before, 0, 'h0', [], 1);
    assert.deepEqual(before, copy);
  });

  it('only counts an event of an unknown type, also one named like a method', () => {
    for (const type of ['danced', 'constructor', '__proto__']) {
      const before = duel();
      assert.deepEqual(fold(before, { type, member: 'Ada' }, 8), { ...before, seq: 8 });
    }
  });

  it('throws at a gap in the numbers and at a repetition', () => {
    for (const seq of [7, 9]) {
      assert.throws(() => fold(duel(), { type: 'hidden' }, seq), GapError);
      const entry = { seq, at_ms: 0, events: [{ type: 'hidden' }] };
      assert.throws(() => foldEntry(duel(), entry), GapError);
    }
  });

  it('sorts names as the server does, by code points', () => {
    const names = ['\u{1d400}da', '\uff21da', 'Ad', 'Ada', 'Adb'];
    const after = names.reduce(
      (picture, member) => fold(picture, { type: 'rematch_wanted', member }, picture.seq + 1),
      duel(),
    );
    assert.deepEqual(after.rematch, ['Ad', 'Ada', 'Adb', '\uff21da', '\u{1d400}da']);
  });
});

describe('an event', () => {
  const bobMissed = { glyph: 1, name: 'Bob', member: 'Bob', missed: 2, since: 5 };
  const seats = [{ glyph: 0, name: 'Ada', member: 'Ada', since: 3 }, bobMissed];

  it('that starts a game forgets the clocks that ran out', () => {
    const event = { type: 'started', number: 2, players: ['Ada', 'Bob'] };
    const after = fold(duel({ seats, phase: 'over' }), event, 8);
    assert.deepEqual(
      after.seats.map(({ missed }) => missed),
      [0, 0],
    );
  });

  it('that gives the seat to move to a bot stops its clock, and no other', () => {
    const before = duel({ seats, to_move: 1, deadline_ms: 9_000 });
    const event = (seat) => ({ type: 'bot_sat', seat, bot: 'easy', name: 'easy' });
    assert.equal(fold(before, event(1), 8).deadline_ms, null);
    assert.equal(fold(before, event(0), 8).deadline_ms, 9_000);
    assert.equal(fold(before, event(1), 8).seats[1].missed, 0);
  });

  it('that removes a member removes the vote, and a request if it was a player', () => {
    const undo = { member: 'Ada', ply: 0, keeps: 0, agreed: [] };
    const before = duel({ seats, undo, rematch: ['Bob', 'Cleo'] });
    const bobLeft = fold(before, { type: 'left', member: 'Bob' }, 8);
    assert.deepEqual([bobLeft.rematch, bobLeft.undo], [['Cleo'], null]);
    const cleoLeft = fold(before, { type: 'left', member: 'Cleo' }, 8);
    assert.deepEqual([cleoLeft.rematch, cleoLeft.undo], [['Bob'], undo]);
  });

  it('that ends the game ends its clock and a request, and names the winners', () => {
    const undo = { member: 'Ada', ply: 0, keeps: 0, agreed: [] };
    const event = { type: 'ended', scores: [1, 1], winners: [0, 1] };
    const after = fold(duel({ undo, deadline_ms: 9_000 }), event, 8);
    assert.deepEqual([after.phase, after.undo, after.deadline_ms], ['over', null, null]);
    assert.deepEqual(after.winners, [0, 1]);
  });

  it('lets a person enter again', () => {
    const before = duel({ barred: ['Cleo', 'Dan'], muted: ['Cleo', 'Dan'] });
    assert.deepEqual(fold(before, { type: 'unbarred', member: 'Cleo' }, 8).barred, ['Dan']);
    assert.deepEqual(fold(before, { type: 'unmuted', member: 'Cleo' }, 8).muted, ['Dan']);
  });
});

describe('a request for a takeback', () => {
  const events = [
    { type: 'undo_asked', member: 'Ada', keeps: 0 },
    { type: 'undo_agreed', member: 'Bob' },
  ];
  const asked = foldEntry(duel({ tokens: ['h0'], ply: 3, undos: 1 }), { seq: 8, events });
  const move = { type: 'played', seat: 0, move: 'h1', taken: [], to_move: 1, scores: [0, 0] };

  it('keeps the position and the members who agreed', () => {
    assert.deepEqual(asked.undo, { member: 'Ada', ply: 3, keeps: 0, agreed: ['Bob'] });
    assert.equal(asked.undos, 2);
  });

  it('ends with the move of a player, but not with that of a bot', () => {
    assert.equal(fold(asked, move, 10).undo, null);
    assert.deepEqual(fold(asked, { ...move, by: 'bot' }, 10).undo, asked.undo);
  });

  it('counts once when it is granted, and once when it needs no answer', () => {
    const undone = { type: 'undone', member: 'Ada', keeps: 0, ply: 4, to_move: 0, scores: [0, 0] };
    assert.equal(fold(asked, undone, 10).undos, 2);
    assert.equal(fold(duel({ tokens: ['h0'], undos: 1 }), undone, 8).undos, 2);
  });
});

describe('boxes that were taken', () => {
  it('follow the moves, and go back with a takeback', () => {
    let picture = duel({
      tokens: ['h0', 'h2', 'v0', 'v1'],
      movers: [0, 1, 0, 1],
      taken: [[3, 0]],
      scores: [0, 1],
    });
    picture = played(picture, 1, 'h1', [], 0);
    picture = played(picture, 0, 'h3', [], 1);
    picture = played(picture, 1, 'v2', [1], null);
    assert.deepEqual(picture.taken, [
      [3, 0],
      [6, 1],
    ]);
    const undone = {
      type: 'undone',
      member: 'Bob',
      keeps: 6,
      ply: 8,
      to_move: 1,
      scores: [0, 1],
    };
    picture = fold(picture, undone, picture.seq + 1);
    assert.deepEqual(picture.taken, [[3, 0]]);
    assert.equal(picture.ply, 8);
  });
});

describe('members', () => {
  it('have seats and an audience', () => {
    const picture = duel({
      seats: [
        { glyph: 0, name: 'Ada', member: 'Ada' },
        { glyph: 1, name: 'Bob', member: 'Bob' },
        { glyph: 2, name: 'Cleo', member: 'Ada' },
      ],
    });
    assert.deepEqual(seatsOf(picture, 'Ada'), [0, 2]);
    assert.deepEqual(seatsOf(picture, 'Eve'), []);
    assert.equal(audienceOf(picture, 'Bob'), 'player');
    assert.equal(audienceOf(picture, 'Eve'), 'spectator');
  });
});

describe('lastMoves', () => {
  const picture = duel({
    tokens: ['h0', 'h1', '~2', 'h2', 'v0', 'v1'],
    movers: [0, 1, 2, 1, 3, 3],
  });

  it('are those since the last own move, without withdrawals', () => {
    assert.deepEqual(lastMoves(picture, [0]), [1, 3, 4, 5]);
    assert.deepEqual(lastMoves(picture, [0, 1]), [4, 5]);
    assert.deepEqual(lastMoves(picture, [3]), []);
  });

  it('are all moves before the first own one', () => {
    assert.deepEqual(lastMoves(picture, [4]), [0, 1, 3, 4, 5]);
  });

  it('are those of the last seat for a spectator', () => {
    assert.deepEqual(lastMoves(picture, []), [4, 5]);
    assert.deepEqual(lastMoves(duel(), []), []);
  });
});
