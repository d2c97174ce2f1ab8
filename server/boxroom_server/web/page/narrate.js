/**
 * The events of a room as sentences for people, as the terminal client says them.
 *
 * Pure: a function of an event, the picture of the room before and after it, and the reader.
 */

import { seatsOf } from './mirror.js';

/** A line of the journal: its kind (for its style), its text, and the seat that acted, or null. */
function line(kind, text, seat = null) {
  return { kind, text, seat };
}

/** Return the lines about `event` for member `me`, in the words of `t`. */
export function narrate(event, before, after, me, t, games) {
  const lines = sentences(event, before, after, me, t, games);
  const isOff = before.undo !== null && after.undo === null;
  if (!isOff || event.type === 'undo_declined' || event.type === 'undone') return lines;
  return [...lines, line('event', t('e_undo_off', { name: before.undo.member }))];
}

function sentences(event, before, after, me, t, games) {
  const name = event.member;
  switch (event.type) {
    case 'joined':
      return [line('coming', t('e_joined', { name }))];
    case 'left':
      return [line('coming', t('e_left', { name }))];
    case 'kicked':
      return [line('event', t('e_kicked', { name }))];
    case 'unbarred':
      return [line('event', t('e_unbarred', { name }))];
    case 'dropped':
      return [line('coming', t(dropped(after), { name }))];
    case 'returned':
      return [line('coming', t('e_returned', { name }))];
    case 'grace_over':
      return [line('coming', t('e_grace_over', { name }))];
    case 'woken':
      return [line('coming', t('e_woken'))];
    case 'host_passed':
      return [line('event', t(hostPassed(name, me), { name }))];
    case 'configured':
      return [
        line('event', t('e_configured', { what: settingsInWords(after.settings, t, games) })),
      ];
    case 'sat': {
      const key = event.name === name ? 'e_sat' : 'e_sat_at';
      return [
        line('event', t(key, { name: event.name, seat: event.seat + 1, member: name }), event.seat),
      ];
    }
    case 'bot_sat': {
      const seat = event.seat + 1;
      return [line('event', t('e_bot_sat', { name: event.name, seat }), event.seat)];
    }
    case 'vacated': {
      const was = before.seats[event.seat].name ?? '?';
      return [line('event', t('e_vacated', { name: was, seat: event.seat + 1 }))];
    }
    case 'stood_in':
      return [
        line(
          'event',
          t('e_stood_in', { bot: event.bot, name: after.seats[event.seat].name }),
          event.seat,
        ),
      ];
    case 'took_back':
      if (before.seats[event.seat].bot === null) return []; // only the clock starts again
      return [line('event', t('e_took_back', { name: after.seats[event.seat].name }), event.seat)];
    case 'started': {
      const key = event.number === 1 ? 'e_started' : 'e_started_n';
      return [line('event', t(key, { n: event.number, names: listed(event.players, t) }))];
    }
    case 'played':
      return [line('event', played(event, before, t, games), event.seat)];
    case 'hint_asked':
      return [line('event', t('e_hint_asked', { name: after.players[event.seat] }), event.seat)];
    case 'undo_asked': {
      const moves = movesAfter(before, event.keeps, t);
      return [line('event', t('e_undo_asked', { name, moves }))];
    }
    case 'undo_agreed':
      return [line('event', t('e_undo_agreed', { name }))];
    case 'undo_declined': {
      const isOwn = before.undo !== null && before.undo.member === name;
      return [line('event', t(isOwn ? 'e_undo_withdrawn' : 'e_undo_declined', { name }))];
    }
    case 'undone': {
      const player = after.players[event.to_move];
      const moves = movesAfter(before, event.keeps, t);
      return [line('event', t('e_undone', { name: player, moves }), event.to_move)];
    }
    case 'withdrew': {
      const key = { resigned: 'e_resigned', forfeited: 'e_forfeited' }[event.why] ?? 'e_out';
      return [line('event', t(key, { name: after.players[event.seat] }), event.seat)];
    }
    case 'ended':
      return [
        line(
          'result',
          t('e_over', { result: result(event.winners, event.scores, after, t, games) }),
        ),
      ];
    case 'rematch_wanted':
      return [line('event', t('e_rematch', { name }))];
    case 'said':
      return [said(event, after, me, t)];
    case 'revealed':
      return [
        line('aside', t('e_revealed')),
        ...event.lines.map((each) => said(each, after, me, t)),
      ];
    default:
      return [];
  }
}

/** Return a line of chat, which has the fields of a `said`. */
export function said(message, picture, me, t) {
  const aside = message.to === 'spectators';
  const seats = seatsOf(picture, message.member);
  const seat = message.name
    ? seats.find((each) => picture.seats[each].name === message.name)
    : seats[0];
  const kind = aside ? 'aside' : message.member === me ? 'mine' : 'chat';
  const to = aside ? ` (${t('to_spectators')})` : '';
  const author = `${message.name || message.member}${to}`;
  return { kind, text: message.text, seat: seat ?? null, author };
}

function dropped(picture) {
  return picture.phase === 'playing' ? `e_dropped_${picture.settings.on_drop}` : 'e_dropped';
}

function hostPassed(name, me) {
  if (name === null || name === undefined) return 'e_no_host';
  return name === me ? 'e_host_you' : 'e_host';
}

function played(event, before, t, games) {
  const name = mover(event, before, t);
  if (!event.taken.length) return t('e_played', { name, move: event.move });
  const key = event.to_move === event.seat ? 'e_took_again' : 'e_took';
  return t(key, { name, what: counted(event.taken.length, before, t, games), move: event.move });
}

function mover(event, before, t) {
  const name = before.players[event.seat];
  if (event.by === 'clock') return t('e_clock', { name });
  const standsIn = event.by === 'bot' && before.seats[event.seat].member !== null;
  return standsIn ? t('e_bot_of', { name }) : name;
}

/** Return a score in the words of the game: "1 box", or else "3 points". */
export function counted(n, picture, t, games) {
  const prize = games.find((game) => game.game === picture.settings.game)?.prize;
  if (!prize) return t('points', { n });
  const key = `prize_${prize[0]}`;
  const text = t(key, { n });
  return text === key ? `${n} ${prize[n === 1 ? 0 : 1]}` : text;
}

/** Return the result of a game in a sentence. */
export function result(winners, scores, picture, t, games) {
  const isAlone = picture.players.length === 1;
  if (!winners.length) return t(isAlone ? 'e_nobody' : 'e_draw');
  const names = winners.map((seat) => picture.players[seat]);
  const isOfPrizes = Boolean(games.find((game) => game.game === picture.settings.game)?.prize);
  const what = isOfPrizes ? counted(scores[winners[0]], picture, t, games) : '';
  if (names.length > 1) {
    return t(what ? 'e_win_together_with' : 'e_win_together', {
      names: listed(names, t),
      what,
    });
  }
  const [name] = names;
  const left = picture.players.length - withdrawn(picture).size;
  if (!isAlone && left === 1) return t('e_only_one', { name });
  return t(what ? 'e_wins_with' : 'e_wins', { name, what });
}

/** Return the seats that gave up the running or finished game. */
export function withdrawn(picture) {
  return new Set(
    picture.tokens.filter((token) => token[0] === '~').map((token) => Number(token.slice(1))),
  );
}

function movesAfter(picture, keeps, t) {
  const [move, ...later] = picture.tokens.slice(keeps);
  return later.length ? t('moves_and_more', { move, n: later.length }) : (move ?? '');
}

/** Return names as people list them: "Ada, Bob and Cy". */
export function listed(names, t) {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${t('and')} ${names.at(-1)}`;
}

/** Return what a room plays, in short: "Dots and Boxes 5×5, 30 seconds". */
export function settingsInWords(settings, t, games) {
  const game = games.find((each) => each.game === settings.game);
  if (!game) return settings.game;
  const values = Object.fromEntries(
    (game.options ?? []).map((option) => [
      option.name,
      settings.options[option.name] ?? option.default,
    ]),
  );
  const { rows, cols, ...others } = values;
  const usual = (name) => game.options.find((option) => option.name === name)?.default;
  const parts = [rows === undefined ? game.title : `${game.title} ${rows}×${cols}`];
  for (const [name, value] of Object.entries(others)) {
    if (value !== usual(name)) parts.push(`${name} ${value}`);
  }
  if (settings.clock_s) parts.push(t('seconds_left', { n: settings.clock_s }));
  return parts.join(', ');
}
