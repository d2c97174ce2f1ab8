import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { pictureFrom } from '../../../server/boxroom_server/web/page/mirror.js';
import { next } from '../../../server/boxroom_server/web/page/state/next.js';
import { pageView } from '../../../server/boxroom_server/web/page/views/page_view.js';
import {
  after,
  effectsOf,
  eventOf,
  found,
  fresh,
  inGame,
  t,
  textOf,
  update,
} from './page_state.js';
import { attic } from './scripted.js';

const GAMES = [{ game: 'dots', bots: ['easy'], reviewed: [2], least_seats: 1 }];
const SEATS = [
  { glyph: 0, name: 'Ada', member: 'Ada', since: 3 },
  { glyph: 1, name: 'easy', bot: 'easy', since: 5 },
];
const ROOM = { seats: SEATS, players: ['Ada', 'easy'] };
const REMARK = {
  seat: 0,
  game: 3,
  move: 'h0',
  message: 'in English',
  phrase: { key: 'coach.win', values: { move: 'h0', why: '', better: 'v1', better_why: '' } },
  can_undo: true,
};

const known = (state) => ({ ...state, games: GAMES });
const against = (room = {}) => known(inGame({ ...ROOM, ...room }));
const told = (fields = {}) =>
  known(next(against(), update('coaching', against().picture, { ...REMARK, ...fields })));
const shown = (state) => found(pageView(state, t), ({ properties }) => properties.key === 'coach');

/** The state after an event of the room. */
function happening(state, event) {
  const before = state.picture;
  return known(next(state, update('event', before, { event, before, after: before })));
}

const played = { type: 'played', seat: 0, move: 'h0', taken: [], to_move: 1, scores: [0, 0] };

describe('the coach', () => {
  it('says in words of the page that a move gave something away', () => {
    const state = told();
    assert.match(textOf(shown(state)), /h0 gave the win away; v1 was better\./);
    assert.equal(state.journal.at(-1).text, 'Coach: h0 gave the win away; v1 was better.');
    const strange = told({ phrase: { key: 'of a newer server' } });
    assert.match(textOf(shown(strange)), /in English/);
  });

  it('offers to take the move back where that is possible', () => {
    assert.deepEqual(eventOf(shown(told()), t('undo')), { type: 'undo' });
    assert.ok(!textOf(shown(told({ can_undo: false }))).includes(t('undo')));
  });

  it('is silent once the person moves, takes back or closes it, and not when the bot moves', () => {
    assert.equal(shown(happening(told(), played)).length, 0);
    const undone = { type: 'undone', member: 'Ada', keeps: 0, ply: 1, to_move: 0, scores: [0, 0] };
    const room = { ...ROOM, tokens: ['h0'], movers: [0] };
    const remembered = { ...told(), picture: pictureFrom(attic(room)) };
    assert.equal(shown(happening(remembered, undone)).length, 0);
    assert.equal(shown(next(told(), eventOf(shown(told()), t('close')))).length, 0);
    assert.equal(shown(happening(told(), { ...played, seat: 1, by: 'bot' })).length, 1);
  });

  it('leads from the end of a game to puzzles of a theme', () => {
    const state = told({ theme: 'give', can_undo: false });
    const left = next(state, eventOf(shown(state), t('coach.to_puzzles')));
    assert.deepEqual(effectsOf(left), ['leave', 'load_puzzles']);
    assert.deepEqual(left.effects[1].then, { type: 'puzzles_loaded', theme: 'give' });
  });

  it('is called and sent away by a button, where one person plays against a bot', () => {
    const call = (on) => ({ type: 'command', message: { type: 'coach', seat: 0, on } });
    assert.deepEqual(eventOf(pageView(against(), t), t('coach.call')), call(true));
    const [ada, bot] = SEATS;
    const coached = against({ seats: [{ ...ada, coached: true }, bot] });
    assert.deepEqual(eventOf(pageView(coached, t), t('coach.dismiss')), call(false));
    const has = (state) => textOf(pageView(state, t)).includes(t('coach.call'));
    assert.ok(has(against()));
    assert.match(textOf(pageView(coached, t)), /Ada \(you, with a coach\)/);
    assert.ok(!has(known(inGame())), 'two people');
    assert.ok(!has({ ...against(), games: [{ ...GAMES[0], reviewed: [] }] }), 'another game');
  });
});

describe('the form', () => {
  const identity = { name: 'Ada', secret: 'a long random secret', isKept: true };
  const lobby = after(fresh({ identity }), { type: 'start' }, update('online', null));
  const form = (changes) =>
    after(known(lobby), { type: 'open_form' }, { type: 'fill_in', changes: { token: 'once' } }, {
      type: 'fill_in',
      changes,
    });

  it('has the coach come before the game begins', () => {
    const sent = next(form({ opponent: 'easy', hasCoach: true }), { type: 'submit_form' });
    const created = next(sent, { ...sent.effects[0].then, answer: {} });
    assert.deepEqual(effectsOf(created), ['fill']);
    const filled = next(created, created.effects[0].then);
    assert.deepEqual(filled.effects[0].message, { type: 'coach', seat: 0, on: true });
    assert.deepEqual(effectsOf(next(filled, filled.effects[0].then)), ['start']);
  });

  it('offers it only against a bot, in a game of two', () => {
    const offers = (changes) => textOf(pageView(form(changes), t)).includes(t('coach.label'));
    assert.ok(offers({ opponent: 'easy' }));
    assert.ok(!offers({}));
    assert.ok(!offers({ opponent: 'easy', seats: 3 }));
    assert.ok(!offers({ opponent: 'easy', mostSeats: 4 }));
    const three = form({ opponent: 'easy', hasCoach: true, seats: 3 });
    const sent = next(three, { type: 'submit_form' });
    assert.equal(sent.effects[0].then.commands.length, 1);
  });
});
