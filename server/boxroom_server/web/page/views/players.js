/**
 * The seats and members of a room, with what one can do about each.
 *
 * @import { Description, View } from '../dom.js'
 * @import { Holder, Person } from '../mirror.js'
 * @import { RoomState, State } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h, typedIn } from '../dom.js';
import { called } from '../game_words.js';
import { markOf } from '../marks.js';
import { awayNote } from '../narrate.js';
import { commanded, gameOf, isHost, mySeats, nameOf, shownPicture } from '../state/state.js';
import { botChoices } from './room_form.js';
import { standingsButton } from './standings.js';

/**
 * Return the elements of the list of seats, spectators and people who were sent out.
 *
 * @type {View<(?Description)[], RoomState>}
 */
export function playersView(state, t) {
  const { picture } = state;
  const watching = picture.members.filter(
    (member) => !picture.seats.some((holder) => holder.member === member.name),
  );
  return [
    h('ul.seats', {}, ...picture.seats.map((holder, seat) => seatItem(state, holder, seat, t))),
    watching.length ? h('h3', {}, t('spectators')) : null,
    watching.length
      ? h('ul.members', {}, ...watching.map((member) => memberItem(state, member, t)))
      : null,
    picture.barred.length && isHost(state) ? h('h3', {}, t('barred')) : null,
    picture.barred.length && isHost(state)
      ? h('ul.members', {}, ...picture.barred.map((name) => barredItem(state, name, t)))
      : null,
    furtherPlayer(state, t),
    standingsButton(state, t),
    h('div.buttons', { key: 'for-me' }, ...forMe(state, t)),
    otherName(state, t),
  ];
}

/**
 * Return the form by which a person takes another name, between games or outside of rooms.
 *
 * @type {View<?Description>}
 */
export function otherName({ picture }, t) {
  if (picture?.phase === 'playing') return null;
  return h(
    'form.further',
    {
      key: 'rename',
      onsubmit: ({ target }) => ({ type: 'rename', name: typedIn(target, 'nick').trim() }),
    },
    h('label', { for: 'nick' }, t('rename')),
    h('input', {
      id: 'nick',
      name: 'nick',
      required: true,
      maxlength: 24,
      autocomplete: 'off',
      placeholder: t('your_name'),
    }),
    h('button', { type: 'submit' }, t('ok')),
  );
}

/**
 * Return the buttons by which a person goes away for a moment, or to another room.
 *
 * @type {View<Description[], RoomState>}
 */
function forMe(state, t) {
  const me = state.picture.members.find(({ name }) => name === nameOf(state));
  const isAway = me !== undefined && me.away !== null;
  const away = commanded({ type: 'away', ...(isAway && { text: null }) });
  return [
    h('button', { key: 'away', onclick: away }, t(isAway ? 'come_back' : 'go_away')),
    h('button', { key: 'rooms', onclick: { type: 'open_rooms' } }, t('other_rooms')),
  ];
}

/** @type {(state: RoomState, holder: Holder, seat: number, t: Translate) => Description} */
function seatItem(state, holder, seat, t) {
  const { picture } = state;
  const mark = markOf(picture, seat, state.games);
  const isEmpty = holder.member === null && holder.bot === null;
  const name = isEmpty ? t('empty') : called(holder.name ?? '?', t);
  return h(
    'li',
    { key: `${seat} ${holder.name}`, class: mark.className },
    h('span.mark', { 'aria-hidden': 'true' }, mark.glyph),
    h('span.name', {}, name, h('small', {}, noteOn(state, holder, t))),
    ...(picture.phase === 'playing'
      ? memberTools(state, holder.member, t)
      : seatTools(state, holder, seat, isEmpty, t)),
  );
}

/** @type {(state: State, name: ?string) => boolean} */
function isIgnored({ ignored }, name) {
  return name !== null && ignored.includes(name);
}

/** @type {(state: RoomState, holder: Holder, t: Translate) => string} */
function noteOn(state, holder, t) {
  const { picture } = state;
  const member = picture.members.find((each) => each.name === holder.member);
  const notes = [
    holder.member === nameOf(state) && t('you'),
    holder.member !== null && holder.member === picture.host && t('host'),
    holder.member === null && holder.bot !== null && t('bot'),
    holder.member !== null && picture.muted.includes(holder.member) && t('muted'),
    member && !member.connected && t('away'),
    awayNote(member?.away, t),
    isIgnored(state, holder.member) && t('ignored'),
  ].filter(Boolean);
  return notes.length ? ` (${notes.join(', ')})` : '';
}

/**
 * @param {RoomState} state
 * @param {Holder} holder
 * @param {number} seat
 * @param {boolean} isEmpty
 * @param {Translate} t
 */
function seatTools(state, holder, seat, isEmpty, t) {
  const isMine = holder.member === nameOf(state);
  return [
    isEmpty && !mySeats(state).length
      ? h('button', { onclick: commanded({ type: 'sit', seat }) }, t('sit'))
      : null,
    isMine ? h('button', { onclick: commanded({ type: 'stand', seat }) }, t('stand')) : null,
    isHost(state) && (isEmpty || holder.bot !== null) ? botChoice(state, holder, seat, t) : null,
    isHost(state) && !isEmpty && !isMine
      ? h('button', { onclick: commanded({ type: 'unseat', seat }) }, t('unseat'))
      : null,
    ...memberTools(state, holder.member, t),
  ];
}

/** @type {(state: RoomState, holder: Holder, seat: number, t: Translate) => Description} */
function botChoice(state, holder, seat, t) {
  const game = gameOf(state, state.picture.settings);
  const choices = [['', t('seat_bot')], ...botChoices(state, game, t)];
  return h(
    'select',
    {
      'aria-label': t('seat_bot'),
      onchange: ({ target: { value: bot } }) =>
        bot ? commanded({ type: 'seat_bot', bot, seat }) : null,
    },
    ...choices.map(([bot, text]) =>
      h('option', { value: bot, selected: holder.bot === bot }, text),
    ),
  );
}

/**
 * Return the buttons for another member: to ignore it, and those of a host.
 *
 * @type {(state: State, name: ?string, t: Translate) => Description[]}
 */
function memberTools(state, name, t) {
  if (name === null || name === nameOf(state)) return [];
  const on = !isIgnored(state, name);
  const ignore = { type: /** @type {const} */ ('ignore'), name, on };
  const label = t(on ? 'ignore' : 'unignore');
  return [h('button', { key: 'ignore', onclick: ignore }, label), ...hostTools(state, name, t)];
}

/** @type {(state: State, name: string, t: Translate) => Description[]} */
function hostTools(state, name, t) {
  if (!isHost(state)) return [];
  const handOver = commanded({ type: 'hand_over', member: name });
  const isMuted = shownPicture(state)?.muted.includes(name);
  const mute = commanded({ type: isMuted ? 'unmute' : 'mute', member: name });
  return [
    h('button', { onclick: handOver }, t('hand_over')),
    h('button', { onclick: mute }, t(isMuted ? 'unmute' : 'mute')),
    h('button', { onclick: { type: 'kick', name } }, t('kick')),
  ];
}

/** @type {(state: RoomState, member: Person, t: Translate) => Description} */
function memberItem(state, member, t) {
  const { picture } = state;
  const notes = [
    member.name === nameOf(state) && t('you'),
    member.name === picture.host && t('host'),
    picture.muted.includes(member.name) && t('muted'),
    awayNote(member.away, t),
    isIgnored(state, member.name) && t('ignored'),
  ].filter(Boolean);
  const isMe = member.name === nameOf(state);
  const canSit =
    isMe &&
    picture.phase !== 'playing' &&
    picture.seats.some((holder) => holder.member === null && holder.bot === null);
  return h(
    'li',
    { key: member.name },
    h('span.name', {}, member.name, notes.length ? h('small', {}, ` (${notes.join(', ')})`) : null),
    canSit ? h('button', { onclick: commanded({ type: 'sit' }) }, t('seat_free')) : null,
    ...memberTools(state, member.name, t),
  );
}

/** @type {(state: RoomState, name: string, t: Translate) => Description} */
function barredItem(state, name, t) {
  return h(
    'li',
    { key: name },
    h('span.name', {}, name),
    h('button', { onclick: commanded({ type: 'unbar', member: name }) }, t('unbar')),
  );
}

/**
 * Return the form that seats another player at this device, between games.
 *
 * @type {View<?Description, RoomState>}
 */
function furtherPlayer(state, t) {
  const { picture } = state;
  const hasEmpty = picture.seats.some((holder) => holder.member === null && holder.bot === null);
  if (picture.phase === 'playing' || !hasEmpty || !mySeats(state).length) return null;
  return h(
    'form.further',
    { onsubmit: ({ target }) => ({ type: 'sit_as', name: typedIn(target, 'player').trim() }) },
    h('label', { for: 'player' }, t('seat_player')),
    h('input', {
      id: 'player',
      name: 'player',
      required: true,
      maxlength: 24,
      autocomplete: 'off',
      placeholder: t('player_name'),
    }),
    h('button', { type: 'submit' }, t('sit')),
  );
}
