/**
 * Links by which a person comes to another device. No DOM here.
 *
 * The secret gets there in two parts: the server has it masked by a pad, which only the link has.
 * docs/reference/protocol.md, "Another device", has the form of both.
 *
 * @import { OfferedIdentity, Refused } from './protocol.js'
 * @import { Translate } from './words.js'
 *
 * @typedef {{room: string, watch: boolean}} Place a room, and whether the person watches
 * @typedef {{pad: string, code: ?string, place: ?Place}} Arrival of an identity,
 *   without `code` if the link is damaged, or the server has forgotten it
 */
import { askBeforeHello } from './before_hello.js';
import { Refusal } from './link_errors.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';
const MASKABLE = /^[\w-]{16,200}$/;
const WHOLE = /^([\w-]{16,200})\.([0-9a-f]{32})$/;
const KEY = 'identity=';
/** Most characters of a room's code; see docs/reference/protocol.md. */
const MOST_ROOM = 100;

/**
 * Return a random pad for a secret of that length.
 *
 * @type {(length: number) => string}
 */
export function randomPad(length) {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/**
 * Return a secret masked by a pad, or a masked one unmasked.
 *
 * @throws {RangeError} the two don't belong together
 * @param {string} text
 * @param {string} pad
 */
export function masked(text, pad) {
  if (!MASKABLE.test(text) || !MASKABLE.test(pad) || text.length !== pad.length) {
    throw new RangeError('a secret and a pad of the same length are needed');
  }
  /** @type {(character: string) => number} */
  const number = (character) => ALPHABET.indexOf(character);
  return Array.from(text, (each, i) => ALPHABET[number(each) ^ number(pad[i])]).join('');
}

/**
 * Return the link that brings an identity to another device; `place` is a room or null.
 *
 * @type {(page: string, parts: {pad: string, code: string, place: ?Place}) => string}
 */
export function identityLink(page, { pad, code, place }) {
  const parts = new URLSearchParams({ identity: `${pad}.${code}` });
  if (place) parts.set('room', place.room);
  if (place?.watch) parts.set('watch', '1');
  return `${page}#${parts}`;
}

/**
 * Return {room, arrival} for a link's fragment.
 *
 * `room` is the code of a room, or null. `arrival` is null unless the link brings an identity:
 * {pad, code, place}, without `code` if the link is damaged.
 *
 * @type {(hash: string) => {room: ?string, arrival: ?Arrival}}
 */
export function readFragment(hash) {
  const fragment = hash.slice(1);
  if (!fragment.startsWith(KEY)) {
    return { room: decoded(fragment), arrival: null };
  }
  const parts = new URLSearchParams(fragment);
  const [, pad = '', code = null] = WHOLE.exec(parts.get('identity') ?? '') ?? [];
  const room = parts.get('room');
  const place = room && isRoomCode(room) ? { room, watch: parts.has('watch') } : null;
  return { room: null, arrival: { pad, code, place } };
}

/**
 * Return whether a text can be the code of a room.
 *
 * @type {(text: string) => boolean}
 */
export function isRoomCode(text) {
  return [...text].length <= MOST_ROOM;
}

/** @type {(fragment: string) => ?string} */
function decoded(fragment) {
  try {
    return decodeURIComponent(fragment) || null;
  } catch {
    return null; // it is no UTF-8
  }
}

/**
 * Take the identity of a link from the server, which forgets it; return {name, secret}.
 *
 * @throws {Refusal} the server has none under that code
 * @throws {Offline} there is no connection: try again
 * @throws {RangeError} the server has another one than that of the link
 * @param {string} url
 * @param {Pick<Arrival, 'pad' | 'code'>} arrival
 * @param {Translate['said']} said the words of a refusal
 * @param {typeof globalThis.WebSocket} WebSocket
 * @returns {Promise<{name: string, secret: string}>}
 */
export async function takeIdentity(url, { pad, code }, said, WebSocket = globalThis.WebSocket) {
  /** @type {OfferedIdentity | Refused} */
  const answer = await askBeforeHello(url, { type: 'take_identity', code }, WebSocket);
  return identityIn(answer, pad, said);
}

/**
 * @param {OfferedIdentity | Refused} answer
 * @param {string} pad
 * @param {Translate['said']} said
 */
function identityIn(answer, pad, said) {
  if (answer.type !== 'identity') {
    throw new Refusal({ code: answer.code, message: said(answer) });
  }
  return { name: answer.name, secret: masked(answer.masked, pad) };
}
