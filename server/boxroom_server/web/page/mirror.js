/**
 * The page's copy of a room: a picture, and the effect of each event on it.
 *
 * A picture is the `room` of an `in_room` message (docs/reference/protocol.md, "The room") with all
 * defaults filled in. Nothing changes a picture: `fold` returns the next one. It does what `evolve`
 * of the engine does, without the rules of any game; docs/mirror-vectors.json holds the two
 * together.
 *
 * `protocol.js` has the types of the protocol's schema; it is there only where types are
 * checked (tests/web/test_javascript.py).
 *
 * @import { AbortRequest, ChatLine, Events, Member, PrivateLine, SeatHolder, Settings, Snapshot,
 *   PauseRequest, StandInRequest, Standing, UndoRequest } from './protocol.js'
 *
 * @typedef {Required<Settings>} RoomSettings
 * @typedef {Required<SeatHolder>} Holder
 * @typedef {Omit<Required<Member>, 'node'>} Person
 * @typedef {Required<ChatLine>} Chat
 * @typedef {Required<PrivateLine>} Private
 * @typedef {Required<Standing>} Row
 * @typedef {{settings: RoomSettings, seats: Holder[], members: Person[], chat: Chat[],
 *   unrevealed: Chat[], private: Private[], undo: ?Required<UndoRequest>,
 *   request: ?(Required<StandInRequest> | Required<AbortRequest> | Required<PauseRequest>),
 *   ply: number, table: Row[], series: Row[]}} Filled the fields with defaults
 * @typedef {Readonly<Omit<Required<Snapshot>, keyof Filled | 'pause_asked'> & Filled>} Picture
 *
 * @typedef {Events['events'][number]} LogEvent an event of the room's log
 */

/**
 * The members of a union by their types.
 *
 * @template {{type: string}} E
 * @typedef {{[K in E['type']]: E extends unknown ? K extends E['type'] ? E & {type: K} : never :
 *   never}} ByType
 */

/** Chat messages that a picture holds at most. */
const CHAT_TAIL = 100;

/**
 * Time of thinking from which on it is shown, and the player can be nudged: the engine's, to which
 * docs/sentence-vectors.json holds it.
 */
export const NUDGE_AFTER_MS = 10_000;

/** Rows that the table keeps, or as many as the last game had players. */
const MOST_ROWS = 100;

/** The most takebacks that can be set, as good as no limit. */
export const MOST_TAKEBACKS = 1000;

/**
 * Settings of a room that its creator has left as they are.
 *
 * @type {RoomSettings}
 */
export const SETTINGS = {
  game: 'dots',
  options: {},
  seats: 2,
  clock_s: null,
  on_drop: 'bot',
  private: false,
  hints: false,
  takebacks: 10,
  stand_in_s: 60,
  best_of: 0,
  seat_range: null,
  opening: [],
};

/**
 * The persons of a private message of whom nothing is known.
 *
 * @type {[string, string]}
 */
const NO_PERSONS = ['', ''];

/** @type {Omit<Required<Snapshot>, 'ply' | 'pause_asked'>} */
const PICTURE = {
  room: '',
  log: '',
  seq: 0,
  phase: 'waiting',
  settings: {},
  host: null,
  seats: [],
  members: [],
  game_number: 0,
  game_link: '',
  players: [],
  tokens: [],
  movers: [],
  taken: [],
  movable: [],
  legal_moves: [],
  winners: [],
  undo: null,
  request: null,
  undos: 0,
  turn_since_ms: null,
  nudged_ms: null,
  pause: null,
  unrated: false,
  to_move: null,
  scores: [],
  deadline_ms: null,
  chat: [],
  unrevealed: [],
  private: [],
  rematch: [],
  barred: [],
  muted: [],
  table: [],
  series: [],
};

/**
 * The fields that a room without a game has.
 *
 * @type {Partial<Picture>}
 */
const NO_GAME = {
  game_link: '',
  players: [],
  tokens: [],
  movers: [],
  taken: [],
  movable: [],
  legal_moves: [],
  winners: [],
  ply: 0,
  undo: null,
  request: null,
  undos: 0,
  turn_since_ms: null,
  unrated: false,
  to_move: null,
  scores: [],
  deadline_ms: null,
  rematch: [],
};

/**
 * No player asks for what others decide on.
 *
 * @type {Pick<Picture, 'undo' | 'request'>}
 */
const NO_REQUEST = { undo: null, request: null };

/** The numbers of events have a gap: only a new picture helps. */
export class GapError extends Error {}

/**
 * Return the first picture, from the `room` of an `in_room` message.
 *
 * @type {(room: Snapshot) => Picture}
 */
export function pictureFrom(room) {
  const { pause_asked: pauseAsked, ...others } = room;
  const filled = { ...PICTURE, ...others };
  return Object.freeze({
    ...filled,
    settings: settingsFrom(room.settings),
    seats: (room.seats ?? []).map((holder) => holderOf(holder.glyph, holder)),
    members: (room.members ?? []).map((member) => memberOf(member.name, member)),
    chat: (room.chat ?? []).map(chatLine),
    unrevealed: (room.unrevealed ?? []).map(chatLine),
    private: (room.private ?? []).map(privateLine),
    undo: room.undo ? { agreed: [], ...room.undo } : null,
    request: requestOf(room.request ?? pauseAsked),
    ply: room.ply ?? filled.tokens.length,
    table: (room.table ?? []).map(rowOf),
    series: (room.series ?? []).map(rowOf),
  });
}

/** @type {(asked: Snapshot['request'] | Snapshot['pause_asked']) => Picture['request']} */
function requestOf(asked) {
  return asked ? { agreed: [], ...asked } : null;
}

/**
 * Return settings with all defaults filled in.
 *
 * @type {(settings: Settings) => RoomSettings}
 */
function settingsFrom(settings) {
  return { ...SETTINGS, ...settings };
}

/**
 * Return the picture after `event`, which has the number `seq` and happens at `atMs`.
 *
 * An event of a type that this page doesn't know only counts.
 *
 * @throws {GapError} if it doesn't continue the numbers of `picture`
 * @param {Picture} picture
 * @param {LogEvent} event
 * @param {number} seq
 * @param {number} [atMs]
 * @returns {Picture}
 */
export function fold(picture, event, seq, atMs = 0) {
  if (seq !== picture.seq + 1) {
    throw new GapError(`event ${seq} can't follow ${picture.seq}`);
  }
  return Object.freeze({ ...picture, ...effectOf(picture, event.type, event, seq, atMs), seq });
}

/**
 * Return the fields that an event changes.
 *
 * @template {LogEvent['type']} K
 * @param {Picture} picture
 * @param {K} type
 * @param {ByType<LogEvent>[K]} event
 * @param {number} seq
 * @param {number} atMs
 */
function effectOf(picture, type, event, seq, atMs) {
  return Object.hasOwn(CHANGES, type) ? CHANGES[type]?.(picture, event, seq, atMs) : {};
}

/**
 * For each type of event, the fields that change: from the picture before, the event, its seq and
 * its time.
 *
 * @type {{[K in LogEvent['type']]?: (picture: Picture, event: ByType<LogEvent>[K], seq: number,
 *   atMs: number) => Partial<Picture>}}
 */
const CHANGES = {
  created: (picture, event) => ({
    room: event.room,
    log: event.log,
    host: event.member,
    ...withSettings(picture, event.settings),
  }),
  configured: (picture, event) => withSettings(picture, event.settings),
  joined: (picture, event) => withMember(picture, memberOf(event.member, event)),
  returned: (picture, event) => withMember(picture, memberOf(event.member, event)),
  renamed: (picture, event) => renamed(picture, event.member, event.name),
  went_away: (picture, event) => ({
    members: withAway(picture, event.member, event.text ?? ''),
  }),
  came_back: (picture, event) => ({ members: withAway(picture, event.member, null) }),
  dropped: (picture, event) => ({
    ...withMember(picture, absent(event.member, event.until_ms)),
    ...NO_REQUEST,
  }),
  grace_over: (picture, event) => ({
    ...withMember(picture, absent(event.member, null)),
    deadline_ms: deadlineWithout(picture, event.member),
  }),
  woken: (picture, event, _, atMs) => ({
    members: picture.members.map((member) =>
      isGone(member) ? member : absent(member.name, event.until_ms),
    ),
    deadline_ms: event.deadline_ms ?? null,
    turn_since_ms: picture.phase === 'playing' ? roomMs(picture, atMs) : null,
    ...NO_REQUEST,
  }),
  left: (picture, event) => ({
    ...withoutMember(picture, event.member),
    deadline_ms: deadlineWithout(picture, event.member),
  }),
  kicked: (picture, event) => ({
    ...withoutMember(picture, event.member),
    seats: picture.seats.map((holder) =>
      holder.member === event.member
        ? { ...holder, member: null, bot: null, coached: false }
        : holder,
    ),
    barred: withName(picture.barred, event.member),
  }),
  unbarred: (picture, event) => ({ barred: without(picture.barred, event.member) }),
  muted: (picture, event) => ({ muted: withName(picture.muted, event.member) }),
  unmuted: (picture, event) => ({ muted: without(picture.muted, event.member) }),
  host_passed: (picture, event) => ({ host: event.member ?? null }),

  sat: (picture, event, seq) =>
    withHolder(picture, event.seat, { name: event.name, member: event.member, since: seq }),
  reseated: (picture, event) => ({
    settings: { ...picture.settings, seats: event.seats },
    seats: withNewSeats(
      event.kept.map((seat) => picture.seats[seat]),
      event.seats,
    ),
    ...NO_REQUEST,
  }),
  bot_sat: (picture, event, seq) => ({
    ...withHolder(picture, event.seat, { name: event.name, bot: event.bot, since: seq }),
    unrated: picture.unrated || picture.phase === 'playing',
    deadline_ms: deadlineAt(picture, event.seat, null),
  }),
  vacated: (picture, event) => withHolder(picture, event.seat, {}),
  stood_in: (picture, event) => ({
    ...withHolder(picture, event.seat, { ...picture.seats[event.seat], bot: event.bot }),
    deadline_ms: deadlineAt(picture, event.seat, null),
    unrated: true,
  }),
  took_back: (picture, event, _, atMs) => ({
    ...withHolder(picture, event.seat, { ...picture.seats[event.seat], bot: null, missed: 0 }),
    deadline_ms: deadlineAt(picture, event.seat, event.deadline_ms ?? null),
    turn_since_ms:
      picture.phase === 'playing' && picture.to_move === event.seat
        ? roomMs(picture, atMs)
        : picture.turn_since_ms,
  }),
  coached: (picture, { seat, on }) => ({
    ...withHolder(picture, seat, { ...picture.seats[seat], coached: on }),
    unrated: picture.unrated || (on && picture.phase === 'playing'),
  }),
  rotated: ({ seats: [first, ...others] }) => ({ seats: [...others, first] }),

  started: (picture, event, _, atMs) => ({
    ...NO_GAME,
    turn_since_ms: atMs,
    unrated: picture.seats.some(
      ({ member, bot, coached }) => coached || (member !== null && bot !== null),
    ),
    phase: 'playing',
    game_number: event.number,
    game_link: event.link ?? '',
    players: event.players,
    to_move: 0,
    ...movesIn(event),
    scores: event.players.map(() => 0),
    deadline_ms: event.deadline_ms ?? null,
    seats: picture.seats.map((holder) => ({ ...holder, missed: 0 })),
    series: haveNames(picture.series, event.players) ? picture.series : [],
  }),
  played: (picture, event, _, atMs) => ({
    ...withToken(picture, event, event.move),
    ...movesIn(event),
    turn_since_ms: atMs,
    seats: withMissed(picture.seats, event),
    taken: event.taken.length
      ? [...picture.taken, [picture.tokens.length, ...event.taken]]
      : picture.taken,
    // A bot doesn't decide on a request, so that its move doesn't either.
    ...((event.by ?? 'player') === 'player' && NO_REQUEST),
  }),
  withdrew: (picture, event, _, atMs) => ({
    ...withToken(picture, event, `~${event.seat}`),
    turn_since_ms:
      event.to_move === picture.to_move ? picture.turn_since_ms : roomMs(picture, atMs),
    ...NO_REQUEST,
  }),
  undo_asked: (picture, event) => ({
    undo: { member: event.member, ply: picture.ply, keeps: event.keeps, agreed: [] },
    undos: picture.undos + 1,
  }),
  undo_agreed: ({ undo }, event) => ({
    undo: undo && { ...undo, agreed: [...undo.agreed, event.member] },
  }),
  undo_declined: () => NO_REQUEST,
  nudged: (_picture, _event, _seq, atMs) => ({ nudged_ms: atMs }),
  stand_in_asked: (_, { member, seat, bot }, since) => ({
    request: { kind: 'stand_in', member, since, seat, bot, agreed: [] },
  }),
  abort_asked: (_, { member }, since) => ({
    request: { kind: 'abort', member, since, agreed: [] },
  }),
  pause_asked: (_, { member }, since) => ({
    request: { kind: 'pause', member, since, agreed: [] },
  }),
  paused: (_picture, { member }, _seq, atMs) => ({
    pause: { member, since_ms: atMs },
    ...NO_REQUEST,
  }),
  unpaused: (picture, _event, _seq, atMs) => unpaused(picture, atMs),
  agreed: ({ request }, event) => ({
    request: request && { ...request, agreed: [...request.agreed, event.member] },
  }),
  declined: () => NO_REQUEST,
  aborted: () => ({ ...NO_GAME, phase: 'waiting' }),
  undone: (picture, event, _, atMs) => ({
    tokens: picture.tokens.slice(0, event.keeps),
    movers: picture.movers.slice(0, event.keeps),
    taken: picture.taken.filter(([number]) => number < event.keeps),
    ply: event.ply,
    to_move: event.to_move,
    ...movesIn(event),
    scores: event.scores,
    turn_since_ms: atMs,
    ...NO_REQUEST,
    // A takeback on which others decided was counted when it was asked for.
    undos: picture.undos + (picture.undo ? 0 : 1),
  }),
  ended: (picture, event) => ({
    phase: 'over',
    winners: event.winners,
    deadline_ms: null,
    turn_since_ms: null,
    ...NO_REQUEST,
    table: withGame(picture.table, picture, event),
    series: picture.settings.best_of ? withGame(picture.series, picture, event) : [],
  }),
  series_won: (picture, { name }) => ({
    table: picture.table.map((row) =>
      row.name === name ? { ...row, series: row.series + 1 } : row,
    ),
    series: [],
  }),
  rematch_wanted: (picture, event) => ({ rematch: withName(picture.rematch, event.member) }),
  rematch_unwanted: (picture, event) => ({ rematch: without(picture.rematch, event.member) }),

  said: (picture, event, seq) => {
    const list = event.to === 'spectators' ? 'unrevealed' : 'chat';
    return { [list]: [...picture[list], chatLine({ ...event, seq })].slice(-CHAT_TAIL) };
  },
  told: (picture, event, seq) => ({
    private: [...picture.private, privateLine({ ...event, seq })].slice(-CHAT_TAIL),
  }),
  revealed: (picture, event) => ({
    chat: [...picture.chat, ...event.lines.map(chatLine)]
      .sort((one, other) => one.seq - other.seq)
      .slice(-CHAT_TAIL),
    unrevealed: [],
  }),
};

/**
 * Return the room's time when it is `nowMs`: in a pause, that of its beginning.
 *
 * @type {(picture: Picture, nowMs: number) => number}
 */
export function roomMs({ pause }, nowMs) {
  return pause?.since_ms ?? nowMs;
}

/**
 * Return the changes by the end of a pause: all times are later by its length.
 *
 * @type {(picture: Picture, atMs: number) => Partial<Picture>}
 */
function unpaused(picture, atMs) {
  /** @type {(timeMs: ?number) => ?number} */
  const later = (timeMs) => (timeMs === null ? null : timeMs + atMs - roomMs(picture, atMs));
  return {
    pause: null,
    deadline_ms: later(picture.deadline_ms),
    turn_since_ms: later(picture.turn_since_ms),
    nudged_ms: later(picture.nudged_ms),
    members: picture.members.map((member) => ({
      ...member,
      grace_until_ms: later(member.grace_until_ms),
    })),
  };
}

/**
 * Return the members who can go on with a paused game; none if it isn't paused.
 *
 * @type {(picture: Picture) => string[]}
 */
export function unpausers({ pause, host, seats, members }) {
  if (pause === null) return [];
  const here = new Set(members.flatMap(({ name, connected }) => (connected ? [name] : [])));
  const named = [...new Set([host, pause.member])].filter((name) => here.has(name ?? ''));
  const players = [...new Set(seats.map(({ member }) => member))];
  return /** @type {string[]} */ (
    named.length ? named : players.filter((name) => here.has(name ?? ''))
  );
}

/** @type {(glyph: number, holder?: Partial<SeatHolder>) => Holder} */
function holderOf(
  glyph,
  { name = null, member = null, bot = null, missed = 0, since = 0, coached = false } = {},
) {
  return { glyph, name, member, bot, missed, since, coached };
}

/** @type {(name: string, member?: Partial<Member>) => Person} */
function memberOf(
  name,
  { connected = true, grace_until_ms = null, person = '', away = null } = {},
) {
  return { name, connected, grace_until_ms, person, away };
}

/**
 * Put a member's new name in every place of the former one, but for what was said.
 *
 * @type {(picture: Picture, former: string, name: string) => Partial<Picture>}
 */
function renamed(picture, former, name) {
  const person = picture.members.find((member) => member.name === former)?.person;
  /** @type {<N extends ?string>(known: N) => N | string} */
  const now = (known) => (known === former ? name : known);
  /** @type {(each: string, of: string) => string} */
  const nowOf = (each, of) => (of === person ? now(each) : each);
  /** @type {<R extends {name: string}>(rows: R[]) => R[]} */
  const rows = (all) => all.map((row) => ({ ...row, name: now(row.name) }));
  return {
    host: now(picture.host),
    seats: picture.seats.map((holder) =>
      holder.member === former ? { ...holder, name: now(holder.name), member: name } : holder,
    ),
    members: rows(picture.members),
    players: picture.players.map(now),
    rematch: picture.rematch.map(now).sort(byCodePoints),
    muted: picture.muted.map(now).sort(byCodePoints),
    private: picture.private.map((line) => ({
      ...line,
      member: nowOf(line.member, line.persons[0]),
      to: nowOf(line.to, line.persons[1]),
    })),
    table: rows(picture.table),
    series: rows(picture.series),
  };
}

/** @type {(picture: Picture, name: string, away: ?string) => Person[]} */
function withAway({ members }, name, away) {
  return members.map((member) => (member.name === name ? { ...member, away } : member));
}

/** @type {(name: string, untilMs: ?number) => Person} */
function absent(name, untilMs) {
  return memberOf(name, { connected: false, grace_until_ms: untilMs });
}

/** @type {(line: ChatLine) => Chat} */
function chatLine({ seq, member, text, at_ms, to = 'all', name = '', action = false }) {
  return { seq, member, text, at_ms, to, name, action };
}

/** @type {(line: PrivateLine) => Private} */
function privateLine({ seq, member, to, text, at_ms, name = '', persons = NO_PERSONS }) {
  return { seq, member, to, text, at_ms, name, persons };
}

/** @type {(member: Person) => boolean} */
function isGone(member) {
  return !member.connected && member.grace_until_ms === null;
}

/** @type {(picture: Picture, member: ?string) => boolean} */
function isPlayer(picture, member) {
  return picture.seats.some((holder) => holder.member === member);
}

/**
 * Return the room with `settings`: with its number of seats, and without a finished game.
 *
 * @type {(picture: Picture, sent: Settings) => Partial<Picture>}
 */
function withSettings(picture, sent) {
  const settings = settingsFrom(sent);
  const seats = picture.seats
    .slice(0, settings.seats)
    .map((holder) => ((holder.member ?? holder.bot) === null ? holderOf(holder.glyph) : holder));
  const series = settings.best_of === picture.settings.best_of ? picture.series : [];
  return {
    ...NO_GAME,
    settings,
    phase: 'waiting',
    seats: withNewSeats(seats, settings.seats),
    series,
  };
}

/**
 * Return `kept` and behind them empty seats, `number` in all, each with a glyph of its own.
 *
 * @type {(kept: Holder[], number: number) => Holder[]}
 */
function withNewSeats(kept, number) {
  const seats = [...kept];
  const used = new Set(seats.map((holder) => holder.glyph));
  for (let glyph = 0; seats.length < number; glyph += 1) {
    if (!used.has(glyph)) {
      seats.push(holderOf(glyph));
    }
  }
  return seats;
}

/** @type {(picture: Picture, member: Person) => Partial<Picture>} */
function withMember(picture, member) {
  const isKnown = picture.members.some(({ name }) => name === member.name);
  const members = isKnown
    ? picture.members.map((other) => (other.name === member.name ? member : other))
    : [...picture.members, member];
  return { members };
}

/** @type {(picture: Picture, name: string) => Partial<Picture>} */
function withoutMember(picture, name) {
  return {
    members: picture.members.filter((member) => member.name !== name),
    rematch: without(picture.rematch, name),
    ...(isPlayer(picture, name) && NO_REQUEST),
  };
}

/**
 * Return the changes by another holder in `seat`. Other people decide on a request then.
 *
 * @type {(picture: Picture, seat: number, holder: Partial<SeatHolder>) => Partial<Picture>}
 */
function withHolder(picture, seat, holder) {
  const held = holderOf(picture.seats[seat].glyph, holder);
  return { seats: replaced(picture.seats, seat, held), ...NO_REQUEST };
}

/** @type {(seats: Holder[], event: ByType<LogEvent>['played']) => Holder[]} */
function withMissed(seats, { seat, by }) {
  const missed = by === 'clock' ? seats[seat].missed + 1 : 0;
  return seats[seat].missed === missed ? seats : replaced(seats, seat, { ...seats[seat], missed });
}

/**
 * Return the changes by a move or a withdrawal, except for what only one of them changes.
 *
 * @type {(picture: Picture, event: ByType<LogEvent>['played' | 'withdrew'], token: string) =>
 *   Partial<Picture>}
 */
function withToken(picture, event, token) {
  return {
    tokens: [...picture.tokens, token],
    ...movesIn({}),
    movers: [...picture.movers, event.seat],
    ply: picture.ply + 1,
    to_move: event.to_move ?? null,
    scores: event.scores,
    deadline_ms: event.deadline_ms ?? null,
  };
}

/**
 * Return the moves of the seat to move, in a game with pieces.
 *
 * @type {(event: {movable?: number[], legal_moves?: string[]}) => Partial<Picture>}
 */
function movesIn(event) {
  return { movable: event.movable ?? [], legal_moves: event.legal_moves ?? [] };
}

/** @type {(row: Standing) => Row} */
function rowOf({ name, games = 0, wins = 0, points = 0, scores = {}, series = 0 }) {
  return { name, games, wins, points, scores, series };
}

/**
 * Return whether `rows` are those of these players, in any order.
 *
 * @type {(rows: Row[], players: string[]) => boolean}
 */
function haveNames(rows, players) {
  const names = new Set(players);
  return rows.length === names.size && rows.every(({ name }) => names.has(name));
}

/**
 * Return a table with the finished game; the rows of its players come last.
 *
 * @type {(table: Row[], picture: Picture, event: ByType<LogEvent>['ended']) => Row[]}
 */
function withGame(table, { players, settings: { game } }, { scores, winners, points = [] }) {
  const rows = new Map(table.map((row) => [row.name, row]));
  points.forEach((gained, seat) => {
    const name = players[seat];
    const row = rows.get(name) ?? rowOf({ name });
    rows.delete(name);
    rows.set(name, {
      ...row,
      games: row.games + 1,
      wins: row.wins + (winners.length === 1 && winners[0] === seat ? 1 : 0),
      points: row.points + gained,
      scores: { ...row.scores, [game]: (row.scores[game] ?? 0) + scores[seat] },
    });
  });
  return [...rows.values()].slice(-Math.max(MOST_ROWS, players.length));
}

/**
 * @template T
 * @param {T[]} list
 * @param {number} index
 * @param {T} item
 */
function replaced(list, index, item) {
  return list.map((other, i) => (i === index ? item : other));
}

/**
 * Return the time at which the clock runs out, which is `deadlineMs` if `seat` is to move.
 *
 * @type {(picture: Picture, seat: number, deadlineMs: ?number) => ?number}
 */
function deadlineAt(picture, seat, deadlineMs) {
  return picture.to_move === seat ? deadlineMs : picture.deadline_ms;
}

/**
 * Return the time at which the clock runs out; a clock stops for `member`, who is gone.
 *
 * @type {(picture: Picture, member: string) => ?number}
 */
function deadlineWithout(picture, member) {
  const { to_move: seat, seats, deadline_ms: deadlineMs } = picture;
  return seat !== null && seats[seat].member === member ? null : deadlineMs;
}

/** @type {(names: string[], name: string) => string[]} */
function without(names, name) {
  return names.filter((other) => other !== name);
}

/**
 * Return `names` with `name`, in the server's order: by code points, not by UTF-16.
 *
 * @type {(names: string[], name: string) => string[]}
 */
function withName(names, name) {
  return [...without(names, name), name].sort(byCodePoints);
}

/** @type {(one: string, other: string) => number} */
export function byCodePoints(one, other) {
  const [ours, theirs] = [one, other].map((text) => [...text]);
  const i = ours.findIndex((char, at) => char !== theirs[at]);
  return i < 0 ? ours.length - theirs.length : pointOf(ours[i]) - pointOf(theirs[i]);
}

/** @type {(char?: string) => number} */
function pointOf(char) {
  return char?.codePointAt(0) ?? -1;
}

/**
 * Return the seats that `member` holds, also those in which a bot stands in.
 *
 * @type {(picture: Picture, member: ?string) => number[]}
 */
export function seatsOf(picture, member) {
  return picture.seats.flatMap((holder, seat) => (holder.member === member ? [seat] : []));
}

/**
 * Return whether one of a member's seats is to move, and no bot stands in for it.
 *
 * @type {(room: Picture, name: ?string) => boolean}
 */
export function isToMove(room, name) {
  return room.pause === null && hasTurn(room, name);
}

/**
 * Return whether the turn is a member's, also in a pause, in which nobody moves.
 *
 * @type {(room: Picture, name: ?string) => boolean}
 */
export function hasTurn(room, name) {
  const { phase, to_move: seat, seats } = room;
  if (phase !== 'playing' || seat === null) return false;
  return seatsOf(room, name).includes(seat) && seats[seat].bot === null;
}

/**
 * Return the members with whose votes the next game starts.
 *
 * @type {(picture: Picture) => string[]}
 */
function voters({ host, seats, members }) {
  const here = new Set(members.flatMap(({ name, connected }) => (connected ? [name] : [])));
  const players = seats.flatMap(({ member }) =>
    member !== null && here.has(member) ? [member] : [],
  );
  return players.length || host === null ? players : [host];
}

/**
 * Return the spectators who wait for a seat in the next game, as they have voted for it.
 *
 * @type {(picture: Picture) => string[]}
 */
export function joiningNext(picture) {
  const others = voters(picture);
  return picture.members
    .filter(({ name, connected }) => connected && picture.rematch.includes(name))
    .map(({ name }) => name)
    .filter((name) => !others.includes(name) && !isPlayer(picture, name));
}

/**
 * Return whether a vote of `member` for the next game would count, and hasn't been given.
 *
 * @type {(picture: Picture, member: ?string) => boolean}
 */
export function canVote(picture, member) {
  if (member === null || picture.rematch.includes(member)) return false;
  if (voters(picture).includes(member)) return picture.phase !== 'playing';
  return picture.members.some(({ name }) => name === member) && freePlaces(picture) > 0;
}

/** @type {(picture: Picture) => number} */
function freePlaces(picture) {
  const gone = new Set(picture.members.filter(isGone).map(({ name }) => name));
  const here = new Set(picture.members.map(({ name }) => name));
  const staying = picture.seats.filter(({ member, bot }) =>
    member === null ? bot !== null : here.has(member) && !gone.has(member),
  );
  return mostSeats(picture.settings) - staying.length - joiningNext(picture).length;
}

/**
 * Return the number of seats that have still to be taken before the next game can start.
 *
 * @type {(picture: Picture) => number}
 */
export function lackingPlayers(picture) {
  const { seats, settings } = picture;
  const taken = seats.length - emptySeats(picture);
  const least = settings.seat_range === null ? settings.seats : settings.seat_range[0];
  return Math.max(0, least - taken - joiningNext(picture).length);
}

/**
 * Return the number of seats that nobody holds.
 *
 * @type {(picture: Picture) => number}
 */
export function emptySeats({ seats }) {
  return seats.filter(({ member, bot }) => member === null && bot === null).length;
}

/**
 * Return the greatest number of seats of a room.
 *
 * @type {(settings: RoomSettings) => number}
 */
function mostSeats({ seats, seat_range: range }) {
  return range === null ? seats : range[1];
}

/**
 * Return whether a seat is added for a person who comes, while the room waits.
 *
 * @type {(picture: Picture) => boolean}
 */
export function canGrow({ seats, settings }) {
  return seats.length < mostSeats(settings);
}

/**
 * Return `player` if `member` holds a seat, else `spectator`.
 *
 * @type {(picture: Picture, member: ?string) => 'player' | 'spectator'}
 */
export function audienceOf(picture, member) {
  return isPlayer(picture, member) ? 'player' : 'spectator';
}

/**
 * Return the numbers of the tokens that others played since the last move of `mySeats`.
 *
 * Without seats these are the moves of the last seat that moved. Withdrawals aren't moves.
 *
 * @type {(picture: Picture, mySeats: number[]) => number[]}
 */
export function lastMoves(picture, mySeats) {
  const moves = picture.tokens.flatMap((token, i) => (token.startsWith('~') ? [] : [i]));
  const movers = moves.map((i) => picture.movers[i]);
  /** @type {(seat: number) => boolean} */
  const isOwn = (seat) => (mySeats.length ? mySeats.includes(seat) : seat !== movers.at(-1));
  return moves.slice(movers.findLastIndex(isOwn) + 1);
}
