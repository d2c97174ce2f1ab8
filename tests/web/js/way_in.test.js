import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { boxesOf, lines } from '../../../server/boxroom_server/web/page/board/board_geometry.js';
import { demoGame } from '../../../server/boxroom_server/web/page/board/demo_game.js';
import { next } from '../../../server/boxroom_server/web/page/state/next.js';
import { smallBoard } from '../../../server/boxroom_server/web/page/state/way_in.js';
import { dialogView } from '../../../server/boxroom_server/web/page/views/dialogs.js';
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

const LEVELS = ['child', 'easy', 'hard'];
const GAMES = [{ game: 'dots', levels: LEVELS, bots: LEVELS }];
const EMPTY = { glyph: 1 };
const ADA = { glyph: 0, name: 'Ada', member: 'Ada', since: 3 };
const BOB = { glyph: 1, name: 'Bob', member: 'Bob', since: 9 };

/** Ada's state in the lobby; with these games that run. */
function lobby(fields = {}, rooms = []) {
  const there = after(
    fresh({ identity: { name: 'Ada', secret: 'a long random secret', isKept: true }, ...fields }),
    { type: 'start' },
    update('welcome', null, { name: 'Ada' }),
    update('online', null),
    { type: 'come_back', place: null },
  );
  const { number } = there.listing;
  const listed = next(there, { type: 'rooms_listed', number, answer: { rooms } });
  return { ...listed, games: GAMES };
}

/** An entry of the list of rooms. */
function running(room, fields = {}) {
  return { room, phase: 'playing', settings: {}, people: 2, bots: 0, empty_seats: 0, ...fields };
}

/** The event `created` of a table that was asked for, without an error, in `picture`'s room. */
function created(state, event, picture) {
  const asked = next(state, event);
  const entered = next(asked, update('entered', picture, { fresh: true, isBack: false }));
  return next(entered, { ...asked.effects[0].then, answer: picture });
}

const press = (state, text) => next(state, eventOf(pageView(state, t), text));

describe('the first view', () => {
  it('begins a game against the computer by one button', () => {
    const asked = press(lobby(), t('play_now'));
    const [{ message, then }] = asked.effects;
    assert.deepEqual(message.settings.options, { rows: 5, cols: 5 });
    assert.deepEqual(then.commands, [{ type: 'fill', bot: 'child' }]);
    const { picture } = inGame({ phase: 'waiting' });
    const filled = created(lobby(), { type: 'play_computer' }, picture);
    assert.deepEqual(effectsOf(filled), ['fill']);
    assert.deepEqual(effectsOf(next(filled, filled.effects[0].then)), ['start']);
  });

  it('offers the level that the last games suggest, until another one is chosen', () => {
    const levelOffered = (state) => press(state, t('play_now')).effects[0].then.commands[0].bot;
    const results = { dots: [['easy', 1], ['easy', 1]] };
    assert.equal(levelOffered(lobby({ results })), 'hard');
    const chosen = next(lobby({ results }), { type: 'choose_level', level: 'child' });
    assert.equal(levelOffered(chosen), 'child');
    const isChecked = ({ properties }) => properties.name === 'level' && properties.checked;
    assert.equal(found(pageView(chosen, t), isChecked).length, 1);
  });

  it('keeps the size of the board', () => {
    const [, , seven] = found(pageView(lobby(), t), (each) => each.properties.name === 'size');
    const [effect] = next(lobby(), seven.properties.onchange).effects;
    assert.deepEqual([effect.type, effect.changes], ['save_settings', { size: 7 }]);
    const settings = { theme: 'auto', language: null, confirms: false, size: 7 };
    const { message } = press(lobby({ settings }), t('play_now')).effects[0];
    assert.deepEqual(message.settings.options, { rows: 7, cols: 7 });
  });

  it('has a second player at the same device, and says when to pass it on', () => {
    const { picture } = inGame({ phase: 'waiting', seats: [ADA, EMPTY] });
    const asked = press(lobby(), t('two_here'));
    const [form] = found(dialogView(asked, t, null), ({ tag }) => tag === 'form');
    const [field] = found(form, ({ tag }) => tag === 'input');
    assert.equal(field.properties.value, t('second_player'));
    const target = { elements: { namedItem: () => ({ value: ' Eve ' }) } };
    const chosen = form.properties.onsubmit({ target });
    const [entering, kept] = next(asked, chosen).effects;
    assert.deepEqual([kept.type, kept.changes], ['save_settings', { beside: 'Eve' }]);
    assert.deepEqual(entering.then.commands, [{ type: 'sit', name: 'Eve' }]);
    assert.equal(next(asked, chosen).dialog, null);
    const seated = created(lobby(), chosen, picture);
    assert.deepEqual(seated.effects[0].message, { type: 'sit', name: 'Eve' });
    const seats = [ADA, { ...ADA, glyph: 1, name: 'Player 2' }];
    const players = ['Ada', 'Player 2'];
    const status = (room) => {
      const view = pageView(inGame({ seats, players, ...room }), t);
      return textOf(found(view, ({ properties }) => properties.role === 'status'));
    };
    assert.match(status({ to_move: 0 }), /^Your turn, Ada/);
    const passed = { to_move: 1, tokens: ['h0'], movers: [0] };
    assert.match(status(passed), /^Player 2 is next: pass it on/);
    assert.match(status({ ...passed, movers: [1] }), /^Your turn, Player 2/);
  });

  it('asks for a code only if a person has one', () => {
    const fields = (state) => found(pageView(state, t), (each) => each.properties.name === 'room');
    assert.equal(fields(lobby()).length, 0);
    assert.equal(fields(press(lobby(), t('have_code'))).length, 1);
  });
});

describe('an invitation', () => {
  const waiting = inGame({ phase: 'waiting', seats: [ADA, EMPTY] }).picture;
  const both = inGame({ phase: 'waiting', seats: [ADA, BOB] }).picture;
  const invited = created(lobby(), { type: 'invite_friend' }, waiting);
  const link = 'http://test/#attic';

  it('begins the game as soon as the friend is there', () => {
    assert.ok(!effectsOf(invited).includes('start'));
    const come = next(invited, update('changed', both, { before: waiting, after: both }));
    assert.ok(effectsOf(come).includes('start'));
    const again = next(come, update('changed', both, { before: both, after: both }));
    assert.ok(!effectsOf(again).includes('start'));
  });

  it('leaves the start of any other room to its host', () => {
    const other = after(lobby(), update('entered', waiting, { fresh: true, isBack: false }));
    const come = next(other, update('changed', both, { before: waiting, after: both }));
    assert.ok(!effectsOf(come).includes('start'));
    const left = next(invited, update('out', null, { why: 'left', picture: waiting }));
    const back = next(left, update('entered', both, { fresh: true, isBack: false }));
    assert.ok(!effectsOf(back).includes('start'));
  });

  it('has the QR code of the link, for which it asks once', () => {
    const asked = after(lobby(), update('entered', waiting, { fresh: true, isBack: false }));
    const request = asked.effects.find(({ message }) => message?.type === 'get_qr_code');
    assert.equal(request.message.text, link);
    assert.ok(!effectsOf(next(asked, { type: 'device_looks' })).includes('get_qr_code'));
    const made = next(asked, { ...request.then, answer: { rows: ['0110', '1011'] } });
    const paths = found(pageView(made, t), ({ tag }) => tag === 'path');
    const drawn = paths.map(({ properties }) => properties.d);
    assert.ok(drawn.includes('M1 0h2v1H1zM0 1h1v1H0zM2 1h2v1H2z'));
    const lost = next(asked, { ...request.then, error: { message: '', isOffline: true } });
    assert.ok(effectsOf(lost).includes('get_qr_code'));
  });

  it('is shared where the device can', () => {
    assert.equal(eventOf(pageView(invited, t), t('share')), undefined);
    const shared = press({ ...invited, canShare: true }, t('share'));
    assert.deepEqual([shared.effects[0].type, shared.effects[0].text], ['share', link]);
  });
});

describe('games to watch', () => {
  const rooms = [
    running('two'),
    running('five', { people: 5 }),
    running('draughts', { settings: { game: 'draughts' }, people: 9 }),
    running('one', { people: 1, bots: 1 }),
    running('four', { people: 4 }),
    running('den', { phase: 'waiting', empty_seats: 1 }),
  ];
  const state = lobby({}, rooms);
  const boards = (shown) =>
    found(pageView(shown, t), ({ properties }) => properties['data-board']).map(
      ({ properties }) => properties['data-board'],
    );
  const tick = (shown) => next(shown, { type: 'tick', number: shown.listing.number });

  it('are the three with the most people, of the game that the page draws itself', () => {
    assert.deepEqual(boards(state), ['computer', 'friend', '#five', '#four', '#two']);
    const listed = found(pageView(state, t), ({ tag }) => tag === 'strong').map(textOf);
    assert.deepEqual(listed, ['den', 'draughts', 'one']);
    assert.deepEqual(eventOf(pageView(state, t), t('watch_room', { room: 'five' })), {
      type: 'join',
      room: 'five',
      watch: true,
    });
  });

  it('are looked at every third tick, those in sight', () => {
    const asks = (shown) => shown.effects.some(({ type }) => type === 'look_around');
    const ticks = [tick(state)];
    while (ticks.length < 4) ticks.push(tick(ticks.at(-1)));
    assert.deepEqual(ticks.map(asks), [true, false, false, true]);
    assert.ok(!asks(tick(lobby())));
    const names = ['computer', '#four', '#gone'];
    const looking = next(state, { type: 'boards_in_sight', names });
    assert.deepEqual(
      looking.effects.map(({ message }) => message),
      [{ type: 'look', room: 'four', board: true }],
    );
  });

  it('show the board and the scores, and forget games that are over', () => {
    const { picture } = inGame({ tokens: ['h0'], movers: [0], scores: [3, 2] });
    const seen = next(state, { type: 'looked', room: 'four', answer: { board: picture } });
    assert.deepEqual(smallBoard(seen, '#four').picture.tokens, ['h0']);
    assert.deepEqual(smallBoard(seen, '#five').picture.tokens, []);
    assert.match(textOf(pageView(seen, t)), /Ada3Bob2/);
    const without = { ...seen, listing: { ...seen.listing, rooms: new Map() } };
    assert.equal(smallBoard(without, '#four'), null);
    const after = next(without, { type: 'looked', room: 'two', answer: { board: picture } });
    assert.deepEqual([...after.boards.keys()], ['two']);
  });

  it('end with the lobby', () => {
    const { number } = state.listing;
    const gone = { ...inGame(), listing: state.listing };
    assert.deepEqual(next(gone, { type: 'tick', number }).effects, []);
    assert.deepEqual(next(state, { type: 'tick', number: number - 1 }).effects, []);
  });
});

describe('a game that is only shown', () => {
  it('is played by the rules to the end, for each size', () => {
    for (const [rows, cols] of [[1, 1], [3, 3], [2, 5], [7, 7]]) {
      const { tokens, movers, taken } = demoGame(rows, cols);
      assert.deepEqual([...tokens].sort(), [...lines(rows, cols)].sort());
      const boxes = taken.flatMap(([, ...each]) => each);
      assert.equal(new Set(boxes).size, rows * cols);
      for (const [index, ...each] of taken) {
        for (const box of each) assert.ok(boxesOf(tokens[index], rows, cols).includes(box));
      }
      const takes = new Set(taken.map(([index]) => index));
      for (let i = 1; i < tokens.length; i += 1) {
        assert.equal(movers[i] === movers[i - 1], takes.has(i - 1));
      }
    }
  });

  it('goes on with each tick, and stands still for who wants that', () => {
    const tick = (state) => next(state, { type: 'tick', number: state.listing.number });
    const count = (state) => smallBoard(state, 'computer').picture.tokens.length;
    assert.equal(count(tick(lobby())), count(lobby()) + 1);
    const still = lobby({ prefersStill: true });
    assert.equal(count(tick(still)), count(still));
    let state = lobby();
    const counts = new Set();
    for (let i = 0; i < 70; i += 1) counts.add(count((state = tick(state))));
    assert.ok(counts.has(60) && counts.has(0));
  });
});
