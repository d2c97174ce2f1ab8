/**
 * The state after an event: a pure function, and all that changes the page.
 *
 * Events are plain objects with a `type`: what the link reports, what a person does, an answer of
 * the server, the end of a time. What has to be done in the world stands in the `effects` of the
 * state, which `effects.js` performs; what comes of that is another event.
 *
 * @import { ByType } from '../mirror.js'
 * @import { LinkEvent } from './link_events.js'
 * @import { LobbyEvent } from './lobby_events.js'
 * @import { MistakeEvent } from './mistake_events.js'
 * @import { PuzzleEvent } from './puzzle_events.js'
 * @import { RoomEvent } from './room_events.js'
 * @import { State } from './state.js'
 * @import { WayInEvent } from './way_in.js'
 *
 * @typedef {LinkEvent | LobbyEvent | MistakeEvent | PuzzleEvent | RoomEvent | WayInEvent} PageEvent
 * @typedef {{code?: string, message: string, isOffline?: boolean}} Failure
 */

/**
 * The end of an event that answers an effect.
 *
 * @template [T=unknown]
 * @typedef {{answer: T, error?: undefined} | {answer?: undefined, error: Failure}} Outcome
 */

/**
 * The functions that return the state after the events of a union.
 *
 * @template {{type: string}} E
 * @typedef {{[K in E['type']]: (state: State, event: ByType<E>[K]) => State}} Handlers
 */

import { kindOf, needsGeometry } from '../board/moves.js';

import { LINK_EVENTS } from './link_events.js';
import { LOBBY_EVENTS } from './lobby_events.js';
import { MISTAKE_EVENTS } from './mistake_events.js';
import { PUZZLE_EVENTS } from './puzzle_events.js';
import { ROOM_EVENTS } from './room_events.js';
import { canMove, isInviting, linkTo, shownPicture, withEffect } from './state.js';
import { WAY_IN_EVENTS } from './way_in.js';

/** @type {Handlers<PageEvent>} */
const EVENTS = {
  ...LINK_EVENTS,
  ...LOBBY_EVENTS,
  ...MISTAKE_EVENTS,
  ...PUZZLE_EVENTS,
  ...ROOM_EVENTS,
  ...WAY_IN_EVENTS,
};

/** @type {(state: State, event: PageEvent) => State} */
export function next(state, event) {
  if (!Object.hasOwn(EVENTS, event.type)) throw new Error(`there is no event ${event.type}`);
  const after = withQrCode(
    withGeometry(handled({ ...state, effects: [] }, event.type, event)),
  );
  return after.isMagnified && !canMove(after) ? { ...after, isMagnified: false } : after;
}

/**
 * Ask the server for the QR code of the invitation that is shown, unless that was done.
 *
 * @type {(state: State) => State}
 */
function withQrCode(state) {
  const { picture } = state;
  if (picture === null || !state.isOnline || !isInviting(state)) return state;
  const text = linkTo(state, picture.room);
  if (state.qrCode?.text === text) return state;
  return withEffect(
    { ...state, qrCode: { text, rows: [] } },
    {
      type: 'request',
      message: { type: 'get_qr_code', text },
      then: { type: 'qr_code_made', text },
    },
  );
}

/**
 * @template {PageEvent['type']} K
 * @param {State} state
 * @param {K} type
 * @param {ByType<PageEvent>[K]} event
 */
function handled(state, type, event) {
  return EVENTS[type](state, event);
}

/**
 * Ask the server for the geometry of the game on the board, where the page doesn't know it.
 *
 * @type {(state: State) => State}
 */
function withGeometry(state) {
  const picture = shownPicture(state);
  if (picture === null || picture.phase === 'waiting' || !state.isOnline) return state;
  const { settings } = picture;
  const kind = kindOf(settings);
  if (!needsGeometry(settings) || state.geometry?.kind === kind) return state;
  const { game, options, seats } = settings;
  const asked = { ...state, geometry: { kind, value: null, problem: '' } };
  return withEffect(asked, {
    type: 'request',
    message: { type: 'get_geometry', game, options, seats },
    then: { type: 'geometry_answered', kind },
  });
}
