import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { shownOnBoard } from '../../../server/boxroom_server/web/page/board/shown.js';
import { leadsOf } from '../../../server/boxroom_server/web/page/leads.js';
import { next } from '../../../server/boxroom_server/web/page/state/next.js';
import { shownCount } from '../../../server/boxroom_server/web/page/state/state.js';
import { leadView } from '../../../server/boxroom_server/web/page/views/lead.js';
import { pastGameView } from '../../../server/boxroom_server/web/page/views/past_game.js';
import { scores } from '../../../server/boxroom_server/web/page/views/room.js';
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
    const { hints, named, mistake, picture } = shownOnBoard(reviewed());
    assert.deepEqual([mistake.move, mistake.seat, hints], ['h3', 0, ['v1']]);
    assert.deepEqual(named, ['h3', 'v1']);
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

describe('a judgement', () => {
  const back = (state, count = 4) => next(state, { type: 'look_back', count });
  const DOTS = [{ game: 'dots', reviewed: [2] }];
  const over = () => ({ ...inGame({ ...GAME, settings: { seats: 2 } }), games: DOTS });
  const JUDGED = {
    ply: 4,
    seat: 0,
    value: 0,
    exact: true,
    best: ['v1', 'v2'],
    line: [],
    move: 'h3',
    lost: 4,
    finding: FINDING,
  };
  const asked = (state = back(over())) => next(state, eventOf(pastGameView(state, t), QUESTION));
  const QUESTION = t('what_was_best');
  const answered = (changes = {}) => {
    const { then } = asked().effects[0];
    return next(asked(), { ...then, answer: { ...JUDGED, ...changes } });
  };
  const text = (state) => textOf(pastGameView(state, t));

  it('is asked for at a position of a game that can be reviewed, with the move played', () => {
    assert.deepEqual(asked().effects[0].message, { type: 'judge', ply: 4, move: 'h3' });
    assert.match(text(asked()), /Looking for the best move/);
    assert.doesNotMatch(text(asked()), new RegExp(QUESTION.replace('?', '[?]')));
    assert.doesNotMatch(text(over()), /What was best/, 'not at the end');
    assert.doesNotMatch(text({ ...back(over()), games: [] }), /What was best/);
    const link = { picture: over().picture, number: 0, link: 'dQw4w9WgXcQ-_dQw4w9WgA' };
    const linked = asked({ ...back(over()), picture: null, finished: link });
    assert.equal(linked.effects[0].message.link, link.link);
    const mine = { ...link, number: 7, link: '' };
    const own = asked({ ...back(over()), picture: null, finished: mine });
    assert.equal(own.effects[0].message.game, 7);
    const resigned = { ...GAME, tokens: ['h0', '~1'], movers: [0, 1], taken: [] };
    const before = { ...inGame({ ...resigned, settings: { seats: 2 } }), games: DOTS };
    assert.deepEqual(asked(back(before, 1)).effects[0].message, { type: 'judge', ply: 1 });
  });

  it('marks the best moves, says where they lead, and what the move cost', () => {
    const { hints, named, mistake } = shownOnBoard(answered());
    assert.deepEqual([hints, mistake.move], [['v1', 'v2'], 'h3']);
    assert.deepEqual(named, ['h3', 'v1', 'v2']);
    assert.match(text(answered()), /Best for move 5: v1 and v2. With best play it then ends in a/);
    assert.match(text(answered()), /h3 costs 2 boxes. v1 is better./);
    assert.match(text(answered({ value: 2 })), /With best play you then win by 2 boxes/);
    assert.match(text(answered({ value: -2 })), /With best play Bob then wins by 2 boxes/);
    assert.doesNotMatch(text(answered({ exact: false })), /With best play/);
    const best = answered({ move: 'v1', lost: 0, finding: null });
    assert.match(text(best), /v1 costs nothing/);
    assert.equal(shownOnBoard(best).mistake, null);
    const many = answered({ best: ['h0', 'h1', 'h2', 'h3', 'v0', 'v1', 'v2', 'v3'] });
    assert.match(text(many), /h0, h1, h2, h3, v0, v1 and 2 other moves/);
  });

  it('counts what was taken before', () => {
    const then = asked(back(over(), 6)).effects[0];
    assert.equal(then.message.ply, 6);
    const state = next(asked(back(over(), 6)), {
      ...then.then,
      answer: { ...JUDGED, ply: 6, seat: 1, value: 1, best: ['v2'], finding: null },
    });
    assert.match(text(state), /With best play Bob then wins by 2 boxes/);
  });

  it('is about its position only, and gone with the game', () => {
    assert.doesNotMatch(text(back(answered(), 3)), /Best for move/);
    assert.match(text(back(back(answered(), 3))), /Best for move 5/);
    const { then } = asked().effects[0];
    const refused = next(asked(), { ...then, error: { message: 'too hard' } });
    assert.match(text(refused), /What was best here/);
    const other = asked(back(asked(), 2));
    assert.equal(next(other, { ...then, answer: JUDGED }).judged.isPending, true, 'too late');
    const twice = next(back(over(), 7), { type: 'ask_judgement' });
    assert.equal(twice.judged, null, 'there is no next move');
  });
});

describe('the review of a game that began after moves', () => {
  it('counts as early only those that were played in it', () => {
    const begun = (opening, first) => {
      const settings = { opening: GAME.tokens.slice(0, opening) };
      const asking = next(inGame({ ...GAME, settings }), { type: 'ask_review' });
      const review = { ...REVIEW, first_judged: first };
      return textOf(pastGameView(next(asking, { ...asking.effects[0].then, answer: review }), t));
    };
    assert.match(begun(0, 5), /Moves 1 to 4 aren't judged/);
    assert.match(begun(2, 5), /The first 2 moves were played before.*Moves 3 to 4 aren't judged/);
    assert.match(begun(3, 5), /Move 4 isn't judged/);
    assert.doesNotMatch(begun(4, 5), /too early/);
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

  it('comes from scores that are those of the position that is shown', () => {
    const shown = (state) =>
      found(scores(state, t), ({ properties }) => 'data-score' in properties).map(
        ({ properties }) => properties['data-score'],
      );
    const at = (count, game) => next(inGame({ ...GAME, ...game }), { type: 'look_back', count });
    assert.deepEqual([5, 6, 7].map((count) => shown(at(count))), [[0, 0], [0, 1], [0, 2]]);
    assert.deepEqual(shown(followed(true, 6)), [1, 0]);
    assert.deepEqual(shown(at(5, { scores: [1, 1] })), [1, 1]); // no sums of what was taken
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
