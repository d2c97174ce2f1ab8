/** The start of the page. */

import { App } from './app.js';
import { Store } from './storage.js';

const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
const app = new App(document.getElementById('app'), {
  url: `${scheme}://${location.host}/`,
  store: new Store(),
  roomFromLink: roomFromLink(),
});

/** Return the code of the room in the link's fragment; null without one. */
function roomFromLink() {
  try {
    return decodeURIComponent(location.hash.slice(1)) || null;
  } catch {
    return null; // a fragment that is no UTF-8
  }
}

const wake = () => {
  if (document.visibilityState === 'visible') app.link?.wake();
};
document.addEventListener('visibilitychange', wake);
window.addEventListener('online', wake);
window.addEventListener('pageshow', wake);
window.addEventListener('hashchange', () => {
  const room = roomFromLink();
  if (room) app.follow(room);
});
globalThis.boxroom = app; // for the browser's console
app.start();
