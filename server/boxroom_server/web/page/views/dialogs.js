/**
 * Questions, and the sheets that open over a view: settings, players, invitation, games.
 *
 * The browser closes a dialog at Escape, too, and tells that later, when another one may be open.
 *
 * @import { Description, View } from '../dom.js'
 * @import { PageEvent } from '../state/next.js'
 * @import { BoardState, Dialog, Question, RoomState, State } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h } from '../dom.js';
import { isInRoom, isOnBoard } from '../state/state.js';
import { offerView } from './another_device.js';
import { besideView } from './cards.js';
import { gamesView } from './games.js';
import { iconButton } from './icons.js';
import { otherRoomsView } from './lobby.js';
import { inviteView } from './invitation.js';
import { mistakesView } from './mistakes.js';
import { playersView } from './players.js';
import { powersView } from './powers.js';
import { settingsView } from './settings.js';
import { shareView } from './share.js';
import { standingsView } from './standings.js';

/** @type {PageEvent} */
const CLOSE = { type: 'close_dialog' };

/**
 * The title and the content of each sheet, by the kind of the dialog.
 *
 * @type {Record<Exclude<Dialog['kind'], 'question' | 'told'>, (t: Translate) => [string,
 *   View<(?Description)[]>]>}
 */
const SHEETS = {
  settings: (t) => [t('settings'), settingsView],
  players: (t) => [t('players'), withRoom(playersView)],
  invite: (t) => [t('invite'), withRoom(inviteView)],
  standings: (t) => [t('standings'), withRoom(standingsView)],
  powers: (t) => [t('host_menu'), powersView],
  beside: (t) => [t('two_here'), besideView],
  rooms: (t) => [t('other_rooms'), otherRoomsView],
  games: (t) => [t('my_games'), gamesView],
  mistakes: (t) => [t('mistakes.title'), mistakesView],
  share: (t) => [t('share'), withBoard(shareView)],
  offer: (t) => [t('other_device'), offerView],
};

/** @type {(view: View<(?Description)[], RoomState>) => View<(?Description)[]>} */
function withRoom(view) {
  return (state, t) => (isInRoom(state) ? view(state, t) : []);
}

/** @type {(view: View<(?Description)[], BoardState>) => View<(?Description)[]>} */
function withBoard(view) {
  return (state, t) => (isOnBoard(state) ? view(state, t) : []);
}

/**
 * Return the text of a question, and of the button that says yes.
 *
 * @type {(asked: Question, t: Translate) => [string, string]}
 */
function textsOf(asked, t) {
  switch (asked.question) {
    case 'play':
      return [t('play_it', { move: asked.move }), t('ok')];
    case 'leave_game':
      return [t('leave_game'), t('leave')];
    case 'leave_room':
      return [t('leave_room', { room: asked.room }), t('leave')];
    case 'join_next':
      return [t('join_next_really'), t('join_next')];
    case 'resign':
      return [t('resign_really'), t('resign')];
    case 'resign_which':
      return [t('resign_which', { name: asked.name }), t('resign')];
    case 'kick':
      return [t('kick_really', { name: asked.name }), t('kick')];
    case 'become': {
      const { former, name } = asked;
      return [t('become_really', { former, name }), t('become', { name })];
    }
  }
}

/**
 * Return the dialog, which is empty while none is open, with messages in passing.
 *
 * @type {(state: State, t: Translate, messages: ?Description) => Description}
 */
export function dialogView(state, t, messages) {
  const [label, content] = labelled(state, t);
  return h(
    'dialog',
    {
      key: 'dialog',
      'aria-label': label,
      onclose: ({ target }) => (target.open ? null : CLOSE),
      onclick: ({ target, currentTarget }) => (target === currentTarget ? CLOSE : null),
    },
    content,
    messages,
  );
}

/** @type {View<[?string, (?Description)[]]>} */
function labelled(state, t) {
  const { dialog } = state;
  if (dialog === null) return [null, []];
  if (dialog.kind === 'question') return questionView(dialog, t);
  if (dialog.kind === 'told') return sheet(dialog.title, [h('p', {}, dialog.text)], t);
  const [title, view] = SHEETS[dialog.kind](t);
  return sheet(title, view(state, t), t);
}

/** @type {(dialog: Question, t: Translate) => [string, Description[]]} */
function questionView(dialog, t) {
  const [question, yes] = textsOf(dialog, t);
  const buttons = h(
    'div.buttons',
    {},
    h('button', { autofocus: true, onclick: CLOSE }, t('no')),
    h('button.primary', { onclick: { type: 'answer_yes' } }, yes),
  );
  return [question, [h('p', {}, question), buttons]];
}

/**
 * @param {string} title
 * @param {(?Description)[]} content
 * @param {Translate} t
 * @returns {[string, (?Description)[]]}
 */
function sheet(title, content, t) {
  const header = h('header', {}, h('h2', {}, title), iconButton('close', t('close'), CLOSE));
  return [title, [header, ...content]];
}
