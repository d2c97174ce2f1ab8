/** The start of the page. */

import { App } from './app.js';
import { readFragment } from './identity_link.js';
import { keepClicksToTheirPress } from './presses.js';
import { Store } from './storage.js';

keepClicksToTheirPress(document);
const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
const app = new App(document.getElementById('app'), {
  url: `${scheme}://${location.host}/`,
  store: new Store(),
  roomFromLink: readFragment(location.hash).room,
});

const wake = () => {
  if (document.visibilityState === 'visible') app.link?.wake();
};
document.addEventListener('visibilitychange', wake);
window.addEventListener('online', wake);
window.addEventListener('pageshow', wake);
window.addEventListener('hashchange', () => {
  const { room, arrival } = readFragment(location.hash);
  if (arrival) app.arrive(arrival);
  else if (room) app.follow(room);
});
globalThis.boxroom = app; // for the browser's console
const { arrival } = readFragment(location.hash);
if (arrival) app.arrive(arrival);
else app.start();
