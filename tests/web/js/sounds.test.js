/** The sounds and calls of events, without a browser: which one, when, and for whom. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { soundOf } from '../../../server/boxroom_server/web/page/sounds.js';
import { next } from '../../../server/boxroom_server/web/page/state/next.js';
import { inGame, update } from './page_state.js';

const mine = inGame({ to_move: 0 }).picture;
const bobs = inGame({ to_move: 1 }).picture;
const played = (fields = {}) => ({ type: 'played', seat: 1, move: 'h0', taken: [], ...fields });

/** Ada's state after an event, with or without sounds; Bob was to move. */
function afterEvent(event, room, sounds) {
  const state = inGame({ to_move: 1 });
  const wanted = { ...state, settings: { ...state.settings, sounds } };
  const picture = inGame(room).picture;
  const fields = { event, before: state.picture, after: picture };
  return next(wanted, update('event', picture, fields));
}

/** The kinds of the effects by which an event is heard, felt or shown outside of the page. */
function signals({ effects }) {
  return effects.map(({ type }) => type).filter((type) => ['sound', 'call'].includes(type));
}

describe('The sound of an event', () => {
  it('is that of a line, a box, the own turn, and the end', () => {
    assert.equal(soundOf(played(), bobs, bobs, 'Ada'), 'line');
    assert.equal(soundOf(played({ taken: [0] }), bobs, bobs, 'Ada'), 'box');
    assert.equal(soundOf(played(), bobs, mine, 'Ada'), 'turn');
    assert.equal(soundOf(played(), bobs, mine, 'Bob'), 'line');
    const over = inGame({ phase: 'over', to_move: null }).picture;
    const ended = { type: 'ended', winners: [0], scores: [3, 1] };
    assert.equal(soundOf(ended, mine, over, 'Ada'), 'won');
    assert.equal(soundOf(ended, mine, over, 'Bob'), 'ended');
    assert.equal(soundOf(ended, mine, over, 'Cleo'), 'ended');
    assert.equal(soundOf({ type: 'rematch_wanted' }, over, over, 'Ada'), null);
  });
});

describe('A page', () => {
  it('calls when the turn has come, if that was asked for once', () => {
    assert.deepEqual(signals(afterEvent(played(), { to_move: 0 }, false)), []);
    assert.deepEqual(signals(afterEvent(played(), { to_move: 0 }, true)), ['sound', 'call']);
    assert.deepEqual(signals(afterEvent(played(), { to_move: 1 }, true)), ['sound']);
  });

  it('asks for notices when it may be heard, and keeps the choice', () => {
    const kinds = (on) => next(inGame(), { type: 'set_sounds', on }).effects.map((e) => e.type);
    assert.deepEqual(kinds(true), ['dispatch', 'sound', 'ask_for_notices']);
    assert.deepEqual(kinds(false), ['dispatch']);
  });
});
