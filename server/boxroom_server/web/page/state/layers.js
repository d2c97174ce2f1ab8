/**
 * The views that lie over the lobby, which Back in the browser closes one by one.
 *
 * @import { PageEvent } from './next.js'
 * @import { State } from './state.js'
 */

import { toGame } from '../addresses.js';

/**
 * Return for each view over the lobby the event that closes it, the uppermost last.
 *
 * @type {(state: State) => PageEvent[]}
 */
export function layersOf(state) {
  const { picture, ended, isMagnified, finished, course, passwordFor, form, dialog } = state;
  /** @type {PageEvent[]} */
  const layers = [];
  if (course !== null) layers.push({ type: 'close_puzzles' });
  if (picture !== null && ended === null) layers.push({ type: 'leave' });
  if (isMagnified) layers.push({ type: 'magnify', on: false });
  if (finished !== null) layers.push({ type: 'close_game' });
  if (passwordFor !== null) layers.push({ type: 'no_password' });
  if (form !== null) layers.push({ type: 'close_form' });
  if (dialog !== null) layers.push({ type: 'close_dialog' });
  return layers;
}

/**
 * Whether it is open which view comes next, as the server hasn't answered.
 *
 * @type {(state: State) => boolean}
 */
export function isOnItsWay({ arrival, isLinked, isEntering, you, problem, ended }) {
  if (arrival !== null) return false;
  return isEntering || (isLinked && you === null && problem === null && ended === null);
}

/**
 * Return the part behind the page's address from which it comes back to the room or finished game.
 *
 * @type {(state: State) => string}
 */
export function addressOf({ picture, passwordFor, roomFromLink, finished, gameFromLink }) {
  const room = picture?.room ?? passwordFor?.room ?? roomFromLink;
  const link = (picture === null && finished?.link) || gameFromLink;
  if (link) return toGame(link);
  return room === null ? '' : `#${encodeURIComponent(room)}`;
}
