/**
 * The things that the page keeps in the browser: who the person is on each server, the room to come
 * back to after a reload, and settings. Never a password.
 */
import { BEGINNER } from './puzzles/progress.js';
import { randomText } from './random_text.js';

/**
 * @import { Place } from './identity_link.js'
 * @import { Picture } from './mirror.js'
 * @import { GameOffered } from './protocol.js'
 * @import { Mistake, Mistakes } from './puzzles/mistakes.js'
 * @import { Progress } from './puzzles/progress.js'
 * @import { State } from './state/state.js'
 * @import { Result, Results } from './suggested_level.js'
 *
 * @typedef {{picture: Picture, you: string, games: GameOffered[], serverMs: number,
 *   geometry: State['geometry']}} KeptRoom a room as a tab showed it when it was hidden
 *
 * @typedef {{ignored: string[], results: Results, mistakes: Mistakes}} KeptTogether
 * @typedef {{name: ?string, secret: string, isKept: boolean}} Identity
 * @typedef {{theme: string, language: ?string, confirms: boolean,
 *   moves: boolean, sounds: boolean, size: number, beside: string}} Preferences
 */

const PREFIX = 'boxroom.';
const SECRET_BYTES = 32;
/**
 * `confirms`: whether the page asks before each move; `moves`: whether the chat shows them;
 * `sounds`: whether the page may be heard, vibrate and notify; `size`: boxes in a row of the next
 * game; `beside`: the player who was last at this device, too.
 *
 * @type {Preferences}
 */
const DEFAULTS = {
  theme: 'auto',
  language: null,
  confirms: false,
  moves: false,
  sounds: false,
  size: 5,
  beside: '',
};

/**
 * A place for values by key, which survive a reload if the browser allows that.
 *
 * Browsers refuse in private windows, when they are full, or because the person wants it. Such
 * values are kept until the page is closed.
 */
export class Store {
  #getStorage;
  /**
   * The values that the browser didn't take, as JSON.
   *
   * @type {Map<string, string>}
   */
  #unkept = new Map();

  /**
   * `getStorage` returns something like `localStorage`; in some browsers that alone throws.
   *
   * @param {() => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>} getStorage
   */
  constructor(getStorage = () => globalThis.localStorage) {
    this.#getStorage = getStorage;
  }

  /** Whether the browser has taken everything so far. */
  get isKept() {
    return this.#unkept.size === 0;
  }

  /**
   * Return the value of `key`; null if it has none, or one that can't be read.
   *
   * @type {(key: string) => unknown}
   */
  read(key) {
    try {
      const text = this.#unkept.get(key) ?? this.#getStorage().getItem(PREFIX + key);
      return JSON.parse(text ?? 'null');
    } catch {
      return null;
    }
  }

  /**
   * Keep `value`, which JSON can express, as that of `key`; null removes it.
   *
   * @type {(key: string, value: unknown) => void}
   */
  write(key, value) {
    const text = JSON.stringify(value);
    try {
      if (value === null) {
        this.#getStorage().removeItem(PREFIX + key);
      } else {
        this.#getStorage().setItem(PREFIX + key, text);
      }
      this.#unkept.delete(key);
    } catch {
      this.#unkept.set(key, text);
    }
  }
}

/**
 * Return {name, secret, isKept} for a server; `name` is null before the person has chosen one.
 *
 * The secret is made once for each server. If `isKept` is false it is lost with the page, and with
 * it the name.
 *
 * @type {(store: Store, serverKey: string, makeSecret?: () => string) => Identity}
 */
export function identityFor(store, serverKey, makeSecret = () => randomText(SECRET_BYTES)) {
  const { name, secret } = object(store.read(`identity.${serverKey}`));
  if (typeof secret === 'string' && secret.length >= 16) {
    return { name: typeof name === 'string' ? name : null, secret, isKept: store.isKept };
  }
  const fresh = { name: null, secret: makeSecret() };
  saveIdentity(store, serverKey, fresh);
  return { ...fresh, isKept: store.isKept };
}

/**
 * Keep a name and a secret for a server: those that it knows together.
 *
 * @type {(store: Store, serverKey: string, identity: Omit<Identity, 'isKept'>) => void}
 */
export function saveIdentity(store, serverKey, { name, secret }) {
  store.write(`identity.${serverKey}`, { name, secret });
}

/**
 * Keep the identity by which a server has greeted the page, unless another tab keeps another.
 *
 * Another secret without a name is that of a tab which began at the same time.
 *
 * @type {(store: Store, serverKey: string, identity: Omit<Identity, 'isKept'>) => void}
 */
export function keepIdentity(store, serverKey, { name, secret }) {
  const kept = object(store.read(`identity.${serverKey}`));
  if (kept.secret === secret || !kept.name) saveIdentity(store, serverKey, { name, secret });
}

/**
 * Return {room, watch} for the room that the person was in; null if in none.
 *
 * @type {(store: Store, serverKey: string) => ?Place}
 */
export function roomFor(store, serverKey) {
  const { room, watch = false } = object(store.read(`room.${serverKey}`));
  return typeof room === 'string' ? { room, watch: watch === true } : null;
}

/**
 * Keep the room that the person is in, or null.
 *
 * @type {(store: Store, serverKey: string, place: ?Place) => void}
 */
export function saveRoom(store, serverKey, place) {
  store.write(`room.${serverKey}`, place && { room: place.room, watch: place.watch === true });
}

/**
 * Return the room that a tab showed before its page was loaded again; null for none, or where that
 * was another version of the page. It is forgotten with that: a page that fails because of it
 * doesn't do so again.
 *
 * @type {(tab: Store, version?: string) => ?KeptRoom}
 */
export function takeKeptRoom(tab, version = import.meta.url) {
  const { version: writer, kept } = object(tab.read('kept'));
  tab.write('kept', null);
  return writer === version ? /** @type {KeptRoom} */ (kept) : null;
}

/**
 * Keep the room that a tab shows, or null, until it is closed.
 *
 * @type {(tab: Store, kept: ?KeptRoom, version?: string) => void}
 */
export function keepRoom(tab, kept, version = import.meta.url) {
  tab.write('kept', kept && { version, kept });
}

/**
 * Return the names of the people on a server whose messages the person doesn't want to see.
 *
 * @type {(store: Store, serverKey: string) => string[]}
 */
export function ignoredOn(store, serverKey) {
  const names = store.read(`ignored.${serverKey}`);
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/**
 * Keep these names.
 *
 * @type {(store: Store, serverKey: string, names: readonly string[]) => void}
 */
export function saveIgnored(store, serverKey, names) {
  store.write(`ignored.${serverKey}`, names.length ? names : null);
}

/**
 * Return what was chosen, and else the defaults.
 *
 * @type {(store: Store) => Preferences}
 */
export function settingsOf(store) {
  return { ...DEFAULTS, ...object(store.read('settings')) };
}

/**
 * Keep the settings in `changes`, and leave the others as they are.
 *
 * @type {(store: Store, changes: Partial<Preferences>) => void}
 */
export function saveSettings(store, changes) {
  store.write('settings', { ...settingsOf(store), ...changes });
}

/**
 * Return the last results against levels by the names of games.
 *
 * @type {(store: Store) => Results}
 */
export function resultsIn(store) {
  const kept = Object.entries(object(store.read('results')));
  return Object.fromEntries(kept.map(([game, last]) => [game, array(last).filter(isResult)]));
}

/**
 * Keep the last results against levels.
 *
 * @type {(store: Store, results: Results) => void}
 */
export function saveResults(store, results) {
  store.write('results', results);
}

/**
 * Return the progress with puzzles and lessons.
 *
 * @type {(store: Store) => Progress}
 */
export function keptProgress(store) {
  const kept = object(store.read('puzzles'));
  const { rating, day, series, lastWholeDay } = { ...BEGINNER, ...kept };
  return {
    rating: typeof rating === 'number' ? rating : BEGINNER.rating,
    puzzles: Object.fromEntries(Object.entries(object(kept.puzzles)).filter(isRating)),
    day: String(day),
    solved: array(kept.solved).map(String),
    series: Number(series) || 0,
    lastWholeDay: String(lastWholeDay),
    lessons: array(kept.lessons).map(String),
  };
}

/** @type {(entry: [string, unknown]) => entry is [string, number]} */
function isRating([, rating]) {
  return typeof rating === 'number';
}

/**
 * Change the progress that is kept, to which another tab may have added meanwhile.
 *
 * @type {(store: Store, change: (progress: Progress) => Progress) => void}
 */
export function changeProgress(store, change) {
  store.write('puzzles', change(keptProgress(store)));
}

/**
 * Return the mistakes in games on a server, as far as they were found.
 *
 * @type {(store: Store, serverKey: string) => Mistakes}
 */
export function keptMistakes(store, serverKey) {
  const { name, games } = object(store.read(`mistakes.${serverKey}`));
  const kept = Object.fromEntries(Object.entries(object(games)).filter(isReviewed));
  const wanted = Object.keys(kept).map(Number).reverse();
  return { name: String(name), games: kept, wanted, isSeeking: false };
}

/** @type {(entry: [string, unknown]) => entry is [string, Mistakes['games'][number]]} */
function isReviewed([, found]) {
  return found === null || (Array.isArray(found) && found.every(isMistake));
}

/** @type {(value: unknown) => value is Mistake} */
function isMistake(value) {
  const { rows, cols, drawn, free, boxes, seat, game, number, lost, theme } = object(value);
  return (
    typeof theme === 'string' &&
    [rows, cols, seat, game, number, lost].every(Number.isFinite) &&
    [drawn, free, boxes, ...array(boxes)].every(Array.isArray)
  );
}

/**
 * Keep the mistakes in the games that are wanted, with those that another tab has found meanwhile.
 *
 * @type {(store: Store, serverKey: string, mistakes: Mistakes) => void}
 */
export function saveMistakes(store, serverKey, { name, games, wanted }) {
  const kept = keptMistakes(store, serverKey);
  const all = { ...(kept.name === name && kept.games), ...games };
  const found = wanted.filter((game) => game in all).map((game) => [game, all[game]]);
  store.write(`mistakes.${serverKey}`, { name, games: Object.fromEntries(found) });
}

/**
 * Return what all tabs keep of a person together, but for the progress.
 *
 * @type {(store: Store, serverKey: string) => KeptTogether}
 */
export function keptTogether(store, serverKey) {
  return {
    ignored: ignoredOn(store, serverKey),
    results: resultsIn(store),
    mistakes: keptMistakes(store, serverKey),
  };
}

/** @type {(value: unknown) => value is Result} */
function isResult(value) {
  const [level, points] = array(value);
  return typeof level === 'string' && typeof points === 'number';
}

/** @type {(value: unknown) => unknown[]} */
function array(value) {
  return Array.isArray(value) ? value : [];
}

/** @type {(value: unknown) => Record<string, unknown>} */
function object(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
