/** States of the page for tests, and the looks of its views. */
import { readFileSync } from 'node:fs';

import { pictureFrom } from '../../../server/boxroom_server/web/page/mirror.js';
import { next } from '../../../server/boxroom_server/web/page/state/next.js';
import { initialState } from '../../../server/boxroom_server/web/page/state/state.js';
import { translator } from '../../../server/boxroom_server/web/page/words.js';
import { attic } from './scripted.js';

const TABLE = new URL('../../../common/boxroom_common/phrases/en.json', import.meta.url);
const phrases = { en: JSON.parse(readFileSync(TABLE, 'utf8')) };

export const t = translator(phrases);

/** The state of a browser before its first event. */
export function fresh(fields = {}) {
  return initialState({
    identity: { name: null, secret: 'a long random secret', isKept: true },
    guestName: 'Kiro 12',
    ignored: [],
    settings: { theme: 'auto', language: null, confirms: false, size: 5 },
    results: {},
    language: 'en',
    phrases,
    prefersDark: false,
    prefersContrast: false,
    prefersStill: false,
    address: 'http://test/',
    kept: null,
    ...fields,
  });
}

/** The state after events, one after the other. */
export function after(state, ...events) {
  return events.reduce(next, state);
}

/** The event of an update of the link, which has `picture` by then. */
export function update(kind, picture, fields = {}, you = 'Ada') {
  const seen = { picture, you, games: [], serverMs: 1_000_000 };
  return { type: 'link', update: { kind, ...fields }, seen };
}

/** Ada's state in a running game with Bob, in which she is to move. */
export function inGame(room = {}) {
  const picture = pictureFrom(attic(room));
  return after(
    fresh({ identity: { name: 'Ada', secret: 'a long random secret', isKept: true } }),
    { type: 'start' },
    update('welcome', null, { name: 'Ada' }),
    update('online', null),
    update('entered', picture, { fresh: true, isBack: false }),
  );
}

/** Return the kinds of the effects, for commands and requests those of their messages. */
export function effectsOf(state) {
  return state.effects.map(({ type, message }) => message?.type ?? type);
}

/** Return all descriptions in a view that `isWanted`. */
export function found(view, isWanted) {
  if (view === null || typeof view !== 'object') return [];
  const children = (Array.isArray(view) ? view : view.children).flatMap((child) =>
    found(child, isWanted),
  );
  return !Array.isArray(view) && isWanted(view) ? [view, ...children] : children;
}

/** Return the text of a view. */
export function textOf(view) {
  if (view === null || view === undefined) return '';
  if (typeof view !== 'object') return String(view);
  return (Array.isArray(view) ? view : view.children).map(textOf).join('');
}

/** Return the event of the button with this text or name. */
export function eventOf(view, name) {
  const [button] = found(
    view,
    ({ tag, properties, children }) =>
      tag === 'button' && (properties['aria-label'] ?? textOf(children)) === name,
  );
  return button?.properties.onclick;
}
