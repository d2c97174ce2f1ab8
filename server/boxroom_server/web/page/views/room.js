/**
 * A room: whose turn it is, the board, what one can do now, and what was said.
 *
 * @import { Description, View } from '../dom.js'
 * @import { Holder, Picture } from '../mirror.js'
 * @import { PageEvent } from '../state/next.js'
 * @import { BoardState, RoomState, State } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h } from '../dom.js';
import { called } from '../game_words.js';
import { scoresAt } from '../leads.js';
import { markOf } from '../marks.js';
import {
  canGrow,
  emptySeats,
  lackingPlayers,
  NUDGE_AFTER_MS,
  roomMs,
  unpausers,
} from '../mirror.js';
import { awayNote, result, settingsInWords, wished, withdrawn } from '../narrate.js';
import {
  clockMs,
  commanded,
  gameOf,
  isHost,
  isMyTurn,
  knowsMyTurn,
  lastTokens,
  mySeats,
  nameOf,
  shownGame,
  shownPicture,
  thinkingMs,
} from '../state/state.js';
import { turnInWords } from '../turn_in_words.js';
import { button, voteButton } from './buttons.js';
import { chatView } from './chat.js';
import { coachButton, coachView } from './coach.js';
import { endingView } from './ending.js';
import { iconButton, iconView } from './icons.js';
import { inviteView } from './invitation.js';
import { playersView } from './players.js';
import { pastGameView, positionText } from './past_game.js';
import { roomForm } from './room_form.js';
import { standingsButton } from './standings.js';

/** @type {View<Description, RoomState>} */
export function roomView(state, t) {
  return h(
    'main.room',
    { key: 'room' },
    header(state, t),
    scores(state, t),
    state.form ? roomForm(state, state.form, t) : table(state, t),
    chatView(state, t),
  );
}

/** @type {View<Description, RoomState>} */
function table(state, t) {
  return h(
    'section.table',
    { key: 'table' },
    stripView(state, t),
    state.picture.phase === 'waiting' ? waitingRoom(state, t) : boardView(),
    coachView(state, t),
    ...belowBoard(state, t),
  );
}

/**
 * Return the place of the board, which draws itself: see `board/board_place.js`.
 *
 * @type {() => Description}
 */
export function boardView() {
  return h('div.board-place', { key: 'board', foreign: true });
}

/** @type {View<Description, RoomState>} */
function header(state, t) {
  const { picture, games } = state;
  /** @type {(kind: 'invite' | 'players' | 'settings') => PageEvent} */
  const open = (kind) => ({ type: 'open_dialog', dialog: { kind } });
  const isWaiting = picture.phase === 'waiting' && emptySeats(picture) > 0; // it invites already
  return h(
    'header',
    {},
    iconButton('back', t('leave'), { type: 'leave' }),
    h('h1', {}, picture.room, h('small', {}, settingsInWords(picture.settings, t, games))),
    isWaiting ? null : iconButton('invite', t('invite'), open('invite')),
    isHost(state) ? iconButton('host', t('host_menu'), { type: 'open_powers' }) : null,
    iconButton('menu', t('players'), open('players')),
    iconButton('settings', t('settings'), open('settings')),
  );
}

/** @type {View<Description, BoardState>} */
export function scores(state, t) {
  const picture = shownPicture(state);
  const out = withdrawn(picture);
  const game = gameOf(state, picture.settings);
  const { replayAt: count } = state;
  const points = count === null ? picture.scores : scoresAt(picture, shownGame(state), count);
  // Without a prize, such as boxes, a score only says who has won.
  const hasScores = picture.scores.length > 0 && (game === undefined || Boolean(game.prize));
  return h(
    'ol.scores',
    { 'aria-label': t('players'), tabindex: 0 }, // so that keys can scroll it
    ...picture.seats.map((holder, seat) => {
      const mark = markOf(picture, seat, state.games);
      const name = called(picture.players[seat] ?? holder.name, t) || t('empty');
      const isToMove = picture.phase === 'playing' && picture.to_move === seat;
      return h(
        'li',
        {
          key: `${picture.room} ${picture.game_number} ${seat}`, // a score counts in its game only
          class: [mark.className, isToMove ? 'to-move' : '', out.has(seat) ? 'out' : ''].join(' '),
          'aria-current': isToMove ? 'true' : null,
        },
        h('span.mark', { 'aria-hidden': 'true' }, mark.glyph),
        h('span.name', {}, name),
        h('span.notes', {}, remarks(state, holder, out.has(seat), t)),
        hasScores
          ? h('span.score', { foreign: true, 'data-score': points[seat] })
          : null,
      );
    }),
  );
}

/**
 * Return that a player is away, and in a game when that has consequences.
 *
 * @type {(state: BoardState, untilMs: ?number, t: Translate) => string}
 */
function absence(state, untilMs, t) {
  const picture = shownPicture(state);
  const { phase, settings } = picture;
  if (untilMs === null || phase !== 'playing' || settings.on_drop === 'wait') return t('away');
  const time = inMinutes(untilMs - roomMs(picture, state.serverMs));
  return t(`away_${settings.on_drop}`, { time });
}

/**
 * Return a time as minutes and seconds: "1:05".
 *
 * @type {(ms: number) => string}
 */
function inMinutes(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** @type {(state: BoardState, holder: Holder, isOut: boolean, t: Translate) => ?Description} */
function remarks(state, holder, isOut, t) {
  const picture = shownPicture(state);
  const parts = [];
  if (isOut) parts.push(t('out'));
  if (holder.member === nameOf(state)) parts.push(t('you'));
  if (holder.member === null && holder.bot !== null) parts.push(t('bot'));
  else if (holder.bot !== null) parts.push(t('bot_plays', { bot: called(holder.bot, t) }));
  if (holder.coached) parts.push(t('coach.beside'));
  const member = picture.members.find((each) => each.name === holder.member);
  if (member && !member.connected) {
    parts.push(absence(state, holder.bot === null ? member.grace_until_ms : null, t));
  }
  if (member && member.away !== null) parts.push(awayNote(member.away, t));
  return parts.length ? h('small', {}, ` (${parts.join(', ')})`) : null;
}

/** @type {View<Description, RoomState>} */
function waitingRoom(state, t) {
  const { picture } = state;
  const empty = emptySeats(picture);
  const seats = state.startsWhenFull
    ? t('starts_when_full')
    : empty
      ? t('wait_seats', { n: empty })
      : t(canGrow(picture) ? 'enough_seated' : 'all_seated');
  const waits =
    picture.host === null ? t('wait_no_host') : t('wait_for_host', { name: picture.host });
  return h(
    'div.waiting',
    { key: 'waiting' },
    h(
      'p',
      {},
      seats,
      isHost(state) ? null : ` ${waits}`,
    ),
    empty ? h('section.invitation', { key: 'invitation' }, ...inviteView(state, t)) : null,
    playersView(state, t),
  );
}

/**
 * Return the strip over the board: whose turn it is in the colour of the seat, or the result.
 *
 * @type {View<Description, BoardState>}
 */
export function stripView(state, t) {
  const seat = seatOfStrip(state);
  const mark = seat === null ? null : markOf(shownPicture(state), seat, state.games);
  const tone = knowsMyTurn(state) ? 'mine' : '';
  return h(
    'div.strip',
    { key: 'strip', class: [shownPicture(state).phase, tone, mark?.className ?? ''].join(' ') },
    mark && h('span.mark', { 'aria-hidden': 'true' }, mark.glyph),
    h(
      'p.status',
      { role: 'status' }, // without the time, which screen readers would read out each second
      statusText(state, t),
      turnDetails(state, t),
    ),
    state.replayAt === null ? timeOfTurn(state, t) : null,
  );
}

/**
 * Return the seat in whose colour the strip is: that of the turn, or of the only winner.
 *
 * @type {(state: BoardState) => ?number}
 */
function seatOfStrip(state) {
  const { phase, pause, to_move: seat, winners } = shownPicture(state);
  if (state.replayAt !== null) return null;
  if (phase === 'over') return winners?.length === 1 ? winners[0] : null;
  return phase === 'playing' && pause === null && state.isOnline ? seat : null;
}

/**
 * Return the time that is left for the turn, or that somebody else has been thinking for long.
 *
 * @type {View<?Description, BoardState>}
 */
function timeOfTurn(state, t) {
  const msLeft = clockMs(state);
  if (msLeft !== null) return h('span.clock', { role: 'timer' }, `${Math.ceil(msLeft / 1000)} s`);
  const ms = thinkingMs(state);
  if (ms === null || ms < NUDGE_AFTER_MS || isMyTurn(state)) return null;
  return h('span.thinking', {}, t('thinking_for', { time: inMinutes(ms) }));
}

/**
 * Return what a screen reader says behind "Your turn"; the board shows it to everybody else.
 *
 * @type {View<?Description, BoardState>}
 */
function turnDetails(state, t) {
  if (state.replayAt !== null || !knowsMyTurn(state)) return null;
  const words = turnInWords(shownPicture(state), t);
  return words ? h('span.unseen', {}, `. ${words}`) : null;
}

/** @type {View<string, BoardState>} */
function statusText(state, t) {
  const { replayAt, games } = state;
  const picture = shownPicture(state);
  if (replayAt !== null) return positionText(state, t);
  if (picture.phase === 'playing') return turnText(state, t);
  if (picture.phase !== 'over') return '';
  return result(picture.winners ?? [], picture.scores, picture, t, games, nameOf(state));
}

/**
 * Return whether the strip says whose turn it is, or in its place that there is no connection.
 *
 * @type {(state: State) => boolean}
 */
export function hasStripOfTurn({ picture, replayAt }) {
  return picture?.phase === 'playing' && replayAt === null;
}

/**
 * Return what a person without a connection sees, and what becomes of what they do.
 *
 * @type {View<string>}
 */
export function connectionText({ kept, picture, listing }, t) {
  if (kept !== null) return t('last_known');
  return t(picture || listing.isComplete ? 'offline' : 'connecting');
}

/** @type {View<string, BoardState>} */
function turnText(state, t) {
  const { premove, thinking } = state;
  if (!state.isOnline) return connectionText(state, t);
  const { to_move: seat, players, pause } = shownPicture(state);
  const name = called(players[seat ?? -1], t);
  if (pause !== null) return t('status_paused', { name: pause.member });
  if (isMyTurn(state)) return myTurnText(state, name, t);
  const turn = t(thinking === seat ? 'thinking' : 'turn_of', { name });
  return premove === null ? turn : t('premove', { turn, move: premove.move });
}

/**
 * Return what can be done below the board: first to step, for who does, and else to go on.
 *
 * @type {View<(?Description)[], BoardState>}
 */
export function belowBoard(state, t) {
  const [choices, steps] = [actions(state, t), pastGameView(state, t)];
  return state.replayAt === null ? [choices, ...steps] : [...steps, choices];
}

/**
 * Return that it is the person's turn; to several at one device, whose turn it is, and to pass
 * it on.
 *
 * @type {(state: BoardState, name: string, t: Translate) => string}
 */
function myTurnText(state, name, t) {
  if (mySeats(state).length < 2) return t('your_turn');
  const { movers, to_move: seat } = shownPicture(state);
  const isPassedOn = movers.length > 0 && movers.at(-1) !== seat;
  return t(isPassedOn ? 'pass_on' : 'your_turn_as', { name });
}

/**
 * Return what one can do now.
 *
 * @type {View<?Description, BoardState>}
 */
export function actions(state, t) {
  const { phase } = shownPicture(state);
  if (phase === 'over') return endingView(state, t);
  if (state.replayAt !== null) return null;
  const choices = phase === 'waiting' ? beforeGame(state, t) : inGame(state, t);
  return h('div.actions', { key: 'actions' }, ...choices);
}

/** @type {View<(?Description)[], BoardState>} */
function beforeGame(state, t) {
  const standings = standingsButton(state, t);
  const picture = shownPicture(state);
  const ready = picture.rematch.length
    ? h('span.help', {}, t('ready_are', { names: picture.rematch }))
    : null;
  if (!isHost(state)) return [voteButton(state, t('ready'), t), ready, standings];
  return [
    startButton(picture, t),
    ready,
    button(t('next_game'), { type: 'open_form' }),
    standings,
  ];
}

/** @type {(picture: Picture, t: Translate) => Description} */
function startButton(picture, t) {
  const disabled = lackingPlayers(picture) > 0;
  const onclick = commanded({ type: 'start' });
  const look = disabled ? null : 'primary'; // before, the invitation is what matters
  return h('button', { key: 'start', class: look, disabled, onclick }, t('start'));
}

/** @type {View<(?Description)[], BoardState>} */
function inGame(state, t) {
  const { premove } = state;
  const picture = shownPicture(state);
  const { settings, undo, request } = picture;
  const seats = mySeats(state);
  const me = nameOf(state);
  if (!seats.length) {
    const vote = voteButton(state, t('join_next'), t);
    const helpers = [...forSleeper(state, t), pauseButton(state, t)];
    return [h('span.help', {}, t('watching')), vote, ...helpers];
  }
  const asked = undo ?? request;
  if (asked !== null && isToAnswer(asked, picture, me)) {
    const what = request ? wished(request, picture, t) : t('undo_ask', { name: asked.member });
    return requestAnswers(what, t);
  }
  const away = seats.find((seat) => picture.seats[seat].bot !== null);
  const since = lastTokens(state).size;
  const hasTakebacks = settings.takebacks > 0 && settings.clock_s === null;
  const canUndo = picture.pause === null && hasTakebacks && picture.tokens.length > 0;
  return [
    away === undefined
      ? null
      : button(t('sit_back'), commanded({ type: 'sit', seat: away }), '.primary'),
    since > 1 ? button(t('since_my_turn', { n: since }), { type: 'show_again' }) : null,
    settings.hints && knowsMyTurn(state) ? button(t('hint'), { type: 'hint' }) : null,
    canUndo ? button(t('undo'), { type: 'undo' }) : null,
    premove === null ? null : button(t('premove_drop'), { type: 'premove', move: null }),
    ...forSleeper(state, t),
    picture.pause === null ? null : pauseButton(state, t),
    rarely(
      [
        picture.pause === null ? pauseButton(state, t) : null,
        coachButton(state, t),
        button(t('resign'), { type: 'resign' }),
        button(t('abort_game'), commanded({ type: 'abort' })),
      ],
      t,
    ),
  ];
}

/**
 * Return the buttons that are seldom wanted, which open: none is hit in place of *Take back*.
 *
 * @type {(buttons: (?Description)[], t: Translate) => Description}
 */
function rarely(buttons, t) {
  return h(
    'details.rarely',
    { key: 'rarely' },
    h('summary', { 'aria-label': t('more_choices'), title: t('more_choices') }, iconView('more')),
    h('div', {}, ...buttons),
  );
}

/**
 * Return whether `me`, who plays, has still to answer a request.
 *
 * @type {(asked: {member: string, agreed: string[], seat?: number}, picture: Picture, me: ?string)
 *   => boolean}
 */
function isToAnswer({ member, agreed, seat }, picture, me) {
  const isOfMine = seat !== undefined && picture.seats[seat].member === me;
  return member !== me && !isOfMine && !agreed.includes(me ?? '');
}

/**
 * Return the buttons that nudge the player who thinks for long, and let a bot play.
 *
 * @type {View<(?Description)[], BoardState>}
 */
function forSleeper(state, t) {
  const picture = shownPicture(state);
  const { to_move: seat, settings, players, host } = picture;
  const isAllowed = mySeats(state).length > 0 || host === nameOf(state);
  const ms = thinkingMs(state);
  if (picture.pause !== null) return [];
  if (seat === null || ms === null || isMyTurn(state) || !isAllowed) return [];
  if (ms < NUDGE_AFTER_MS || !picture.seats[seat].member) return [];
  const name = players[seat];
  return [
    button(t('nudge', { name }), commanded({ type: 'nudge', seat })),
    ms < settings.stand_in_s * 1000
      ? null
      : button(t('let_bot_play', { name }), commanded({ type: 'stand_in', seat })),
  ];
}

/**
 * Return the button that pauses the game, or goes on with it; null for who may not.
 *
 * @type {View<?Description, BoardState>}
 */
function pauseButton(state, t) {
  const picture = shownPicture(state);
  const me = nameOf(state);
  if (picture.pause === null) {
    const isAllowed = mySeats(state).length > 0 || picture.host === me;
    return isAllowed ? button(t('pause'), commanded({ type: 'pause' })) : null;
  }
  return me !== null && unpausers(picture).includes(me)
    ? button(t('unpause'), commanded({ type: 'unpause' }), '.primary')
    : null;
}

/** @type {(what: string, t: Translate) => Description[]} */
function requestAnswers(what, t) {
  return [
    h('span', {}, what),
    button(t('agree'), { type: 'answer_request', agree: true }, '.primary'),
    button(t('decline'), { type: 'answer_request', agree: false }),
  ];
}
