/**
 * The page's link to a server: it connects again when the connection is lost, comes back into the
 * room, and sends commands again that the server hasn't answered. No DOM here.
 *
 * Theory of operation. A WebSocket lives shortly; everything else here outlives it. Each
 * connection begins with hello and welcome. If the page was in a room, or wants to enter one,
 * `join_room` follows the hello at once, both in the handshake if they are known by then, with the
 * number of the last event, and the server goes on from there or sends the whole room. Then the
 * commands without an answer are sent again, with the ids that they had. A page that was loaded
 * again begins as if it had lost its connection in the room that it has kept, but asks for the
 * whole room. A command gets its id when it is first sent. Where the server is silent for too
 * long, a `ping` asks whether it is there, sooner if it owes an answer; without one the connection
 * counts as lost. Where it owes an answer, a second connection is opened before that, beside the
 * first. If it opens while the first is still silent, it is the link's connection from then on. A
 * server of a cluster can send the page to another one, where the members of its room are: before
 * it lets the page in, or later, while the page stays in the room until it is greeted there.
 */
import { hasTakenEarly, subprotocolsFor } from './early_messages.js';
import { greetOver } from './greeting_beside.js';
import { Offline, Refusal } from './link_errors.js';
import { audienceOf, fold, pictureFrom } from './mirror.js';
import { PendingCommands } from './pending_commands.js';
import { randomText } from './random_text.js';

/**
 * @import {
 *   ClientMessage, Coaching, CreateRoom, Done, Elsewhere, Events, GameGeometry, GameOffered,
 *   GameRecord, GameReview, Games, Hint, IdentityOffered, InRoom, JoinRoom, Notice, Phrase, Pong,
 *   PositionJudgement, Powers, QrCode, Refused, Resumed, Rooms, RoomsChanged, ServerMessage,
 *   Thinking, Welcome
 * } from './protocol.js'
 * @import { LogEvent, Picture } from './mirror.js'
 * @import { Pending } from './pending_commands.js'
 * @import { KeptRoom } from './storage.js'
 */

/**
 * A message without its id.
 *
 * @template M
 * @typedef {M extends unknown ? Omit<M, 'id'> : never} Unnumbered
 */

/**
 * @typedef {object} Answers the answer to each request outside of rooms
 * @property {Pong} ping
 * @property {Rooms} list_rooms
 * @property {Done} watch_rooms
 * @property {Games} list_games
 * @property {GameRecord} get_game
 * @property {GameReview} get_review
 * @property {PositionJudgement} judge
 * @property {GameGeometry} get_geometry
 * @property {Powers} get_powers
 * @property {QrCode} get_qr_code
 * @property {Rooms} look
 * @property {IdentityOffered} offer_identity
 *
 * @typedef {Exclude<Extract<ClientMessage, {id: number}>,
 *   CreateRoom | JoinRoom | {type: keyof Answers}>} NumberedCommand
 * @typedef {Unnumbered<NumberedCommand>} Command
 * @typedef {Unnumbered<JoinRoom> | Omit<CreateRoom, 'id' | 'token'> & {token?: string}} Entry
 */

/**
 * The request of a type.
 *
 * @template {keyof Answers} K
 * @typedef {Unnumbered<Extract<ClientMessage, {type: K}>>} Request
 */

/**
 * A promise that is to be settled.
 *
 * @template T
 * @typedef {{resolve: (value: T) => void, reject: (error: Error) => void}} Settler
 */

/**
 * @typedef {'retry' | 'silence' | 'idle' | 'pause'} TimerName
 * @typedef {{picture: Picture, you: string, password?: ?string, isInSync: boolean}} Entered a room,
 *   and what coming back to it takes
 *
 * @typedef {{kind: 'welcome', server: string, name: string, games: GameOffered[]}
 *   | {kind: 'online' | 'replaced' | 'banned'}
 *   | {kind: 'offline', retryMs: number}
 *   | {kind: 'entered', fresh: boolean, isBack: boolean}
 *   | {kind: 'event', event: LogEvent, seq: number, atMs: number, before: Picture, after: Picture}
 *   | {kind: 'changed', before: Picture, after: Picture}
 *   | {kind: 'out', why: 'left' | 'kicked' | 'closed', picture: Picture}
 *   | {kind: 'lost_room', code: string, message: string, picture: Picture}
 *   | {kind: 'banned' | 'greeting_refused', code: string, message: string}
 *   | {kind: 'notice'} & Omit<Notice, 'type' | 'phrase'>
 *   | {kind: 'thinking'} & Omit<Thinking, 'type'>
 *   | {kind: 'hint'} & Omit<Hint, 'type'>
 *   | {kind: 'coaching'} & Omit<Coaching, 'type'>
 *   | {kind: 'rooms_changed'} & Omit<RoomsChanged, 'type'>} Update
 */

const CLIENT = 'boxroom web';
const PROTOCOL = 1;
const KNOWS = [
  ...['takebacks', 'requests', 'talk', 'series', 'seats', 'mutes', 'pauses', 'people'],
  'openings',
  'coach',
  'elsewhere',
];

/** Close codes of the server; see docs/reference/protocol.md, "Closing". */
const ROOM_CLOSED = 1001;
const TOO_FAST = 1008;
const TOO_LONG = 1009;
/** Most bytes of an id and a token, which a message gets before it is sent. */
const MOST_ADDED = 64;
const REPLACED = 4001;
const BANNED = 4003;

/** Commands that name the position they are meant for, and so the game. */
const IN_A_GAME = ['play', 'ask_hint', 'undo', 'answer_undo'];
/** Refusals that may be over at the next attempt to greet or to come back. */
export const FOR_NOW = ['too_fast', 'cannot_save', 'cannot_load', 'no_hello'];

/** Ceiling of the first delay before an attempt to connect; it doubles up to `MOST_RETRY_MS`. */
const FIRST_RETRY_MS = 250;
const MOST_RETRY_MS = 10_000;
/** Least delay where the server wants the page to come back later. */
const LATER_MS = 10_000;
/** Time that a connection must hold for the delays to begin small again. */
const SETTLED_MS = 5_000;
/** Longest wait for the welcome. */
const WELCOME_MS = 10_000;
/** Longest wait for any message where an answer is due, before a ping. */
const ANSWER_MS = 4_000;
/** Longest wait for any message after that ping, before a second connection. */
const SECOND_MS = 1_000;
/** Longest wait for any message after another ping, or where a second connection was opened. */
const SILENCE_MS = 5_000;
/** Longest wait for any message where none is due, before a ping: a lost network says nothing. */
const IDLE_MS = 20_000;
/** The same after the device woke or changed its network, which mostly ends the connection. */
const WAKING_MS = 2_000;
/** Pause after the server refused a command as too fast. */
const SLOW_DOWN_MS = 500;

/**
 * One person's link to one server.
 *
 * `said` returns the words of what a message says, by its `phrase` or its English `message`.
 *
 * `onUpdate` receives objects with a `kind`:
 *
 * - `welcome` {server, name, games}: the server has greeted the page.
 * - `online`: everything is sent at once from now on; in a room, nothing is missing any more.
 * - `offline` {retryMs}: the connection is lost; the next attempt begins after `retryMs`.
 * - `entered` {fresh, isBack}: there is a picture of a room. With `fresh` it is a new one, else the
 *   events that were missed follow. With `isBack` the page was in this room before.
 * - `event` {event, seq, atMs, before, after} for each event in order, and then one `changed`
 *   {before, after} for all that happened together. `picture` is the last `after` already.
 * - `out` {why, picture}: the page isn't in the room any more; why is `left`, `kicked` or `closed`.
 * - `lost_room` {code, message, picture}: the server doesn't let the page come back.
 * - `thinking`, `hint`, `notice`, `rooms_changed`: with the fields of the message.
 * - `replaced`, `banned`, `greeting_refused` {code, message}: the link has stopped. After another
 *   `name`, or where the person wants it, `start` it again.
 */
export class Link {
  /** Name and secret for the next greeting. */
  name;
  secret;
  /**
   * The person's name as the server spells it.
   *
   * @type {?string}
   */
  you = null;
  /**
   * Name and version of the server, and the games that it offers.
   *
   * @type {?string}
   */
  server = null;
  /** @type {GameOffered[]} */
  games = [];
  /** Whether the server has greeted the page over the present connection. */
  isGreeted = false;
  /** Whether it has, and the page is back in its room, if it was in one. */
  isOnline = false;

  #url;
  /**
   * The server of a cluster to which a balancer leads; null if that may be any.
   *
   * @type {?string}
   */
  #at = null;
  #mostBytes = Infinity; // of a message that the server takes
  #onUpdate;
  #said; // the words of a message
  #WebSocket;
  #now;
  #setTimer;
  #clearTimer;
  #random;

  #isStopped = true;
  /**
   * The present socket; null while there is none.
   *
   * @type {?WebSocket}
   */
  #socket = null;
  /**
   * The socket that is being opened beside it; null without one.
   *
   * @type {?WebSocket}
   */
  #second = null;
  /**
   * The silent socket that the present one has replaced, until the page is back in its room.
   *
   * @type {?WebSocket}
   */
  #replaced = null;
  /**
   * The functions that stop the timers which run, by name.
   *
   * @type {Map<TimerName, () => void>}
   */
  #timers = new Map();
  /** The delays since a connection last held. */
  #attempts = 0;
  #onlineSinceMs = 0;
  /** Time before which the server doesn't want the page back. */
  #notBeforeMs = 0;
  /**
   * The server's clock minus the page's.
   *
   * @type {?number}
   */
  #offsetMs = null;

  /** The last id; one counter for all messages. */
  #lastId = 0;
  /**
   * Questions without an answer, by id.
   *
   * @type {Map<number, Settler<ServerMessage>>}
   */
  #questions = new Map();
  /** Commands without an answer. */
  #commands = new PendingCommands();
  /**
   * The request of `enter`, until it is answered; `from` is the log of the room that it leaves.
   *
   * @type {?Settler<Picture> & {message: Unnumbered<CreateRoom | JoinRoom>, from: ?string}}
   */
  #entry = null;
  /**
   * A change of the name that is under way, with the name before it.
   *
   * @type {?Settler<string> & {former: string}}
   */
  #renaming = null;
  /**
   * The id of the message that enters the room or comes back, until it is answered.
   *
   * @type {?number}
   */
  #joinId = null;
  /**
   * The room as the server last told it, and what coming back takes; null outside of rooms.
   *
   * @type {?Entered}
   */
  #room = null;

  /**
   * @param {object} options
   * @param {string} options.url
   * @param {string} options.name
   * @param {string} options.secret
   * @param {?KeptRoom} [options.kept] the room in which it is, as it was when this was kept
   * @param {(update: Update) => void} [options.onUpdate]
   * @param {(message: {message?: string, phrase?: ?Phrase}) => string} [options.said]
   * @param {typeof globalThis.WebSocket} [options.WebSocket]
   * @param {() => number} [options.now]
   * @param {(run: () => void, ms: number) => number} [options.setTimer]
   * @param {(timer: number) => void} [options.clearTimer]
   * @param {() => number} [options.random]
   */
  constructor({
    url,
    name,
    secret,
    kept = null,
    onUpdate = () => {},
    said = ({ message, phrase }) => message ?? String(phrase?.key),
    WebSocket = globalThis.WebSocket,
    now = Date.now,
    setTimer = setTimeout,
    clearTimer = clearTimeout,
    random = Math.random,
  }) {
    this.#url = url;
    this.name = name;
    this.secret = secret;
    if (kept !== null) {
      const { picture, you, games } = kept;
      this.#room = { picture, you, isInSync: false };
      [this.you, this.games] = [you, games];
    }
    this.#onUpdate = onUpdate;
    this.#said = said;
    this.#WebSocket = WebSocket;
    // As plain functions: a browser's own don't work as methods of another object.
    this.#now = () => now();
    /** @type {typeof setTimer} */
    this.#setTimer = (run, ms) => setTimer(run, ms);
    /** @type {typeof clearTimer} */
    this.#clearTimer = (timer) => clearTimer(timer);
    this.#random = () => random();
  }

  // For the views

  /** The room as the server last told it; null outside of rooms. */
  get picture() {
    return this.#room?.picture ?? null;
  }

  /** `player` or `spectator`; null outside of rooms. */
  get audience() {
    return this.picture && audienceOf(this.picture, this.you);
  }

  /** Whether the request of `enter` waits for its answer, or for a connection. */
  get isEntering() {
    return this.#entry !== null;
  }

  /** Connect, and stay connected until `stop`. */
  start() {
    if (this.#isStopped) {
      this.#isStopped = false;
      this.#attempts = 0;
      this.#connect();
    }
  }

  /** Close the connection. The server keeps the seat for a while; `start` comes back to it. */
  stop() {
    this.#halt();
  }

  /** Look after the connection: the page is visible again, or the device has a network again. */
  wake() {
    if (this.#timers.has('retry')) {
      this.#attempts = 0;
      this.#connectAfter(Math.max(0, this.#notBeforeMs - this.#now()));
    } else if (this.isGreeted) {
      this.#ping(WAKING_MS);
    }
  }

  /** The time of the server's clock. */
  serverNow() {
    return this.#now() + (this.#offsetMs ?? 0);
  }

  /**
   * Ask the server something outside of rooms; return the message that answers.
   *
   * @template {keyof Answers} K
   * @param {Request<K>} message
   * @returns {Promise<Answers[K]>}
   * @throws {Refusal} the server refuses
   * @throws {Offline} there is no connection, or it was lost before the answer: ask again
   */
  request(message) {
    return new Promise((resolve, reject) => {
      if (!this.isGreeted) {
        reject(new Offline());
        return;
      }
      this.#checkLength(message);
      const id = this.#nextId();
      // That the answer is one to this message is the server's word.
      const answered = /** @type {(answer: ServerMessage) => void} */ (resolve);
      this.#questions.set(id, { resolve: answered, reject });
      this.#send({ ...message, id });
    });
  }

  /**
   * Enter a room by `create_room` or `join_room`; return its picture.
   *
   * Without a connection it waits for one; `leave` gives it up. `join_room` leads from one room to
   * another, too, or leaves the page where it is; that needs a connection.
   *
   * @param {Entry} message
   * @returns {Promise<Picture>}
   * @throws {Refusal} the server refuses
   * @throws {Offline} the page left, or the link stopped, or lost the way to another room
   */
  enter(message) {
    return new Promise((resolve, reject) => {
      if (this.#entry || (this.#room && message.type === 'create_room')) {
        reject(this.#refusal('in_a_room'));
        return;
      }
      if (this.#room && !this.isOnline) {
        reject(new Offline());
        return;
      }
      this.#checkLength(message);
      const whole =
        message.type === 'create_room' ? { token: randomText(16), ...message } : message;
      this.#entry = { message: whole, resolve, reject, from: this.#log };
      if (this.isGreeted) {
        this.#send(this.#joining(this.#entry.message));
      }
    });
  }

  /**
   * Give a command in the room; return the number of its last event, which `picture` includes.
   *
   * @param {Command} message
   * @returns {Promise<number>}
   * @throws {Refusal} the server refuses, or the page is out of the room
   * @throws {Offline} the link stopped
   */
  command(message) {
    return new Promise((resolve, reject) => {
      if (!this.#room) {
        reject(this.#refusal('not_in_a_room'));
        return;
      }
      const { game_number: number } = this.#room.picture;
      const game = IN_A_GAME.includes(message.type) ? { game: number } : {};
      const whole = { ...game, ...message };
      this.#checkLength(whole);
      this.#commands.add(whole, { resolve, reject });
      this.#sendCommands();
    });
  }

  /**
   * Go on under another name, in the room if there is one; return that name.
   *
   * The secret owns it from then on.
   *
   * @param {string} wanted
   * @returns {Promise<string>}
   * @throws {Refusal} the server refuses the name, or the room does
   * @throws {Offline} there is no connection
   */
  async rename(wanted) {
    if (!this.isOnline || this.#entry || this.#renaming) throw new Offline();
    const socket = this.#open();
    const welcome = await greetOver(socket, this.#hello(wanted), this.#said);
    if (!this.isOnline || this.#entry || welcome.name === this.you) {
      socket.close();
      throw this.#refusal('no_change.name', { name: welcome.name });
    }
    return new Promise((resolve, reject) => {
      this.#renaming = { former: this.name, resolve, reject };
      this.name = welcome.name;
      this.#goOnOver(socket);
      this.#welcomed(welcome);
    });
  }

  /**
   * Go on in the room over a connection to another server of the cluster, or stay at this one,
   * which asks again.
   *
   * @param {string} at
   */
  async #goElsewhere(at) {
    if (!this.#isAtRest) return;
    this.#at = at;
    const socket = this.#open();
    try {
      const welcome = await greetOver(socket, this.#hello(this.name), this.#said);
      if (this.#isAtRest && this.#at === at) {
        this.#goOnOver(socket);
        this.#welcomed(welcome);
        return;
      }
    } catch {
      // This connection goes on.
    }
    socket.close();
  }

  /** Whether the page is in a room, and waits for nothing that a new connection would end. */
  get #isAtRest() {
    return this.isOnline && this.#room !== null && !this.#entry && this.#questions.size === 0;
  }

  /** Leave the room. Without a connection the server keeps the seat for a while. */
  async leave() {
    if (this.isOnline && this.#room) {
      await this.command({ type: 'leave' });
      return;
    }
    this.#rejectEntry(new Offline());
    const isEntering = this.#joinId !== null;
    this.#goOut('left');
    if (isEntering) {
      this.#reconnect();
    }
  }

  // Connecting

  #connect() {
    this.#stopTimer('retry');
    // Without them at the next attempt, as an older server would refuse them again.
    const isFirst = this.#attempts === 0;
    const early = isFirst ? [this.#hello(this.name), ...this.#joinWanted()] : [];
    try {
      this.#listen(this.#open(early));
    } catch {
      this.#retry();
    }
  }

  /**
   * Open a socket, and send the first messages in its handshake.
   *
   * @param {object[]} early
   */
  #open(early = []) {
    const at = this.#at === null ? '' : `?at=${encodeURIComponent(this.#at)}`;
    return new this.#WebSocket(this.#url + at, subprotocolsFor(early));
  }

  /** @param {WebSocket} socket */
  #listen(socket) {
    this.#socket = socket;
    const isCurrent = () => this.#socket === socket;
    socket.onopen = () => isCurrent() && this.#greet(hasTakenEarly(socket));
    socket.onmessage = ({ data }) => isCurrent() && this.#receive(data);
    socket.onclose = ({ code }) => isCurrent() && this.#closed(code);
    this.#startTimer('silence', WELCOME_MS, () => this.#reconnect());
  }

  /** Say hello, and ask to be let in without waiting for the welcome, unless that was done. */
  #greet(isSaid = false) {
    if (!isSaid) {
      this.#joinId = null;
      this.#send(this.#hello(this.name));
    }
    this.#joinWanted().forEach((message) => this.#send(message));
  }

  /** @param {string} name */
  #hello(name) {
    const { secret } = this;
    return { type: 'hello', protocol: PROTOCOL, name, secret, client: CLIENT, knows: KNOWS };
  }

  /** @param {number} code */
  #closed(code) {
    this.#socket = null;
    if (code === REPLACED || code === BANNED) {
      this.#halt({ kind: code === REPLACED ? 'replaced' : 'banned' });
      return;
    }
    if (code === ROOM_CLOSED) {
      this.#goOut('closed');
    } else if (code === TOO_FAST) {
      this.#comeBackLater();
    } else if (code === TOO_LONG) {
      this.#commands.rejectLongest(this.#refusal('too_long.server'));
    }
    this.#retry();
  }

  #comeBackLater(ms = LATER_MS) {
    this.#notBeforeMs = this.#now() + ms;
  }

  /** Drop the connection, which is of no use any more, and make another one. */
  #reconnect() {
    this.#drop();
    this.#retry();
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #openSecond() {
    this.#startTimer('silence', SILENCE_MS, () => this.#reconnect());
    const second = this.#open();
    this.#second = second;
    second.onopen = () => this.#second === second && this.#takeSecond(second);
  }

  #closeSecond() {
    const second = this.#second;
    this.#second = null;
    second?.close();
  }

  /**
   * Go on over the second connection, as the first is silent; the server closes that one.
   *
   * @param {WebSocket} second
   */
  #takeSecond(second) {
    this.#second = null;
    this.#goOnOver(second);
    this.#greet();
  }

  /** @param {WebSocket} socket */
  #goOnOver(socket) {
    const former = this.#socket;
    this.#disconnected();
    this.#replaced = former;
    this.#listen(socket);
  }

  #closeReplaced() {
    const replaced = this.#replaced;
    this.#replaced = null;
    replaced?.close();
  }

  /** Forget what ended with the connection, and connect again after a random delay. */
  #retry() {
    if (this.isOnline && this.#now() - this.#onlineSinceMs >= SETTLED_MS) {
      this.#attempts = 0;
    }
    this.#disconnected();
    const ceilingMs = Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#attempts);
    this.#attempts += 1;
    const retryMs = Math.max(this.#random() * ceilingMs, this.#notBeforeMs - this.#now());
    this.#connectAfter(retryMs);
    this.#emit({ kind: 'offline', retryMs });
  }

  /** @param {number} ms */
  #connectAfter(ms) {
    this.#startTimer('retry', ms, () => this.#connect());
  }

  #disconnected() {
    this.#closeSecond();
    this.#closeReplaced();
    this.isGreeted = false;
    this.isOnline = false;
    this.#joinId = null;
    if (this.#room && this.#isEntryAhead) {
      this.#rejectEntry(new Offline());
    }
    [...this.#timers.keys()].forEach((name) => this.#stopTimer(name));
    const questions = [...this.#questions.values()];
    this.#questions.clear();
    questions.forEach(({ reject }) => reject(new Offline()));
    this.#commands.unsend();
    if (this.#commands.wasSent('leave')) {
      this.#goOut('left'); // maybe the server has done it, and coming back would undo it
    }
  }

  /**
   * Stop for good. The room is kept for another `start`.
   *
   * @param {?Update} update
   */
  #halt(update = null) {
    this.#isStopped = true;
    this.#drop();
    this.#disconnected();
    this.#rejectEntry(new Offline());
    this.#renaming?.reject(new Offline());
    this.#renaming = null;
    this.#commands.reject(new Offline());
    if (update !== null) {
      this.#emit(update);
    }
  }

  // Messages

  #nextId() {
    this.#lastId += 1;
    return this.#lastId;
  }

  /**
   * Refuse a message at which the server would hang up.
   *
   * @param {object} message
   */
  #checkLength(message) {
    const bytes = new TextEncoder().encode(JSON.stringify(message)).length + MOST_ADDED;
    if (bytes > this.#mostBytes) {
      throw this.#refusal('too_long.message', { n: bytes, most: this.#mostBytes });
    }
  }

  /**
   * Return a refusal of the page itself, whose key is its code or <code>.<variant>.
   *
   * @param {string} key
   * @param {NonNullable<Phrase['values']>} values
   */
  #refusal(key, values = {}) {
    const message = this.#said({ phrase: { key: `refusal.${key}`, values } });
    return new Refusal({ code: key.split('.', 1)[0], message });
  }

  /** @param {object} message */
  #send(message) {
    this.#socket?.send(JSON.stringify(message));
    this.#expectAnswer();
  }

  #expectAnswer() {
    if (!this.#timers.has('silence')) {
      this.#startTimer('silence', ANSWER_MS, () => {
        this.#ping();
        this.#startTimer('silence', SECOND_MS, () => this.#openSecond());
      });
    }
  }

  /** Ask whether the server is there. An older one refuses that, which is an answer, too. */
  #ping(waitMs = SILENCE_MS) {
    this.request({ type: 'ping' }).catch(() => {});
    this.#startTimer('silence', waitMs, () => this.#reconnect());
  }

  /** @param {string} text */
  #receive(text) {
    this.#stopTimer('silence');
    this.#closeSecond();
    try {
      this.#handle(JSON.parse(text));
    } catch (error) {
      console.warn('the server sent what this page does not understand:', error);
      this.#comeBackAfresh();
      return;
    }
    if (!this.#socket) {
      return;
    }
    this.#startTimer('idle', IDLE_MS, () => this.#ping());
    if (this.#isAnswerDue) {
      this.#expectAnswer();
    }
  }

  get #isAnswerDue() {
    return !this.isOnline || this.#questions.size > 0 || this.#commands.isAnswerDue;
  }

  /** Make a new connection, and ask for the whole room. */
  #comeBackAfresh() {
    if (this.#room) {
      this.#room.isInSync = false;
    }
    this.#reconnect();
  }

  /** @param {ServerMessage} message */
  #handle(message) {
    switch (message.type) {
      case 'welcome':
        this.#welcomed(message);
        break;
      case 'in_room':
        this.#receiveRoom(message);
        break;
      case 'resumed':
        this.#resume(message);
        break;
      case 'events':
        this.#receiveEvents(message);
        break;
      case 'notice':
        this.#receiveNotice(message);
        break;
      case 'thinking':
        this.#emit(asUpdate(message));
        break;
      case 'hint':
        this.#emit(asUpdate(message));
        break;
      case 'coaching':
        this.#emit(asUpdate(message));
        break;
      case 'rooms_changed':
        this.#emit(asUpdate(message));
        break;
      case 'elsewhere':
        this.#receiveElsewhere(message);
        break;
      default:
        this.#receiveAnswer(message);
    }
  }

  /** @param {Welcome} message */
  #welcomed(message) {
    this.isGreeted = true;
    this.you = message.name;
    this.server = message.server;
    this.games = message.games;
    this.#mostBytes = message.message_bytes;
    this.#offsetMs = null;
    this.#takeTime(message.now_ms);
    this.#joinWanted().forEach((message) => this.#send(message));
    const { server, name, games } = message;
    this.#emit({ kind: 'welcome', server, name, games });
    if (this.isGreeted && !this.#room) {
      this.#online();
    }
  }

  /**
   * Learn the server's clock. The greatest sample came with the least delay.
   *
   * @param {number | undefined} serverMs
   */
  #takeTime(serverMs) {
    if (serverMs !== undefined && Number.isFinite(serverMs)) {
      this.#offsetMs = Math.max(this.#offsetMs ?? -Infinity, serverMs - this.#now());
    }
  }

  #online() {
    this.#closeReplaced();
    this.#renaming?.resolve(this.name);
    this.#renaming = null;
    if (!this.isOnline) {
      this.isOnline = true;
      this.#onlineSinceMs = this.#now();
      this.#emit({ kind: 'online' });
    }
  }

  /** @param {Notice} notice */
  #receiveNotice(notice) {
    if (notice.retry_ms != null) {
      this.#comeBackLater(notice.retry_ms);
    }
    const { type: kind, phrase, ...fields } = notice;
    this.#emit({ ...fields, kind, message: this.#said({ phrase, message: fields.message }) });
  }

  /** @param {Elsewhere} message */
  #receiveElsewhere({ id, at }) {
    if (id !== 0 && id === this.#joinId) {
      this.#at = at;
      this.#drop();
      this.#disconnected();
      this.#connect();
    } else if (id === 0) {
      this.#goElsewhere(at);
    }
  }

  /** @param {ServerMessage} message */
  #receiveAnswer(message) {
    const { id, now_ms: nowMs, seq } = { id: 0, now_ms: undefined, seq: 0, ...message };
    this.#takeTime(nowMs);
    const error =
      message.type === 'refused'
        ? new Refusal({ code: message.code, message: this.#said(message) })
        : null;
    const question = this.#questions.get(id);
    const command = question ? undefined : this.#commands.take(id);
    if (question) {
      this.#questions.delete(id);
      settle(question, error, message);
    } else if (command) {
      this.#commandAnswered(command, error, seq);
    } else if (id === this.#joinId) {
      this.#joinAnswered(error);
    } else if (error && !this.isGreeted) {
      this.#greetingRefused(error);
    } else if (error) {
      this.#emit({ kind: 'notice', code: error.code, message: error.message });
    }
  }

  /** @param {Refusal} refusal */
  #greetingRefused({ code, message }) {
    if (this.#renaming && !FOR_NOW.includes(code)) {
      this.#keepName(new Refusal({ code, message }));
    } else if (FOR_NOW.includes(code)) {
      this.#emit({ kind: 'notice', code, message });
      this.#comeBackLater();
      this.#reconnect();
    } else {
      this.#halt({ kind: code === 'banned' ? 'banned' : 'greeting_refused', code, message });
    }
  }

  // The room

  /**
   * Return the request to come back into the room, or into the one that is to be entered, if there
   * is one and the page hasn't asked yet.
   */
  #joinWanted() {
    const message = this.#room ? this.#comingBack(this.#room) : this.#entry?.message;
    return message && this.#joinId === null ? [this.#joining(message)] : [];
  }

  /**
   * Return a request to enter a room with its id, for whose answer the page waits from now on.
   *
   * @param {Unnumbered<CreateRoom | JoinRoom>} message
   */
  #joining(message) {
    this.#joinId = this.#nextId();
    return { ...message, id: this.#joinId };
  }

  /** @param {Entered} room */
  #comingBack({ picture, you, password, isInSync }) {
    /** @type {Unnumbered<JoinRoom>} */
    const message = { type: 'join_room', room: picture.room };
    if (password) {
      message.password = password;
    }
    // The server may have let the person stand up already: without `watch` it would give a seat.
    if (this.#commands.has('stand') || audienceOf(picture, you) === 'spectator') {
      message.watch = true;
    }
    if (this.#renaming) {
      message.former_name = this.#renaming.former;
    } else if (isInSync && you === this.you) {
      Object.assign(message, { after: picture.seq, log: picture.log });
    }
    return message;
  }

  /** @param {InRoom} message */
  #receiveRoom(message) {
    if (!this.#entry && !this.#room) {
      return; // the page has left in the meantime
    }
    const before = this.picture;
    const picture = pictureFrom(message.room);
    const isBack = before !== null && before.room === picture.room;
    this.you = message.you;
    const password = isBack ? this.#room?.password : this.#entry?.message.password;
    this.#room = { picture, you: message.you, password, isInSync: true };
    this.#lastId = Math.max(this.#lastId, message.last_id);
    this.#takeTime(message.now_ms);
    if (before !== null && before.log !== picture.log) {
      const [key, values] = isBack ? ['', {}] : ['.left', { room: before.room }];
      this.#commands.reject(this.#refusal(`other_room${key}`, values));
    }
    this.#emit({ kind: 'entered', fresh: true, isBack });
  }

  /** The log of the room; null outside of rooms. */
  get #log() {
    return this.picture?.log ?? null;
  }

  /** Whether the request of `enter` hasn't led into its room yet. */
  get #isEntryAhead() {
    return this.#entry !== null && this.#entry.from === this.#log;
  }

  /** @param {Error} error */
  #rejectEntry(error) {
    const entry = this.#entry;
    this.#entry = null;
    entry?.reject(error);
  }

  /** @param {Resumed} message */
  #resume({ you, room, after, last_id: lastId }) {
    if (!this.#room) {
      return;
    }
    const { room: code, seq } = this.#room.picture;
    if (you !== this.#room.you || room !== code || after !== seq) {
      throw new Error(`the server continues after ${after}, not after ${seq}`);
    }
    this.#lastId = Math.max(this.#lastId, lastId);
    this.#emit({ kind: 'entered', fresh: false, isBack: true });
  }

  /** @param {?Refusal} error */
  #joinAnswered(error) {
    this.#joinId = null;
    if (error) {
      this.#joinRefused(error);
    } else {
      this.#joined();
    }
  }

  #joined() {
    const entry = this.#entry;
    this.#entry = null;
    if (!this.#room) {
      entry?.reject(this.#refusal('not_in_a_room.left'));
      return;
    }
    entry?.resolve(this.#room.picture);
    this.#online();
    this.#sendCommands();
    this.#noticeRemoval();
  }

  /** @param {Refusal} error */
  #joinRefused(error) {
    const { code, message } = error;
    if (this.#renaming && !FOR_NOW.includes(code)) {
      this.#keepName(error);
    } else if (!this.#room || this.#isEntryAhead) {
      this.#rejectEntry(error);
    } else if (FOR_NOW.includes(code)) {
      this.#comeBackLater();
      this.#reconnect();
    } else {
      this.#rejectEntry(error);
      const picture = this.#forgetRoom(this.#room, error);
      this.#emit({ kind: 'lost_room', code, message, picture });
      this.#online();
    }
  }

  /**
   * Come back under the name as before: another one isn't possible.
   *
   * @param {Error} error
   */
  #keepName(error) {
    this.name = this.#renaming?.former ?? this.name;
    this.#renaming?.reject(error);
    this.#renaming = null;
    this.#reconnect();
  }

  /**
   * Apply the events of one message: all of them, or none.
   *
   * @param {Events} message
   */
  #receiveEvents({ seq, at_ms: atMs, events }) {
    if (!this.#room) {
      return;
    }
    const { picture: before } = this.#room;
    const pictures = [before];
    events.forEach((event, i) => pictures.push(fold(pictures[i], event, seq + i, atMs)));
    const after = pictures[events.length];
    this.#room.picture = after;
    if (this.isOnline) {
      this.#takeTime(atMs); // those that were missed came late
    }
    events.forEach((event, i) => {
      const [earlier, later] = [pictures[i], pictures[i + 1]];
      this.#emit({ kind: 'event', event, seq: seq + i, atMs, before: earlier, after: later });
    });
    this.#emit({ kind: 'changed', before, after });
    this.#noticeRemoval();
  }

  /**
   * Go out of the room if the server has removed the page.
   *
   * While missed events are replayed this says nothing: a spectator left and joined again.
   */
  #noticeRemoval() {
    if (!this.#room || !this.isOnline) {
      return;
    }
    const { picture, you } = this.#room;
    if (!picture.members.some(({ name }) => name === you)) {
      this.#goOut(picture.barred.includes(you) ? 'kicked' : 'left');
    }
  }

  /** @param {'left' | 'kicked' | 'closed'} why */
  #goOut(why) {
    if (this.#room) {
      const refusal = this.#refusal('not_in_a_room.left');
      const picture = this.#forgetRoom(this.#room, refusal);
      this.#emit({ kind: 'out', why, picture });
    }
  }

  /**
   * Forget the room and answer all commands; return its last picture.
   *
   * @param {Entered} room
   * @param {Error} error
   */
  #forgetRoom({ picture }, error) {
    this.#room = null;
    this.#at = null;
    this.#commands.reject(error, picture.seq);
    return picture;
  }

  // Commands

  #sendCommands() {
    if (!this.isOnline || this.#timers.has('pause')) {
      return;
    }
    this.#commands.send(
      () => this.#nextId(),
      (message) => this.#send(message),
    );
  }

  /**
   * @param {Pending} command
   * @param {?Refusal} error
   * @param {number} seq
   */
  #commandAnswered(command, error, seq) {
    if (error?.code === 'too_fast') {
      this.#commands.putBack(command);
      this.#startTimer('pause', SLOW_DOWN_MS, () => this.#sendCommands());
      return;
    }
    settle(command, error, seq);
    if (!error && command.message.type === 'leave') {
      this.#goOut('left');
    }
    this.#sendCommands();
  }

  // Timers and updates

  /**
   * @param {TimerName} name
   * @param {number} ms
   * @param {() => void} run
   */
  #startTimer(name, ms, run) {
    this.#stopTimer(name);
    const timer = this.#setTimer(() => {
      this.#timers.delete(name);
      run();
    }, ms);
    this.#timers.set(name, () => this.#clearTimer(timer));
  }

  /** @param {TimerName} name */
  #stopTimer(name) {
    this.#timers.get(name)?.();
    this.#timers.delete(name);
  }

  /** @param {Update} update */
  #emit(update) {
    try {
      this.#onUpdate(update);
    } catch (error) {
      // A view's mistake is no reason to lose the connection; the browser still reports it.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

/**
 * Return the update by which a message is passed on.
 *
 * @template {ServerMessage} M
 * @param {M} message
 * @returns {{kind: M['type']} & Omit<M, 'type'>}
 */
function asUpdate(message) {
  const { type, ...fields } = message;
  return { ...fields, kind: type };
}

/**
 * @template T
 * @param {Settler<T>} settler
 * @param {?Error} error
 * @param {T} value
 */
function settle({ resolve, reject }, error, value) {
  if (error) {
    reject(error);
  } else {
    resolve(value);
  }
}
