/**
 * The state after a line that a person types in a room: a move, a command, or chat.
 *
 * @import { Audience, RoomState, State } from './state.js'
 */

import { moveNamed } from '../board/moves.js';
import { plainForms } from '../look_alikes.js';
import { hasTurn, unpausers } from '../mirror.js';
import { command, goTo, ignore, numbered, play, rename, toast } from './changes.js';
import { premoveOf } from './premoves.js';
import { isMyTurn, mySeats, nameOf, withEffect, wordsOf } from './state.js';

/**
 * Commands that can be typed, as in the terminal; everything else has a button. One returns null
 * where it isn't possible.
 *
 * @type {Record<string, (state: RoomState, rest: string, to?: Audience) => ?State>}
 */
const COMMANDS = {
  me: act,
  join: (state, room) => (room ? goTo(state, { room }) : null),
  away: (state, text) => command(state, { type: 'away', text }),
  clear: (state) => ({ ...state, journal: [] }),
  ignore: (state, name) => ignoring(state, name, true),
  unignore: (state, name) => ignoring(state, name, false),
  nick: (state, name) => (name ? rename(state, name) : null),
  back: (state) => command(state, { type: 'away', text: null }),
};

/**
 * Keep a move for the person's next turn, in place of the one that was kept; null drops it.
 *
 * @type {(state: RoomState, move: ?string) => State}
 */
export function setPremove(state, move) {
  const premove = move === null ? null : premoveOf(state.picture, nameOf(state), move);
  const kept = { ...state, premove };
  const isRefused = move !== null && premove === null;
  return isRefused ? toast(kept, wordsOf(state)('no_turn', { move })) : kept;
}

/**
 * Say a line, or play the move that it names; as chat that would tell the others.
 *
 * @type {(state: RoomState, event: {text: string, to?: Audience}) => State}
 */
export function typed(state, { text, to }) {
  const cleared = withEffect(state, { type: 'clear_field', name: 'text' });
  const [, name = '', rest = ''] = /^\s*\/(\w+)(?:\s+(.*))?$/s.exec(text) ?? [];
  const done = Object.hasOwn(COMMANDS, name) ? COMMANDS[name](cleared, rest.trim(), to) : null;
  if (done !== null) return done;
  const isInGame = mySeats(state).length > 0 && state.picture.phase === 'playing';
  const move = isInGame ? moveIn(state, text) : null;
  const problem = move === null ? lookAlikeIn(state, text, isInGame) : null;
  if (problem !== null) return toast(state, problem);
  if (move === null) return say(cleared, { text, to });
  if (isMyTurn(state)) return play(cleared, move);
  return hasTurn(state.picture, nameOf(state))
    ? toast(state, inPause(state))
    : setPremove(cleared, move);
}

/**
 * Return why nobody moves in a pause, and who can go on.
 *
 * @type {(state: RoomState) => string}
 */
function inPause(state) {
  const [t, names] = [wordsOf(state), unpausers(state.picture)];
  return names.length ? t('refusal.paused', { names }) : t('refusal.paused.alone');
}

/**
 * Return why a line isn't said that looks like a command or like a move, or null.
 *
 * @type {(state: RoomState, typedText: string, isInGame: boolean) => ?string}
 */
function lookAlikeIn(state, typedText, isInGame) {
  const t = wordsOf(state);
  const text = typedText.trim();
  for (const plain of [text, ...plainForms(text)]) {
    if (/^\/[\w?]/.test(plain) && !/^\p{L}/u.test(text)) return t('no_commands_here');
    const move = isInGame ? moveIn(state, plain) : null;
    if (move !== null) return t('looks_like_move', { move });
  }
  return null;
}

/**
 * Return the move of the board that a typed line names, such as "H 3"; null if it names none.
 *
 * @type {(state: RoomState, text: string) => ?string}
 */
function moveIn({ picture, geometry }, text) {
  return moveNamed(text.replace(/\s+/g, ''), picture.settings, geometry?.value ?? null);
}

/**
 * Say what the person does, to be shown behind the name; that can't be private.
 *
 * @type {(state: State, text: string, to?: Audience) => ?State}
 */
function act(state, text, to = 'all') {
  if (typeof to === 'object' || !text) return null;
  return command(state, { type: 'say', text, action: true, ...(to !== 'all' && { to }) });
}

/**
 * Ignore another person whose name is typed in any case, or listen again; null if there is none.
 *
 * @type {(state: RoomState, typedName: string, isIgnored: boolean) => ?State}
 */
function ignoring(state, typedName, isIgnored) {
  const { members, chat } = state.picture;
  const here = [...members.map(({ name }) => name), ...chat.map(({ member }) => member)];
  const wanted = typedName.toLowerCase();
  const name = (isIgnored ? here : state.ignored).find((each) => each.toLowerCase() === wanted);
  return name === undefined || name === nameOf(state) ? null : ignore(state, name, isIgnored);
}

/** @type {(state: State, event: {text: string, to?: Audience}) => State} */
export function say(state, { text, to = 'all' }) {
  const trimmed = text.trim();
  if (!trimmed) return state;
  const unsent = { kind: 'unsent', text: trimmed, seat: null, author: nameOf(state) };
  const [line] = numbered(state, [unsent]);
  const shown = { ...state, lines: line.key, unsent: [...state.unsent, line] };
  const then = /** @type {const} */ ({ type: 'say_answered', line: line.key });
  if (typeof to === 'object') return command(shown, { type: 'tell', text: trimmed, ...to }, then);
  return command(shown, { type: 'say', text: trimmed, ...(to !== 'all' && { to }) }, then);
}
