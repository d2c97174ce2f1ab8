/**
 * The page's copy of a room: a picture, and the effect of each event on it.
 *
 * A picture is the `room` of an `in_room` message (docs/reference/protocol.md, "The room") with all
 * defaults filled in. Nothing changes a picture: `fold` returns the next one. It does what `evolve`
 * of the engine does, without the rules of any game; docs/mirror-vectors.json holds the two
 * together.
 */

/** Chat messages that a picture holds at most. */
const CHAT_TAIL = 100;

/** Settings of a room that its creator has left as they are. */
export const SETTINGS = {
  game: 'dots',
  options: {},
  seats: 2,
  clock_s: null,
  on_drop: 'bot',
  private: false,
  hints: false,
  takebacks: 10,
};

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
  players: [],
  tokens: [],
  movers: [],
  taken: [],
  winners: [],
  ply: null,
  undo: null,
  undos: 0,
  to_move: null,
  scores: [],
  deadline_ms: null,
  chat: [],
  unrevealed: [],
  rematch: [],
  barred: [],
};

/** The fields that a room without a game has. */
const NO_GAME = {
  players: [],
  tokens: [],
  movers: [],
  taken: [],
  winners: [],
  ply: 0,
  undo: null,
  undos: 0,
  to_move: null,
  scores: [],
  deadline_ms: null,
  rematch: [],
};

/** The numbers of events have a gap: only a new picture helps. */
export class GapError extends Error {}

/** Return the first picture, from the `room` of an `in_room` message. */
export function pictureFrom(room) {
  const picture = {
    ...PICTURE,
    ...room,
    settings: settingsFrom(room.settings),
    seats: (room.seats ?? []).map((holder) => holderOf(holder.glyph, holder)),
    members: (room.members ?? []).map((member) => memberOf(member.name, member)),
    chat: (room.chat ?? []).map(chatLine),
    unrevealed: (room.unrevealed ?? []).map(chatLine),
    undo: room.undo ? { agreed: [], ...room.undo } : null,
  };
  picture.ply ??= picture.tokens.length;
  return Object.freeze(picture);
}

/** Return settings with all defaults filled in. */
export function settingsFrom(settings) {
  return { ...SETTINGS, ...settings };
}

/**
 * Return the picture after all events of an `events` message.
 *
 * @throws {GapError} if it doesn't continue the numbers of `picture`
 */
export function foldEntry(picture, { seq, events }) {
  return events.reduce((before, event, i) => fold(before, event, seq + i), picture);
}

/**
 * Return the picture after `event`, which has the number `seq`.
 *
 * An event of a type that this page doesn't know only counts.
 *
 * @throws {GapError} if it doesn't continue the numbers of `picture`
 */
export function fold(picture, event, seq) {
  if (seq !== picture.seq + 1) {
    throw new GapError(`event ${seq} can't follow ${picture.seq}`);
  }
  const effect = Object.hasOwn(EFFECTS, event.type) ? EFFECTS[event.type] : () => ({});
  return Object.freeze({ ...picture, ...effect(picture, event, seq), seq });
}

/** For each type of event, the fields that change: from the picture before, the event, its seq. */
const EFFECTS = {
  created: (picture, event) => ({
    room: event.room,
    log: event.log,
    host: event.member,
    ...withSettings(picture, event.settings),
  }),
  configured: (picture, event) => withSettings(picture, event.settings),
  joined: (picture, event) => withMember(picture, memberOf(event.member)),
  returned: (picture, event) => withMember(picture, memberOf(event.member)),
  dropped: (picture, event) => ({
    ...withMember(picture, absent(event.member, event.until_ms)),
    undo: null,
  }),
  grace_over: (picture, event) => ({
    ...withMember(picture, absent(event.member, null)),
    deadline_ms: deadlineWithout(picture, event.member),
  }),
  woken: (picture, event) => ({
    members: picture.members.map((member) =>
      isGone(member) ? member : absent(member.name, event.until_ms),
    ),
    deadline_ms: event.deadline_ms ?? null,
    undo: null,
  }),
  left: (picture, event) => ({
    ...withoutMember(picture, event.member),
    deadline_ms: deadlineWithout(picture, event.member),
  }),
  kicked: (picture, event) => ({
    ...withoutMember(picture, event.member),
    seats: picture.seats.map((holder) =>
      holder.member === event.member ? { ...holder, member: null, bot: null } : holder,
    ),
    barred: withName(picture.barred, event.member),
  }),
  unbarred: (picture, event) => ({ barred: without(picture.barred, event.member) }),
  host_passed: (picture, event) => ({ host: event.member ?? null }),

  sat: (picture, event, seq) =>
    withHolder(picture, event.seat, { name: event.name, member: event.member, since: seq }),
  bot_sat: (picture, event, seq) => ({
    ...withHolder(picture, event.seat, { name: event.name, bot: event.bot, since: seq }),
    deadline_ms: deadlineAt(picture, event.seat, null),
  }),
  vacated: (picture, event) => withHolder(picture, event.seat, {}),
  stood_in: (picture, event) => ({
    ...withHolder(picture, event.seat, { ...picture.seats[event.seat], bot: event.bot }),
    deadline_ms: deadlineAt(picture, event.seat, null),
  }),
  took_back: (picture, event) => ({
    ...withHolder(picture, event.seat, { ...picture.seats[event.seat], bot: null, missed: 0 }),
    deadline_ms: deadlineAt(picture, event.seat, event.deadline_ms ?? null),
  }),
  rotated: ({ seats: [first, ...others] }) => ({ seats: [...others, first] }),

  started: (picture, event) => ({
    ...NO_GAME,
    phase: 'playing',
    game_number: event.number,
    players: event.players,
    to_move: 0,
    scores: event.players.map(() => 0),
    deadline_ms: event.deadline_ms ?? null,
    seats: picture.seats.map((holder) => ({ ...holder, missed: 0 })),
  }),
  played: (picture, event) => ({
    ...withToken(picture, event, event.move),
    seats: withMissed(picture.seats, event),
    taken: event.taken.length
      ? [...picture.taken, [picture.tokens.length, ...event.taken]]
      : picture.taken,
    // A bot doesn't decide on a request for a takeback, so that its move doesn't either.
    undo: (event.by ?? 'player') === 'player' ? null : picture.undo,
  }),
  withdrew: (picture, event) => ({
    ...withToken(picture, event, `~${event.seat}`),
    undo: null,
  }),
  undo_asked: (picture, event) => ({
    undo: { member: event.member, ply: picture.ply, keeps: event.keeps, agreed: [] },
    undos: picture.undos + 1,
  }),
  undo_agreed: ({ undo }, event) => ({
    undo: { ...undo, agreed: [...undo.agreed, event.member] },
  }),
  undo_declined: () => ({ undo: null }),
  undone: (picture, event) => ({
    tokens: picture.tokens.slice(0, event.keeps),
    movers: picture.movers.slice(0, event.keeps),
    taken: picture.taken.filter(([number]) => number < event.keeps),
    ply: event.ply,
    to_move: event.to_move,
    scores: event.scores,
    undo: null,
    // A takeback on which others decided was counted when it was asked for.
    undos: picture.undos + (picture.undo ? 0 : 1),
  }),
  ended: (picture, event) => ({
    phase: 'over',
    winners: event.winners,
    deadline_ms: null,
    undo: null,
  }),
  rematch_wanted: (picture, event) => ({ rematch: withName(picture.rematch, event.member) }),

  said: (picture, event, seq) => {
    const list = event.to === 'spectators' ? 'unrevealed' : 'chat';
    return { [list]: [...picture[list], chatLine({ ...event, seq })].slice(-CHAT_TAIL) };
  },
  revealed: (picture, event) => ({
    chat: [...picture.chat, ...event.lines.map(chatLine)]
      .sort((one, other) => one.seq - other.seq)
      .slice(-CHAT_TAIL),
    unrevealed: [],
  }),
};

function holderOf(glyph, { name = null, member = null, bot = null, missed = 0, since = 0 } = {}) {
  return { glyph, name, member, bot, missed, since };
}

function memberOf(name, { connected = true, grace_until_ms = null } = {}) {
  return { name, connected, grace_until_ms };
}

function absent(name, untilMs) {
  return memberOf(name, { connected: false, grace_until_ms: untilMs });
}

function chatLine({ seq, member, text, at_ms, to = 'all', name = '' }) {
  return { seq, member, text, at_ms, to, name };
}

function isGone(member) {
  return !member.connected && member.grace_until_ms === null;
}

function isPlayer(picture, member) {
  return picture.seats.some((holder) => holder.member === member);
}

/** Return the room with `settings`: with its number of seats, and without a finished game. */
function withSettings(picture, sent) {
  const settings = settingsFrom(sent);
  const seats = picture.seats
    .slice(0, settings.seats)
    .map((holder) => ((holder.member ?? holder.bot) === null ? holderOf(holder.glyph) : holder));
  const used = new Set(seats.map((holder) => holder.glyph));
  for (let glyph = 0; seats.length < settings.seats; glyph += 1) {
    if (!used.has(glyph)) {
      seats.push(holderOf(glyph));
    }
  }
  return { ...NO_GAME, settings, phase: 'waiting', seats };
}

function withMember(picture, member) {
  const isKnown = picture.members.some(({ name }) => name === member.name);
  const members = isKnown
    ? picture.members.map((other) => (other.name === member.name ? member : other))
    : [...picture.members, member];
  return { members };
}

function withoutMember(picture, name) {
  return {
    members: picture.members.filter((member) => member.name !== name),
    rematch: without(picture.rematch, name),
    undo: isPlayer(picture, name) ? null : picture.undo,
  };
}

/** Return the changes by another holder in `seat`. Other people decide on a takeback then. */
function withHolder(picture, seat, holder) {
  const held = holderOf(picture.seats[seat].glyph, holder);
  return { seats: replaced(picture.seats, seat, held), undo: null };
}

function withMissed(seats, { seat, by }) {
  const missed = by === 'clock' ? seats[seat].missed + 1 : 0;
  return seats[seat].missed === missed ? seats : replaced(seats, seat, { ...seats[seat], missed });
}

/** Return the changes by a move or a withdrawal, except for what only one of them changes. */
function withToken(picture, event, token) {
  return {
    tokens: [...picture.tokens, token],
    movers: [...picture.movers, event.seat],
    ply: picture.ply + 1,
    to_move: event.to_move ?? null,
    scores: event.scores,
    deadline_ms: event.deadline_ms ?? null,
  };
}

function replaced(list, index, item) {
  return list.map((other, i) => (i === index ? item : other));
}

/** Return the time at which the clock runs out, which is `deadlineMs` if `seat` is to move. */
function deadlineAt(picture, seat, deadlineMs) {
  return picture.to_move === seat ? deadlineMs : picture.deadline_ms;
}

/** Return the time at which the clock runs out; a clock stops for `member`, who is gone. */
function deadlineWithout(picture, member) {
  const isToMove = picture.seats[picture.to_move]?.member === member;
  return isToMove ? null : picture.deadline_ms;
}

function without(names, name) {
  return names.filter((other) => other !== name);
}

/** Return `names` with `name`, in the server's order: by code points, not by UTF-16. */
function withName(names, name) {
  return [...without(names, name), name].sort(byCodePoints);
}

function byCodePoints(one, other) {
  const [ours, theirs] = [one, other].map((text) => [...text].map((char) => char.codePointAt(0)));
  const i = ours.findIndex((point, at) => point !== theirs[at]);
  return i < 0 ? ours.length - theirs.length : ours[i] - (theirs[i] ?? -1);
}

/** Return the owners of the boxes or other things: a map from their numbers to seats. */
export function owners(picture) {
  const taken = picture.taken.flatMap(([token, ...things]) =>
    things.map((thing) => [thing, picture.movers[token]]),
  );
  return new Map(taken);
}

/** Return the seats that `member` holds, also those in which a bot stands in. */
export function seatsOf(picture, member) {
  return picture.seats.flatMap((holder, seat) => (holder.member === member ? [seat] : []));
}

/** Return `player` if `member` holds a seat, else `spectator`. */
export function audienceOf(picture, member) {
  return isPlayer(picture, member) ? 'player' : 'spectator';
}

/**
 * Return the numbers of the tokens that others played since the last move of `mySeats`.
 *
 * Without seats these are the moves of the last seat that moved. Withdrawals aren't moves.
 */
export function lastMoves(picture, mySeats) {
  const moves = picture.tokens.flatMap((token, i) => (token.startsWith('~') ? [] : [i]));
  const last = picture.movers[moves.at(-1)];
  const isOwn = (i) =>
    mySeats.length ? mySeats.includes(picture.movers[i]) : picture.movers[i] !== last;
  return moves.slice(moves.findLastIndex(isOwn) + 1);
}
