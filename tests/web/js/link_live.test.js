/**
 * Whole games of two links over a real server, which the port in BOXROOM_PORT names.
 *
 * The network between them and the server fails at random.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';

import { lines } from '../../../server/boxroom_server/web/page/board/board_geometry.js';
import { Link } from '../../../server/boxroom_server/web/page/link.js';
import { Refusal } from '../../../server/boxroom_server/web/page/link_errors.js';
import { seatsOf } from '../../../server/boxroom_server/web/page/mirror.js';
import { seeded } from './random.js';

const PORT = process.env.BOXROOM_PORT;
const GAMES = 3;
/** Part of the updates at which the connection is cut. */
const CUTS = 0.15;
/** Refusals where the other person was faster, by a takeback. */
const TOO_LATE = ['stale'];
/** Refusals that a request for a takeback may meet besides, or the answer to one. */
const NO_TAKEBACK = [
  ...TOO_LATE,
  'absent_player',
  'game_over',
  'no_change',
  'not_a_player',
  'no_takebacks_left',
  'nothing_to_undo',
  'undo_pending',
];

/** A link that plays at random, and whose connection the test can cut. */
class Player {
  cuts = 0;
  onRooms = () => {};
  #sockets = [];
  #isAtIt = false;
  #waiting = [];

  constructor(name, random) {
    const sockets = this.#sockets;
    this.random = random;
    this.link = new Link({
      url: `ws://127.0.0.1:${PORT}/`,
      name,
      secret: `the long secret of ${name}`,
      onUpdate: (update) => this.#act(update),
      WebSocket: class extends WebSocket {
        constructor(url) {
          super(url);
          sockets.push(this);
        }
      },
      random: () => 0, // come back at once
    });
    this.link.start();
  }

  /** Wait until `isSo`, which is asked at each update. */
  until(isSo) {
    return new Promise((resolve) => {
      this.#waiting.push({ isSo, resolve });
      this.#answer();
    });
  }

  #answer() {
    this.#waiting = this.#waiting.filter(({ isSo, resolve }) => !isSo(this.link) || resolve());
  }

  /** Cut the connection: whatever is on its way gets lost, in both directions. */
  cut() {
    const socket = this.#sockets.at(-1);
    const { onclose } = socket;
    if (onclose) {
      this.cuts += 1;
      Object.assign(socket, { onopen: null, onmessage: null, onclose: null });
      socket.close();
      onclose({ code: 1006 });
    }
  }

  #act(update) {
    this.#answer();
    if (update.kind === 'rooms_changed') {
      this.onRooms(update);
    }
    queueMicrotask(() => this.#think());
    if (this.random() < CUTS && this.link.picture?.phase === 'playing') {
      queueMicrotask(() => this.cut());
    }
  }

  /** Move until the picture stays as it is: updates also come while a command is under way. */
  async #think() {
    if (this.#isAtIt) {
      return;
    }
    this.#isAtIt = true;
    let picture = null;
    while (this.link.picture !== picture) {
      picture = this.link.picture;
      await this.#move();
    }
    this.#isAtIt = false;
  }

  /** Play, ask for a takeback, or answer one. */
  async #move() {
    const { picture } = this.link;
    if (picture?.phase !== 'playing') {
      return;
    }
    const { you } = this.link;
    const { ply, undo, to_move: seat, tokens } = picture;
    if (undo && undo.member !== you && !undo.agreed.includes(you)) {
      const agree = this.random() < 0.5;
      await this.#give({ type: 'answer_undo', ply: undo.ply, agree }, NO_TAKEBACK);
    } else if (!undo && this.random() < 0.1) {
      await this.#give({ type: 'undo', ply }, NO_TAKEBACK);
    }
    if (this.link.picture === picture && seatsOf(picture, you).includes(seat)) {
      const free = lines(3, 3).filter((name) => !tokens.includes(name));
      const move = free[Math.floor(this.random() * free.length)];
      await this.#give({ type: 'play', seat, move, ply }, TOO_LATE);
    }
  }

  async #give(command, allowed) {
    try {
      await this.link.command(command);
    } catch (error) {
      assert.ok(error instanceof Refusal && allowed.includes(error.code), `${error}`);
    }
  }
}

describe('links over a server', { skip: PORT ? false : 'BOXROOM_PORT names no server' }, () => {
  const everybody = [];
  after(() => everybody.forEach(({ link }) => link.stop()));

  function player(name, random) {
    const one = new Player(name, random);
    everybody.push(one);
    return one;
  }

  it('ask for its time, and hear of rooms', async () => {
    const [ada, bob] = ['Ada', 'Bob'].map((name) => player(name, seeded(0)));
    await Promise.all([ada, bob].map((one) => one.until(({ isOnline }) => isOnline)));
    assert.equal((await bob.link.request({ type: 'ping' })).type, 'pong');
    assert.ok(Math.abs(bob.link.serverNow() - Date.now()) < 60_000);
    await bob.link.request({ type: 'watch_rooms' });
    const told = new Promise((resolve) => {
      bob.onRooms = resolve;
    });
    const { room } = await ada.link.enter({ type: 'create_room' });
    const { rooms } = await told;
    assert.deepEqual(
      rooms.map((listed) => listed.room),
      [room],
    );
    const look = await bob.link.request({ type: 'look', room });
    assert.deepEqual(look.rooms, rooms);
    await ada.link.leave();
    assert.equal(ada.link.picture, null);
  });

  for (let number = 1; number <= GAMES; number += 1) {
    it(`play game ${number} to its end, and know what a newcomer is told`, async () => {
      const random = seeded(number);
      const [ada, bob, cleo] = ['Ada', 'Bob', 'Cleo'].map((name) => player(name + number, random));
      const options = { rows: 3, cols: 3 };
      const { room } = await ada.link.enter({ type: 'create_room', settings: { options } });
      await bob.link.enter({ type: 'join_room', room });
      await ada.link.command({ type: 'start' });
      const isOver = ({ picture, isOnline }) => isOnline && picture?.phase === 'over';
      await Promise.all([ada.until(isOver), bob.until(isOver)]);
      for (const { link } of [ada, bob]) {
        await link.command({ type: 'say', text: 'well played' }); // after the last return
      }

      const told = await cleo.link.enter({ type: 'join_room', room, watch: true });
      const hasAll = ({ picture }) => picture.seq === told.seq;
      await Promise.all([ada.until(hasAll), bob.until(hasAll)]);
      assert.equal(told.phase, 'over');
      assert.equal(told.tokens.length, 24);
      assert.deepEqual(ada.link.picture, told);
      assert.deepEqual(bob.link.picture, told);
      assert.ok(ada.cuts > 0 && bob.cuts > 0, 'no connection was cut');
      await Promise.all([ada, bob, cleo].map(({ link }) => link.leave()));
    });
  }
});
