/**
 * The things that the page keeps in the browser: who the person is on each server, the room to come
 * back to after a reload, and settings. Never a password.
 */
import { randomText } from './random_text.js';

const PREFIX = 'boxroom.';
const SECRET_BYTES = 32;
/** `confirms`: whether the page asks before each move. */
const SETTINGS = { theme: 'auto', language: null, confirms: false };

/**
 * A place for values by key, which survive a reload if the browser allows that.
 *
 * Browsers refuse in private windows, when they are full, or because the person wants it. Such
 * values are kept until the page is closed.
 */
export class Store {
  #getStorage;
  /** The values that the browser didn't take, as JSON. */
  #unkept = new Map();

  /** `getStorage` returns something like `localStorage`; in some browsers that alone throws. */
  constructor(getStorage = () => globalThis.localStorage) {
    this.#getStorage = getStorage;
  }

  /** Whether the browser has taken everything so far. */
  get isKept() {
    return this.#unkept.size === 0;
  }

  /** Return the value of `key`; null if it has none, or one that can't be read. */
  read(key) {
    try {
      return JSON.parse(this.#unkept.get(key) ?? this.#getStorage().getItem(PREFIX + key));
    } catch {
      return null;
    }
  }

  /** Keep `value`, which JSON can express, as that of `key`; null removes it. */
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
 */
export function identityFor(store, serverKey, makeSecret = () => randomText(SECRET_BYTES)) {
  let { name = null, secret = null } = object(store.read(`identity.${serverKey}`));
  if (typeof secret !== 'string' || secret.length < 16) {
    [name, secret] = [null, makeSecret()];
    saveIdentity(store, serverKey, { name, secret });
  }
  return { name: typeof name === 'string' ? name : null, secret, isKept: store.isKept };
}

/** Keep a name and a secret for a server: those that it knows together. */
export function saveIdentity(store, serverKey, { name, secret }) {
  store.write(`identity.${serverKey}`, { name, secret });
}

/**
 * Keep the identity by which a server has greeted the page, unless another tab keeps another.
 *
 * Another secret without a name is that of a tab which began at the same time.
 */
export function keepIdentity(store, serverKey, { name, secret }) {
  const kept = object(store.read(`identity.${serverKey}`));
  if (kept.secret === secret || !kept.name) saveIdentity(store, serverKey, { name, secret });
}

/** Return {room, watch} for the room that the person was in; null if in none. */
export function roomFor(store, serverKey) {
  const { room, watch = false } = object(store.read(`room.${serverKey}`));
  return typeof room === 'string' ? { room, watch: watch === true } : null;
}

/** Keep the room that the person is in, or null. */
export function saveRoom(store, serverKey, place) {
  store.write(`room.${serverKey}`, place && { room: place.room, watch: place.watch === true });
}

/** Return {theme, language, confirms}. */
export function settingsOf(store) {
  return { ...SETTINGS, ...object(store.read('settings')) };
}

/** Keep the settings in `changes`, and leave the others as they are. */
export function saveSettings(store, changes) {
  store.write('settings', { ...settingsOf(store), ...changes });
}

function object(value) {
  return typeof value === 'object' && value !== null ? value : {};
}
