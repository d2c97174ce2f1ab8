/** A room: whose turn it is, the board, what one can do now, and what was said. */

import { h } from './dom.js';
import { DotsBoard } from './board.js';
import { chatView } from './chat.js';
import { Offline } from './link.js';
import { markOf } from './marks.js';
import { listed, result, settingsInWords, withdrawn } from './narrate.js';
import { Painter } from './painter.js';
import { inviteSheet, playersView } from './players.js';
import { canReview, findingAt, findingText, reviewView } from './review.js';
import { newForm, roomForm } from './room_form.js';
import { openSettings } from './settings.js';

export function roomView(app) {
  const { picture } = app;
  return h(
    'main.room',
    { 'data-key': 'room' },
    header(app),
    scores(app),
    app.form
      ? roomForm(app)
      : h(
          'section.table',
          { 'data-key': 'table' },
          picture.phase === 'waiting'
            ? waiting(app)
            : h('div.board-place', { 'data-key': 'board', 'data-keep': 'board' }),
          status(app),
          findingText(app),
          actions(app),
          reviewView(app),
        ),
    chatView(app),
  );
}

function header(app) {
  const { t, picture } = app;
  return h(
    'header',
    {},
    h(
      'button.icon',
      { 'aria-label': t('leave'), title: t('leave'), onclick: () => app.leave() },
      '‹',
    ),
    h('h1', {}, picture.room, h('small', {}, settingsInWords(picture.settings, t, app.games))),
    h('button', { onclick: () => inviteSheet(app) }, t('invite')),
    h(
      'button.icon',
      {
        'aria-label': t('players'),
        title: t('players'),
        onclick: () => app.dialogs.sheet(t('players'), () => playersView(app)),
      },
      '☰',
    ),
    h(
      'button.icon',
      { 'aria-label': t('settings'), title: t('settings'), onclick: () => openSettings(app) },
      '⚙',
    ),
  );
}

export function scores(app) {
  const { picture } = app;
  const out = withdrawn(picture);
  return h(
    'ol.scores',
    { 'aria-label': app.t('players') },
    ...picture.seats.map((holder, seat) => {
      const mark = markOf(picture, seat, app.games);
      const name = picture.players[seat] ?? holder.name ?? app.t('empty');
      const isToMove = picture.phase === 'playing' && picture.to_move === seat;
      return h(
        'li',
        {
          class: [mark.className, isToMove ? 'to-move' : '', out.has(seat) ? 'out' : ''].join(' '),
          'aria-current': isToMove ? 'true' : null,
        },
        h('span.mark', { 'aria-hidden': 'true' }, mark.glyph),
        h('span.name', {}, name, remarks(app, holder, out.has(seat))),
        picture.scores.length ? h('span.score', {}, String(picture.scores[seat])) : null,
        isToMove && picture.deadline_ms
          ? h('span.clock', { role: 'timer' }, secondsLeft(app))
          : null,
      );
    }),
  );
}

function remarks(app, holder, isOut) {
  const { t, picture } = app;
  const parts = [];
  if (isOut) parts.push(t('out'));
  if (holder.member === app.me) parts.push(t('you'));
  if (holder.member === null && holder.bot !== null) parts.push(t('bot'));
  else if (holder.bot !== null) parts.push(t('bot_plays', { bot: holder.bot }));
  const member = picture.members.find((each) => each.name === holder.member);
  if (member && !member.connected) parts.push(t('away'));
  return parts.length ? h('small', {}, ` (${parts.join(', ')})`) : null;
}

/** Return the seconds that are left, and have the page shown again when they change. */
function secondsLeft(app) {
  const ms = Math.max(0, app.picture.deadline_ms - app.link.serverNow());
  clearTimeout(secondsLeft.timer);
  if (ms > 0) secondsLeft.timer = setTimeout(() => app.render(), (ms % 1000) + 20);
  return `${Math.ceil(ms / 1000)} s`;
}

function waiting(app) {
  const { t, picture } = app;
  const empty = picture.seats.filter(
    (holder) => holder.member === null && holder.bot === null,
  ).length;
  const waits =
    picture.host === null ? t('wait_no_host') : t('wait_for_host', { name: picture.host });
  return h(
    'div.waiting',
    { 'data-key': 'waiting' },
    h(
      'p',
      {},
      empty ? t('wait_seats', { n: empty }) : t('all_seated'),
      app.isHost ? null : ` ${waits}`,
    ),
    playersView(app),
  );
}

/** What matters now, in one line that screen readers read out: whose turn it is, or the result. */
export function status(app) {
  return h('p.status', { role: 'status', class: app.isMyTurn ? 'mine' : null }, statusText(app));
}

function statusText(app) {
  const { t, picture } = app;
  if (app.replayAt !== null) return t('move_n_of', { n: app.replayAt, of: picture.tokens.length });
  switch (picture.phase) {
    case 'playing': {
      const seat = picture.to_move;
      const name = picture.players[seat];
      if (app.isMyTurn)
        return app.mySeats.length > 1 ? t('your_turn_as', { name }) : t('your_turn');
      const turn = t(app.thinking === seat ? 'thinking' : 'turn_of', { name });
      return app.premove === null ? turn : t('premove', { turn, move: app.premove.move });
    }
    case 'over':
      return result(picture.winners ?? [], picture.scores, picture, t, app.games, app.me);
    default:
      return '';
  }
}

export function actions(app) {
  const { t } = app;
  // Each button keeps its element: else one that is just pressed could become another one.
  const button = (label, onclick, kind = '') =>
    h(`button${kind}`, { 'data-key': label, onclick }, label);
  if (app.replayAt !== null) return replayActions(app, button);
  return h(
    'div.actions',
    { 'data-key': 'actions' },
    ...{
      waiting: () => beforeGame(app, button),
      playing: () => inGame(app, button),
      over: () => afterGame(app, button),
    }[app.picture.phase](),
  );
}

function beforeGame(app, button) {
  const { t } = app;
  return [
    app.isHost ? button(t('start'), () => app.command({ type: 'start' }), '.primary') : null,
    app.isHost ? button(t('next_game'), () => openForm(app)) : null,
  ];
}

function inGame(app, button) {
  const { t, picture, mySeats } = app;
  const { settings, undo } = picture;
  if (!mySeats.length) return [h('span.help', {}, t('watching'))];
  const isAsked = undo !== null && undo.member !== app.me && !undo.agreed.includes(app.me);
  if (isAsked) {
    return [
      h('span', {}, t('undo_ask', { name: undo.member })),
      button(t('agree'), () => app.answerUndo(true), '.primary'),
      button(t('decline'), () => app.answerUndo(false)),
    ];
  }
  const away = mySeats.find((seat) => picture.seats[seat].bot !== null);
  const since = app.marked().size;
  return [
    away === undefined
      ? null
      : button(t('sit_back'), () => app.command({ type: 'sit', seat: away }), '.primary'),
    since > 1 ? button(t('since_my_turn', { n: since }), () => app.showAgain()) : null,
    settings.hints && app.isMyTurn ? button(t('hint'), () => app.askHint()) : null,
    settings.takebacks > 0 && settings.clock_s === null && picture.tokens.length
      ? button(t('undo'), () => app.undo())
      : null,
    app.premove === null ? null : button(t('premove_drop'), () => app.setPremove(null)),
    button(t('resign'), () => app.resign()),
  ];
}

function afterGame(app, button) {
  const { t, picture } = app;
  return [
    ...(app.finished === null ? forNextGame(app, button) : []),
    canReview(picture, app.games) && app.review === null
      ? button(t('review'), () => app.askReview())
      : null,
    button(t('replay'), () => app.lookBack(0)),
  ];
}

function forNextGame(app, button) {
  const { t, picture } = app;
  const wanted = picture.rematch.length
    ? [h('span.help', {}, t('rematch_wanted_by', { names: listed(picture.rematch, t) }))]
    : [];
  return [
    app.mySeats.length && !picture.rematch.includes(app.me)
      ? button(t('rematch'), () => app.command({ type: 'rematch' }), '.primary')
      : null,
    ...wanted,
    app.isHost ? button(t('next_game'), () => openForm(app)) : null,
  ];
}

function replayActions(app, button) {
  const { t } = app;
  const at = app.replayAt;
  const all = app.picture.tokens.length;
  const step = (label, glyph, count) =>
    h(
      'button.icon',
      {
        'aria-label': label,
        title: label,
        onclick: () => app.lookBack(count),
      },
      glyph,
    );
  return h(
    'div.actions',
    { 'data-key': 'replay' },
    step(t('first_move'), '«', 0),
    step(t('previous'), '◀', at - 1),
    h('input', {
      type: 'range',
      min: 0,
      max: all,
      value: at,
      'aria-label': t('move_n_of', { n: at, of: all }),
      oninput: (event) => app.lookBack(Number(event.target.value)),
    }),
    step(t('next'), '▶', at + 1),
    step(t('last_move'), '»', all),
    button(t('back_to_game'), () => app.lookBack(null)),
  );
}

function openForm(app) {
  app.form = newForm(app, app.picture);
  app.render();
}

/** Return the picture after the first `count` moves of its game, for the board. */
function pictureAt(picture, count) {
  return {
    ...picture,
    tokens: picture.tokens.slice(0, count),
    movers: picture.movers.slice(0, count),
    taken: picture.taken.filter(([index]) => index < count),
  };
}

/** The board of the room's game, which stays while the views around it change. */
export class RoomBoard {
  constructor(app) {
    this.app = app;
    this.element = h('div.board-host', { 'data-key': 'board-host' });
    this.reset();
  }

  /** Make the board anew at the next `show`. */
  reset() {
    this.board?.close?.(); // a painter watches the size of the page
    this.kind = '';
    this.board = null;
  }

  show() {
    const { app } = this;
    const { picture } = app;
    const place = app.root.querySelector('[data-keep=board]');
    if (picture === null || place === null) return;
    if (place.firstChild !== this.element) place.replaceChildren(this.element);
    const kind = JSON.stringify([
      app.language,
      picture.settings.game,
      picture.settings.options,
      picture.settings.seats,
    ]);
    if (kind !== this.kind) {
      this.reset();
      this.kind = kind;
      this.make(picture.settings);
    }
    this.board?.show(
      app.replayAt === null ? picture : pictureAt(picture, app.replayAt),
      this.shown(),
    );
  }

  /** Return the move of the board that a typed line names, such as "H 3"; null if it names none. */
  moveIn(text) {
    return this.board?.moveNamed(text.replace(/\s+/g, '')) ?? null;
  }

  shown() {
    const { app } = this;
    const isLive = app.replayAt === null;
    return {
      canMove: isLive && app.isMyTurn && !app.isPlaying,
      marked: isLive ? app.marked() : new Set([app.replayAt - 1]),
      markOf: (seat) => markOf(app.picture, seat, app.games),
      hint: isLive
        ? (app.premove?.move ?? app.hint)
        : (findingAt(app.review, app.replayAt)?.better ?? null),
      mySeats: app.mySeats,
    };
  }

  make(settings) {
    const { app } = this;
    const onMove = (move) => app.play(move);
    if (settings.game === 'dots') {
      const { rows = 5, cols = 5, border = 'none' } = settings.options;
      this.board = new DotsBoard({ rows, cols, border }, { t: app.t, onMove });
      this.element.replaceChildren(this.board.element);
      return;
    }
    this.element.replaceChildren(h('p.help', {}, app.t('connecting')));
    this.fetch(settings, onMove);
  }

  /** Ask the server for the geometry of another game. */
  async fetch(settings, onMove) {
    const { app, kind } = this;
    const { game, options, seats } = settings;
    try {
      const geometry = await app.link.request({ type: 'get_geometry', game, options, seats });
      if (kind !== this.kind) return;
      const container = h('div.painter');
      this.element.replaceChildren(container);
      this.board = new Painter(container, geometry, { onMove, t: app.t });
      app.render();
    } catch (error) {
      if (kind !== this.kind) return;
      if (error instanceof Offline) this.reset();
      else this.element.replaceChildren(h('p.problem', {}, error.message));
    }
  }
}
