/**
 * The state of the page, and the actions of its views.
 *
 * A view is a function of the `App` that returns elements. After each change `render` shows the
 * views that belong to the state.
 */

import { Journal } from './chat.js';
import { h, morphChildren } from './dom.js';
import { Link, Offline, Refusal } from './link.js';
import { lastMoves, seatsOf } from './mirror.js';
import { narrate, said } from './narrate.js';
import { isValid, premoveOf } from './premoves.js';
import {
  identityFor,
  keepIdentity,
  roomFor,
  saveIdentity,
  saveRoom,
  saveSettings,
  settingsOf,
} from './storage.js';
import { languageOf, translatorFor } from './languages.js';
import { arrivalView, identityTaken } from './another_device.js';
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
/** Time for which each move is shown while moves are shown again. */
const REPLAY_MS = 600;
/** Events after which a hint is for another position. */
const NEW_POSITION = ['played', 'undone', 'started', 'withdrew'];
/** Events after which no bot thinks about the present position, or another one does. */
const NO_BOT_THINKS = [...NEW_POSITION, 'ended', 'bot_sat', 'vacated', 'took_back'];

export class App {
  constructor(root, { url, store, roomFromLink }) {
    this.root = root;
    this.url = url;
    this.store = store;
    this.identity = identityFor(store, SERVER);
    this.settings = settingsOf(store);
    this.roomFromLink = roomFromLink;
    this.arrival = null; // of an identity by a link; see `readFragment`
    this.identityLink = null; // link to another device, until it expires
    this.link = null;
    this.isOnline = false;
    this.isReplaced = false;
    this.isBanned = false;
    this.problem = ''; // with the name that was tried last
    this.isNameTaken = false; // whether that is the problem
    this.rooms = null; // open rooms by code, null before the first list
    this.listed = null; // the rooms of a list that isn't complete yet
    this.form = null; // state of the form for a room
    this.passwordFor = null; // code of the room that asks for a password
    this.toasts = [];
    this.toastCount = 0;
    this.journal = [];
    this.lastSeq = 0; // number of the last event that the journal tells
    this.unsent = []; // lines of chat that the server hasn't answered
    this.isPlaying = false; // whether a move of mine is on its way to the server
    this.moveAnswered = null; // promise for the answer to my last move
    this.premove = null; // a move that I typed before my turn
    this.hint = null;
    this.thinking = null; // seat of a bot that thinks
    this.finished = null; // a game that is looked at: {picture, number}; null in rooms
    this.review = null; // of the game on the board: {isPending}, or the server's answer
    this.replayAt = null; // number of tokens that are shown while looking back
    this.replayTimer = null; // shows the next one of the moves that are shown again
    this.board = new RoomBoard(this);
    this.journalView = new Journal(this);
    this.dialogs = new Dialogs(this);
    this.isScheduled = false;
    this.prefersDark = matchMedia('(prefers-color-scheme: dark)');
    this.prefersDark.addEventListener('change', () => this.applyTheme());
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

  /** Show a link that brings an identity to this browser, and forget its address. */
  arrive(arrival) {
    this.arrival = arrival;
    this.showAddress();
    this.render();
  }

  /** Be the person of that identity from now on. */
  become(identity, place) {
    saveIdentity(this.store, SERVER, identity);
    saveRoom(this.store, SERVER, place);
    this.identity = identityFor(this.store, SERVER);
    this.arrival = null;
    this.finished = null;
    this.roomFromLink = null;
    this.greet(identity.name);
  }

  /** Don't take the identity of a link. */
  stay() {
    this.arrival = null;
    if (this.link) this.render();
    else this.start();
  }

  /** Show the room in the page's address, from which it comes back there; else nothing. */
  showAddress() {
    const { room } = this.link?.picture ?? {};
    history.replaceState(null, '', room ? `#${encodeURIComponent(room)}` : location.pathname);
  }

  greet(name) {
    this.link?.stop();
    this.problem = '';
    this.isReplaced = false;
    this.isOnline = false;
    this.rooms = null;
    this.isBanned = false;
    this.link = new Link({
      url: this.url,
      name,
      secret: this.identity.secret,
      onUpdate: (update) => this.updated(update),
    });
    this.link.start();
    this.render();
  }

  /** Go to the room of a link that was opened in this tab; a room in which one is comes first. */
  follow(room) {
    if (this.link?.picture) return;
    if (this.isOnline) this.join(room);
    else this.roomFromLink = room; // after the welcome
    this.render();
  }

  // Updates of the link

  updated(update) {
    const handler = HANDLERS[update.kind];
    if (handler) handler(this, update);
    this.render();
  }

  welcomed() {
    this.identity = { ...this.identity, name: this.me };
    keepIdentity(this.store, SERVER, this.identity);
    if (this.picture || this.link.isEntering) return;
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
    this.showAddress();
    this.finished = null;
    if (!update.fresh) return;
    this.forgetPosition();
    if (!update.isBack) this.journal = [];
    const unseen = this.picture.chat.filter((each) => !update.isBack || each.seq > this.lastSeq);
    this.report(unseen.map((each) => said(each, this.picture, this.me, this.t)));
    this.lastSeq = this.picture.seq;
    this.playPremove();
  }

  happened({ event, before, after }) {
    if (NO_BOT_THINKS.includes(event.type)) this.thinking = null;
    if (NEW_POSITION.includes(event.type)) this.hint = null;
    if (['started', 'undone'].includes(event.type)) this.lookBack(null);
    if (event.type === 'started') this.review = null;
    this.lastSeq = after.seq;
    this.report(narrate(event, before, after, this.me, this.t, this.games));
    this.playPremove();
  }

  report(lines) {
    const journal = [...this.journal, ...lines];
    // Many at once, as all others move when the first one goes, and the browser paints them anew.
    this.journal = journal.length > MOST_LINES ? journal.slice(-KEPT_LINES) : journal;
  }

  /** Forget what was shown about a position that is gone. */
  forgetPosition() {
    this.hint = null;
    this.thinking = null;
    this.review = null;
    this.lookBack(null);
  }

  out() {
    this.forgetPosition();
    this.dialogs.close(); // it may be about the room
    saveRoom(this.store, SERVER, null);
    this.showAddress();
    this.openLobby();
  }

  toast(text) {
    this.toastCount += 1;
    const toast = { text, key: String(this.toastCount) };
    this.toasts = [...this.toasts, toast].slice(-2);
    setTimeout(() => {
      this.toasts = this.toasts.filter((each) => each !== toast);
      this.render();
    }, TOAST_MS);
    this.render();
  }

  // Lobby

  /** Show the open rooms, and their changes. */
  async openLobby() {
    this.rooms = null;
    this.render();
    const { link } = this;
    // First the changes, so that none is missed between the list and them.
    await link.request({ type: 'watch_rooms' }).catch(() => {});
    await this.attempt(() => this.listRooms(link));
  }

  async listRooms(link) {
    const listed = new Map();
    this.listed = listed;
    let after = '';
    do {
      const answer = await link.request({ type: 'list_rooms', ...(after && { after }) });
      for (const room of answer.rooms) listed.set(room.room, room);
      after = answer.next ?? '';
    } while (after);
    if (this.listed === listed) this.rooms = listed; // else a newer list is on its way
  }

  roomsChanged({ rooms, gone }) {
    if (this.listed === null) return;
    for (const code of gone) this.listed.delete(code);
    for (const room of rooms) this.listed.set(room.room, room);
  }

  async join(room, { password, watch = false } = {}) {
    if (this.link.isEntering) return; // such as by the first tap of two
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
        this.toastError(error);
      }
      if (this.rooms === null) this.openLobby();
      this.render();
    }
  }

  async create(message) {
    if (this.link.isEntering) return false;
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
      this.toastError(error);
      return false;
    } finally {
      this.render();
    }
  }

  /** Show why something failed. Without a connection a banner says so already. */
  toastError(error) {
    if (!(error instanceof Offline)) this.toast(error.message);
  }

  async play(move) {
    const { to_move: seat, ply } = this.picture;
    if (
      this.settings.confirms &&
      !(await this.dialogs.ask(this.t('play_it', { move }), this.t('ok')))
    ) {
      this.render(); // as the board waits for an answer
      return;
    }
    this.isPlaying = true;
    this.render();
    this.moveAnswered = this.command({ type: 'play', seat, move, ply });
    await this.moveAnswered;
    this.isPlaying = false;
    this.render();
  }

  /** Keep a move for my next turn, in place of the one that was kept. */
  setPremove(move) {
    this.premove = move === null ? null : premoveOf(this.picture, this.me, move);
    if (move !== null && this.premove === null) this.toast(this.t('no_turn', { move }));
    this.render();
  }

  /** Play the premove if its turn has come, and drop it if it has become impossible. */
  playPremove() {
    const { premove, picture } = this;
    if (premove === null) return;
    if (!isValid(premove, picture, this.me)) this.premove = null;
    else if (premove.seat === picture.to_move) {
      this.premove = null;
      this.play(premove.move);
    }
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

  /** Take back my last move, also one that is still on its way to the server. */
  async undo() {
    await this.moveAnswered;
    if (this.picture === null) return;
    await this.command({
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
    const showNext = () => {
      const next = this.replayAt + 1;
      const isLast = next >= this.picture.tokens.length;
      this.lookBack(isLast ? null : next);
      if (!isLast) this.replayTimer = setTimeout(showNext, REPLAY_MS);
    };
    this.lookBack(first);
    this.replayTimer = setTimeout(showNext, REPLAY_MS);
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

  /** Show the position after the first `count` moves; null: the present one. */
  lookBack(count) {
    clearTimeout(this.replayTimer);
    this.replayAt =
      count === null ? null : Math.max(0, Math.min(count, this.picture.tokens.length));
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
    this.language = languageOf(this.settings.language);
    this.t = translatorFor(this.language);
    document.documentElement.lang = this.language;
    this.applyTheme();
    this.board.reset();
  }

  applyTheme() {
    const { theme } = this.settings;
    const isChosen = theme === 'light' || theme === 'dark';
    const ofDevice = this.prefersDark.matches ? 'dark' : 'light';
    document.documentElement.dataset.theme = isChosen ? theme : ofDevice;
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
    if (this.arrival) return arrivalView(this);
    if (this.isReplaced || this.isBanned) return h('main.greeting');
    if (!this.link || this.problem) return greetingView(this);
    if (this.finished) return gameView(this);
    if (this.picture) return roomView(this);
    return lobbyView(this);
  }

  banners() {
    const banner = (text, ...more) =>
      h('div.banner', { 'data-key': 'banner', role: 'status' }, text, ...more);
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
  notice: (app, update) => {
    if (update.code === 'identity_taken') identityTaken(app);
    else app.toast(update.message);
  },
  thinking: (app, update) => {
    app.thinking = update.seat;
  },
  hint: (app, update) => {
    if (update.ply !== app.picture?.ply) return;
    app.hint = update.move;
    app.report([{ kind: 'answer', text: app.t('event.hint', update), seat: null }]);
  },
  rooms_changed: (app, update) => app.roomsChanged(update),
  replaced: (app) => {
    app.isReplaced = true;
  },
  banned: (app) => {
    app.isBanned = true;
  },
  greeting_refused: (app, update) => {
    app.isNameTaken = update.code === 'name_taken';
    app.problem = app.isNameTaken ? app.t('name_taken', { name: app.link.name }) : update.message;
  },
  lost_room: (app, update) => {
    app.toast(update.message);
    app.out();
  },
};
