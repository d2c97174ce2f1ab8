/**
 * Requests for which nobody gives a name: each has a connection of its own.
 *
 * @import { GameRecord, OfferedIdentity, Refused } from './protocol.js'
 * @import { Translate } from './words.js'
 *
 * @typedef {{type: 'take_identity', code: ?string} | {type: 'see_game', link: string}} Asked
 */

import { Offline, Refusal } from './link_errors.js';

/**
 * Return the answer to a request before the hello.
 *
 * @throws {Offline} there is no connection: try again
 * @template {OfferedIdentity | GameRecord} A
 * @param {string} url
 * @param {Asked} asked
 * @param {typeof globalThis.WebSocket} WebSocket
 * @returns {Promise<A | Refused>}
 */
export function askBeforeHello(url, asked, WebSocket = globalThis.WebSocket) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.onopen = () => socket.send(JSON.stringify(asked));
    socket.onclose = () => reject(new Offline());
    socket.onmessage = ({ data }) => {
      try {
        resolve(JSON.parse(data));
      } catch (error) {
        reject(error);
      }
      socket.close();
    };
  });
}

/**
 * Return the finished game with a link.
 *
 * @throws {Refusal} the server has none with that link
 * @throws {Offline} there is no connection: try again
 * @type {(url: string, link: string, said: Translate['said']) => Promise<GameRecord>}
 */
export async function seeGame(url, link, said) {
  /** @type {GameRecord | Refused} */
  const answer = await askBeforeHello(url, { type: 'see_game', link });
  if (answer.type === 'game_record') return answer;
  throw new Refusal({ code: answer.code, message: said(answer) });
}
