/**
 * The state after what the link to the server reports.
 *
 * An event `link` has the `update`, as `link.js` describes it, and in `seen` what the link knows by
 * then.
 *
 * @import { Place } from '../identity_link.js'
 * @import { Update } from '../link.js'
 * @import { LogEvent, Picture } from '../mirror.js'
 * @import { Told } from '../narrate.js'
 * @import { Handlers } from './next.js'
 * @import { Question, RoomState, State } from './state.js'
 *
 * @typedef {Pick<State, 'picture' | 'you' | 'games' | 'serverMs'>} Seen
 * @typedef {{type: 'link', update: Update & {name: string}, seen: Seen}
 *   | {type: 'second', serverMs: number}
 *   | {type: 'come_back', place: ?Place}
 *   | {type: 'identity_kept', isKept: boolean}} LinkEvent
 */

/**
 * The update of a kind.
 *
 * @template {Update['kind']} K
 * @typedef {Extract<LinkEvent, {type: 'link'}>['update'] & {kind: K}} UpdateOf
 */

import { called } from '../game_words.js';
import { narrate, said, toldPrivately } from '../narrate.js';
import { soundOf, turnHasCome } from '../sounds.js';
import { resultOf } from '../suggested_level.js';
import {
  askPowers,
  closeDialog,
  dropQuestion,
  forgetPosition,
  ignore,
  invite,
  join,
  keepPlace,
  lookBack,
  openDialog,
  openLobby,
  play,
  report,
  toast,
} from './changes.js';
import { isValid } from './premoves.js';
import { startWhenFull } from './way_in.js';
import { gameOf, isInRoom, mySeats, nameOf, NO_REVIEW, withEffect, wordsOf } from './state.js';

/**
 * Events after which a hint is for another position.
 *
 * @type {LogEvent['type'][]}
 */
const NEW_POSITION = ['played', 'undone', 'started', 'withdrew'];
/**
 * Events after which no bot thinks about the present position, or another one does.
 *
 * @type {LogEvent['type'][]}
 */
const NO_BOT_THINKS = [...NEW_POSITION, 'ended', 'aborted', 'bot_sat', 'vacated', 'took_back'];

/**
 * Events after which the coach's words are about another position, unless it is a bot that moves.
 *
 * @type {LogEvent['type'][]}
 */
const ENDS_COACHING = [...NEW_POSITION, 'ended', 'aborted', 'coached'];

/** @type {Question['question'][]} */
const ABOUT_GAME = ['play', 'resign', 'resign_which'];
/**
 * The questions that aren't asked any more after an event.
 *
 * @type {Partial<Record<LogEvent['type'], Question['question'][]>>}
 */
const ENDS_QUESTIONS = {
  started: [...ABOUT_GAME, 'join_next'],
  ended: ABOUT_GAME,
  aborted: ABOUT_GAME,
};

/** @type {Handlers<LinkEvent>} */
export const LINK_EVENTS = {
  link: (state, { update, seen }) => updated({ ...state, ...seen }, update.kind, update),
  second: (state, { serverMs }) => ({ ...state, serverMs }),
  come_back: (state, { place }) => (place ? join(state, place) : state),
  identity_kept: (state, { isKept }) => ({ ...state, identity: { ...state.identity, isKept } }),
};

/**
 * @template {Update['kind']} K
 * @param {State} state
 * @param {K} kind
 * @param {UpdateOf<K>} update
 */
function updated(state, kind, update) {
  return UPDATES[kind](state, update);
}

/** @type {{[K in Update['kind']]: (state: State, update: UpdateOf<K>) => State}} */
const UPDATES = {
  online: (state) => ({ ...state, isOnline: true }),
  offline: (state) => ({ ...state, isOnline: false }),
  replaced: (state) => ({ ...state, ended: 'replaced', isEntering: false }),
  banned: (state) => ({ ...state, ended: 'banned', isEntering: false }),
  greeting_refused: (state, { code, message, name }) => {
    const isNameTaken = code === 'name_taken';
    const text = isNameTaken ? wordsOf(state)('name_taken', { name }) : message;
    return { ...state, problem: { text, isNameTaken }, isEntering: false };
  },
  welcome: (state) => welcomed(state),
  entered: (state, update) =>
    startWhenFull(invite(entered({ ...state, kept: null }, update))),
  event: (state, update) => happened(state, update),
  changed: (state) =>
    startWhenFull(
      invite(playPremove(state.dialog?.kind === 'powers' ? askPowers(state) : state)),
    ),
  out: (state, update) => sentOut(out(state), update),
  lost_room: (state, { code, message, picture: { room } }) =>
    code === 'wrong_password'
      ? { ...out(state), passwordFor: { room, watch: false, problem: '' } }
      : out(toast(state, message)),
  notice: (state, { code, message }) =>
    code === 'identity_taken'
      ? tell(state, wordsOf(state)('other_device'), message)
      : toast(state, message),
  thinking: (state, { seat }) => ({ ...state, thinking: seat }),
  hint: (state, update) => hinted(state, update),
  coaching: (state, update) => coached(state, update),
  rooms_changed: (state, update) => roomsChanged(state, update),
};

/** @type {(state: State) => State} */
function welcomed(state) {
  const identity = { ...state.identity, name: nameOf(state) };
  const { roomFromLink: room } = state;
  const known = { ...state, identity, roomFromLink: null };
  const greeted = withEffect(known, { type: 'keep_identity', identity });
  const isBusy = state.isEntering || state.gameFromLink !== null || state.finished !== null;
  if (state.picture || isBusy) return greeted;
  return room ? join(greeted, { room }) : openLobby(greeted);
}

/** @type {(state: State, update: Pick<UpdateOf<'entered'>, 'fresh' | 'isBack'>) => State} */
export function entered(state, { fresh, isBack }) {
  const there = keepPlace({ ...state, passwordFor: null, form: null, finished: null });
  if (!fresh) return there;
  const { picture, lastSeq } = there;
  if (picture === null) return there;
  const t = wordsOf(state);
  const me = nameOf(state);
  const chat = [
    ...heard(there, picture.chat).map((each) => ({ ...said(each, picture, me, t), seq: each.seq })),
    ...heard(there, picture.private).map((each) => {
      return { ...toldPrivately(each, picture, me, t), seq: each.seq };
    }),
  ].sort((one, other) => one.seq - other.seq);
  const lines = chat.filter((each) => !isBack || each.seq > lastSeq);
  const fromAnew = { journal: [], premove: null, isReading: true, startsWhenFull: false };
  const here = isBack ? there : { ...closeDialog(there), ...fromAnew };
  return playPremove({ ...report(forgetPosition(here), lines), lastSeq: picture.seq });
}

/**
 * Return the messages of people whom the person doesn't ignore.
 *
 * @type {<M extends {member: string}>(state: State, messages: readonly M[]) => M[]}
 */
function heard({ ignored }, messages) {
  return messages.filter(({ member }) => !ignored.includes(member));
}

/**
 * Return an event as the person sees it, without what people say who are ignored.
 *
 * @type {(state: State, event: LogEvent) => LogEvent}
 */
function asHeard(state, event) {
  if (event.type === 'revealed') return { ...event, lines: heard(state, event.lines) };
  const isMessage = event.type === 'said' || event.type === 'told' || event.type === 'reacted';
  return isMessage && !heard(state, [event]).length ? { type: 'hidden' } : event;
}

/** Events after which the board has another game, or none. */
const ENDS_GAMES = ['started', 'configured', 'aborted'];

/** @type {(state: State, update: UpdateOf<'event'>) => State} */
function happened(state, { event: received, before, after }) {
  const event = asHeard(state, received);
  const lines = narrate(event, before, after, nameOf(state), wordsOf(state), state.games);
  const told = event.type === 'reacted' ? showReactions(state, lines) : report(state, lines);
  const isGone = ENDS_GAMES.includes(event.type);
  const isIgnored = event.type === 'renamed' && state.ignored.includes(event.member);
  const heeded = isIgnored ? ignore(told, event.name, true) : told;
  const asking = dropQuestion(heeded, ENDS_QUESTIONS[event.type] ?? []);
  const shown = isGone || event.type === 'undone' ? lookBack(asking, null) : asking;
  const isMine = event.type === 'nudged' && after.seats[event.seat].member === nameOf(state);
  const signalled = signal(shown, event, before, after);
  return withResult({
    ...(isMine ? nudged(signalled, lines) : signalled),
    thinking: NO_BOT_THINKS.includes(event.type) ? null : state.thinking,
    hint: NEW_POSITION.includes(event.type) ? null : state.hint,
    coaching: endsCoaching(event) ? null : state.coaching,
    ...(isGone && NO_REVIEW),
    hadHint: event.type === 'started' ? false : state.hadHint || isMyHint(state, event),
    lastSeq: after.seq,
  }, event, after);
}

/**
 * Have an event heard, and the person called when the turn has come, if they want that.
 *
 * @type {(state: State, event: LogEvent, before: Picture, after: Picture) => State}
 */
function signal(state, event, before, after) {
  if (!state.settings.sounds) return state;
  const me = nameOf(state);
  const name = soundOf(event, before, after, me);
  const heard = name === null ? state : withEffect(state, { type: 'sound', name });
  if (!turnHasCome(before, after, me)) return heard;
  return withEffect(heard, { type: 'call', text: wordsOf(state)('your_turn') });
}

/** @type {(event: LogEvent) => boolean} */
function endsCoaching(event) {
  const isOfBot = event.type === 'played' && (event.by ?? 'player') !== 'player';
  return ENDS_COACHING.includes(event.type) && !isOfBot;
}

/** @type {(state: State, event: LogEvent) => boolean} */
function isMyHint(state, event) {
  return event.type === 'hint_asked' && mySeats(state).includes(event.seat);
}

/**
 * Keep the result of a game against a level, by which one is suggested for the next game.
 *
 * @type {(state: State, event: LogEvent, room: Picture) => State}
 */
function withResult(state, event, room) {
  if (event.type !== 'ended') return state;
  const offered = gameOf(state, room.settings);
  const last = resultOf(room, nameOf(state), offered, state.hadHint);
  if (offered === undefined || last === null) return state;
  const before = (state.results[offered.game] ?? []).slice(-1);
  const results = { ...state.results, [offered.game]: [...before, last] };
  return withEffect({ ...state, results }, { type: 'save_results', results });
}

/**
 * Have the person notice a nudge: by a line over the board, and on a phone by its vibration.
 *
 * @type {(state: State, lines: Told[]) => State}
 */
function nudged(state, lines) {
  const shown = lines.reduce((before, { text }) => toast(before, text), state);
  return withEffect(shown, { type: 'vibrate' });
}

/**
 * Show a reaction for a moment: it mustn't scroll the chat away.
 *
 * @type {(state: State, lines: Told[]) => State}
 */
function showReactions(state, lines) {
  return lines.reduce((shown, { author, text }) => toast(shown, `${author}: ${text}`), state);
}

/**
 * Play the premove if its turn has come, and drop it if it has become impossible.
 *
 * @type {(state: State) => State}
 */
function playPremove(state) {
  const { premove } = state;
  if (premove === null || !isInRoom(state)) return state;
  const { picture } = state;
  const dropped = { ...state, premove: null };
  if (!isValid(premove, picture, nameOf(state))) return dropped;
  return premove.seat === picture.to_move ? play(dropped, premove.move) : state;
}

/** @type {(state: State) => State} */
function out(state) {
  // The dialog may be about the room.
  const gone = { ...state, kept: null, startsWhenFull: false };
  return openLobby(keepPlace(closeDialog(forgetPosition(gone))));
}

/**
 * Tell a person who was in the room why they aren't any more, if they didn't leave it themselves.
 *
 * @type {(state: State, update: UpdateOf<'out'>) => State}
 */
function sentOut(state, { why, picture: { room } }) {
  const t = wordsOf(state);
  switch (why) {
    case 'kicked':
      return tell(state, room, t('kicked_out', { room }));
    case 'closed':
      return tell(state, room, t('room_closed', { room }));
    case 'left':
      return state;
  }
}

/** @type {(state: State, title: string, text: string) => State} */
function tell(state, title, text) {
  return openDialog(state, { kind: 'told', title, text });
}

/** @type {(state: State, update: UpdateOf<'hint'>) => State} */
function hinted(state, update) {
  if (update.ply !== state.picture?.ply) return state;
  const { bot, move } = update;
  const text = wordsOf(state)('event.hint', { bot: called(bot, wordsOf(state)), move });
  return report({ ...state, hint: move }, [{ kind: 'answer', text, seat: null }]);
}

/** @type {(state: State, update: UpdateOf<'coaching'>) => State} */
function coached(state, { phrase, message, can_undo: canUndo = false, theme = null }) {
  const t = wordsOf(state);
  const text = t('coach.says', { what: t.said({ phrase, message }) });
  const line = { kind: 'answer', text, seat: null };
  return report({ ...state, coaching: { text, canUndo, theme } }, [line]);
}

/** @type {(state: State, update: UpdateOf<'rooms_changed'>) => State} */
function roomsChanged(state, { rooms = [], gone = [] }) {
  const listed = new Map(state.listing.rooms);
  for (const code of gone) listed.delete(code);
  for (const room of rooms) listed.set(room.room, room);
  return { ...state, listing: { ...state.listing, rooms: listed } };
}
