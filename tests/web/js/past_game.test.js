import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { shownOnBoard } from '../../../server/boxroom_server/web/page/board/shown.js';
import { leadsOf } from '../../../server/boxroom_server/web/page/leads.js';
import { next } from '../../../server/boxroom_server/web/page/state/next.js';
import { shownCount } from '../../../server/boxroom_server/web/page/state/state.js';
import { leadView } from '../../../server/boxroom_server/web/page/views/lead.js';
import { pastGameView } from '../../../server/boxroom_server/web/page/views/past_game.js';
import { after, eventOf, found, inGame, t, textOf } from './page_state.js';

/** A game on two boxes: Ada opens, Bob takes one box, and Ada the other one. */
const GAME = {
  phase: 'over',
  tokens: ['h0', 'v0', 'h2', 'h1', 'h3', 'v1', 'v2'],
  movers: [0, 1, 0, 1, 0, 1, 1],
  taken: [[5, 0], [6, 1]],
  scores: [0, 2],
  winners: [1],
  to_move: null,
};
const FINDING = {
  number: 5,
  seat: 0,
  move: 'h3',
  better: 'v1',
  lost: 4,
  exact: true,
  effect: 'lost_game',
  facts: [],
  better_facts: [],
  line: ['h3', 'v1', 'v2'],
  line_effects: { movers: [0, 1, 1], taken: [[1, 0], [2, 1]] },
  better_line: ['v1', 'v2', 'h3'],
  better_effects: { movers: [0, 0, 1], taken: [[0, 0], [2, 1]] },
};
const REVIEW = {
  findings: [FINDING],
  first_judged: 5,
  turning_point: 5,
  margins: [null, null, null, null, 0, -2, -2, -2],
};

/** Ada's state after the review of the game. */
function reviewed() {
  const asked = next(inGame(GAME), { type: 'ask_review' });
  return next(asked, { ...asked.effects[0].then, answer: REVIEW });
}

const followed = (isBetter, count = 5) =>
  next(reviewed(), { type: 'look_back', count, line: { number: 5, isBetter } });

describe('a game that is over', () => {
  it('is stepped through, and its end is the present position', () => {
    const over = inGame(GAME);
    const back = next(over, { type: 'step', by: -1 });
    assert.equal(back.replayAt, 6);
    assert.equal(next(back, { type: 'step', by: 1 }).replayAt, null);
    assert.equal(next(back, { type: 'step', by: -Infinity }).replayAt, 0);
    assert.equal(shownCount(next(over, { type: 'step', by: 1 })), 7);
    const asking = next(over, { type: 'leave' });
    assert.equal(next(asking, { type: 'step', by: -1 }).replayAt, null);
  });

  it('has a slider and buttons; one that is on has none, but while it is looked back', () => {
    const slider = (state) =>
      found(pastGameView(state, t), ({ tag }) => tag === 'input');
    const [input] = slider(inGame(GAME));
    assert.deepEqual([input.properties.max, input.properties.value], [7, 7]);
    const running = inGame({ tokens: ['h0'], movers: [0], to_move: 1 });
    assert.deepEqual(slider(running), []);
    const again = next(running, { type: 'look_back', count: 0 });
    assert.equal(slider(again).length, 1);
    assert.equal(next(running, { type: 'step', by: -1 }).replayAt, null);
    const event = eventOf(pastGameView(again, t), t('back_to_game'));
    assert.equal(next(again, event).replayAt, null);
  });
});

describe('a line of the review', () => {
  it('stands beside the mistake on the board before it is followed', () => {
    const { hint, mistake, picture } = shownOnBoard(reviewed());
    assert.deepEqual([mistake.move, mistake.seat, hint], ['h3', 0, 'v1']);
    assert.equal(picture.tokens.length, 4);
  });

  it('is stepped through with what each move takes, and led back from', () => {
    const view = pastGameView(reviewed(), t);
    const better = next(reviewed(), eventOf(view, t('line_after', { move: 'v1' })));
    const played = next(reviewed(), eventOf(view, t('line_after', { move: 'h3' })));
    assert.deepEqual(shownOnBoard(better).picture.tokens.slice(4), ['v1']);
    assert.deepEqual(shownOnBoard(played).picture.tokens.slice(4), ['h3']);
    const end = after(better, { type: 'step', by: 1 }, { type: 'step', by: 99 });
    const { tokens, movers, taken } = shownOnBoard(end).picture;
    assert.deepEqual(tokens.slice(4), ['v1', 'v2', 'h3']);
    assert.deepEqual(movers.slice(4), [0, 0, 1]);
    assert.deepEqual(taken, [[4, 0], [6, 1]]);
    assert.equal(next(end, { type: 'step', by: -99 }).replayAt, 4);
    const back = next(end, eventOf(pastGameView(end, t), t('back_to_game')));
    assert.deepEqual([back.replayAt, back.line], [4, null]);
  });

  it('keeps the text about its finding, and ends with the game', () => {
    const text = (state) => textOf(pastGameView(state, t));
    assert.match(text(followed(true, 7)), /You lost the game with h3/);
    assert.doesNotMatch(text(next(followed(true), { type: 'look_back', count: 2 })), /h3, move/);
    const started = { type: 'look_back', count: null };
    assert.equal(next(followed(true), started).line, null);
  });
});

describe('the lead', () => {
  const lead = (seat, boxes, isExpected = false) => ({ seat, boxes, isExpected });

  it('is that of the score, and where a review knows it that at the end', () => {
    const none = lead(null, 0);
    const all = [none, none, none, none, none, none, lead(1, 1), lead(1, 2)];
    assert.deepEqual(leadsOf(GAME, null), all);
    const known = leadsOf(GAME, REVIEW);
    assert.deepEqual(known.slice(0, 4), [none, none, none, none]);
    assert.deepEqual(known.slice(4, 6), [lead(null, 0, true), lead(1, 2, true)]);
  });

  it('is of whoever has more than all others', () => {
    const game = { tokens: ['a', 'b', 'c'], movers: [2, 0, 0], taken: [[0, 1, 2], [2, 3]] };
    assert.deepEqual(leadsOf({ ...game, scores: [1, 0, 2] }, null), [
      lead(null, 0),
      lead(2, 2),
      lead(2, 2),
      lead(2, 1),
    ]);
  });

  it('is none where things that are taken are no score', () => {
    assert.deepEqual(leadsOf({ ...GAME, scores: [0, 0] }, null), []);
    assert.equal(leadView(inGame({ ...GAME, scores: [0, 0] }), t), null);
  });

  it('marks the moves that cost something, and opens a position where it is pressed', () => {
    const view = leadView(reviewed(), t);
    const isCost = ({ properties }) => properties.class?.includes('cost');
    const [cost, ...others] = found(view, isCost);
    assert.ok(cost.properties.class.includes('turned'));
    assert.deepEqual(others, []);
    assert.equal(view.properties['aria-label'], t('lead_none'));
  });
});
