/**
 * The events of a room as sentences for people, the same ones as in the terminal.
 *
 * Pure: a function of an event, the picture of the room before and after it, and the reader.
 * docs/sentence-vectors.json holds both sides together.
 *
 * @import { ByType, LogEvent, Picture, RoomSettings } from './mirror.js'
 * @import { ChatLine, GameOffered, OptionOffered, PrivateLine } from './protocol.js'
 * @import { Translate } from './words.js'
 *
 * @typedef {{kind: string, text: string, seat: ?number, author?: ?string}} Told a line to show
 * @typedef {Pick<Picture, 'players' | 'tokens'> & {settings: {game: string}}} Played a game
 */

import { called, known, labelOf, titleOfGame, valueInWords } from './game_words.js';
import { joiningNext, MOST_TAKEBACKS, seatsOf, SETTINGS } from './mirror.js';
import { standingsInShort } from './standings.js';

/**
 * A line of the journal: its kind (for its style), its text, and the seat that acted, or null.
 *
 * @type {(kind: string, text: string, seat?: ?number) => Told}
 */
function line(kind, text, seat = null) {
  return { kind, text, seat };
}

/** Events whose own sentence says enough about the request that they end. */
const ENDS_A_REQUEST = ['undo_declined', 'undone', 'declined', 'stood_in', 'aborted', 'paused'];

/**
 * Return the lines about `event` for member `me`, in the words of `t`.
 *
 * @param {LogEvent} event
 * @param {Picture} before
 * @param {Picture} after
 * @param {?string} me
 * @param {Translate} t
 * @param {GameOffered[]} games
 * @returns {Told[]}
 */
export function narrate(event, before, after, me, t, games) {
  const lines = told(event, before, after, me, t, games);
  const asked = before.undo ?? before.request;
  const isOff = asked !== null && after.undo === null && after.request === null;
  if (!isOff || ENDS_A_REQUEST.includes(event.type)) return lines;
  const key = before.undo ? 'event.undo_off' : 'event.request_off';
  return [...lines, line('event', t(key, { name: asked.member }))];
}

/**
 * Return what a player asks for in a request of another kind than a takeback.
 *
 * @type {(asked: {kind: string, member: string, seat?: number, bot?: string}, picture: Picture,
 *   t: Translate) => string}
 */
export function wished({ kind, member: name, seat, bot }, { players }, t) {
  if (kind === 'pause') return t('event.pause_asked', { name });
  if (kind === 'abort' || seat === undefined) return t('event.abort_asked', { name });
  return t('event.stand_in_asked', { name, other: players[seat], bot: called(bot, t) });
}

/**
 * @param {?string} member
 * @param {Picture} picture
 */
function isConnected(member, { members }) {
  return members.some(({ name, connected }) => connected && name === member);
}

/** @type {typeof narrate} */
function told(event, before, after, me, t, games) {
  const { member: name = null } = /** @type {{member?: string}} */ (event);
  switch (event.type) {
    case 'joined':
      return [line('coming', t('event.joined', { name }))];
    case 'left':
      return [line('coming', t('event.left', { name }))];
    case 'kicked':
      return [line('event', t('event.kicked', { name }))];
    case 'unbarred':
      return [line('event', t('event.unbarred', { name }))];
    case 'muted':
      return [line('event', t(name === me ? 'event.muted_you' : 'event.muted', { name }))];
    case 'unmuted':
      return [line('event', t(name === me ? 'event.unmuted_you' : 'event.unmuted', { name }))];
    case 'dropped':
      return [line('coming', t(dropped(event.member, after), { name }))];
    case 'returned':
      if (isConnected(name, before)) return []; // only to another server of a cluster
      return [line('coming', t('event.returned', { name }))];
    case 'renamed':
      return [line('event', t('event.renamed', { former: name, name: event.name }))];
    case 'went_away':
      return [line('coming', t(`event.went_away${event.text ? '_why' : ''}`, { name, ...event }))];
    case 'came_back':
      return [line('coming', t('event.came_back', { name }))];
    case 'grace_over':
      return [line('coming', t('event.grace_over', { name }))];
    case 'woken':
      return [line('coming', t('event.woken'))];
    case 'host_passed':
      return [line('event', t(hostPassed(name, me), { name }))];
    case 'configured':
      return [
        line('event', t('event.configured', { what: allSettings(after.settings, t, games) })),
      ];
    case 'sat': {
      const key = event.name === name ? 'event.sat' : 'event.sat_at';
      return [
        line('event', t(key, { name: event.name, seat: event.seat + 1, member: name }), event.seat),
      ];
    }
    case 'bot_sat': {
      const options = event.bot.replace(/^[^:]*:?/, '').replaceAll(',', ', ');
      const key = options ? 'event.bot_sat_with' : 'event.bot_sat';
      const { seat } = event;
      const name = called(event.name, t);
      return [line('event', t(key, { name, seat: seat + 1, options }), seat)];
    }
    case 'vacated': {
      const was = before.seats[event.seat].name;
      const key = was === null ? 'event.vacated_empty' : 'event.vacated';
      return [line('event', t(key, { name: called(was, t), seat: event.seat + 1 }))];
    }
    case 'stood_in': {
      const { seat } = event;
      const values = { bot: called(event.bot, t), name: after.players[seat] };
      return [line('event', t('event.stood_in', values), seat)];
    }
    case 'took_back':
      if (before.seats[event.seat].bot === null) return []; // only the clock starts again
      return [line('event', t('event.took_back', { name: after.players[event.seat] }), event.seat)];
    case 'started': {
      const key = event.number === 1 ? 'event.started' : 'event.started_n';
      const names = event.players.map((each) => called(each, t));
      const { length: n } = after.settings.opening;
      return [
        line('event', t(key, { n: event.number, names })),
        ...(n ? [line('event', t('event.opening', { n }))] : []),
        ...(event.link ? [line('event', t('event.started_linked'))] : []),
      ];
    }
    case 'played':
      if (event.by === 'opening') return [];
      return [line('move', played(event, before, t, games), event.seat)];
    case 'hint_asked':
      return [
        line('event', t('event.hint_asked', { name: after.players[event.seat] }), event.seat),
      ];
    case 'coached': {
      const key = event.on ? 'event.coached' : 'event.not_coached';
      return [line('event', t(key, { name: before.seats[event.seat].name }), event.seat)];
    }
    case 'undo_asked': {
      const moves = movesAfter(before, event.keeps, t);
      return [line('event', t('event.undo_asked', { name, moves }))];
    }
    case 'undo_agreed':
      return [line('event', t('event.undo_agreed', { name }))];
    case 'undo_declined': {
      const isOwn = before.undo !== null && before.undo.member === name;
      return [line('event', t(isOwn ? 'event.undo_withdrawn' : 'event.undo_declined', { name }))];
    }
    case 'undone': {
      const player = called(after.players[event.to_move], t);
      const moves = movesAfter(before, event.keeps, t);
      return [line('event', t('event.undone', { name: player, moves }), event.to_move)];
    }
    case 'nudged':
      return [line('event', nudgeTold(event, after, me, t))];
    case 'stand_in_asked':
      return [line('event', wished({ ...event, kind: 'stand_in' }, before, t))];
    case 'abort_asked':
      return [line('event', wished({ ...event, kind: 'abort' }, before, t))];
    case 'pause_asked':
      return [line('event', wished({ ...event, kind: 'pause' }, before, t))];
    case 'paused':
      return [line('event', t('event.paused', { name }))];
    case 'unpaused':
      return name === null ? [] : [line('event', t('event.unpaused', { name }))];
    case 'agreed':
      return [line('event', t('event.agreed', { name }))];
    case 'declined': {
      const isOwn = before.request?.member === name;
      return [line('event', t(isOwn ? 'event.request_withdrawn' : 'event.declined', { name }))];
    }
    case 'aborted':
      return [line('event', t('event.aborted'))];
    case 'withdrew': {
      const { why, seat } = event;
      const key = prizeOf(after, games) ? `event.kept_${why}` : `event.withdrew_${why}`;
      const what = counted(event.scores[seat], after, t, games);
      return [line('event', t(key, { name: called(after.players[seat], t), what }), seat)];
    }
    case 'ended':
      return [
        line('result', result(event.winners, event.scores, after, t, games, me)),
        ...standingsInShort(after, t).map((text) => line('event', text)),
      ];
    case 'series_won': {
      const { best_of: n } = after.settings;
      return [line('result', t('event.series_won', { name: called(event.name, t), n }))];
    }
    case 'rematch_wanted':
      return [line('event', voted(event.member, after, t, me))];
    case 'rematch_unwanted':
      return [line('event', t('event.leaves_next', { name }))];
    case 'said':
      return [said(event, after, me, t)];
    case 'reacted':
      return [reacted(event, after, t)];
    case 'told':
      return [toldPrivately(event, after, me, t)];
    case 'revealed':
      return [
        line('aside', t('event.revealed')),
        ...event.lines.map((each) => said(each, after, me, t)),
      ];
    default:
      return [];
  }
}

/**
 * Return a line of chat, which has the fields of a `said`.
 *
 * @type {(message: Omit<ChatLine, 'seq'>, picture: Picture, me: ?string, t: Translate) => Told}
 */
export function said(message, picture, me, t) {
  const aside = message.to === 'spectators';
  const kind = aside ? 'aside' : message.member === me ? 'mine' : 'chat';
  const to = aside ? ` (${t('to_spectators')})` : '';
  const author = `${message.name || message.member}${to}`;
  const seat = seatOfSpeaker(message, picture);
  if (message.action) return { kind, text: `* ${author} ${message.text}`, seat };
  return { kind, text: message.text, seat, author };
}

/**
 * Return a private message, which has the fields of a `told`.
 *
 * @type {(message: Omit<PrivateLine, 'seq'>, picture: Picture, me: ?string, t: Translate) => Told}
 */
export function toldPrivately(message, picture, me, t) {
  const to = t(message.to === me ? 'to_you' : 'to_member', { name: message.to });
  const author = `${message.name || message.member} (${to})`;
  const seat = seatOfSpeaker(message, picture);
  return { kind: 'private', text: message.text, seat, author };
}

/** @type {(event: ByType<LogEvent>['reacted'], picture: Picture, t: Translate) => Told} */
function reacted(event, picture, t) {
  const author = event.name || event.member;
  const text = t(`reaction.${event.reaction}`);
  return { kind: 'reaction', text, seat: seatOfSpeaker(event, picture), author };
}

/** @type {(message: {member: string, name?: string}, picture: Picture) => ?number} */
function seatOfSpeaker({ member, name }, picture) {
  const seats = seatsOf(picture, member);
  const seat = name ? seats.find((each) => picture.seats[each].name === name) : seats[0];
  return seat ?? null;
}

/**
 * @type {(event: ByType<LogEvent>['nudged'], picture: Picture, me: ?string, t: Translate) =>
 *   string}
 */
function nudgeTold({ member: name, seat }, { seats, players, members }, me, t) {
  const other = players[seat];
  const nudgedMember = members.find((each) => each.name === seats[seat].member);
  const text = nudgedMember?.away ?? null;
  if (nudgedMember?.name === me) return t('event.nudged_you', { name });
  if (text === null) return t('event.nudged', { name, other });
  return t(`event.nudged_away${text && '_why'}`, { name, other, text });
}

/**
 * Return the note that a member is gone for a moment; empty for one who isn't.
 *
 * @type {(away: ?string | undefined, t: Translate) => string}
 */
export function awayNote(away, t) {
  if (away === null || away === undefined) return '';
  return t(away ? 'back_soon_why' : 'back_soon', { text: away });
}

/** @type {(name: string, picture: Picture) => string} */
function dropped(name, picture) {
  const plays = picture.seats.some(({ member, bot }) => member === name && bot === null);
  if (picture.phase !== 'playing' || !plays) return 'event.dropped';
  return `event.dropped_${picture.settings.on_drop}`;
}

/** @type {(name: ?string, me: ?string) => string} */
function hostPassed(name, me) {
  if (name === null || name === undefined) return 'event.no_host';
  return name === me ? 'event.host_you' : 'event.host';
}

/**
 * @param {Extract<LogEvent, {type: 'played'}>} event
 * @param {Picture} before
 * @param {Translate} t
 * @param {GameOffered[]} games
 */
function played(event, before, t, games) {
  const name = mover(event, before, t);
  if (!event.taken.length) return t('event.played', { name, move: event.move });
  const key = event.to_move === event.seat ? 'event.took_again' : 'event.took';
  return t(key, { name, what: counted(event.taken.length, before, t, games), move: event.move });
}

/** @type {(event: Extract<LogEvent, {type: 'played'}>, before: Picture, t: Translate) => string} */
function mover(event, before, t) {
  const name = called(before.players[event.seat], t);
  if (event.by === 'clock') return t('event.clock', { name });
  const holder = before.seats[event.seat];
  if (event.by !== 'bot') return name;
  if (holder.member !== null) return t('event.bot_of', { name });
  const bot = called(holder.name, t);
  return bot === '' || bot === name ? name : t('event.bot_for', { bot, name });
}

/**
 * @type {(picture: Pick<Played, 'settings'>, games: GameOffered[]) => ?[string, string] |
 *   undefined}
 */
function prizeOf(picture, games) {
  return gameOfRoom(picture, games)?.prize;
}

/** @type {(picture: Pick<Played, 'settings'>, games: GameOffered[]) => GameOffered | undefined} */
function gameOfRoom(picture, games) {
  return games.find((game) => game.game === picture.settings.game);
}

/**
 * Return a score in the words of the game: "1 box", or else "3 points".
 *
 * @type {(n: number, picture: Pick<Played, 'settings'>, t: Translate, games: GameOffered[]) =>
 *   string}
 */
export function counted(n, picture, t, games) {
  const prize = prizeOf(picture, games);
  if (!prize) return t('points', { n });
  return known(t, `prize_${prize[0]}`, `${n} ${prize[n === 1 ? 0 : 1]}`, { n });
}

/**
 * Return the result of a game for `me`, by name if that person has several seats or none.
 *
 * @param {number[]} winners
 * @param {number[]} scores
 * @param {Played | Picture} picture
 * @param {Translate} t
 * @param {GameOffered[]} games
 * @param {?string} me
 */
export function result(winners, scores, picture, t, games, me = null) {
  const players = picture.players.map((each) => called(each, t));
  const mine = 'seats' in picture && me !== null ? seatsOf(picture, me) : [];
  const seat = mine.length === 1 && players.length > 1 ? mine[0] : -1;
  if (!winners.length) return t(players.length === 1 ? 'result.nobody' : 'result.draw');
  const others = winners.filter((each) => each !== seat).map((each) => players[each]);
  const out = withdrawn(picture);
  if (out.size && players.length - out.size === 1) {
    const names = players.filter((_, each) => out.has(each));
    const key = others.length ? 'result.only' : 'result.you_only';
    return t(key, { n: names.length, names, name: players[winners[0]] });
  }
  const counts = prizeOf(picture, games) && !gameOfRoom(picture, games)?.only_the_win_counts;
  const withPrizes = counts ? '_with' : '';
  const what = counted(scores[winners[0]], picture, t, games);
  if (winners.length > 1) {
    const key = winners.includes(seat) ? 'result.you_share' : 'result.share';
    return t(key + withPrizes, { names: others, what });
  }
  if (!others.length) {
    const rest = scores.filter((_, each) => each !== seat && !out.has(each));
    const lead = scores[seat] - Math.max(...rest);
    const key = counts ? 'result.you_won_by' : 'result.you_won';
    return t(key, { what: counted(lead, picture, t, games) });
  }
  if (seat >= 0 && counts) {
    const of = scores.reduce((sum, each) => sum + each, 0);
    return t('result.you_lost', { name: others[0], n: scores[seat], of });
  }
  return t(`result.won${withPrizes}`, { name: others[0], what });
}

/**
 * Return the seats that gave up the running or finished game.
 *
 * @type {(picture: Pick<Picture, 'tokens'>) => Set<number>}
 */
export function withdrawn(picture) {
  return new Set(
    picture.tokens.filter((token) => token[0] === '~').map((token) => Number(token.slice(1))),
  );
}

/** @type {(picture: Picture, keeps: number, t: Translate) => string} */
function movesAfter(picture, keeps, t) {
  const [move, ...later] = picture.tokens.slice(keeps);
  return later.length ? t('moves_and_more', { move, n: later.length }) : (move ?? '');
}

/**
 * Return what a room plays, in short: "Dots and Boxes 5×5, 30 seconds".
 *
 * @type {(settings: Pick<RoomSettings, 'game' | 'options'> & {clock_s?: ?number}, t: Translate,
 *   games: GameOffered[]) => string}
 */
export function settingsInWords(settings, t, games) {
  const game = games.find((each) => each.game === settings.game);
  if (!game) return settings.game;
  const options = game.options ?? [];
  /** @type {(option: OptionOffered) => number | string} */
  const valueOf = (option) => settings.options[option.name] ?? option.default;
  const size = options.filter(({ name }) => name === 'rows' || name === 'cols').map(valueOf);
  const parts = [[titleOfGame(game, t), size.join('×')].filter(Boolean).join(' ')];
  for (const option of options) {
    const value = valueOf(option);
    if (['rows', 'cols'].includes(option.name) || value === option.default) continue;
    const words = { label: labelOf(game, option, t), value: valueInWords(game, option, value, t) };
    parts.push(t('option_chosen', words));
  }
  if (settings.clock_s) parts.push(t('seconds_left', { n: settings.clock_s }));
  return parts.join(', ');
}

/** @type {(name: string, picture: Picture, t: Translate, me: ?string) => string} */
function voted(name, picture, t, me) {
  if (joiningNext(picture).includes(name)) {
    return t(name === me ? 'event.joins_next_you' : 'event.joins_next', { name });
  }
  return t(picture.phase === 'waiting' ? 'event.ready' : 'event.rematch', { name });
}

/**
 * Return all settings of a room that aren't as usual, as `settingsInWords` does some.
 *
 * @type {(settings: RoomSettings, t: Translate, games: GameOffered[]) => string}
 */
function allSettings(settings, t, games) {
  const { seats, seat_range: range, hints, takebacks, best_of: bestOf, opening } = settings;
  const { on_drop: onDrop, stand_in_s: standIn } = settings;
  const parts = [settingsInWords(settings, t, games)];
  if (range) parts.push(t('settings.seat_range', { least: range[0], most: range[1] }));
  else if (seats !== SETTINGS.seats) parts.push(t('settings.seats', { n: seats }));
  if (hints) parts.push(t('settings.hints'));
  if (bestOf) parts.push(t('settings.best_of', { n: bestOf }));
  if (opening.length) parts.push(t('settings.opening', { n: opening.length }));
  if (takebacks === MOST_TAKEBACKS) parts.push(t('settings.takebacks_any'));
  else if (takebacks !== SETTINGS.takebacks) parts.push(t('settings.takebacks', { n: takebacks }));
  if (onDrop !== 'bot') parts.push(t(`settings.on_drop_${onDrop}`));
  if (standIn !== SETTINGS.stand_in_s) parts.push(t('settings.stand_in', { n: standIn }));
  return parts.join(', ');
}
