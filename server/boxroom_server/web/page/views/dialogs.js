/**
 * Questions, and the sheets that open over a view: settings, players, invitation, games.
 *
 * The browser closes a dialog at Escape, too, and tells that later, when another one may be open.
 */

import { h } from '../dom.js';
import { identityTakenView, offerView } from './another_device.js';
import { gamesView } from './games.js';
import { inviteView, playersView } from './players.js';
import { settingsView } from './settings.js';

const CLOSE = { type: 'close_dialog' };

/** The title and the content of each sheet, by the kind of the dialog. */
const SHEETS = {
  settings: (t) => [t('settings'), settingsView],
  players: (t) => [t('players'), playersView],
  invite: (t) => [t('invite'), inviteView],
  games: (t) => [t('my_games'), gamesView],
  offer: (t) => [t('other_device'), offerView],
  identity_taken: (t) => [t('other_device'), identityTakenView],
};

/** The text of each question, and of the button that says yes. */
const QUESTIONS = {
  play: ({ move }, t) => [t('play_it', { move }), t('ok')],
  leave_game: (_, t) => [t('leave_game'), t('leave')],
  leave_room: ({ room }, t) => [t('leave_room', { room }), t('leave')],
  resign: (_, t) => [t('resign_really'), t('resign')],
  resign_which: ({ name }, t) => [t('resign_which', { name }), t('resign')],
  kick: ({ name }, t) => [t('kick_really', { name }), t('kick')],
  become: ({ former, name }, t) => [t('become_really', { former, name }), t('become', { name })],
};

/** Return the dialog, which is empty while none is open. */
export function dialogView(state, t) {
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
  );
}

function labelled(state, t) {
  const { dialog } = state;
  if (dialog === null) return [null, []];
  if (dialog.kind === 'question') return questionView(dialog, t);
  const [title, content] = SHEETS[dialog.kind](t);
  return [title, [sheetHeader(title, t), ...content(state, t)]];
}

function questionView(dialog, t) {
  const [question, yes] = QUESTIONS[dialog.question](dialog, t);
  const buttons = h(
    'div.buttons',
    {},
    h('button', { autofocus: true, onclick: CLOSE }, t('no')),
    h('button.primary', { onclick: { type: 'answer_yes' } }, yes),
  );
  return [question, [h('p', {}, question), buttons]];
}

function sheetHeader(title, t) {
  return h(
    'header',
    {},
    h('h2', {}, title),
    h('button.icon', { 'aria-label': t('close'), onclick: CLOSE }, '✕'),
  );
}
