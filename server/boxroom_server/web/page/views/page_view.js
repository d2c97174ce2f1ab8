/** The whole page: its banners, the view of the moment, messages in passing, and the dialog. */

import { h } from '../dom.js';
import { isMyTurn } from '../state/state.js';
import { arrivalView } from './another_device.js';
import { dialogView } from './dialogs.js';
import { gameView } from './games.js';
import { greetingView } from './greeting.js';
import { lobbyView } from './lobby.js';
import { roomView } from './room.js';

export function pageView(state, t) {
  const view = viewOf(state);
  return [banner(state, t), view(state, t), toasts(state), dialogView(state, t)];
}

/** Return the title of the document, which says at other tabs that it is the person's turn. */
export function titleOf(state, t) {
  return t(isMyTurn(state) ? 'title_turn' : 'title');
}

/** Return `light` or `dark`. */
export function themeOf({ settings: { theme }, prefersDark }) {
  if (theme === 'light' || theme === 'dark') return theme;
  return prefersDark ? 'dark' : 'light';
}

function viewOf(state) {
  if (state.arrival) return arrivalView;
  if (state.ended) return () => h('main.greeting');
  if (!state.isLinked || state.problem) return greetingView;
  if (state.finished) return gameView;
  return state.picture ? roomView : lobbyView;
}

function banner(state, t) {
  const [text, ...more] = bannerText(state, t);
  return text ? h('div.banner', { key: 'banner', role: 'status' }, text, ...more) : null;
}

function bannerText({ ended, identity, isLinked, isOnline, problem, picture, listing }, t) {
  if (ended === 'replaced') {
    const again = { type: 'greet', name: identity.name };
    return [t('replaced'), h('button', { onclick: again }, t('use_here'))];
  }
  if (ended === 'banned') return [t('banned')];
  if (!isLinked || problem || isOnline) return [null];
  return [t(picture || listing.isComplete ? 'offline' : 'connecting')];
}

function toasts(state) {
  return h(
    'div.toasts',
    { role: 'alert' },
    ...state.toasts.map(({ key, text }) => h('p', { key }, text)),
  );
}
