import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { pictureFrom } from '../../../server/boxroom_server/web/page/mirror.js';
import {
  addressOf,
  isOnItsWay,
  layersOf,
} from '../../../server/boxroom_server/web/page/state/layers.js';
import { next } from '../../../server/boxroom_server/web/page/state/next.js';
import {
  isMyTurn,
  knowsMyTurn,
  mySeats,
} from '../../../server/boxroom_server/web/page/state/state.js';
import { pageView } from '../../../server/boxroom_server/web/page/views/page_view.js';
import { after, effectsOf, fresh, inGame, t, textOf, update } from './page_state.js';
import { attic } from './scripted.js';

const known = { identity: { name: 'Ada', secret: 'a long random secret', isKept: true } };
const played = (move, fields = {}) => ({
  type: 'played',
  seat: 0,
  move,
  taken: [],
  to_move: 1,
  scores: [0, 0],
  ...fields,
});

/** The state after an event of the room. */
function happening(state, event, room) {
  const picture = pictureFrom(attic(room));
  const fields = { event, before: state.picture, after: picture };
  const { you } = state;
  return after(
    state,
    update('event', picture, fields, you),
    update('changed', picture, fields, you),
  );
}

/** Return `value` and all that is in it frozen, so that a change throws. */
function frozen(value) {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(frozen);
  return value;
}

describe('coming in', () => {
  it('waits for a name without one, and greets with the one that is kept', () => {
    assert.deepEqual(effectsOf(after(fresh(), { type: 'start' })), []);
    const [effect] = after(fresh(known), { type: 'start' }).effects;
    const { name, secret } = known.identity;
    assert.deepEqual(effect, { type: 'greet', name, secret, kept: null });
  });

  it('greets nobody while a link brings another identity, and does when that is declined', () => {
    const arrival = { pad: 'p', code: 'c', place: null };
    const asked = after(fresh(known), { type: 'follow', room: null, arrival }, { type: 'start' });
    assert.equal(asked.isLinked, false);
    assert.deepEqual(effectsOf(next(asked, { type: 'stay' })), ['greet', 'load_room']);
  });

  it('asks before the name of this browser is lost, and keeps it after no', () => {
    const arrival = { pad: 'p', code: 'c', place: { room: 'den', watch: false } };
    const brought = after(
      fresh(known),
      { type: 'follow', room: null, arrival },
      { type: 'take_over' },
      {
        type: 'identity_brought',
        place: arrival.place,
        answer: { name: 'Bob', secret: 'other' },
      },
    );
    assert.equal(brought.dialog.question, 'become');
    const no = next(brought, { type: 'close_dialog' });
    assert.deepEqual(no.effects, [{ type: 'dispatch', event: { type: 'stay' } }]);
    const [{ event }] = next(brought, { type: 'answer_yes' }).effects;
    const bob = next(brought, event);
    assert.equal(bob.identity.name, 'Bob');
    assert.deepEqual(effectsOf(bob), ['save_identity', 'save_room', 'greet', 'load_room']);
  });

  it('goes to the room of the link, else to the one that was kept, else to the lobby', () => {
    const welcome = update('welcome', null, { name: 'Ada' });
    const linked = after(fresh({ ...known, roomFromLink: 'den' }), { type: 'start' });
    assert.deepEqual(effectsOf(linked), ['greet', 'join_room']);
    assert.deepEqual(effectsOf(next(linked, welcome)), ['keep_identity']);
    const plain = after(fresh(known), { type: 'start' });
    assert.deepEqual(effectsOf(plain), ['greet', 'load_room']);
    const place = { room: 'den', watch: true };
    const back = next(plain, { type: 'come_back', place });
    assert.deepEqual(back.effects[0].message, { type: 'join_room', room: 'den', watch: true });
    assert.deepEqual(effectsOf(next(back, welcome)), ['keep_identity']);
    const nowhere = after(plain, { type: 'come_back', place: null }, welcome);
    assert.deepEqual(effectsOf(nowhere), ['keep_identity', 'watch_rooms', 'wait']);
    const late = after(plain, { type: 'follow', room: 'den', arrival: null }, welcome);
    assert.deepEqual(effectsOf(late), ['keep_identity', 'join_room']);
  });

  it('asks again for the room of the link after another name', () => {
    const linked = after(fresh({ ...known, roomFromLink: 'den' }), { type: 'start' });
    const [, { then }] = linked.effects;
    const refused = after(
      linked,
      update('greeting_refused', null, { code: 'name_taken', name: 'Ada' }),
      { ...then, error: { message: '', isOffline: true } },
    );
    assert.equal(refused.isEntering, false);
    assert.deepEqual(effectsOf(refused), []);
    const again = next(refused, { type: 'greet', name: 'Eva' });
    assert.deepEqual(effectsOf(again), ['greet', 'join_room']);
  });

  it('shows the room from before a reload at once, as the last known one', () => {
    const before = next(inGame(), { type: 'hidden' });
    const [{ type, kept }] = before.effects;
    assert.equal(type, 'keep_room');
    const reloaded = fresh({ ...known, kept, roomFromLink: 'attic' });
    const shown = next(reloaded, { type: 'start' });
    assert.deepEqual(shown.picture, before.picture);
    assert.deepEqual([shown.isOnline, knowsMyTurn(shown)], [false, false]);
    assert.deepEqual(effectsOf(shown), ['greet', 'save_room']);
    assert.deepEqual(shown.effects[0].kept, kept);
    assert.match(textOf(pageView(shown, t)), /as you saw it last/);
    const live = next(shown, update('entered', before.picture, { fresh: true, isBack: true }));
    assert.equal(live.kept, null);
    assert.doesNotMatch(textOf(pageView(live, t)), /as you saw it last/);
    const lost = { code: 'no_such_room', message: 'it is gone', picture: before.picture };
    assert.equal(next(shown, update('lost_room', null, lost)).kept, null);
  });

  it('shows no room from before a reload to another person, or in place of a linked one', () => {
    const [{ kept }] = next(inGame(), { type: 'hidden' }).effects;
    const identity = { ...known.identity, name: 'Eva' };
    for (const other of [{ roomFromLink: 'den' }, { identity }]) {
      const shown = next(fresh({ ...known, kept, ...other }), { type: 'start' });
      assert.deepEqual([shown.picture, shown.kept], [null, null]);
    }
    assert.equal(next(fresh(known), { type: 'hidden' }).effects[0].kept, null);
  });

  it('says that a name is taken', () => {
    const refused = update('greeting_refused', null, { code: 'name_taken', name: 'Ada' });
    const { problem } = after(fresh(known), { type: 'start' }, refused);
    assert.equal(problem.isNameTaken, true);
    assert.match(problem.text, /Ada/);
  });

  it('asks for one room at two taps, and for its password', () => {
    const lobby = after(fresh(known), { type: 'start' }, update('online', null));
    const first = next(lobby, { type: 'join', room: 'den' });
    assert.deepEqual(effectsOf(first), ['join_room']);
    assert.deepEqual(effectsOf(next(first, { type: 'join', room: 'den' })), []);
    const [{ then }] = first.effects;
    const error = { code: 'wrong_password', message: 'no', isOffline: false };
    const asked = next(first, { ...then, error });
    assert.deepEqual(asked.passwordFor, { room: 'den', watch: false, problem: '' });
    const [again] = next(asked, { type: 'join', room: 'den', password: 'x' }).effects;
    assert.equal(next(asked, { ...again.then, error }).passwordFor.problem, 'no');
  });
});

describe('the list of open rooms', () => {
  const welcome = update('welcome', null, { name: 'Ada' });
  const opened = after(fresh(known), { type: 'start' }, welcome);
  const [, { then }] = opened.effects;
  const listing = next(opened, { ...then, answer: {} });

  it('is shown when its last page is there, with the changes meanwhile', () => {
    const [request] = listing.effects;
    assert.deepEqual(request.message, { type: 'list_rooms' });
    const page = { rooms: [{ room: 'a' }, { room: 'b' }], next: 'b' };
    const first = next(listing, { ...request.then, answer: page });
    assert.equal(first.listing.isComplete, false);
    assert.deepEqual(first.effects[0].message, { type: 'list_rooms', after: 'b' });
    const changed = update('rooms_changed', null, { rooms: [{ room: 'd' }], gone: ['a'] });
    const last = { ...request.then, answer: { rooms: [{ room: 'c' }] } };
    const { rooms, isComplete } = after(first, changed, last).listing;
    assert.deepEqual([...rooms.keys()], ['b', 'd', 'c']);
    assert.equal(isComplete, true);
  });

  it('leaves out the pages of an earlier list', () => {
    const late = { type: 'rooms_listed', number: 0, answer: { rooms: [{ room: 'old' }] } };
    assert.equal(next(listing, late).listing.rooms.size, 0);
  });
});

describe('a game', () => {
  it('is changed by no event in place', () => {
    const state = frozen({ ...inGame(), effects: [] });
    const events = [
      { type: 'play', move: 'h0' },
      { type: 'typed', text: 'hello' },
      { type: 'resign' },
      { type: 'look_back', count: 0 },
      { type: 'open_dialog', dialog: { kind: 'players' } },
      update('rooms_changed', null, { rooms: [{ room: 'd' }], gone: [] }),
    ];
    for (const event of events) assert.notEqual(frozen(next(state, event)), state);
  });

  it('plays a tapped move at the present position', () => {
    const state = next(inGame(), { type: 'play', move: 'h0' });
    assert.equal(state.playing.move, 'h0');
    const [{ message, then }] = state.effects;
    assert.deepEqual(message, { type: 'play', seat: 0, move: 'h0', ply: 0, game: 3 });
    assert.equal(next(state, then).playing, null);
  });

  it('asks before each move where the person wants that', () => {
    const settings = { theme: 'auto', language: null, confirms: true };
    const asked = next({ ...inGame(), settings }, { type: 'play', move: 'h0' });
    assert.equal(asked.dialog.question, 'play');
    assert.deepEqual(effectsOf(asked), []);
    assert.deepEqual(effectsOf(next(asked, { type: 'close_dialog' })), []);
    const [{ event }] = next(asked, { type: 'answer_yes' }).effects;
    assert.deepEqual(effectsOf(next(asked, event)), ['play']);
  });

  it('takes back a move that is on its way when that is answered', () => {
    const waiting = after(inGame(), { type: 'play', move: 'h0' }, { type: 'undo' });
    assert.deepEqual(effectsOf(waiting), []);
    assert.deepEqual(effectsOf(next(waiting, { type: 'play_answered' })), ['undo']);
  });

  it('shows why the server refused something, but not that there is no connection', () => {
    const refused = { code: 'no_such_move', message: 'h0 is drawn', isOffline: false };
    const told = next(inGame(), { type: 'answered', error: refused });
    assert.deepEqual(told.toasts, [{ text: 'h0 is drawn', key: 1 }]);
    assert.deepEqual(told.effects[0].event, { type: 'toast_over', key: 1 });
    assert.deepEqual(next(told, told.effects[0].event).toasts, []);
    const offline = { message: 'no connection', isOffline: true };
    assert.deepEqual(next(inGame(), { type: 'answered', error: offline }).toasts, []);
  });

  it('keeps a move that is typed early, and plays it at its turn', () => {
    const bobs = inGame({ to_move: 1 });
    assert.equal(isMyTurn(bobs), false);
    const typed = next(bobs, { type: 'typed', text: ' H 1 ' });
    assert.equal(typed.premove.move, 'h1');
    assert.deepEqual(effectsOf(typed), ['clear_field']);
    const event = played('h0', { seat: 1, to_move: 0 });
    const room = { tokens: ['h0'], movers: [1], to_move: 0, seq: 8, ply: 1 };
    const now = happening(typed, event, room);
    assert.equal(now.premove, null);
    assert.equal(now.playing.move, 'h1');
    assert.equal(now.effects[0].message.ply, 1);
  });

  it('says in a pause who can go on, and keeps the move that was typed', () => {
    const paused = inGame({ pause: { member: 'Bob', since_ms: 1_000_000 } });
    const typed = next(paused, { type: 'typed', text: 'h1' });
    assert.deepEqual(
      typed.toasts.map(({ text }) => text),
      [t('refusal.paused', { names: ['Ada', 'Bob'] })],
    );
    assert.deepEqual([typed.premove, typed.playing, effectsOf(typed)], [null, null, ['wait']]);
  });

  it('says what is no move, but nothing that looks like one or like a command', () => {
    const state = inGame();
    for (const text of ['ｈ１', '/resign']) {
      const refused = next(state, { type: 'typed', text });
      assert.equal(refused.toasts.length, 1);
      assert.deepEqual(effectsOf(refused), ['wait']);
    }
    const said = next(state, { type: 'typed', text: ' hello ', to: 'spectators' });
    assert.deepEqual(
      said.unsent.map(({ text }) => text),
      ['hello'],
    );
    const { message, then } = said.effects.at(-1);
    assert.deepEqual(message, { type: 'say', text: 'hello', to: 'spectators' });
    assert.deepEqual(next(said, then).unsent, []);
    const acted = next(state, { type: 'typed', text: '/me waves', to: 'all' });
    const action = { type: 'say', text: 'waves', action: true };
    assert.deepEqual(acted.effects.at(-1).message, action);
    const told = next(state, { type: 'typed', text: 'psst', to: { to: 'Bob' } });
    assert.deepEqual(told.effects.at(-1).message, { type: 'tell', text: 'psst', to: 'Bob' });
  });

  it('shows a reaction for a moment, and not in the journal', () => {
    const state = inGame();
    const reacted = { type: 'reacted', member: 'Bob', reaction: 'wow' };
    const shown = happening(state, reacted, { seq: state.picture.seq + 1 });
    assert.deepEqual(
      shown.toasts.map(({ text }) => text),
      ['Bob: Wow!'],
    );
    assert.deepEqual(shown.journal, state.journal);
  });

  it('forgets hints, thoughts and reviews of positions that are gone', () => {
    const hinted = after(
      inGame(),
      update('thinking', inGame().picture, { seat: 1 }),
      update('hint', inGame().picture, { ply: 0, move: 'h1', bot: 'easy', seat: 0 }),
    );
    assert.equal(hinted.hint, 'h1');
    assert.equal(hinted.thinking, 1);
    const room = { tokens: ['h0'], movers: [0], to_move: 1, seq: 8 };
    const moved = happening({ ...hinted, replayAt: 0 }, played('h0'), room);
    assert.equal(moved.hint, null);
    assert.equal(moved.thinking, null);
    assert.equal(moved.replayAt, 0);
    const started = { type: 'started', number: 4, players: ['Ada', 'Bob'] };
    assert.equal(happening(moved, started, { game_number: 4, seq: 9 }).replayAt, null);
  });

  it('shows the moves since the last one again, unless the person looks elsewhere', () => {
    const tokens = ['h0', 'h1', 'v0'];
    const state = inGame({ tokens, movers: [0, 1, 1], to_move: 0 });
    const first = next(state, { type: 'show_again' });
    assert.equal(first.replayAt, 1);
    const [{ event }] = first.effects;
    const second = next(first, event);
    assert.equal(second.replayAt, 2);
    assert.equal(next(second, second.effects[0].event).replayAt, null);
    const elsewhere = next(first, { type: 'look_back', count: 0 });
    assert.equal(next(elsewhere, event).replayAt, 0);
    assert.equal(next(elsewhere, { type: 'look_back', count: 99 }).replayAt, 3);
  });

  it('asks for a geometry once, again after a lost connection, and never for dots', () => {
    const noughts = { settings: { game: 'noughts', options: {} } };
    const state = inGame(noughts);
    const { kind } = state.geometry;
    assert.ok(effectsOf(state).includes('get_geometry'));
    assert.deepEqual(effectsOf(next(state, { type: 'second', serverMs: 1 })), []);
    const lost = { type: 'geometry_answered', kind, error: { isOffline: true } };
    const retried = after(state, update('offline', state.picture), lost);
    assert.deepEqual(effectsOf(retried), []);
    assert.deepEqual(effectsOf(next(retried, update('online', state.picture))), ['get_geometry']);
    const answer = {
      width: 100,
      height: 100,
      shapes: [{ kind: 'circle', points: [], move: 'A' }],
    };
    const drawn = next(state, { type: 'geometry_answered', kind, answer });
    assert.equal(next(drawn, { type: 'typed', text: 'a' }).playing.move, 'A');
    assert.equal(inGame().geometry, null);
  });

  it('gives the command of a button once until it is answered', () => {
    const start = { type: 'command', message: { type: 'start' } };
    const first = next(inGame(), start);
    assert.deepEqual(effectsOf(first), ['start']);
    assert.deepEqual(effectsOf(next(first, { ...start, message: { type: 'start' } })), []);
    const other = { type: 'command', message: { type: 'react', reaction: 'gg' } };
    assert.deepEqual(effectsOf(next(first, other)), ['react']);
    const answered = next(first, first.effects[0].then);
    assert.deepEqual(answered.asked, []);
    assert.deepEqual(effectsOf(next(answered, start)), ['start']);
  });

  it('tells people why they are in no room any more, if they did not leave it', () => {
    const out = (why) => next(inGame(), update('out', null, { why, picture: inGame().picture }));
    assert.match(out('kicked').dialog.text, /sent you out of the room attic/);
    assert.match(out('closed').dialog.text, /attic was closed/);
    assert.equal(out('left').dialog, null);
  });

  it('is left by the room for the lobby, and its dialog with it', () => {
    const state = next(inGame(), { type: 'resign' });
    const left = next(state, update('out', null, { why: 'kicked', picture: state.picture }));
    assert.equal(left.dialog.kind, 'told');
    assert.deepEqual(mySeats(left), []);
    assert.deepEqual(effectsOf(left), ['save_room', 'watch_rooms', 'wait']);
  });
});

describe('Back in the browser', () => {
  const back = (state, depth) => next(state, { type: 'back', depth });
  const events = ({ effects }) => effects.map(({ event }) => event);
  const players = { type: 'open_dialog', dialog: { kind: 'players' } };

  it('closes the views over the one that it leads to, the uppermost first', () => {
    const open = after(inGame(), { type: 'open_form' }, players);
    const types = ['leave', 'close_form', 'close_dialog'];
    assert.deepEqual(
      layersOf(open).map(({ type }) => type),
      types,
    );
    for (const depth of [0, 1, 2, 3]) {
      const closed = events(back(open, depth)).map(({ type }) => type);
      assert.deepEqual(closed, types.slice(depth).reverse());
    }
  });

  it('asks before it leaves a game, and goes back to the room after no', () => {
    const asked = after(inGame(), ...events(back(inGame(), 0)));
    assert.equal(asked.dialog.question, 'leave_game');
    assert.equal(layersOf(asked).length, 2);
    assert.deepEqual(layersOf(after(asked, ...events(back(asked, 1)))), [{ type: 'leave' }]);
    const [{ event }] = next(asked, { type: 'answer_yes' }).effects;
    assert.deepEqual(effectsOf(next(asked, event)), ['leave']);
  });

  it('has one step for each view over the lobby, and none where another tab plays', () => {
    const lobby = after(fresh(known), { type: 'start' }, update('online', null));
    const depth = (state) => layersOf(state).length;
    assert.equal(depth(lobby), 0);
    assert.equal(depth(next(lobby, { type: 'open_form' })), 1);
    assert.equal(depth({ ...lobby, passwordFor: { room: 'den', watch: false, problem: '' } }), 1);
    assert.equal(depth({ ...lobby, finished: { picture: inGame().picture, number: 1 } }), 1);
    assert.equal(depth(next(inGame(), update('replaced', inGame().picture))), 0);
  });

  it('has a step for the magnifier, which closes where no move can be made', () => {
    const open = next(inGame(), { type: 'magnify', on: true });
    assert.deepEqual(layersOf(open), [{ type: 'leave' }, { type: 'magnify', on: false }]);
    assert.equal(after(open, ...events(back(open, 1))).isMagnified, false);
    assert.equal(next(open, { type: 'play', move: 'h0' }).isMagnified, false);
    const over = { ...open.picture, phase: 'over', to_move: null };
    assert.equal(next(open, update('changed', over, {})).isMagnified, false);
  });

  it('waits where it is open what is shown next', () => {
    const greeted = after(fresh(known), { type: 'start' });
    assert.equal(isOnItsWay(fresh()), false);
    assert.equal(isOnItsWay(greeted), true);
    const refused = update('greeting_refused', null, { code: 'name_taken', name: 'Ada' });
    assert.equal(isOnItsWay(next(greeted, { ...refused, seen: { you: null } })), false);
    assert.equal(isOnItsWay(inGame()), false);
    const joining = after(greeted, update('online', null), { type: 'join', room: 'den' });
    assert.equal(isOnItsWay(joining), true);
  });
});

describe('an address', () => {
  const follow = (room) => ({ type: 'follow', room, arrival: null });

  it('names the room, also before the person is in it', () => {
    assert.equal(addressOf(fresh()), '');
    assert.equal(addressOf(next(fresh(), follow('den'))), '#den');
    assert.equal(addressOf(inGame()), '#attic');
    const passwordFor = { room: 'den', watch: false, problem: '' };
    assert.equal(addressOf({ ...fresh(), passwordFor }), '#den');
  });

  it('that is changed leads to another room after a question', () => {
    assert.equal(next(inGame(), follow('attic')).dialog, null);
    const asked = next(inGame(), follow('den'));
    assert.equal(asked.dialog.question, 'leave_game');
    const [{ event }] = next(asked, { type: 'answer_yes' }).effects;
    const [{ message, then }] = next(asked, event).effects;
    assert.deepEqual(message, { type: 'join_room', room: 'den' });
    const error = { message: 'no', isOffline: false };
    assert.deepEqual(effectsOf(next(asked, { ...then, error })), ['wait']);
  });

  it('that is too long for a room says so, and asks the server nothing', () => {
    const lobby = after(fresh(known), { type: 'start' }, update('online', null));
    for (const state of [fresh(), lobby, inGame()]) {
      const told = next(state, follow('x'.repeat(5_000)));
      assert.deepEqual(effectsOf(told), ['wait']);
      assert.equal(told.toasts[0].text, 'This link leads to no room.');
      assert.equal(told.roomFromLink, null);
    }
    assert.deepEqual(effectsOf(next(lobby, follow('é'.repeat(100)))), ['join_room']);
  });

  it('that brings no identity any more ends the question about it', () => {
    const arrival = { pad: 'p', code: 'c', place: null };
    const asked = next(inGame(), { type: 'follow', room: null, arrival });
    assert.equal(asked.arrival, arrival);
    assert.equal(next(asked, follow('attic')).arrival, null);
  });
});

describe('a review', () => {
  const over = { phase: 'over', tokens: ['h0', 'h1'], movers: [0, 1], to_move: null };
  const asked = next(inGame(over), { type: 'ask_review' });
  const [{ message, then }] = asked.effects;
  const answer = { findings: [{ number: 1, seat: 0, lost: 2, effect: 'lost_game' }] };

  it('opens the position before the move that decided the game', () => {
    assert.deepEqual(message, { type: 'get_review' });
    assert.equal(asked.review.isPending, true);
    const state = next(asked, { ...then, answer });
    assert.equal(state.review, answer);
    assert.equal(state.replayAt, 0);
  });

  it('goes with its game, also before another one begins', () => {
    const shown = next(asked, { ...then, answer });
    for (const type of ['configured', 'aborted']) {
      const gone = { phase: 'waiting', tokens: [], movers: [], seq: 8 };
      const state = happening(shown, { type, settings: {} }, gone);
      assert.deepEqual([state.review, state.judged, state.replayAt], [null, null, null]);
    }
  });

  it('is dropped if another game began meanwhile', () => {
    const started = { type: 'started', number: 4, players: ['Ada', 'Bob'] };
    const other = happening(asked, started, { game_number: 4, seq: 8 });
    assert.equal(next(other, { ...then, answer }).review, null);
    const again = next(other, { type: 'ask_review' });
    assert.equal(next(again, { ...then, answer }).review.isPending, true);
  });
});

describe('the question whether to play in the next game', () => {
  const bobLeft = { members: [{ name: 'Ada' }, { name: 'Cleo' }] };
  const asCleo = (room, ...events) =>
    after(
      { ...inGame(), you: 'Cleo', picture: null },
      ...events,
      update('entered', pictureFrom(attic(room)), { fresh: true, isBack: false }, 'Cleo'),
    );
  const question = ({ dialog }) => dialog && dialog.question;

  it('is asked once, of a spectator for whom a seat is left', () => {
    const asked = asCleo(bobLeft);
    assert.equal(question(asked), 'join_next');
    const yes = next(asked, { type: 'answer_yes' });
    assert.deepEqual([yes.dialog, effectsOf(yes)], [null, ['dispatch']]);
    assert.deepEqual(yes.effects[0].event.message, { type: 'rematch' });
    const no = next(asked, { type: 'close_dialog' });
    assert.equal(question(next(no, update('changed', asked.picture, {}, 'Cleo'))), null);
  });

  it('is not asked of players, nor without a seat, nor of who came to watch', () => {
    assert.equal(question(inGame(bobLeft)), null);
    const all = [{ name: 'Ada' }, { name: 'Bob' }, { name: 'Cleo' }];
    assert.equal(question(asCleo({ members: all })), null);
    assert.equal(question(asCleo(bobLeft, { type: 'join', room: 'attic', watch: true })), null);
  });

  it('goes when the next game begins', () => {
    const asked = asCleo(bobLeft);
    const started = { type: 'started', number: 4, players: ['Ada', 'Bob'] };
    assert.equal(question(happening(asked, started, { game_number: 4, seq: 8 })), null);
  });
});

describe('a question about a game', () => {
  it('goes with the game', () => {
    const asked = next(inGame(), { type: 'resign' });
    assert.equal(asked.dialog.question, 'resign');
    const ended = { type: 'ended', scores: [1, 0], winners: [0] };
    assert.equal(happening(asked, ended, { phase: 'over', seq: 8 }).dialog, null);
  });
});

describe('the form', () => {
  const lobby = after(fresh(known), { type: 'start' }, update('online', null));
  const form = after(
    lobby,
    { type: 'open_form' },
    { type: 'fill_in', changes: { token: 'once', opponent: 'easy', seats: 3 } },
  );

  it('creates a room, seats bots and starts', () => {
    const sent = next(form, { type: 'submit_form' });
    const [{ message, then }] = sent.effects;
    assert.equal(message.type, 'create_room');
    assert.equal(message.token, 'once');
    assert.equal(message.settings.seats, 3);
    const created = next(sent, { ...then, answer: {} });
    assert.deepEqual(created.effects[0].message, { type: 'fill', bot: 'easy' });
    assert.deepEqual(effectsOf(next(created, created.effects[0].then)), ['start']);
  });

  it('keeps what was filled in when the server refuses', () => {
    const sent = next(form, { type: 'submit_form' });
    const error = { code: 'too_many', message: 'too many rooms', isOffline: false };
    const refused = next(sent, { ...sent.effects[0].then, error });
    assert.equal(refused.form.seats, 3);
    assert.equal(refused.isEntering, false);
    assert.equal(refused.toasts.length, 1);
  });

  it('has a range of seats if more may come', () => {
    const { message } = next(
      next(form, { type: 'fill_in', changes: { mostSeats: 6 } }),
      { type: 'submit_form' },
    ).effects[0];
    assert.deepEqual([message.settings.seats, message.settings.seat_range], [3, [3, 6]]);
    const same = next(form, { type: 'fill_in', changes: { mostSeats: 3 } });
    const { settings } = next(same, { type: 'submit_form' }).effects[0].message;
    assert.deepEqual([settings.seats, 'seat_range' in settings], [3, false]);
  });

  it('keeps the range of a room that is there', () => {
    const settings = { ...inGame().picture.settings, seats: 4, seat_range: [2, 6] };
    const opened = next(inGame({ phase: 'waiting', settings }), { type: 'open_form' });
    const { message } = next(opened, { type: 'submit_form' }).effects[0];
    assert.deepEqual([message.type, message.settings.seat_range], ['configure', [2, 6]]);
  });

  it('drops an opening with the board or the seats to which it belongs', () => {
    const begun = next(form, { type: 'fill_in', changes: { opening: ['h0'], bestOf: 3 } });
    const sent = next(begun, { type: 'submit_form' }).effects[0].message.settings;
    assert.deepEqual(sent.opening, ['h0']);
    const other = next(begun, { type: 'fill_in', changes: { seats: 2 } });
    const { settings } = next(other, { type: 'submit_form' }).effects[0].message;
    assert.equal('opening' in settings, false);
  });

  it('seats no bots in a room of one', () => {
    const alone = next(form, { type: 'fill_in', changes: { seats: 1 } });
    assert.deepEqual(next(alone, { type: 'submit_form' }).effects[0].then.commands, []);
  });
});

describe('going to another room', () => {
  const cellar = { type: 'join', room: 'cellar' };
  const waiting = inGame({ phase: 'waiting' });

  it('needs no question between games', () => {
    const [{ message }] = next(waiting, cellar).effects;
    assert.deepEqual(message, { type: 'join_room', room: 'cellar' });
  });

  it('asks once who plays, by a link and a typed line, too', () => {
    for (const event of [
      cellar,
      { type: 'typed', text: '/join cellar', to: 'all' },
      { type: 'follow', room: 'cellar', arrival: null },
    ]) {
      const asked = next(inGame(), event);
      assert.equal(asked.dialog.question, 'leave_game');
      assert.ok(!effectsOf(asked).includes('join_room'));
      const [{ event: yes }] = next(asked, { type: 'answer_yes' }).effects;
      assert.deepEqual(effectsOf(next(asked, yes)), ['join_room']);
    }
  });

  it('asks for a password over the room, which stays where it is wrong', () => {
    const first = next(waiting, cellar);
    const [{ then }] = first.effects;
    const error = { code: 'wrong_password', message: 'no', isOffline: false };
    const asked = next(first, { ...then, error });
    assert.deepEqual(asked.passwordFor, { room: 'cellar', watch: false, problem: '' });
    assert.equal(asked.dialog.kind, 'rooms');
    const again = next(asked, { ...cellar, password: 'x' });
    assert.equal(again.dialog, null);
    assert.equal(again.effects[0].message.password, 'x');
    assert.equal(next(again, { ...again.effects[0].then, error }).passwordFor.problem, 'no');
    assert.equal(next(asked, { type: 'close_dialog' }).passwordFor, null);
  });

  it('says why it is not possible, and nothing changes', () => {
    const first = next(waiting, cellar);
    const error = { code: 'no_such_room', message: 'there is none', isOffline: false };
    const refused = next(first, { ...first.effects[0].then, error });
    assert.equal(refused.toasts.at(-1).text, 'there is none');
    assert.equal(refused.picture, waiting.picture);
    assert.deepEqual(effectsOf(refused), ['wait']);
  });

  it('forgets what was said and shown in the former one', () => {
    const said = update('event', waiting.picture, {
      event: { type: 'said', member: 'Bob', text: 'bye', at_ms: 1 },
      before: waiting.picture,
      after: waiting.picture,
    });
    const there = pictureFrom(attic({ room: 'cellar', phase: 'waiting' }));
    const moved = after(
      waiting,
      said,
      { type: 'open_dialog', dialog: { kind: 'players' } },
      update('entered', there, { fresh: true, isBack: false }),
    );
    assert.deepEqual([moved.journal, moved.dialog], [[], null]);
  });
});

describe('ignoring', () => {
  const said = (member, text) => ({ type: 'said', member, text, at_ms: 1 });

  function journalAfter(state, ...list) {
    const { journal, toasts } = list.reduce((before, event) => happening(before, event), state);
    return [...journal, ...toasts].map(({ text }) => text);
  }

  it('hides messages and reactions until the person listens again', () => {
    const ignoring = next(inGame(), { type: 'ignore', name: 'Bob', on: true });
    assert.deepEqual(ignoring.effects, [{ type: 'save_ignored', names: ['Bob'] }]);
    const reacted = { type: 'reacted', member: 'Bob', reaction: 'wow' };
    const told = { type: 'told', member: 'Bob', to: 'Ada', text: 'two', at_ms: 1 };
    const hidden = journalAfter(ignoring, said('Bob', 'one'), told, reacted, said('Cleo', 'three'));
    assert.deepEqual(hidden, ['three']);
    const again = next(ignoring, { type: 'ignore', name: 'Bob', on: false });
    assert.deepEqual(journalAfter(again, said('Bob', 'four')), ['four']);
  });

  it('hides what was said before, and what spectators reveal', () => {
    const chat = ['Bob', 'Cleo'].map((member, seq) => ({ ...said(member, member), seq }));
    const picture = pictureFrom(attic({ chat }));
    const there = update('entered', picture, { fresh: true, isBack: false });
    const entered = next({ ...inGame(), ignored: ['Bob'] }, there);
    assert.deepEqual(entered.journal.map(({ text }) => text), ['Cleo']);
    const ignoring = { ...inGame(), ignored: ['Bob'] };
    const revealed = journalAfter(ignoring, { type: 'revealed', lines: chat });
    assert.ok(revealed.includes('Cleo') && !revealed.includes('Bob'));
  });

  it('is typed as in the terminal, of others who are here', () => {
    const typed = (text) => next(inGame(), { type: 'typed', text, to: 'all' });
    assert.deepEqual(typed('/ignore bob').ignored, ['Bob']);
    assert.deepEqual(typed('/ignore Ada').ignored, []);
    assert.equal(typed('/ignore Dora').toasts.length, 1);
    const cleared = next(after(inGame(), update('event', inGame().picture, {
      event: said('Bob', 'one'), before: inGame().picture, after: inGame().picture,
    })), { type: 'typed', text: '/clear', to: 'all' });
    assert.deepEqual(cleared.journal, []);
  });
});

describe('another name', () => {
  it('is told in the room, or where there is none', () => {
    const renamed = { type: 'renamed', former: 'Ada', answer: 'Anna' };
    const text = t('event.renamed', { former: 'Ada', name: 'Anna' });
    const told = (lines) => lines.map((line) => line.text);
    const lobby = after(fresh(), { type: 'open_dialog', dialog: { kind: 'settings' } }, renamed);
    assert.deepEqual([told(lobby.toasts), lobby.journal, lobby.dialog], [[text], [], null]);
    const room = next(inGame(), renamed);
    assert.deepEqual([room.toasts, told(room.journal).at(-1)], [[], text]);
  });
});

describe('going away for a moment', () => {
  const message = (text) =>
    next(inGame(), { type: 'typed', text, to: 'all' }).effects.at(-1).message;

  it('is typed with a reason or without, and ended', () => {
    assert.deepEqual(message('/away the door'), { type: 'away', text: 'the door' });
    assert.deepEqual(message('/away'), { type: 'away', text: '' });
    assert.deepEqual(message('/back'), { type: 'away', text: null });
  });
});

describe('try again', () => {
  const played = { phase: 'over', tokens: ['h0', 'v0', 'h1'], movers: [0, 1, 0], to_move: null };

  it('starts the game of the room from the position that is shown', () => {
    const over = inGame({ ...played, host: 'Ada', seat_range: [2, 4] });
    const asked = after(over, { type: 'look_back', count: 2 }, { type: 'try_again' });
    const [{ message, then }] = asked.effects;
    assert.equal(message.type, 'configure');
    assert.deepEqual(message.settings.opening, ['h0', 'v0']);
    assert.equal(message.settings.seat_range, null);
    assert.deepEqual(next(asked, { ...then, answer: {} }).effects[0].message, { type: 'start' });
  });

  it('starts at once where the games begin so already', () => {
    const { settings } = inGame().picture;
    const over = inGame({ ...played, settings: { ...settings, opening: ['h0'] } });
    const asked = after(over, { type: 'look_back', count: 1 }, { type: 'try_again' });
    assert.deepEqual(asked.effects[0].message, { type: 'start' });
  });

  it('opens the form for a room against bots, in which the person moves first', () => {
    const { picture } = inGame(played);
    const lobby = after(fresh(known), { type: 'start' }, update('online', null));
    const shown = { ...lobby, finished: { picture, number: 7 } };
    const asked = after(shown, { type: 'look_back', count: 1 }, { type: 'try_again' });
    assert.equal(asked.finished, null);
    const chosen = next(asked, { type: 'fill_in', changes: { opponent: 'easy', token: 'once' } });
    const [{ message, then }] = next(chosen, { type: 'submit_form' }).effects;
    assert.deepEqual(message.settings.opening, ['h0']);
    const created = next(chosen, { ...then, answer: {} });
    const filled = next(created, { ...created.effects[0].then, answer: {} });
    assert.deepEqual(filled.effects[0].message, { type: 'start', first: 1 });
  });
});
