/** The seats and members of a room, with what one can do about each; and the invitation. */

import { linkToCopy } from './dialogs.js';
import { h } from './dom.js';
import { markOf } from './marks.js';
import { botChoices } from './room_form.js';

/** Return the elements of the list of seats, spectators and people who were sent out. */
export function playersView(app) {
  const { t, picture } = app;
  const watching = picture.members.filter(
    (member) => !picture.seats.some((holder) => holder.member === member.name),
  );
  return [
    h('ul.seats', {}, ...picture.seats.map((holder, seat) => seatItem(app, holder, seat))),
    watching.length ? h('h3', {}, t('spectators')) : null,
    watching.length
      ? h('ul.members', {}, ...watching.map((member) => memberItem(app, member)))
      : null,
    picture.barred.length && app.isHost ? h('h3', {}, t('barred')) : null,
    picture.barred.length && app.isHost
      ? h('ul.members', {}, ...picture.barred.map((name) => barredItem(app, name)))
      : null,
    furtherPlayer(app),
  ].filter(Boolean);
}

function seatItem(app, holder, seat) {
  const { t, picture } = app;
  const mark = markOf(picture, seat, app.games);
  const isEmpty = holder.member === null && holder.bot === null;
  const name = isEmpty ? t('empty') : (holder.name ?? '?');
  return h(
    'li',
    { 'data-key': `${seat} ${holder.name}`, class: mark.className },
    h('span.mark', { 'aria-hidden': 'true' }, mark.glyph),
    h('span.name', {}, name, h('small', {}, noteOn(app, holder))),
    ...(picture.phase === 'playing'
      ? hostTools(app, holder.member)
      : seatTools(app, holder, seat, isEmpty)),
  );
}

function noteOn(app, holder) {
  const { t, picture } = app;
  const member = picture.members.find((each) => each.name === holder.member);
  const notes = [
    holder.member === app.me && t('you'),
    holder.member !== null && holder.member === picture.host && t('host'),
    holder.member === null && holder.bot !== null && t('bot'),
    member && !member.connected && t('away'),
  ].filter(Boolean);
  return notes.length ? ` (${notes.join(', ')})` : '';
}

function seatTools(app, holder, seat, isEmpty) {
  const { t } = app;
  const command = (message) => () => app.command(message);
  const isMine = holder.member === app.me;
  return [
    isEmpty && !app.mySeats.length
      ? h('button', { onclick: command({ type: 'sit', seat }) }, t('sit'))
      : null,
    isMine ? h('button', { onclick: command({ type: 'stand', seat }) }, t('stand')) : null,
    app.isHost && (isEmpty || holder.bot !== null) ? botChoice(app, holder, seat) : null,
    app.isHost && !isEmpty && !isMine
      ? h('button', { onclick: command({ type: 'unseat', seat }) }, t('unseat'))
      : null,
    ...hostTools(app, holder.member),
  ];
}

function botChoice(app, holder, seat) {
  const { t } = app;
  const game = app.games.find((each) => each.game === app.picture.settings.game);
  const choices = [['', t('seat_bot')], ...botChoices(app, game)];
  const seatBot = ({ target }) =>
    target.value && app.command({ type: 'seat_bot', bot: target.value, seat });
  return h(
    'select',
    { 'aria-label': t('seat_bot'), onchange: seatBot },
    ...choices.map(([bot, text]) =>
      h('option', { value: bot, selected: holder.bot === bot }, text),
    ),
  );
}

function hostTools(app, name) {
  const { t } = app;
  if (!app.isHost || name === null || name === app.me) return [];
  const kick = async () => {
    if (await app.dialogs.ask(t('kick_really', { name }), t('kick')))
      await app.command({ type: 'kick', member: name });
  };
  return [
    h(
      'button',
      { onclick: () => app.command({ type: 'hand_over', member: name }) },
      t('hand_over'),
    ),
    h('button', { onclick: kick }, t('kick')),
  ];
}

function memberItem(app, member) {
  const { t, picture } = app;
  const notes = [
    member.name === app.me && t('you'),
    member.name === picture.host && t('host'),
  ].filter(Boolean);
  const isMe = member.name === app.me;
  const canSit =
    isMe &&
    picture.phase !== 'playing' &&
    picture.seats.some((holder) => holder.member === null && holder.bot === null);
  return h(
    'li',
    { 'data-key': member.name },
    h('span.name', {}, member.name, notes.length ? h('small', {}, ` (${notes.join(', ')})`) : null),
    canSit ? h('button', { onclick: () => app.command({ type: 'sit' }) }, t('seat_free')) : null,
    ...hostTools(app, member.name),
  );
}

function barredItem(app, name) {
  return h(
    'li',
    { 'data-key': name },
    h('span.name', {}, name),
    h('button', { onclick: () => app.command({ type: 'unbar', member: name }) }, app.t('unbar')),
  );
}

/** Return the form that seats another player at this device, between games. */
function furtherPlayer(app) {
  const { t, picture } = app;
  const hasEmpty = picture.seats.some((holder) => holder.member === null && holder.bot === null);
  if (picture.phase === 'playing' || !hasEmpty || !app.mySeats.length) return null;
  const submit = async (event) => {
    event.preventDefault();
    const field = event.target.elements.player;
    if (await app.command({ type: 'sit', name: field.value.trim() })) field.value = '';
  };
  return h(
    'form.further',
    { onsubmit: submit },
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

/** Open the invitation: the link to the room. */
export function inviteSheet(app) {
  const { t, picture } = app;
  const link = `${location.origin}${location.pathname}#${encodeURIComponent(picture.room)}`;
  app.dialogs.sheet(t('invite'), () => [
    h('p', {}, t('invite_text')),
    ...(picture.settings.private ? [h('p', {}, t('invite_private'))] : []),
    ...linkToCopy(app, t('invite_text'), link),
  ]);
}
