/** The start of the page. */

import { LANGUAGES, languageOf } from './languages.js'; // first: so the script is shorter
import { pageAt } from './addresses.js';
import { SERVER } from './effects.js';
import { Page } from './page.js';
import { keepClicksToTheirPress } from './presses.js';
import { initialState } from './state/state.js';
import {
  identityFor,
  keptProgress,
  keptTogether,
  settingsOf,
  Store,
  takeKeptRoom,
} from './storage.js';
import { guestName } from './random_text.js';

keepClicksToTheirPress(document);
const store = new Store();
const tab = new Store(() => globalThis.sessionStorage);
const settings = settingsOf(store);
const address = pageAt(location);
const dark = matchMedia('(prefers-color-scheme: dark)');
const contrast = matchMedia('(prefers-contrast: more), (forced-colors: active)');
const looks = () => ({ prefersDark: dark.matches, prefersContrast: contrast.matches });
const state = initialState({
  ...keptTogether(store, SERVER),
  identity: identityFor(store, SERVER),
  guestName: guestName(),
  settings,
  language: languageOf(settings.language),
  phrases: LANGUAGES,
  ...looks(),
  prefersStill: matchMedia('(prefers-reduced-motion: reduce)').matches,
  address,
  kept: takeKeptRoom(tab),
  canShare: 'share' in navigator,
});
const page = new Page(document.querySelectorAll('#app')[0], {
  state,
  store,
  tab,
  url: address.replace(/^http/, 'ws'), // a proxy may have the server under a path
});
const wake = () => {
  if (document.visibilityState === 'visible') page.link?.wake();
};
const hide = () => page.dispatch({ type: 'hidden' });
document.addEventListener('visibilitychange', () => (document.hidden ? hide() : wake()));
window.addEventListener('pagehide', hide);
window.addEventListener('online', wake);
window.addEventListener('offline', wake); // a server on this device may still be there
window.addEventListener('pageshow', wake);
// Another tab has changed something.
window.addEventListener('storage', () => {
  const [kept, progress] = [keptTogether(store, SERVER), keptProgress(store)];
  page.dispatch({ type: 'kept_elsewhere', kept, progress });
});
for (const query of [dark, contrast]) {
  query.addEventListener('change', () => page.dispatch({ type: 'device_looks', ...looks() }));
}
Object.assign(globalThis, { boxroom: page }); // for the browser's console
page.history.follow();
page.dispatch({ type: 'start' });
