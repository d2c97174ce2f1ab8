/**
 * The effects of the state: all that the page does in the world, but for what it shows.
 *
 * Each function gets the page, and one effect as the state has it. An effect with an event `then`
 * ends with that event, and the `answer` or `error` {code, message, isOffline}.
 */

import { identityLink, masked, randomPad, takeIdentity } from './identity_link.js';
import { languageOf } from './languages.js';
import { Link, Offline } from './link.js';
import { randomText } from './random_text.js';
import { wordsOf } from './state/state.js';
import {
  keepIdentity,
  roomFor,
  saveIdentity,
  saveRoom,
  saveSettings,
  settingsOf,
} from './storage.js';

/** The key of this server in the browser's storage, which each address has for itself. */
export const SERVER = 'here';

const EFFECTS = {
  dispatch: (page, { event }) => page.dispatch(event),
  wait: (page, { ms, event }) => setTimeout(() => page.dispatch(event), ms),

  // The link

  greet: (page, { name, secret }) => greet(page, name, secret),
  command: (page, { message, then }) => answer(page, then, () => page.link.command(message)),
  request: (page, { message, then }) => answer(page, then, () => page.link.request(message)),
  enter: (page, { message, then }) => answer(page, then, () => page.link.enter(message)),
  leave: (page, { then }) => answer(page, then, () => page.link.leave()),
  offer_identity: (page, { place, then }) => answer(page, then, () => offerIdentity(page, place)),
  take_identity: (page, { arrival, then }) =>
    answer(page, then, () => takeIdentity(page.url, arrival)),

  // The browser

  keep_identity: (page, { identity }) => {
    keepIdentity(page.store, SERVER, identity);
    page.dispatch({ type: 'identity_kept', isKept: page.store.isKept });
  },
  save_identity: (page, { identity }) => saveIdentity(page.store, SERVER, identity),
  save_room: (page, { place }) => saveRoom(page.store, SERVER, place),
  load_room: (page, { then }) => page.dispatch({ ...then, place: roomFor(page.store, SERVER) }),
  save_settings: (page, { changes, then }) => {
    saveSettings(page.store, changes);
    const settings = settingsOf(page.store);
    page.dispatch({ ...then, settings, language: languageOf(settings.language) });
  },
  show_address: (_, { room }) =>
    history.replaceState(null, '', room ? `#${encodeURIComponent(room)}` : location.pathname),
  make_token: (page, { then }) => page.dispatch({ ...then, changes: { token: randomText(16) } }),
  clear_field: (page, { name }) => {
    const field = page.root.querySelector(`[name="${name}"]`);
    if (field) field.value = ''; // else it went with what it was for, such as the last empty seat
  },
  copy: (page, { then }) => {
    page.root.querySelector('dialog input').select();
    // `navigator.clipboard` is missing on pages over plain http, which a server on a LAN has.
    if (document.execCommand('copy')) page.dispatch(then);
  },
};

/** Perform an effect. */
export function perform(page, effect) {
  EFFECTS[effect.type](page, effect);
}

async function answer(page, then, ask) {
  const outcome = await ask().then(
    (found) => ({ answer: found }),
    (error) => ({ error: described(error) }),
  );
  page.dispatch({ ...then, ...outcome });
}

function described(error) {
  return { code: error.code, message: error.message, isOffline: error instanceof Offline };
}

/** Connect under a name, in place of the former connection. */
function greet(page, name, secret) {
  page.link?.stop();
  const link = new Link({
    url: page.url,
    name,
    secret,
    said: (message) => wordsOf(page.state).said(message),
    onUpdate: (update) => {
      if (page.link !== link) return; // the last words of a link that was replaced
      const { picture, you, games } = link;
      const seen = { picture, you, games, serverMs: link.serverNow() };
      page.dispatch({ type: 'link', update: { name, ...update }, seen });
    },
  });
  page.link = link;
  link.start();
}

/** Offer the identity to the server; return the link that brings it, and its time. */
async function offerIdentity({ link }, place) {
  const pad = randomPad(link.secret.length);
  const offer = { type: 'offer_identity', masked: masked(link.secret, pad) };
  const { code, expires_ms: expiresMs } = await link.request(offer);
  const made = identityLink(location.origin + location.pathname, { pad, code, place });
  return { link: made, forMs: expiresMs - link.serverNow() };
}
