/**
 * The whole page: its banners, the view of the moment, messages in passing, and the dialog.
 *
 * @import { Description, One, View } from '../dom.js'
 * @import { State } from '../state/state.js'
 */

import { h } from '../dom.js';
import { isInRoom, knowsMyTurn, THEMES } from '../state/state.js';
import { arrivalView } from './another_device.js';
import { dialogView } from './dialogs.js';
import { gameView } from './games.js';
import { greetingView } from './greeting.js';
import { lobbyView } from './lobby.js';
import { puzzleView } from './puzzle.js';
import { connectionText, hasStripOfTurn, roomView } from './room.js';

/** @type {View<One[]>} */
export function pageView(state, t) {
  // A dialog lies over all others, so that messages must stand in it.
  const [shown, inDialog] = state.dialog ? [null, toasts(state)] : [toasts(state), null];
  return [banner(state, t), mainView(state, t), shown, dialogView(state, t, inDialog)];
}

/**
 * Return the title of the document, which says at other tabs that it is the person's turn, and
 * how many lines of chat are new.
 *
 * @type {View<string>}
 */
export function titleOf(state, t) {
  const title = t(knowsMyTurn(state) ? 'title_turn' : 'title');
  return state.unread ? `(${state.unread}) ${title}` : title;
}

/**
 * Return the theme in which the page is shown: the chosen one, or else the device's.
 *
 * @type {(state: State) => string}
 */
export function themeOf({ settings: { theme }, prefersDark, prefersContrast }) {
  if (THEMES.includes(theme)) return theme;
  if (prefersContrast) return 'contrast';
  return prefersDark ? 'dark' : 'light';
}

/** @type {View<Description>} */
function mainView(state, t) {
  const { finished, course } = state;
  if (state.arrival) return arrivalView(state.arrival, t);
  if (state.ended) return h('main.greeting', {}, h('h1', {}, t('welcome')));
  if (finished && !isInRoom(state)) return gameView({ ...state, finished }, t);
  if (course && !isInRoom(state)) return puzzleView({ ...state, course }, t);
  if (!state.isLinked || state.problem) return greetingView(state, t);
  return isInRoom(state) ? roomView(state, t) : lobbyView(state, t);
}

/** @type {View<?Description>} */
function banner(state, t) {
  const [text, ...more] = bannerText(state, t);
  return text ? h('div.banner', { key: 'banner', role: 'status' }, text, ...more) : null;
}

/** @type {View<One[]>} */
function bannerText(state, t) {
  const { ended, identity, isLinked, isOnline, problem } = state;
  if (ended === 'replaced') {
    const { name } = identity;
    const again = name !== null && { type: /** @type {const} */ ('greet'), name };
    return [t('replaced'), again && h('button', { onclick: again }, t('use_here'))];
  }
  if (ended === 'banned') return [t('banned')];
  if (!isLinked || problem || isOnline || hasStripOfTurn(state)) return [null];
  return [connectionText(state, t)];
}

/** @type {(state: State) => Description} */
function toasts(state) {
  return h(
    'div.toasts',
    { key: 'toasts', role: 'alert' },
    ...state.toasts.map(({ key, text }) => h('p', { key }, text)),
  );
}
