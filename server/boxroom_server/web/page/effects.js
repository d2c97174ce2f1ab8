/**
 * The effects of the state: all that the page does in the world, but for what it shows.
 *
 * Each function gets the page, and one effect as the state has it. An effect with an event `then`
 * ends with that event, and the `answer` or `error` {code, message, isOffline}.
 *
 * @import { Command, Entry, Request } from './link.js'
 * @import { Arrival, Place } from './identity_link.js'
 * @import { ByType } from './mirror.js'
 * @import { Page } from './page.js'
 * @import { Mistakes } from './puzzles/mistakes.js'
 * @import { Failure, PageEvent } from './state/next.js'
 * @import { Course } from './state/puzzle_events.js'
 * @import { SoundName } from './sounds.js'
 * @import { Identity, KeptRoom, Preferences, Store } from './storage.js'
 * @import { Results } from './suggested_level.js'
 */

/**
 * An event as its effect has it, without what the effect adds.
 *
 * @template {PageEvent['type']} K
 * @template {string} [A='answer' | 'error']
 * @typedef {ByType<PageEvent>[K] extends infer E ? E extends unknown ? Omit<E, A> : never : never}
 *   Then
 */

/**
 * @typedef {{type: 'request', message: Request<'list_rooms'>, then: Then<'rooms_listed'>}
 *   | {type: 'request', message: Request<'watch_rooms'>, then: Then<'list_rooms'>}
 *   | {type: 'request', message: Request<'list_games'>,
 *       then: Then<'games_listed' | 'own_games_listed'>}
 *   | {type: 'request', message: Request<'get_game'>,
 *       then: Then<'game_fetched' | 'own_game_fetched'>}
 *   | {type: 'request', message: Request<'get_review'>,
 *       then: Then<'review_answered' | 'own_game_reviewed'>}
 *   | {type: 'request', message: Request<'judge'>,
 *       then: Then<'judgement_answered' | 'answer_judged'>}
 *   | {type: 'request', message: Request<'get_powers'>, then: Then<'powers_answered'>}
 *   | {type: 'request', message: Request<'look'>, then: Then<'looked'>}
 *   | {type: 'request', message: Request<'get_qr_code'>, then: Then<'qr_code_made'>}
 *   | {type: 'request', message: Request<'get_geometry'>, then: Then<'geometry_answered'>}} Ask
 *
 * @typedef {Then<'answered' | 'once_answered' | 'play_answered' | 'say_answered' | 'sat_as'
 *   | 'configured' | 'prepared'>} ThenOfCommand
 *
 * @typedef {Ask
 *   | {type: 'dispatch', event: PageEvent}
 *   | {type: 'wait', ms: number, event: PageEvent}
 *   | {type: 'greet', name: string, secret: string, kept: ?KeptRoom}
 *   | {type: 'command', message: Command, then: ThenOfCommand}
 *   | {type: 'enter', message: Entry, then: Then<'join_answered' | 'created'>}
 *   | {type: 'leave', then: Then<'answered'>}
 *   | {type: 'rename', name: string, then: Then<'renamed'>}
 *   | {type: 'offer_identity', place: ?Place, then: Then<'identity_offered'>}
 *   | {type: 'take_identity', arrival: Arrival, then: Then<'identity_brought'>}
 *   | {type: 'keep_identity', identity: Identity}
 *   | {type: 'save_identity', identity: Omit<Identity, 'isKept'>}
 *   | {type: 'save_room', place: ?Place}
 *   | {type: 'keep_room', kept: ?KeptRoom}
 *   | {type: 'save_ignored', names: readonly string[]}
 *   | {type: 'load_room', then: Then<'come_back', 'place'>}
 *   | {type: 'save_settings', changes: Partial<Preferences>,
 *       then: Then<'settings_saved', 'settings' | 'language'>}
 *   | {type: 'save_results', results: Results}
 *   | {type: 'show_newest'}
 *   | {type: 'load_puzzles', then: Then<'puzzles_loaded'>}
 *   | {type: 'save_progress', course: Course, isRight: boolean}
 *   | {type: 'save_mistakes', mistakes: Mistakes}
 *   | {type: 'vibrate'}
 *   | {type: 'sound', name: SoundName}
 *   | {type: 'call', text: string}
 *   | {type: 'ask_for_notices'}
 *   | {type: 'make_token', then: Then<'fill_in', 'changes'>}
 *   | {type: 'clear_field', name: string}
 *   | {type: 'see_game', link: string, then: Then<'game_seen'>}
 *   | {type: 'share_picture', title: string, link: string}
 *   | {type: 'look_around', then: Then<'boards_in_sight', 'names'>}
 *   | {type: 'copy', then: Then<'copied'>}
 *   | {type: 'share', text: string, then: Then<'copied'>}} Effect
 */

import { h, make } from './dom.js';
import { identityLink, masked, randomPad, takeIdentity } from './identity_link.js';
import { seeGame } from './before_hello.js';
import { sharePicture } from './board/board_image.js';
import { languageOf } from './languages.js';
import { Link } from './link.js';
import { Offline } from './link_errors.js';
import { loadPuzzles } from './puzzles/file.js';
import { randomText } from './random_text.js';
import { progressAfter } from './state/puzzle_events.js';
import { wordsOf } from './state/state.js';
import {
  changeProgress,
  keepIdentity,
  keepRoom,
  roomFor,
  saveIdentity,
  saveIgnored,
  saveMistakes,
  saveResults,
  saveRoom,
  saveSettings,
  settingsOf,
} from './storage.js';

/** The key of this server in the browser's storage, which each address has for itself. */
export const SERVER = 'here';

/** @type {{[K in Effect['type']]: (page: Page, effect: ByType<Effect>[K]) => unknown}} */
const EFFECTS = {
  dispatch: (page, { event }) => page.dispatch(event),
  wait: (page, { ms, event }) => setTimeout(() => page.dispatch(event), ms),

  // The link

  greet: (page, { type, ...start }) => sayHello(page, start),
  command: (page, { message, then }) => askServer(page, then, (link) => link.command(message)),
  request: (page, { message, then }) => askServer(page, then, (link) => link.request(message)),
  enter: (page, { message, then }) => askServer(page, then, (link) => link.enter(message)),
  leave: (page, { then }) => askServer(page, then, (link) => link.leave()),
  rename: (page, { name, then }) => askServer(page, then, (link) => link.rename(name)),
  offer_identity: (page, { place, then }) =>
    askServer(page, then, (link) => offerIdentity(link, place, page.state.address)),
  take_identity: (page, { arrival, then }) =>
    answer(page, then, () => takeIdentity(page.url, arrival, wordsOf(page.state).said)),

  see_game: (page, { link, then }) =>
    answer(page, then, () => seeGame(page.url, link, wordsOf(page.state).said)),

  // The browser

  keep_identity: (page, { identity }) => {
    keepIdentity(page.store, SERVER, identity);
    page.dispatch({ type: 'identity_kept', isKept: page.store.isKept });
  },
  save_identity: (page, { identity }) => saveIdentity(page.store, SERVER, identity),
  save_room: (page, { place }) => saveRoom(page.store, SERVER, place),
  keep_room: (page, { kept }) => keepRoom(page.tab, kept),
  save_ignored: (page, { names }) => saveIgnored(page.store, SERVER, names),
  load_room: (page, { then }) => page.dispatch({ ...then, place: roomFor(page.store, SERVER) }),
  save_settings: (page, { changes, then }) => {
    saveSettings(page.store, changes);
    const settings = settingsOf(page.store);
    page.dispatch({ ...then, settings, language: languageOf(settings.language) });
  },
  save_results: (page, { results }) => saveResults(page.store, results),
  show_newest: (page) => {
    const journal = page.root.querySelector('.journal');
    journal?.scrollTo(0, journal.scrollHeight);
  },
  share_picture: (page, { title, link }) => sharePicture(page.root, title, link),
  load_puzzles: (page, { then }) =>
    answer(page, then, () => loadPuzzles(page.store)),
  save_progress: (page, { course, isRight }) =>
    changeProgress(page.store, (progress) => progressAfter({ ...course, progress }, isRight)),
  save_mistakes: (page, { mistakes }) => saveMistakes(page.store, SERVER, mistakes),
  vibrate: () => navigator.vibrate?.([200, 100, 200]),
  sound: (page, { name }) => page.sounds.play(name),
  call: (_, { text }) => {
    navigator.vibrate?.(60);
    if (document.hidden) notify(text);
  },
  // Only in secure contexts; elsewhere the title of the page calls.
  ask_for_notices: () => globalThis.Notification?.requestPermission(),
  make_token: (page, { then }) => page.dispatch({ ...then, changes: { token: randomText(16) } }),
  clear_field: (page, { name }) => {
    const field = page.root.querySelector(`[name="${name}"]`);
    // Else it went with what it was for, such as the last empty seat.
    if (field instanceof HTMLInputElement) field.value = '';
  },
  look_around: (page, { then }) =>
    page.dispatch({ ...then, names: page.smallBoards.inSight(page.root) }),
  copy: (page, { then }) => {
    const { root } = page;
    const field = root.querySelector('dialog input') ?? root.querySelector('.invitation input');
    if (field instanceof HTMLInputElement) field.select();
    // `navigator.clipboard` is missing on pages over plain http, which a server on a LAN has.
    if (document.execCommand('copy')) page.dispatch(then);
  },
  share: (page, { text, then }) => {
    const dropped = () => {}; // the person has changed their mind
    if ('share' in navigator) return navigator.share({ text }).catch(dropped);
    const field = make(h('textarea.unseen', { readonly: true }, text));
    page.root.append(field);
    field.select();
    if (document.execCommand('copy')) page.dispatch(then);
    return field.remove();
  },
};

/**
 * Perform an effect of a type.
 *
 * @template {Effect['type']} K
 * @param {Page} page
 * @param {K} type
 * @param {ByType<Effect>[K]} effect
 */
export function perform(page, type, effect) {
  EFFECTS[type](page, effect);
}

/**
 * Show a text outside of the page, where the person has allowed that.
 *
 * @type {(text: string) => void}
 */
function notify(text) {
  if (globalThis.Notification?.permission !== 'granted') return;
  try {
    new Notification(text, { tag: 'turn' });
  } catch {
    // Chrome on Android lets only service workers notify.
  }
}

/** @type {(page: Page, then: object, run: (link: Link) => Promise<unknown>) => Promise<void>} */
function askServer(page, then, run) {
  const { link } = page;
  return answer(page, then, () => (link ? run(link) : Promise.reject(new Offline())));
}

/**
 * Dispatch the event `then` with what comes of `run`.
 *
 * @param {Page} page
 * @param {object} then
 * @param {() => Promise<unknown>} run
 */
async function answer(page, then, run) {
  const outcome = await run().then(
    (found) => ({ answer: found }),
    (error) => ({ error: described(error) }),
  );
  // `Effect` says which answer an event gets, and so that this is one.
  page.dispatch(/** @type {PageEvent} */ ({ ...then, ...outcome }));
}

/** @type {(error: Error & {code?: string}) => Failure} */
function described(error) {
  return { code: error.code, message: error.message, isOffline: error instanceof Offline };
}

/**
 * Connect under a name, in place of the former connection.
 *
 * @type {(page: Page, start: {name: string, secret: string, kept: ?KeptRoom}) => void}
 */
function sayHello(page, { name, secret, kept }) {
  page.link?.stop();
  const link = new Link({
    url: page.url,
    name,
    secret,
    kept,
    said: (message) => wordsOf(page.state).said(message),
    onUpdate: (update) => {
      if (page.link !== link) return; // the last words of a link that was replaced
      const { picture, you, games } = link;
      const seen = { picture, you, games, serverMs: link.serverNow() };
      page.dispatch({ type: 'link', update: { name, ...update }, seen });
    },
  });
  page.link = link;
  // Behind the effects beside this one, of which one may ask for a room: both go in one message.
  queueMicrotask(() => page.link === link && link.start());
}

/**
 * Offer the identity to the server; return the link that brings it, and its time.
 *
 * @type {(link: Link, place: ?Place, address: string) => Promise<{link: string, forMs: number}>}
 */
async function offerIdentity(link, place, address) {
  const pad = randomPad(link.secret.length);
  /** @type {Request<'offer_identity'>} */
  const offer = { type: 'offer_identity', masked: masked(link.secret, pad) };
  const { code, expires_ms: expiresMs } = await link.request(offer);
  const made = identityLink(address, { pad, code, place });
  return { link: made, forMs: expiresMs - link.serverNow() };
}
