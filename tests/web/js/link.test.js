import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Link } from '../../../server/boxroom_server/web/page/link.js';
import { Offline, Refusal } from '../../../server/boxroom_server/web/page/link_errors.js';
import { pictureFrom } from '../../../server/boxroom_server/web/page/mirror.js';
import { attic, World } from './scripted.js';

const HIDDEN = { type: 'hidden' };

/** Return a promise for the code of the refusal with which `promise` ends. */
function refusal(promise) {
  return promise.then(
    () => assert.fail('it was not refused'),
    (error) => {
      assert.ok(error instanceof Refusal, `${error}`);
      return error.code;
    },
  );
}

/** Return `promise` with a note of whether it has ended. */
function watched(promise) {
  const note = { isOver: false };
  const end = () => {
    note.isOver = true;
  };
  promise.then(end, end);
  return note;
}

function done(world, id, seq) {
  world.receive({ type: 'done', id, seq });
}

function events(world, seq, ...list) {
  world.receive({ type: 'events', seq, at_ms: world.nowMs, events: list });
}

function resume(world, { after = 7, lastId = 0 } = {}) {
  const { id } = world.sent().at(-1);
  world.receive({ type: 'resumed', you: 'Ada', room: 'attic', after, last_id: lastId });
  return id;
}

describe('the greeting', () => {
  it('is the first message, with what the page knows', () => {
    const world = new World();
    world.link.start();
    assert.deepEqual(world.sent(), []);
    world.open();
    assert.deepEqual(world.sent(), [
      {
        type: 'hello',
        protocol: 1,
        name: 'Ada',
        secret: 'a long random secret',
        client: 'boxroom web',
        knows: [
          ...['takebacks', 'requests', 'talk', 'series', 'seats', 'mutes', 'pauses', 'people'],
          'openings',
          'coach',
          'elsewhere',
        ],
      },
    ]);
  });

  it('is in the handshake, with the request for a room that is known by then', () => {
    const world = new World({ name: 'Åda' });
    world.link.enter({ type: 'join_room', room: 'attic' });
    world.link.start();
    assert.equal(world.socket.subprotocols[0], 'boxroom');
    for (const name of world.socket.subprotocols) assert.match(name, /^[\w.-]+$/);
    world.socket.open();
    const [hello, join, ...more] = world.sent();
    assert.deepEqual([hello.type, hello.name], ['hello', 'Åda']);
    assert.deepEqual([join, more], [{ type: 'join_room', room: 'attic', id: 1 }, []]);
  });

  it('asks for a room that is wanted while the connection is opened', () => {
    const world = new World();
    world.link.start();
    assert.equal(world.socket.subprotocols.length, 2);
    world.link.enter({ type: 'join_room', room: 'attic' });
    world.open();
    assert.deepEqual(
      world.sent().map(({ type }) => type),
      ['hello', 'join_room'],
    );
  });

  it('comes again where the server has not taken it', () => {
    const world = new World();
    world.link.enter({ type: 'join_room', room: 'attic' });
    world.link.start();
    world.socket.open('');
    assert.deepEqual(
      world.sent().map(({ type }) => type),
      ['hello', 'join_room'],
    );
  });

  it("isn't in the handshake of the next attempt, as an older server refuses that", () => {
    const world = new World();
    world.link.start();
    world.close();
    world.passUntilConnecting();
    assert.deepEqual(world.socket.subprotocols, []);
    world.open();
    assert.equal(world.sent()[0].type, 'hello');
  });

  it('gives the name as the server spells it, its games and its clock', () => {
    const world = new World();
    world.greet({ name: 'ADA', games: [{ game: 'dots' }], now_ms: world.nowMs + 5_000 });
    const { you, games, server, isGreeted, isOnline } = world.link;
    assert.deepEqual([you, server, isGreeted, isOnline], ['ADA', 'boxroom 0.1.0', true, true]);
    assert.deepEqual(games, [{ game: 'dots' }]);
    assert.equal(world.link.serverNow(), world.nowMs + 5_000);
    assert.deepEqual(world.kinds(), ['welcome', 'online']);
  });

  it('stops the link if the name is taken, and another name starts it again', () => {
    const world = new World();
    world.link.start();
    world.open();
    world.receive({ type: 'refused', id: 0, code: 'name_taken', message: 'take another' });
    const [update] = world.updates;
    assert.deepEqual(update, {
      kind: 'greeting_refused',
      code: 'name_taken',
      message: 'take another',
    });
    assert.equal(world.timers, 0);
    world.link.name = 'Cleo';
    world.link.start();
    world.open();
    assert.equal(world.sent()[0].name, 'Cleo');
  });

  it('is tried again later if the server wants that', () => {
    const world = new World();
    world.link.start();
    world.open();
    world.receive({ type: 'refused', id: 0, code: 'too_fast', message: 'try again later' });
    assert.deepEqual(world.kinds(), ['notice', 'offline']);
    world.pass(9_999);
    assert.equal(world.sockets.length, 1);
    world.pass(1);
    assert.equal(world.sockets.length, 2);
  });

  it('is given up after ten seconds without an answer', () => {
    const world = new World();
    world.link.start();
    world.open();
    world.pass(9_999);
    assert.deepEqual(world.kinds(), []);
    world.pass(1);
    assert.deepEqual(world.kinds(), ['offline']);
    assert.ok(world.socket.isClosed);
  });
});

describe('a lost connection', () => {
  it('is made again after growing, random times', () => {
    const world = new World();
    world.link.start();
    const times = Array.from({ length: 8 }, () => {
      world.close();
      const { retryMs } = world.updates.pop();
      world.pass(retryMs);
      return retryMs;
    });
    assert.deepEqual(times, [125, 250, 500, 1000, 2000, 4000, 5000, 5000]);
    assert.equal(world.sockets.length, 9);
  });

  it('is made again after short times once a connection has held', () => {
    const world = new World();
    const retryMs = () => world.updates.findLast(({ kind }) => kind === 'offline').retryMs;
    world.greet();
    world.loseAndGreet();
    world.loseAndGreet();
    assert.equal(retryMs(), 250);
    world.pass(5_000);
    world.loseAndGreet();
    assert.equal(retryMs(), 125);
  });

  it('counts as lost where the server is silent to a question and then to a ping', () => {
    const world = new World();
    world.greet();
    world.link.request({ type: 'list_rooms' }).catch(() => {});
    world.sent();
    world.pass(4_000);
    assert.equal(world.sent().at(-1).type, 'ping');
    world.pass(5_999);
    assert.ok(world.link.isOnline);
    world.pass(1);
    assert.ok(!world.link.isOnline);
  });

  it('counts as lost where the server says something else and then owes its answer', async () => {
    const world = new World();
    await world.enter();
    world.link.command({ type: 'say', text: 'hello' }).catch(() => {});
    events(world, 8, HIDDEN);
    world.pass(4_000);
    assert.equal(world.sent().at(-1).type, 'ping');
    world.pass(6_000);
    assert.ok(!world.link.isOnline);
  });

  it('is replaced by a second one that opens while it is silent', async () => {
    const world = new World();
    await world.enter();
    const [silent] = world.sockets;
    const said = world.link.command({ type: 'say', text: 'hello' });
    const { id } = world.sent().at(-1);
    world.pass(4_999);
    assert.equal(world.sockets.length, 1);
    world.pass(1);
    assert.equal(world.sockets.length, 2);
    world.welcome();
    assert.ok(!silent.isClosed); // the server would tell the others
    const [hello, join] = world.sent();
    assert.deepEqual([hello.type, join.type, join.after], ['hello', 'join_room', 7]);
    silent.onmessage({ data: '{"type":"thinking","seat":1,"bot":"too late"}' });
    silent.onclose({ code: 4001 });
    world.receive(
      { type: 'resumed', you: 'Ada', room: 'attic', after: 7, last_id: id },
      { type: 'done', id: join.id, seq: 7 },
    );
    assert.ok(silent.isClosed);
    const [again] = world.sent();
    assert.deepEqual([again.type, again.text, again.id], ['say', 'hello', id]);
    world.receive({ type: 'done', id, seq: 8 });
    assert.equal(await said, 8);
    assert.deepEqual(world.kinds(), ['welcome', 'entered', 'online']);
  });

  it('is kept where it says something before the second one opens', async () => {
    const world = new World();
    await world.enter();
    const [slow] = world.sockets;
    const said = world.link.command({ type: 'say', text: 'hello' });
    const { id } = world.sent().at(-1);
    world.pass(5_000);
    slow.onmessage({ data: JSON.stringify({ type: 'done', id, seq: 8 }) });
    assert.equal(await said, 8);
    assert.ok(world.socket.isClosed);
    world.open();
    assert.deepEqual(world.sent(), []);
    assert.deepEqual(world.kinds(), []);
  });

  it('gets no second one where the server is slow, but answers pings', async () => {
    const world = new World();
    await world.enter();
    world.link.command({ type: 'say', text: 'hello' }).catch(() => {});
    for (let i = 0; i < 10; i += 1) {
      world.pass(4_500);
      const { id, type } = world.sent().at(-1);
      assert.equal(type, 'ping');
      world.receive({ type: 'pong', id, now_ms: 0 });
    }
    assert.equal(world.sockets.length, 1);
  });

  it('takes a second one with it when it is lost', async () => {
    const world = new World();
    await world.enter();
    const [lost] = world.sockets;
    world.link.command({ type: 'say', text: 'hello' }).catch(() => {});
    world.pass(5_000);
    lost.onclose({ code: 1006 });
    assert.ok(world.socket.isClosed);
    world.passUntilConnecting();
    assert.equal(world.sockets.length, 3);
  });

  it('is noticed by a ping where nothing is said for long', () => {
    const world = new World();
    world.greet();
    world.sent();
    world.pass(19_999);
    assert.deepEqual(world.sent(), []);
    world.pass(1);
    assert.equal(world.sent().at(-1).type, 'ping');
    world.pass(5_000);
    assert.ok(!world.link.isOnline);
  });

  it('is not lost where the server answers, even if by a refusal of the ping', () => {
    const world = new World();
    world.greet();
    world.link.wake();
    world.updates.length = 0;
    for (let i = 0; i < 3; i += 1) {
      const ping = world.sent().at(-1);
      assert.equal(ping.type, 'ping');
      world.receive({ type: 'refused', id: ping.id, code: 'bad_message', message: 'ping?' });
      world.pass(20_000);
    }
    assert.deepEqual(world.kinds(), []);
    assert.ok(world.link.isOnline);
  });

  it('is made again at once when the page wakes, but not before a stopping server is back', () => {
    const world = new World();
    world.greet();
    world.receive({ type: 'notice', code: 'stopping', message: 'back soon', retry_ms: 3_000 });
    world.close(1012);
    world.link.wake();
    world.pass(2_999);
    assert.equal(world.sockets.length, 1);
    world.pass(1);
    assert.equal(world.sockets.length, 2);
    world.close();
    world.link.wake();
    world.pass(0);
    assert.equal(world.sockets.length, 3);
  });

  it('is given up two seconds after the page woke, where nothing answers', () => {
    const world = new World();
    world.greet();
    world.link.wake();
    world.pass(1_999);
    assert.ok(world.link.isOnline);
    world.pass(1);
    assert.ok(!world.link.isOnline);
  });

  it('rejects the questions that it leaves without an answer', async () => {
    const world = new World();
    world.greet();
    const question = world.link.request({ type: 'list_rooms' });
    world.close();
    await assert.rejects(question, Offline);
    await assert.rejects(world.link.request({ type: 'list_rooms' }), Offline);
  });

  it('comes back later after a flood', () => {
    const world = new World();
    world.greet();
    world.close(1008);
    world.pass(9_999);
    assert.equal(world.sockets.length, 1);
    world.pass(1);
    assert.equal(world.sockets.length, 2);
  });

  it('needs no socket that says so: its constructor may throw', () => {
    const world = new World({
      WebSocket: class {
        constructor() {
          throw new Error('no');
        }
      },
    });
    world.link.start();
    assert.deepEqual(world.kinds(), ['offline']);
  });

  it('is not noticed twice: what an old socket says later is ignored', () => {
    const world = new World();
    world.greet();
    world.link.wake();
    const old = world.socket;
    world.pass(2_000);
    world.passUntilConnecting();
    world.welcome();
    world.updates.length = 0;
    old.onmessage({ data: '{"type":"notice","code":"late","message":"late"}' });
    old.onclose({ code: 4001 });
    assert.deepEqual(world.kinds(), []);
  });
});

describe('the way into a room', () => {
  it('goes on over the next connection, and the link says so', async () => {
    const world = new World();
    world.greet();
    const entered = world.link.enter({ type: 'join_room', room: 'attic' });
    world.loseAndGreet();
    assert.ok(world.link.isEntering);
    const { id, room } = world.sent().at(-1);
    assert.equal(room, 'attic');
    world.receive(world.inRoom(), { type: 'done', id, seq: 7 });
    await entered;
    assert.ok(!world.link.isEntering);
  });
});

describe('the end', () => {
  for (const [code, kind] of [
    [4001, 'replaced'],
    [4003, 'banned'],
  ]) {
    it(`comes with close code ${code}`, async () => {
      const world = new World();
      await world.enter();
      const command = world.link.command({ type: 'say', text: 'hello' });
      world.close(code);
      await assert.rejects(command, Offline);
      assert.deepEqual(world.kinds(), [kind]);
      assert.equal(world.timers, 0);
      assert.ok(!world.link.isOnline);
    });
  }

  it('is no end for a person who wants to play here: start comes back into the room', async () => {
    const world = new World();
    await world.enter();
    world.close(4001);
    world.link.start();
    world.welcome();
    assert.deepEqual(world.sent().at(-1).room, 'attic');
    assert.equal(world.sent().at(-1)?.after, undefined);
  });

  it('comes with stop, and leaves nothing behind', async () => {
    const world = new World();
    world.greet();
    const entered = world.link.enter({ type: 'join_room', room: 'attic' });
    const asked = world.link.request({ type: 'list_rooms' });
    world.link.stop();
    await assert.rejects(entered, Offline);
    await assert.rejects(asked, Offline);
    assert.equal(world.timers, 0);
    assert.ok(world.socket.isClosed);
  });
});

describe('a question', () => {
  it('resolves to its answer, whatever the order', async () => {
    const world = new World();
    world.greet();
    const games = world.link.request({ type: 'list_games' });
    const rooms = world.link.request({ type: 'list_rooms', after: 'x' });
    const [one, other] = world.sent().slice(-2);
    assert.deepEqual(other, { type: 'list_rooms', after: 'x', id: one.id + 1 });
    world.receive({ type: 'rooms', id: other.id, rooms: [], later: 'field' });
    world.receive({ type: 'games', id: one.id, games: [] });
    assert.equal((await games).type, 'games');
    assert.deepEqual((await rooms).rooms, []);
  });

  it('may be refused', async () => {
    const world = new World();
    world.greet();
    const look = refusal(world.link.request({ type: 'look', room: 'nowhere' }));
    const { id } = world.sent().at(-1);
    world.receive({ type: 'refused', id, code: 'no_such_room', message: 'no' });
    assert.equal(await look, 'no_such_room');
  });
});

describe('entering a room', () => {
  it('gives a picture, an audience and an update', async () => {
    const world = new World();
    world.greet();
    const entered = world.link.enter({ type: 'join_room', room: 'attic', password: 'pw' });
    const request = world.sent().at(-1);
    assert.deepEqual(request, { type: 'join_room', room: 'attic', password: 'pw', id: 1 });
    world.kinds();
    world.receive(world.inRoom());
    assert.deepEqual(world.updates.pop(), { kind: 'entered', fresh: true, isBack: false });
    done(world, 1, 7);
    assert.equal(await entered, world.link.picture);
    assert.equal(world.link.picture.seq, 7);
    assert.equal(world.link.audience, 'player');
    assert.deepEqual(world.kinds(), []);
  });

  it('waits for the connection, and is asked for again with the same token', async () => {
    const world = new World();
    const entered = world.link.enter({ type: 'create_room', settings: {} });
    world.greet();
    const first = world.sent().at(-1);
    assert.match(first.token, /^[0-9a-f]{32}$/);
    world.loseAndGreet();
    const second = world.sent().at(-1);
    assert.equal(second.token, first.token);
    assert.notEqual(second.id, first.id);
    world.receive(world.inRoom());
    done(world, second.id, 7);
    await entered;
  });

  it('resolves after a return if the connection was lost before the last answer', async () => {
    const world = new World();
    world.greet();
    const entered = world.link.enter({ type: 'join_room', room: 'attic' });
    world.receive(world.inRoom());
    world.loseAndGreet();
    const id = resume(world);
    done(world, id, 7);
    assert.equal((await entered).seq, 7);
  });

  it('may be refused, and then another room can be entered', async () => {
    const world = new World();
    world.greet();
    const entered = refusal(world.link.enter({ type: 'join_room', room: 'attic' }));
    world.receive({ type: 'refused', id: 1, code: 'wrong_password', message: 'no' });
    assert.equal(await entered, 'wrong_password');
    world.link.enter({ type: 'join_room', room: 'cellar' });
    assert.equal(world.sent().at(-1).room, 'cellar');
  });

  it('can be given up', async () => {
    const world = new World();
    world.greet();
    const entered = world.link.enter({ type: 'join_room', room: 'attic' });
    world.link.leave();
    await assert.rejects(entered, Offline);
    world.passUntilConnecting();
    world.welcome();
    assert.deepEqual(
      world.sent().map(({ type }) => type),
      ['hello'],
    );
  });
});

describe('events', () => {
  const draw = { type: 'played', seat: 0, move: 'h0', taken: [], to_move: 1, scores: [0, 0] };
  const say = { type: 'said', member: 'Bob', text: 'oh', at_ms: 1 };

  it('come one by one and then together, when all are in the picture', async () => {
    const world = new World();
    await world.enter();
    events(world, 8, draw, say);
    const [one, two, both] = world.updates;
    assert.deepEqual(
      [one, two].map(({ kind, seq, event }) => [kind, seq, event]),
      [
        ['event', 8, draw],
        ['event', 9, say],
      ],
    );
    assert.equal(one.after, two.before);
    assert.equal(both.kind, 'changed');
    assert.equal(both.before, one.before);
    assert.equal(both.after, world.link.picture);
    assert.equal(both.after, two.after);
  });

  it('of an unknown type, and messages of an unknown type, are no trouble', async () => {
    const world = new World();
    await world.enter();
    events(world, 8, { type: 'danced', member: 'Bob' });
    world.receive({ type: 'weather', sky: 'blue' });
    assert.equal(world.link.picture.seq, 8);
    assert.deepEqual(world.kinds(), ['event', 'changed']);
    assert.ok(world.link.isOnline);
  });

  it('teach the clock of the server', async () => {
    const world = new World();
    await world.enter();
    world.receive({ type: 'events', seq: 8, at_ms: world.nowMs + 700, events: [HIDDEN] });
    world.receive({ type: 'events', seq: 9, at_ms: world.nowMs + 200, events: [HIDDEN] });
    assert.equal(world.link.serverNow(), world.nowMs + 700);
  });

  it('with a gap lead to a new picture', async (t) => {
    t.mock.method(console, 'warn', () => {});
    const world = new World();
    await world.enter();
    events(world, 9, HIDDEN);
    assert.deepEqual(world.kinds(), ['offline']);
    assert.equal(world.link.picture.seq, 7);
    world.passUntilConnecting();
    world.welcome();
    const join = world.sent().at(-1);
    assert.deepEqual(join, { type: 'join_room', room: 'attic', id: join.id });
    world.receive(world.inRoom({ seq: 12 }));
    done(world, join.id, 12);
    const entered = world.updates.find(({ kind }) => kind === 'entered');
    assert.deepEqual(entered, { kind: 'entered', fresh: true, isBack: true });
    assert.equal(world.link.picture.seq, 12);
  });

  for (const [what, data] of [
    ['no JSON', '{"type"'],
    ['no object', 'null'],
    ['no events', '{"type":"events","seq":8,"at_ms":0}'],
    ['no such seat', '{"type":"events","seq":8,"events":[{"type":"vacated","seat":9}]}'],
  ]) {
    it(`with ${what} lead to a new connection and a new picture`, async (t) => {
      const warn = t.mock.method(console, 'warn', () => {});
      const world = new World();
      await world.enter();
      world.socket.onmessage({ data });
      assert.deepEqual(world.kinds(), ['offline']);
      assert.ok(world.sockets[0].isClosed);
      assert.equal(warn.mock.callCount(), 1);
      world.passUntilConnecting();
      world.welcome();
      assert.equal(world.sent().at(-1).after, undefined);
    });
  }

  it('are applied even if a view throws', async () => {
    const errors = [];
    const world = new World({
      onUpdate: ({ kind }) => {
        if (kind === 'event') {
          throw new Error('a mistake in a view');
        }
      },
    });
    await world.enter();
    const caught = new Promise((resolve) => {
      process.setUncaughtExceptionCaptureCallback((error) => {
        errors.push(error.message);
        resolve();
      });
    });
    events(world, 8, HIDDEN);
    assert.equal(world.link.picture.seq, 8);
    await caught;
    process.setUncaughtExceptionCaptureCallback(null);
    assert.deepEqual(errors, ['a mistake in a view']);
  });
});

describe('coming back', () => {
  it('is asked for without waiting for the welcome', async () => {
    const world = new World();
    await world.enter();
    world.close();
    world.passUntilConnecting();
    world.open();
    const [hello, join] = world.sent();
    assert.deepEqual([hello.type, join.type, join.after], ['hello', 'join_room', 7]);
    const greeting = { protocol: 1, server: 'boxroom 0.1.0', name: 'Ada', games: [] };
    world.receive({ type: 'welcome', ...greeting });
    assert.deepEqual(world.sent(), []);
  });

  it('after a reload is one to the whole room, and sends what was done', async () => {
    const picture = pictureFrom(attic());
    const kept = { picture, you: 'Ada', games: [], serverMs: 0, geometry: null };
    const world = new World({ kept });
    assert.deepEqual([world.link.picture, world.link.audience], [picture, 'player']);
    const played = world.link.command({ type: 'play', seat: 0, move: 'h0', ply: 0 });
    world.link.start();
    world.open();
    const [, join] = world.sent();
    assert.deepEqual([join.room, join.after], ['attic', undefined]);
    const greeting = { protocol: 1, server: 'boxroom 0.1.0', name: 'Ada', games: [] };
    world.receive({ type: 'welcome', ...greeting }, world.inRoom({}, 41));
    done(world, join.id, 7);
    assert.deepEqual(world.kinds(), ['welcome', 'entered', 'online']);
    const [play] = world.sent();
    assert.deepEqual([play.type, play.id, play.game], ['play', 42, 3]);
    done(world, play.id, 8);
    assert.equal(await played, 8);
  });

  it('continues after the last event, and is online when nothing is missing', async () => {
    const world = new World();
    await world.enter();
    events(world, 8, HIDDEN);
    world.kinds();
    world.loseAndGreet();
    const join = world.sent().at(-1);
    const expected = { type: 'join_room', room: 'attic', after: 8, log: 'f00d', id: join.id };
    assert.deepEqual(join, expected);
    assert.ok(world.link.isGreeted);
    assert.ok(!world.link.isOnline);
    world.receive({ type: 'resumed', you: 'Ada', room: 'attic', after: 8, last_id: 0 });
    events(world, 9, HIDDEN);
    assert.deepEqual(world.kinds(), ['offline', 'welcome', 'entered', 'event', 'changed']);
    done(world, join.id, 9);
    assert.deepEqual(world.kinds(), ['online']);
    assert.ok(world.link.isOnline);
  });

  it('keeps spectators spectators, and their password', async () => {
    const world = new World();
    world.greet();
    world.link.enter({ type: 'join_room', room: 'attic', password: 'pw', watch: true });
    const seats = [{ glyph: 0, name: 'Cleo', member: 'Cleo' }, { glyph: 1 }];
    world.receive(world.inRoom({ seats }));
    done(world, 1, 7);
    world.loseAndGreet();
    const { password, watch } = world.sent().at(-1);
    assert.deepEqual([password, watch], ['pw', true]);
  });

  it('takes no seat again if the person was about to stand up', async () => {
    const world = new World();
    await world.enter({ phase: 'waiting' });
    world.link.command({ type: 'stand' }).catch(() => {});
    world.loseAndGreet();
    assert.equal(world.sent().at(-1).watch, true);
  });

  it('asks for the whole room if the server continues elsewhere', async (t) => {
    t.mock.method(console, 'warn', () => {});
    const world = new World();
    await world.enter();
    world.loseAndGreet();
    resume(world, { after: 6 });
    assert.ok(!world.link.isGreeted);
    world.passUntilConnecting();
    world.welcome();
    assert.equal(world.sent().at(-1).after, undefined);
  });

  it('may be refused: the room is lost, and with it all commands', async () => {
    const world = new World();
    await world.enter();
    const command = refusal(world.link.command({ type: 'say', text: 'hello' }));
    world.loseAndGreet();
    world.kinds();
    const { id } = world.sent().at(-1);
    world.receive({ type: 'refused', id, code: 'no_such_room', message: 'it has ended' });
    const [lost] = world.updates;
    assert.deepEqual([lost.kind, lost.code], ['lost_room', 'no_such_room']);
    assert.equal(lost.message, 'it has ended');
    assert.equal(lost.picture.room, 'attic');
    assert.equal(await command, 'no_such_room');
    assert.equal(world.link.picture, null);
    assert.deepEqual(world.kinds(), ['lost_room', 'online']);
  });

  it('is tried again later while the server cannot save', async () => {
    const world = new World();
    await world.enter();
    world.loseAndGreet();
    const { id } = world.sent().at(-1);
    world.receive({ type: 'refused', id, code: 'cannot_save', message: 'in a moment' });
    world.passUntilConnecting();
    world.welcome();
    assert.equal(world.sent().at(-1).after, 7);
  });

  it('into another room with the same code refuses the commands for the old one', async () => {
    const world = new World();
    await world.enter();
    const command = refusal(world.link.command({ type: 'say', text: 'hello' }));
    world.loseAndGreet();
    const { id } = world.sent().at(-1);
    world.receive(world.inRoom({ log: 'beef', seq: 3 }));
    done(world, id, 3);
    assert.equal(await command, 'other_room');
    assert.deepEqual(world.sent(), []);
  });

  it('as a spectator passes over the own departure', async () => {
    const world = new World();
    await world.enter({ seats: [{ glyph: 0 }, { glyph: 1 }] });
    world.loseAndGreet();
    const id = resume(world);
    world.kinds();
    events(world, 8, { type: 'left', member: 'Ada' });
    events(world, 9, { type: 'joined', member: 'Ada' });
    done(world, id, 9);
    assert.ok(!world.kinds().includes('out'));
    assert.equal(world.link.picture.members.at(-1).name, 'Ada');
  });
});

describe('commands', () => {
  const move = { type: 'play', seat: 0, move: 'h0', ply: 0 };

  it('have growing ids above the last one that the room knows, and moves the game', async () => {
    const world = new World();
    await world.enter({}, 40);
    const played = world.link.command(move);
    const said = world.link.command({ type: 'say', text: 'hello' });
    assert.deepEqual(world.sent(), [
      { ...move, game: 3, id: 41 },
      { type: 'say', text: 'hello', id: 42 },
    ]);
    done(world, 41, 8);
    done(world, 42, 9);
    assert.deepEqual(await Promise.all([played, said]), [8, 9]);
  });

  it('may be refused', async () => {
    const world = new World();
    await world.enter();
    const played = refusal(world.link.command(move));
    const { id } = world.sent().at(-1);
    world.receive({ type: 'refused', id, code: 'stale', message: 'too late' });
    assert.equal(await played, 'stale');
  });

  it('are refused in the words of the page', async () => {
    const world = new World({ said: ({ phrase, message }) => `${phrase?.key}, ${message}` });
    await world.enter();
    const played = world.link.command(move);
    const { id } = world.sent().at(-1);
    const phrase = { key: 'refusal.stale' };
    world.receive({ type: 'refused', id, code: 'stale', message: 'too late', phrase });
    await assert.rejects(played, { code: 'stale', message: 'refusal.stale, too late' });
    world.receive({ type: 'notice', code: 'stopping', message: 'wait', phrase });
    assert.equal(world.updates.at(-1).message, 'refusal.stale, wait');
  });

  it('are refused outside of rooms', async () => {
    const world = new World();
    world.greet();
    assert.equal(await refusal(world.link.command(move)), 'not_in_a_room');
  });

  it('are sent again in order with their ids, and newer ones after them', async () => {
    const world = new World();
    await world.enter();
    world.link.command(move);
    world.link.command({ type: 'say', text: 'one' });
    const before = world.sent();
    world.close();
    const later = world.link.command({ type: 'say', text: 'two' });
    world.passUntilConnecting();
    world.welcome();
    const id = resume(world);
    assert.deepEqual(world.sent(), [], 'not before the server has answered');
    done(world, id, 7);
    const after = world.sent();
    assert.deepEqual(after.slice(0, 2), before);
    assert.equal(after[2].text, 'two');
    assert.ok(after[2].id > before[1].id);
    done(world, after[2].id, 9);
    assert.equal(await later, 9);
  });

  it('wait while sixteen have no answer', async () => {
    const world = new World();
    await world.enter();
    for (let i = 0; i < 18; i += 1) {
      world.link.command({ type: 'say', text: `${i}` }).catch(() => {});
    }
    const sent = world.sent();
    assert.equal(sent.length, 16);
    done(world, sent[3].id, 8);
    assert.deepEqual(
      world.sent().map(({ text }) => text),
      ['16'],
    );
    world.receive({ type: 'refused', id: sent[0].id, code: 'too_long', message: 'too long' });
    assert.deepEqual(
      world.sent().map(({ text }) => text),
      ['17'],
    );
  });

  it('are sent again under another id after a pause if they were too fast', async () => {
    const world = new World();
    await world.enter();
    const one = world.link.command({ type: 'say', text: 'one' });
    world.link.command({ type: 'say', text: 'two' });
    const [first, second] = world.sent();
    world.receive({ type: 'refused', id: first.id, code: 'too_fast', message: 'slow down' });
    done(world, second.id, 8);
    world.link.command({ type: 'say', text: 'three' });
    assert.deepEqual(world.sent(), [], 'nothing in the pause');
    world.pass(500);
    const again = world.sent();
    assert.deepEqual(
      again.map(({ text }) => text),
      ['one', 'three'],
    );
    assert.ok(again[0].id > second.id);
    done(world, again[0].id, 9);
    assert.equal(await one, 9);
  });

  it('that are longer than the server takes are not sent', async () => {
    const world = new World();
    await world.enter();
    world.close();
    world.passUntilConnecting();
    world.welcome({ message_bytes: 16_384 });
    world.sent();
    for (const ask of ['command', 'request']) {
      const message = { type: 'say', text: 'é'.repeat(9_000) };
      assert.equal(await refusal(world.link[ask](message)), 'too_long');
    }
    assert.deepEqual(world.sent(), []);
  });

  it('that are too long for the server are not repeated', async () => {
    const world = new World();
    await world.enter();
    const long = refusal(world.link.command({ type: 'say', text: 'x'.repeat(20_000) }));
    const short = watched(world.link.command({ type: 'say', text: 'x' }));
    world.close(1009);
    assert.equal(await long, 'too_long');
    assert.ok(!short.isOver);
  });
});

describe('going out', () => {
  it('by leave waits for the answer', async () => {
    const world = new World();
    await world.enter();
    const left = world.link.leave();
    const { type, id } = world.sent().at(-1);
    assert.equal(type, 'leave');
    assert.notEqual(world.link.picture, null);
    events(world, 8, { type: 'left', member: 'Ada' });
    done(world, id, 8);
    await left;
    const { kind, why, picture } = world.updates.at(-1);
    assert.deepEqual([kind, why, picture.seq], ['out', 'left', 8]);
    assert.equal(world.link.picture, null);
    assert.equal(world.updates.filter((update) => update.kind === 'out').length, 1);
  });

  it('by leave needs no events', async () => {
    const world = new World();
    await world.enter();
    const left = world.link.leave();
    done(world, world.sent().at(-1).id, 8);
    await left;
    assert.deepEqual(world.kinds(), ['out']);
  });

  it('by leave is done when the connection is lost before the answer', async () => {
    const world = new World();
    await world.enter();
    const left = world.link.leave();
    world.close();
    await left;
    assert.deepEqual(world.kinds(), ['out', 'offline']);
    world.passUntilConnecting();
    world.welcome();
    assert.deepEqual(
      world.sent().map(({ type }) => type),
      ['hello'],
    );
  });

  it('by leave needs no connection', async () => {
    const world = new World();
    await world.enter();
    world.close();
    world.kinds();
    await world.link.leave();
    assert.deepEqual(world.kinds(), ['out']);
  });

  it('happens to a person who is kicked', async () => {
    const world = new World();
    await world.enter();
    const command = refusal(world.link.command({ type: 'say', text: 'why' }));
    events(world, 8, { type: 'kicked', member: 'Ada' });
    assert.equal(world.updates.at(-1).why, 'kicked');
    assert.equal(await command, 'not_in_a_room');
    events(world, 9, HIDDEN);
    assert.deepEqual(world.kinds(), ['event', 'changed', 'out']);
    assert.ok(world.link.isOnline);
  });

  it('happens to a person who was kicked while away', async () => {
    const world = new World();
    await world.enter();
    world.loseAndGreet();
    const id = resume(world);
    events(world, 8, { type: 'kicked', member: 'Ada' });
    world.kinds();
    done(world, id, 8);
    assert.deepEqual(world.kinds(), ['online', 'out']);
  });

  it('happens where the operator closes the room', async () => {
    const world = new World();
    await world.enter();
    world.close(1001);
    assert.equal(world.updates[0].why, 'closed');
    assert.deepEqual(world.kinds(), ['out', 'offline']);
    world.passUntilConnecting();
    world.welcome();
    assert.deepEqual(
      world.sent().map(({ type }) => type),
      ['hello'],
    );
  });
});

describe('messages without a number', () => {
  it('are handed on with their fields', async () => {
    const world = new World();
    await world.enter();
    const messages = [
      { type: 'thinking', seat: 1, bot: 'hard' },
      { type: 'hint', seat: 0, move: 'h0', ply: 0, game: 3, bot: 'expert' },
      { type: 'notice', code: 'bot_waits', message: 'it waits' },
      { type: 'rooms_changed', rooms: [], gone: ['cellar'] },
    ];
    world.receive(...messages);
    assert.deepEqual(
      world.updates,
      messages.map(({ type, ...fields }) => ({ ...fields, kind: type })),
    );
  });

  it('include refusals of what the server could not read', async () => {
    const world = new World();
    await world.enter();
    world.receive({ type: 'refused', id: 0, code: 'bad_message', message: 'what?' });
    assert.deepEqual(world.updates, [{ kind: 'notice', code: 'bad_message', message: 'what?' }]);
  });
});

describe('a browser', () => {
  it('gets its functions called as functions, not as methods', () => {
    const calls = [];
    function setTimer() {
      calls.push(this);
    }
    const link = new Link({
      url: 'ws://test/',
      name: 'Ada',
      secret: 'a long random secret',
      WebSocket: class {
        close() {}
      },
      setTimer,
      clearTimer() {
        calls.push(this);
      },
    });
    link.start();
    link.stop();
    assert.deepEqual(calls, [undefined, undefined]);
  });
});

describe('going to another room', () => {
  const CELLAR = { type: 'join_room', room: 'cellar', password: 'sesame' };

  function going(world, message = CELLAR) {
    const entered = world.link.enter(message);
    return { entered, id: world.sent().at(-1).id };
  }

  it('replaces the room, and comes back to the new one', async () => {
    const world = new World();
    await world.enter();
    const { entered, id } = going(world);
    const command = refusal(world.link.command({ type: 'say', text: 'too late' }));
    world.receive(world.inRoom({ room: 'cellar', log: 'beef', seq: 3 }));
    done(world, id, 3);
    assert.equal((await entered).room, 'cellar');
    assert.equal(await command, 'other_room');
    assert.deepEqual(
      world.updates.filter(({ kind }) => kind === 'entered').map(({ isBack }) => isBack),
      [false],
    );
    world.loseAndGreet();
    const { room, password, after } = world.sent().at(-1);
    assert.deepEqual([room, password, after], ['cellar', 'sesame', 3]);
  });

  it('leaves the page where it is if it is refused', async () => {
    const world = new World();
    await world.enter();
    const { entered, id } = going(world);
    const code = refusal(entered);
    world.receive({ type: 'refused', id, code: 'too_fast', message: 'wait' });
    assert.equal(await code, 'too_fast');
    assert.equal(world.link.picture.room, 'attic');
    assert.deepEqual(world.kinds(), []);
  });

  it('is given up with the connection, and the page comes back to its room', async () => {
    const world = new World();
    await world.enter();
    const { entered } = going(world);
    const lost = assert.rejects(entered, Offline);
    world.close();
    await lost;
    await assert.rejects(world.link.enter(CELLAR), Offline);
    world.passUntilConnecting();
    world.welcome();
    assert.equal(world.sent().at(-1).room, 'attic');
  });

  it('is no way to create one', async () => {
    const world = new World();
    await world.enter();
    assert.equal(await refusal(world.link.enter({ type: 'create_room' })), 'in_a_room');
  });
});

describe('another name', () => {
  /** Ask for a name, over a second socket beside the first. */
  async function asking(world, name = 'Anna') {
    const first = world.socket;
    const renamed = world.link.rename(name);
    const second = world.socket;
    assert.notEqual(first, second);
    world.open();
    assert.deepEqual(world.sent()[0].name, name);
    return { renamed, first, second };
  }

  async function welcomed(world, name = 'Anna') {
    const asked = await asking(world, name);
    world.receive({ type: 'welcome', protocol: 1, server: 'boxroom', name, games: [] });
    await new Promise((resolve) => setImmediate(resolve));
    return { ...asked, join: world.sent().at(-1) };
  }

  const seats = [{ glyph: 0, name: 'Anna', member: 'Anna' }, { glyph: 1 }];
  const members = [{ name: 'Anna' }];
  const there = (world) => ({ ...world.inRoom({ seats, members }), you: 'Anna' });

  it('is one under which the page comes back to the whole room', async () => {
    const world = new World();
    await world.enter();
    const { renamed, first, join } = await welcomed(world);
    assert.deepEqual([join.former_name, join.after], ['Ada', undefined]);
    world.receive(there(world));
    done(world, join.id, 7);
    assert.equal(await renamed, 'Anna');
    assert.equal(world.link.you, 'Anna');
    assert.ok(first.isClosed);
    world.loseAndGreet();
  });

  it('that the server refuses leaves the connection as it is', async () => {
    const world = new World();
    await world.enter();
    const { renamed, first, second } = await asking(world);
    const code = refusal(renamed);
    world.receive({ type: 'refused', id: 0, code: 'name_taken', message: 'taken' });
    assert.equal(await code, 'name_taken');
    assert.ok(second.isClosed && !first.isClosed);
    assert.equal(world.link.isOnline, true);
    assert.deepEqual(world.kinds(), []);
  });

  it('that the room refuses has the page come back under the former one', async () => {
    const world = new World();
    await world.enter();
    const { renamed, join } = await welcomed(world);
    const code = refusal(renamed);
    world.receive({ type: 'refused', id: join.id, code: 'game_on', message: 'later' });
    assert.equal(await code, 'game_on');
    world.passUntilConnecting();
    world.open();
    assert.equal(world.sent()[0].name, 'Ada');
  });

  it('is tried again after a lost connection', async () => {
    const world = new World();
    await world.enter();
    const { renamed } = await welcomed(world);
    world.close();
    world.passUntilConnecting();
    world.open();
    const [hello, join] = world.sent();
    assert.equal(hello.name, 'Anna');
    world.receive({ type: 'welcome', protocol: 1, server: 'boxroom', name: 'Anna', games: [] });
    assert.equal(join.former_name, 'Ada');
    world.receive(there(world));
    done(world, join.id, 7);
    assert.equal(await renamed, 'Anna');
  });

  it('is taken outside of rooms, too', async () => {
    const world = new World();
    world.greet();
    const { renamed, first } = await welcomed(world);
    assert.equal(await renamed, 'Anna');
    assert.deepEqual([world.link.you, world.link.isOnline], ['Anna', true]);
    assert.ok(first.isClosed);
    void world.link.enter({ type: 'join_room', room: 'cellar' });
    assert.equal(world.sent().at(-1).former_name, undefined);
  });

  it('needs a connection, and waits for no room', async () => {
    const world = new World();
    world.link.start();
    await assert.rejects(world.link.rename('Anna'), Offline);
    world.welcome();
    void world.link.enter({ type: 'join_room', room: 'cellar' });
    await assert.rejects(world.link.rename('Anna'), Offline);
  });
});

describe('another server of the cluster', () => {
  const AT = 'ws://test/?at=node%202';
  const elsewhere = (id) => ({ type: 'elsewhere', id, at: 'node 2' });
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('gets the request to come in that this one sends there', async () => {
    const world = new World();
    world.greet();
    const entered = world.link.enter({ type: 'join_room', room: 'attic', password: 'quiet' });
    const first = world.socket;
    world.receive(elsewhere(world.sent().at(-1).id));
    assert.ok(first.isClosed);
    assert.equal(world.socket.url, AT);
    world.welcome();
    const { id, room, password } = world.sent().at(-1);
    assert.deepEqual([room, password], ['attic', 'quiet']);
    world.receive(world.inRoom(), { type: 'done', id, seq: 7 });
    assert.equal((await entered).room, 'attic');
    assert.ok(!world.kinds().includes('offline'));
  });

  it('is where a page comes back with the ids of its commands', async () => {
    const world = new World();
    await world.enter();
    world.link.command({ type: 'say', text: 'hello' });
    const said = world.sent().at(-1);
    world.loseAndGreet();
    world.receive(elsewhere(world.sent().at(-1).id));
    world.welcome();
    done(world, resume(world), 7);
    assert.deepEqual(world.sent().at(-1), said);
  });

  it('goes on without a gap where this one asks for it', async () => {
    const world = new World();
    await world.enter();
    const said = world.link.command({ type: 'say', text: 'hello' });
    const { id } = world.sent().at(-1);
    const first = world.socket;
    world.receive(elsewhere(0));
    assert.equal(world.socket.url, AT);
    assert.ok(world.link.isOnline && !first.isClosed);
    world.welcome();
    await settled();
    done(world, resume(world), 7);
    assert.equal(world.socket.sent.find(({ type }) => type === 'join_room').after, 7);
    assert.ok(first.isClosed);
    assert.equal(world.sent().at(-1).id, id);
    done(world, id, 8);
    assert.equal(await said, 8);
    assert.ok(!world.kinds().includes('offline'));
  });

  it('that lets nobody in leaves the page where it is', async () => {
    const world = new World();
    await world.enter();
    const first = world.socket;
    world.receive(elsewhere(0));
    world.close();
    await settled();
    assert.ok(world.link.isOnline && !first.isClosed);
    assert.deepEqual(world.kinds(), []);
  });

  it('has to wait until a question is answered', async () => {
    const world = new World();
    await world.enter();
    const asked = world.link.request({ type: 'get_powers' });
    world.receive(elsewhere(0));
    assert.equal(world.sockets.length, 1);
    world.receive({ type: 'powers', id: world.sent().at(-1).id, powers: [] });
    assert.deepEqual((await asked).powers, []);
    world.receive(elsewhere(0));
    assert.equal(world.sockets.length, 2);
  });

  it('is forgotten with the room', async () => {
    const world = new World();
    await world.enter();
    world.receive(elsewhere(0));
    world.welcome();
    await settled();
    done(world, resume(world), 7);
    const left = world.link.leave();
    done(world, world.sent().at(-1).id, 8);
    await left;
    world.close();
    world.passUntilConnecting();
    assert.equal(world.socket.url, 'ws://test/');
  });
});
