/**
 * The state after an event: a pure function, and all that changes the page.
 *
 * Events are plain objects with a `type`: what the link reports, what a person does, an answer of
 * the server, the end of a time. What has to be done in the world stands in the `effects` of the
 * state, which `effects.js` performs; what comes of that is another event.
 */

import { kindOf, needsGeometry } from '../board/moves.js';
import { request } from './changes.js';
import { LINK_EVENTS } from './link_events.js';
import { LOBBY_EVENTS } from './lobby_events.js';
import { ROOM_EVENTS } from './room_events.js';
import { shownPicture } from './state.js';

const EVENTS = { ...LINK_EVENTS, ...LOBBY_EVENTS, ...ROOM_EVENTS };

/**
 * @param {import('./state.js').State} state
 * @param {{type: string}} event
 * @returns {import('./state.js').State}
 */
export function next(state, event) {
  if (!Object.hasOwn(EVENTS, event.type)) throw new Error(`there is no event ${event.type}`);
  return withGeometry(EVENTS[event.type]({ ...state, effects: [] }, event));
}

/** Ask the server for the geometry of the game on the board, where the page doesn't know it. */
function withGeometry(state) {
  const picture = shownPicture(state);
  if (picture === null || picture.phase === 'waiting' || !state.isOnline) return state;
  const { settings } = picture;
  const kind = kindOf(settings);
  if (!needsGeometry(settings) || state.geometry?.kind === kind) return state;
  const { game, options, seats } = settings;
  const message = { type: 'get_geometry', game, options, seats };
  const asked = { ...state, geometry: { kind, value: null, problem: '' } };
  return request(asked, message, { type: 'geometry_answered', kind });
}
