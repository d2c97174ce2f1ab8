/**
 * The state of the page, and the actions of its views.
 *
 * A view is a function of the `App` that returns elements. After each change `render` shows the
 * views that belong to the state.
 */

import { Journal } from './chat.js';
import { h, morphChildren } from './dom.js';
import { Link, Refusal } from './link.js';
import { lastMoves, seatsOf } from './mirror.js';
import { narrate, said } from './narrate.js';
import { identityFor, roomFor, saveName, saveRoom, saveSettings, settingsOf } from './storage.js';
import { languageOf, translatorFor } from './languages.js';
import { gameView } from './games.js';
import { greetingView } from './greeting.js';
import { lobbyView } from './lobby.js';
import { decisive } from './review.js';
import { roomView, RoomBoard } from './room.js';
import { Dialogs } from './dialogs.js';

/** The key of this server in the browser's storage, which each address has for itself. */
const SERVER = 'here';
/** Lines of the journal that are kept, and the number from which the oldest are dropped. */
const KEPT_LINES = 200;
const MOST_LINES = 300;
/** Time for which a message in passing is shown. */
const TOAST_MS = 5000;

export class App {
  constructor(root, { url, store, roomFromLink }) {
    this.root = root;
    this.url = url;
    this.store = store;
    this.identity = identityFor(store, SERVER);
    this.settings = settingsOf(store);
    this.roomFromLink = roomFromLink;
    this.link = null;
    this.isOnline = false;
    this.isReplaced = false;
    this.isBanned = false;
    this.problem = ''; // with the name that was tried last
    this.rooms = null; // open rooms by code, null before the first list
    this.form = null; // state of the form for a room
    this.passwordFor = null; // code of the room that asks for a password
    this.toasts = [];
    this.journal = [];
    this.lastSeq = 0; // number of the last event that the journal tells
    this.unsent = []; // lines of chat that the server hasn't answered
    this.isPlaying = false; // whether a move of mine is on its way to the server
    this.hint = null;
    this.thinking = null; // seat of a bot that thinks
    this.finished = null; // a game that is looked at: {picture, number}; null in rooms
    this.review = null; // of the game on the board: {isPending}, or the server's answer
    this.replayAt = null; // number of tokens that are shown while looking back
    this.board = new RoomBoard(this);
    this.journalView = new Journal(this);
    this.dialogs = new Dialogs(this);
    this.isScheduled = false;
    this.applySettings();
  }

  get picture() {
    return this.link?.picture ?? this.finished?.picture ?? null;
  }

  get me() {
    return this.link?.you ?? this.identity.name;
  }

  get games() {
    return this.link?.games ?? [];
  }

  get mySeats() {
    return this.picture ? seatsOf(this.picture, this.me) : [];
  }

  get isHost() {
    return this.picture !== null && this.picture.host === this.me;
  }

  /** Whether one of my seats is to move, and no bot stands in for it. */
  get isMyTurn() {
    const { picture } = this;
    return (
      picture !== null &&
      picture.phase === 'playing' &&
      this.mySeats.includes(picture.to_move) &&
      picture.seats[picture.to_move].bot === null
    );
  }

  // Coming in

  /** Greet the server with the name that is kept, if there is one. */
  start() {
    if (this.identity.name) this.greet(this.identity.name);
    else this.render();
  }

  greet(name) {
    this.link?.stop();
    this.problem = '';
    this.isReplaced = false;
    this.link = new Link({
      url: this.url,
      name,
      secret: this.identity.secret,
      onUpdate: (update) => this.updated(update),
    });
    this.link.start();
    this.render();
  }

  // Updates of the link

  updated(update) {
    const handler = HANDLERS[update.kind];
    if (handler) handler(this, update);
    this.render();
  }

  welcomed() {
    saveName(this.store, SERVER, this.me);
    this.identity = identityFor(this.store, SERVER);
    if (this.picture) return;
    const place = this.roomFromLink ? { room: this.roomFromLink } : roomFor(this.store, SERVER);
    this.roomFromLink = null;
    if (place) this.join(place.room, place);
    else this.openLobby();
  }

  entered(update) {
    const watch = this.link.audience === 'spectator';
    saveRoom(this.store, SERVER, { room: this.picture.room, watch });
    this.passwordFor = null;
    this.form = null;
    history.replaceState(null, '', `#${encodeURIComponent(this.picture.room)}`);
    this.finished = null;
    if (!update.fresh) return;
    this.replayAt = null;
    this.review = null;
    this.hint = null;
    if (!update.isBack) this.journal = [];
    const unseen = this.picture.chat.filter((each) => !update.isBack || each.seq > this.lastSeq);
    this.report(unseen.map((each) => said(each, this.picture, this.me, this.t)));
    this.lastSeq = this.picture.seq;
  }

  happened({ event, before, after }) {
    if (event.type === 'played') this.thinking = null;
    if (event.type === 'started') this.replayAt = this.review = null;
    if (['played', 'undone', 'started', 'withdrew'].includes(event.type)) this.hint = null;
    this.lastSeq = after.seq;
    this.report(narrate(event, before, after, this.me, this.t, this.games));
  }

  report(lines) {
    const journal = [...this.journal, ...lines];
    // Many at once, as all others move when the first one goes, and the browser paints them anew.
    this.journal = journal.length > MOST_LINES ? journal.slice(-KEPT_LINES) : journal;
  }

  out() {
    saveRoom(this.store, SERVER, null);
    history.replaceState(null, '', location.pathname);
    this.openLobby();
  }

  toast(text) {
    const toast = { text, key: String(Math.random()) };
    this.toasts = [...this.toasts, toast].slice(-2);
    setTimeout(() => {
      this.toasts = this.toasts.filter((each) => each !== toast);
      this.render();
    }, TOAST_MS);
    this.render();
  }

  // Lobby

  openLobby() {
    this.rooms = null;
    this.render();
    this.attempt(async () => {
      const rooms = new Map();
      let after = '';
      do {
        const answer = await this.link.request({
          type: 'list_rooms',
          ...(after && { after }),
        });
        for (const room of answer.rooms) rooms.set(room.room, room);
        after = answer.next ?? '';
      } while (after);
      this.rooms = rooms;
      this.render();
      await this.link.request({ type: 'watch_rooms' });
    });
  }

  roomsChanged({ rooms, gone }) {
    if (this.rooms === null) return;
    this.rooms = new Map(this.rooms);
    for (const code of gone) this.rooms.delete(code);
    for (const room of rooms) this.rooms.set(room.room, room);
  }

  async join(room, { password, watch = false } = {}) {
    try {
      await this.link.enter({
        type: 'join_room',
        room,
        ...(password && { password }),
        ...(watch && { watch }),
      });
    } catch (error) {
      if (error instanceof Refusal && error.code === 'wrong_password') {
        this.passwordFor = { room, watch, problem: password ? error.message : '' };
      } else {
        saveRoom(this.store, SERVER, null);
        this.toast(error.message);
      }
      if (this.rooms === null) this.openLobby();
      this.render();
    }
  }

  create(message) {
    return this.attempt(() => this.link.enter({ type: 'create_room', ...message }));
  }

  // In a room

  /** Send a command, and show a refusal; returns whether the server accepted it. */
  command(message) {
    return this.attempt(() => this.link.command(message));
  }

  async attempt(action) {
    try {
      await action();
      return true;
    } catch (error) {
      this.toast(error.message);
      return false;
    } finally {
      this.render();
    }
  }

  async play(move) {
    const { to_move: seat, ply } = this.picture;
    if (
      this.settings.confirms &&
      !(await this.dialogs.ask(this.t('play_it', { move }), this.t('ok')))
    )
      return;
    this.isPlaying = true;
    this.render();
    await this.command({ type: 'play', seat, move, ply });
    this.isPlaying = false;
    this.render();
  }

  async say(text, to) {
    const trimmed = text.trim();
    if (!trimmed) return;
    const line = { kind: 'unsent', text: trimmed, seat: null, author: this.me };
    this.unsent = [...this.unsent, line];
    this.render();
    await this.command({ type: 'say', text: trimmed, ...(to !== 'all' && { to }) });
    this.unsent = this.unsent.filter((each) => each !== line);
    this.render();
  }

  async leave() {
    const question =
      this.picture.phase === 'playing' && this.mySeats.length
        ? this.t('leave_game')
        : this.t('leave_room', { room: this.picture.room });
    if (await this.dialogs.ask(question, this.t('leave')))
      await this.attempt(() => this.link.leave());
  }

  async resign() {
    const seats = this.mySeats;
    const seat = seats.includes(this.picture.to_move) ? this.picture.to_move : seats[0];
    const question =
      seats.length > 1
        ? this.t('resign_which', { name: this.picture.players[seat] })
        : this.t('resign_really');
    if (await this.dialogs.ask(question, this.t('resign')))
      await this.command({ type: 'resign', seat });
  }

  askHint() {
    const { to_move: seat, ply } = this.picture;
    return this.command({ type: 'ask_hint', seat, ply, game: this.picture.game_number });
  }

  undo() {
    return this.command({
      type: 'undo',
      ply: this.picture.ply,
      game: this.picture.game_number,
    });
  }

  answerUndo(agree) {
    const { ply } = this.picture.undo;
    return this.command({ type: 'answer_undo', ply, agree, game: this.picture.game_number });
  }

  /** Tokens to mark: the moves of others since my last one. */
  marked() {
    return new Set(lastMoves(this.picture, this.mySeats));
  }

  /** Show the moves since my turn one after the other. */
  showAgain() {
    const [first] = this.marked();
    if (first === undefined) return;
    this.replayAt = first;
    this.render();
    const step = () => {
      if (this.replayAt === null) return;
      this.replayAt += 1;
      if (this.replayAt >= this.picture.tokens.length) this.replayAt = null;
      else setTimeout(step, 600);
      this.render();
    };
    setTimeout(step, 600);
  }

  /** Ask where the game was lost, and open the position before the move that decided it. */
  async askReview() {
    const asked = { isPending: true };
    this.review = asked;
    this.render();
    const isDone = await this.attempt(async () => {
      const game = this.finished?.number;
      const answer = await this.link.request({ type: 'get_review', ...(game && { game }) });
      if (this.review !== asked) return; // another game began
      this.review = answer;
      const found = decisive(answer, this.mySeats);
      if (found) this.lookBack(found.number - 1);
    });
    if (!isDone && this.review === asked) this.review = null;
    this.render();
  }

  lookBack(count) {
    const all = this.picture.tokens.length;
    this.replayAt = count === null ? null : Math.max(0, Math.min(count, all));
    this.render();
  }

  // Finished games

  openFinished(picture, number) {
    this.finished = { picture, number };
    this.review = null;
    this.lookBack(0);
  }

  closeFinished() {
    this.finished = this.review = this.replayAt = null;
    this.openLobby(); // which may have changed meanwhile
  }

  // Settings

  change(changes) {
    saveSettings(this.store, changes);
    this.settings = settingsOf(this.store);
    this.applySettings();
    this.render();
  }

  applySettings() {
    const { theme } = this.settings;
    this.language = languageOf(this.settings.language);
    this.t = translatorFor(this.language);
    document.documentElement.lang = this.language;
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    this.board.reset();
  }

  // Showing

  render() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.show();
    });
  }

  show() {
    const title = this.t(this.isMyTurn ? 'title_turn' : 'title');
    if (document.title !== title) document.title = title; // a change costs a millisecond
    morphChildren(this.root, [
      ...this.banners(),
      this.view(),
      this.toastList(),
      this.dialogs.element,
    ]);
    this.board.show();
    this.dialogs.update();
    this.journalView.show();
  }

  view() {
    if (this.isReplaced || this.isBanned) return h('main.greeting');
    if (!this.link || this.problem) return greetingView(this);
    if (this.finished) return gameView(this);
    if (this.picture) return roomView(this);
    return lobbyView(this);
  }

  banners() {
    const banner = (text, ...more) => h('div.banner', { role: 'status' }, text, ...more);
    if (this.isReplaced) {
      const again = () => this.greet(this.identity.name);
      return [banner(this.t('replaced'), h('button', { onclick: again }, this.t('use_here')))];
    }
    if (this.isBanned) return [banner(this.t('banned'))];
    if (this.link && !this.problem && !this.isOnline) {
      return [banner(this.t(this.picture || this.rooms ? 'offline' : 'connecting'))];
    }
    return [];
  }

  toastList() {
    const toasts = this.toasts.map((toast) => h('p', { 'data-key': toast.key }, toast.text));
    return h('div.toasts', { role: 'alert' }, ...toasts);
  }
}

const HANDLERS = {
  online: (app) => {
    app.isOnline = true;
  },
  offline: (app) => {
    app.isOnline = false;
  },
  welcome: (app) => app.welcomed(),
  entered: (app, update) => app.entered(update),
  event: (app, update) => app.happened(update),
  changed: () => {},
  out: (app) => app.out(),
  notice: (app, update) => app.toast(update.message),
  thinking: (app, update) => {
    app.thinking = update.seat;
  },
  hint: (app, update) => {
    if (update.ply !== app.picture?.ply) return;
    app.hint = update.move;
    app.report([{ kind: 'answer', text: app.t('e_hint', update), seat: null }]);
  },
  rooms_changed: (app, update) => app.roomsChanged(update),
  replaced: (app) => {
    app.isReplaced = true;
  },
  banned: (app) => {
    app.isBanned = true;
  },
  greeting_refused: (app, update) => {
    app.problem = update.message;
  },
  lost_room: (app, update) => {
    app.toast(update.message);
    app.out();
  },
};
