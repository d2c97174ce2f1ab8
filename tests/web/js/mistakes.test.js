import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { shownOnBoard } from '../../../server/boxroom_server/web/page/board/shown.js';
import { BEGINNER } from '../../../server/boxroom_server/web/page/puzzles/progress.js';
import {
  keptMistakes,
  saveMistakes,
  Store,
} from '../../../server/boxroom_server/web/page/storage.js';
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

/** Ada's game on 1x2, in which she drew a third line with h2, and Bob took both boxes. */
const GAME = {
  room: 'attic',
  log: 'log',
  seq: 9,
  phase: 'over',
  settings: { game: 'dots', options: { rows: 1, cols: 2, border: 'none' }, seats: 2 },
  host: null,
  seats: [
    { member: 'Ada', bot: null },
    { member: 'Bob', bot: null },
  ],
  members: [],
  players: ['Ada', 'Bob'],
  tokens: ['h0', 'h1', 'h2', 'v0', 'v1', 'h3', 'v2'],
  movers: [0, 1, 0, 1, 1, 1, 0],
  taken: [[4, 0]],
  scores: [1, 1],
};
const listed = (game, fields = {}) => ({
  game,
  kind: 'dots rows=1 cols=2 border=none',
  players: ['Ada', 'Bob'],
  ...fields,
});
const finding = (fields = {}) => ({
  number: 3,
  seat: 0,
  theme: 'last_safe',
  lost: 4,
  effect: 'lost_game',
  ...fields,
});

/** Ada's state in the lobby, with its open rooms. */
function inLobby() {
  const identity = { name: 'Ada', secret: 'a long random secret', isKept: true };
  const state = after(
    fresh({ identity }),
    { type: 'start' },
    update('welcome', null, { name: 'Ada' }),
    update('online', null),
    { type: 'come_back', place: null },
  );
  return after(state, {
    type: 'rooms_listed',
    number: state.listing.number,
    answer: { rooms: [] },
  });
}

/** The state after the answer to the request that it has sent. */
function answered(state, answer, error) {
  const [{ then }] = state.effects.filter(({ type }) => type === 'request');
  return after(state, { ...then, ...(error ? { error } : { answer }) });
}

/** Ada's state once the page has begun to look for mistakes in games of these numbers. */
function looking(...numbers) {
  const lobby = inLobby();
  const idle = lobby.effects.find(({ event }) => event?.type === 'find_mistakes').event;
  return answered(after(lobby, idle), { games: numbers.map((game) => listed(game)) });
}

/** Ada's state once a review of her game 7 has had these findings. */
function reviewed(...findings) {
  return answered(answered(looking(7), { room: GAME }), { findings });
}

/** Ada's state once she has chosen her mistake's idea. */
function choosing() {
  const sheet = after(reviewed(finding()), { type: 'open_mistakes' });
  const button = found(pageView(sheet, t), ({ tag }) => tag === 'button').find((each) =>
    textOf(each).includes('the last safe lines'),
  );
  return after(sheet, button.properties.onclick);
}

/** The event that follows once the files of the puzzles have come to a state of `choosing`. */
const loaded = (opening) => ({
  ...opening.effects.at(-1).then,
  answer: { puzzles: [], lessons: [], progress: BEGINNER, day: '2026-11-28' },
});

/** Ada's state with the position of her mistake on the board. */
function practising() {
  const opening = choosing();
  return after(opening, loaded(opening));
}

const shownText = (state) => textOf(pageView(state, t));
const play = (move) => ({ type: 'play', move });

describe('the lobby looks for mistakes', () => {
  it('once it is idle, in one game after the other, and keeps them', () => {
    let state = looking(9, 8);
    assert.deepEqual(state.effects[0].message, { type: 'get_game', game: 9 });
    state = answered(state, { room: GAME });
    assert.deepEqual(state.effects[0].message, { type: 'get_review', game: 9 });
    state = answered(state, { findings: [] });
    assert.deepEqual(effectsOf(state), ['save_mistakes', 'get_game']);
    assert.equal(state.effects[1].message.game, 8);
    state = answered(answered(state, { room: GAME }), { findings: [finding()] });
    assert.deepEqual(effectsOf(state), ['save_mistakes']);
    assert.equal(state.mistakes.isSeeking, false);
    const again = answered(after(state, { type: 'open_mistakes' }), { games: [listed(9)] });
    assert.deepEqual(effectsOf(again), []);
    assert.deepEqual(again.mistakes.games, { 9: [] });
  });

  it('only in games of Dots and Boxes for two, in one seat of which the person sat', () => {
    const games = [
      listed(5, { kind: 'draughts size=8' }),
      listed(4, { players: ['Ada', 'Bob', 'Cem'] }),
      listed(3),
    ];
    let state = answered(after(inLobby(), { type: 'open_mistakes' }), { games });
    assert.deepEqual(state.effects[0].message, { type: 'get_game', game: 3 });
    state = answered(state, { room: { ...GAME, seats: [GAME.seats[0], GAME.seats[0]] } });
    assert.deepEqual(effectsOf(state), ['save_mistakes']);
    assert.match(shownText(state), /There is no game to look at yet/);
  });

  it('neither twice at a time, nor after another visit, nor in a room', () => {
    const lobby = inLobby();
    const idle = { type: 'find_mistakes', number: lobby.listing.number };
    const seeking = after(lobby, idle);
    assert.deepEqual(effectsOf(seeking), ['list_games']);
    assert.deepEqual(effectsOf(after(seeking, idle)), []);
    assert.deepEqual(effectsOf(after(lobby, { ...idle, number: idle.number - 1 })), []);
    const room = inGame();
    assert.deepEqual(effectsOf(after(room, { ...idle, number: room.listing.number })), []);
  });

  it('only with a connection, without which nobody would judge an answer either', () => {
    const isDisabled = (state) =>
      found(pageView(state, t), ({ tag }) => tag === 'button').find(
        (each) => textOf(each) === t('mistakes.title'),
      ).properties.disabled;
    const lobby = inLobby();
    assert.equal(isDisabled(lobby), false);
    const offline = after(lobby, update('offline', null, { retryMs: 250 }));
    assert.equal(isDisabled(offline), true);
    const idle = { type: 'find_mistakes', number: offline.listing.number };
    assert.deepEqual(effectsOf(after(offline, idle)), []);
  });

  it('stops where the person goes to a room, and keeps what was found', () => {
    const { picture } = inGame();
    const state = answered(looking(9, 8), { room: GAME });
    const { then } = state.effects[0];
    const gone = after(state, update('entered', picture, { fresh: true, isBack: false }));
    const kept = after(gone, { ...then, answer: { findings: [] } });
    assert.deepEqual(effectsOf(kept), ['save_mistakes']);
    assert.equal(kept.mistakes.isSeeking, false);
  });

  it('goes on without a game that has no review, but not if none can be had now', () => {
    const refused = { code: 'no_review', message: 'no' };
    const next = answered(answered(looking(9, 8), { room: GAME }), null, refused);
    assert.deepEqual(next.effects[0].message, { type: 'get_game', game: 8 });
    for (const error of [{ code: 'too_fast', message: 'no' }, { isOffline: true, message: '' }]) {
      const stopped = answered(looking(9, 8), null, error);
      assert.deepEqual(effectsOf(stopped), []);
      assert.equal(stopped.mistakes.isSeeking, false);
    }
  });

  it('anew for another name', () => {
    const state = { ...reviewed(finding()), you: 'Bob' };
    const other = answered(after(state, { type: 'open_mistakes' }), { games: [listed(7)] });
    assert.deepEqual(other.mistakes.games, {});
    assert.deepEqual(other.effects[0].message, { type: 'get_game', game: 7 });
  });
});

describe('mistakes', () => {
  it('are costly moves of the person that an idea would have found', () => {
    const state = reviewed(
      finding(),
      finding({ number: 1, theme: null }),
      finding({ number: 4, seat: 1 }),
      finding({ number: 7, effect: 'lost_anyway' }),
    );
    const [mistake, ...others] = state.mistakes.games[7];
    assert.deepEqual(others, []);
    assert.deepEqual(mistake.drawn, ['h0', 'h1']);
    assert.deepEqual(mistake.free, ['h2', 'h3', 'v0', 'v1', 'v2']);
    assert.deepEqual([mistake.boxes, mistake.seat, mistake.lost], [[[], []], 0, 2]);
  });

  it('stand by their idea, while others are looked for', () => {
    const state = after(reviewed(finding()), { type: 'open_mistakes' });
    const told = /In your last game .* the last safe lines: once, which cost you 2 boxes/s;
    assert.match(shownText(state), told);
    const more = answered(state, { games: [listed(8), listed(7)] });
    assert.match(shownText(more), /reviewing game 1 of 2/);
  });

  it('survive a reload, and damage', () => {
    const kept = new Map();
    const store = new Store(() => ({
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => kept.set(key, text),
    }));
    assert.deepEqual(keptMistakes(store, 'here').games, {});
    const { mistakes } = reviewed(finding());
    const more = { games: { ...mistakes.games, 12: null }, wanted: [12, 7] };
    saveMistakes(store, 'here', { ...mistakes, ...more });
    const { games, wanted } = keptMistakes(store, 'here');
    assert.deepEqual(games, { ...mistakes.games, 12: null });
    assert.deepEqual(wanted, [12, 7]);
    const [mistake] = mistakes.games[7];
    const { free: _, ...older } = mistake;
    for (const found of ['many', [null], [older], [{ ...mistake, boxes: [1, 2] }]]) {
      store.write('mistakes.here', { name: 3, games: { 1: found, 7: [mistake] } });
      assert.deepEqual(keptMistakes(store, 'here').games, { 7: [mistake] });
    }
  });
});

describe('mistakes that another tab finds', () => {
  it('stay beside those of this one, as long as their games are among the newest', () => {
    const kept = new Map();
    const store = new Store(() => ({
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => kept.set(key, text),
    }));
    const found = (wanted, ...games) =>
      saveMistakes(store, 'here', {
        name: 'Ada',
        games: Object.fromEntries(games.map((game) => [game, null])),
        wanted,
      });
    found([9, 8, 7], 7, 9);
    found([9, 8], 8);
    assert.deepEqual(keptMistakes(store, 'here').wanted, [9, 8]);
    const together = { ignored: ['Bob'], results: {}, mistakes: keptMistakes(store, 'here') };
    const mistakes = { name: 'Ada', games: { 8: null }, wanted: [8, 6], isSeeking: true };
    const elsewhere = { type: 'kept_elsewhere', kept: together, progress: BEGINNER };
    const state = after({ ...fresh(), mistakes }, elsewhere);
    assert.deepEqual(state.ignored, ['Bob']);
    const games = { 8: null, 9: null };
    assert.deepEqual(state.mistakes, { name: 'Ada', games, wanted: [9, 8, 6], isSeeking: true });
  });

  it('replace those of somebody else, unless they are just being sought', () => {
    const mistakes = { name: 'Ada', games: { 8: null }, wanted: [8, 6], isSeeking: true };
    const theirs = { name: 'Bob', games: { 3: null }, wanted: [3], isSeeking: false };
    const kept = { ignored: [], results: {}, mistakes: theirs };
    const elsewhere = { type: 'kept_elsewhere', kept, progress: BEGINNER };
    assert.deepEqual(after({ ...fresh(), mistakes }, elsewhere).mistakes, mistakes);
    const found = { ...mistakes, isSeeking: false };
    assert.deepEqual(after({ ...fresh(), mistakes: found }, elsewhere).mistakes, theirs);
  });
});

describe('a position of an own game', () => {
  it('is asked as it was, by an idea', () => {
    const state = practising();
    assert.match(shownText(state), /My mistakes.*From your own game\./s);
    const { picture, canMove } = shownOnBoard(state);
    assert.ok(canMove);
    assert.deepEqual(picture.tokens.slice(0, 2), ['h0', 'h1']);
    const [select] = found(pageView(state, t), ({ tag }) => tag === 'select');
    assert.equal(textOf(select), 'the last safe lines');
  });

  it('is asked also where its game is no longer among the newest by then', () => {
    const opening = choosing();
    const gone = after(opening, { type: 'own_games_listed', answer: { games: [] } });
    const { course } = after(gone, loaded(opening));
    assert.equal(course.puzzle.name, '7:3');
  });

  it('has its answer judged by the server, which refutes a wrong one', () => {
    const asked = after(practising(), play('h2'));
    const message = { type: 'judge', game: 7, ply: 2, move: 'h2' };
    assert.deepEqual(asked.effects[0].message, message);
    assert.match(shownText(asked), /Let's see/);
    assert.deepEqual(effectsOf(after(asked, play('v0'))), []);
    const line = ['h2', 'v0', 'v1', 'h3', 'v2'];
    const wrong = answered(asked, { best: ['v0'], line: ['v0'], finding: { line } });
    assert.match(shownText(wrong), /h2 isn't the best line. Boxes in the end: /);
    assert.deepEqual(wrong.course.rest, line.slice(1));
    const again = after(wrong, eventOf(pageView(wrong, t), t('puzzle.try_again')));
    const right = answered(after(again, play('v0')), { best: ['v0'], line: ['v0'] });
    assert.match(shownText(right), /Right!/);
    assert.doesNotMatch(shownText(right), /in the end/i); // the line isn't known to its end
    assert.deepEqual(right.course.progress.solved, []); // it is no puzzle of the day
  });

  it('is asked again where the server has no answer, and forgets a late one', () => {
    const asked = after(practising(), play('h2'));
    const error = { code: 'no_review', message: 'That game is gone.' };
    const refused = answered(asked, null, error);
    assert.equal(refused.course.stage, 'again');
    assert.match(shownText(refused), /That game is gone\./);
    const late = after(refused, { ...asked.effects[0].then, answer: { best: [], line: [] } });
    assert.equal(late.course, refused.course);
  });

  it('takes no answer about the move of another attempt', () => {
    const first = after(practising(), play('h2'));
    const anew = after(first, { type: 'choose_puzzles', theme: 'last_safe' }, play('v0'));
    const wrong = { best: ['v0'], line: ['v0'], finding: { line: ['h2', 'v0'] } };
    const late = after(anew, { ...first.effects[0].then, answer: wrong });
    assert.equal(late.course, anew.course);
    assert.match(shownText(answered(anew, { best: ['v0'], line: ['v0'] })), /Right!/);
  });
});
