/** A world for a `Link` in which the test says what the server and the clock do. */
import { Link } from '../../../server/boxroom_server/web/page/link.js';

/** A WebSocket whose other end is the test. */
class ScriptedSocket {
  sent = [];
  isClosed = false;

  constructor(url, subprotocols) {
    this.url = url;
    this.subprotocols = subprotocols;
  }

  /** Open it; what came in the handshake counts as sent, if the server takes that. */
  open(protocol = this.subprotocols[0]) {
    this.protocol = protocol ?? '';
    for (const name of protocol ? this.subprotocols.slice(1) : []) {
      this.sent.push(JSON.parse(Buffer.from(name.replace('boxroom.', ''), 'base64url')));
    }
    this.onopen({});
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.isClosed = true;
  }
}

/** A link, its updates, and the means to be its server. */
export class World {
  updates = [];
  sockets = [];
  nowMs = 1_000_000;
  #timers = [];
  #taken = 0;

  constructor(options = {}) {
    const world = this;
    this.link = new Link({
      url: 'ws://test/',
      name: 'Ada',
      secret: 'a long random secret',
      onUpdate: (update) => world.updates.push(update),
      WebSocket: class extends ScriptedSocket {
        constructor(...parts) {
          super(...parts);
          world.sockets.push(this);
        }
      },
      now: () => world.nowMs,
      setTimer: (run, ms) => {
        const timer = { run, atMs: world.nowMs + ms };
        world.#timers.push(timer);
        return timer;
      },
      clearTimer: (timer) => {
        world.#timers = world.#timers.filter((other) => other !== timer);
      },
      random: () => 0.5,
      ...options,
    });
  }

  /** The newest socket. */
  get socket() {
    return this.sockets.at(-1);
  }

  /** Return the messages that the link has sent over this socket since the last call. */
  sent() {
    const socket = this.socket;
    this.#taken = socket === this.lastSocket ? this.#taken : 0;
    this.lastSocket = socket;
    const messages = socket.sent.slice(this.#taken);
    this.#taken = socket.sent.length;
    return messages;
  }

  /** Return the kinds of the updates since the last call. */
  kinds() {
    return this.updates.splice(0).map(({ kind }) => kind);
  }

  receive(...messages) {
    messages.forEach((message) => this.socket.onmessage({ data: JSON.stringify(message) }));
  }

  open() {
    this.socket.open();
  }

  /** The server, or the network, closes the connection. */
  close(code = 1006) {
    this.socket.onclose({ code });
  }

  /** Let time pass, and run the timers that are due, in order. */
  pass(ms) {
    const endMs = this.nowMs + ms;
    for (;;) {
      const due = this.#timers.filter(({ atMs }) => atMs <= endMs);
      if (!due.length) {
        break;
      }
      const next = due.reduce((one, other) => (other.atMs < one.atMs ? other : one));
      this.#timers = this.#timers.filter((other) => other !== next);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.run();
    }
    this.nowMs = endMs;
  }

  /** Let time pass until the link makes another connection. */
  passUntilConnecting() {
    const before = this.sockets.length;
    const endMs = this.nowMs + 60_000;
    while (this.sockets.length === before && this.nowMs < endMs) {
      this.pass(10);
    }
  }

  /** The number of timers that run. */
  get timers() {
    return this.#timers.length;
  }

  /** Start the link and greet it. */
  greet(fields = {}) {
    this.link.start();
    this.welcome(fields);
  }

  welcome(fields = {}) {
    this.open();
    const greeting = { protocol: 1, server: 'boxroom 0.1.0', name: 'Ada', games: [] };
    this.receive({ type: 'welcome', ...greeting, ...fields });
  }

  /** Greet the link, and let it into the room. */
  async enter(room = {}, lastId = 0) {
    this.greet();
    const entered = this.link.enter({ type: 'join_room', room: 'attic' });
    const { id } = this.sent().at(-1);
    this.receive(this.inRoom(room, lastId), { type: 'done', id, seq: 7 });
    await entered;
    this.updates.length = 0;
  }

  inRoom(room = {}, lastId = 0) {
    return { type: 'in_room', you: 'Ada', audience: 'player', last_id: lastId, room: attic(room) };
  }

  /** Lose the connection, and greet the link over the next one. */
  loseAndGreet() {
    this.close();
    this.passUntilConnecting();
    this.welcome();
  }
}

/** Return the `room` of an `in_room`: a running game of Ada and Bob. */
export function attic(fields = {}) {
  return {
    room: 'attic',
    log: 'f00d',
    seq: 7,
    phase: 'playing',
    settings: { options: { rows: 1, cols: 1 } },
    host: 'Ada',
    seats: [
      { glyph: 0, name: 'Ada', member: 'Ada', since: 3 },
      { glyph: 1, name: 'Bob', member: 'Bob', since: 5 },
    ],
    members: [{ name: 'Ada' }, { name: 'Bob' }],
    game_number: 3,
    players: ['Ada', 'Bob'],
    to_move: 0,
    scores: [0, 0],
    ...fields,
  };
}
