/**
 * A greeting over a connection of its own, beside the present one: under another name.
 *
 * @import { Phrase, ServerMessage, Welcome } from './protocol.js'
 */

import { Offline, Refusal } from './link_errors.js';

/**
 * Say hello over a new socket; return the welcome.
 *
 * @param {WebSocket} socket
 * @param {object} hello
 * @param {(message: {message?: string, phrase?: ?Phrase}) => string} said
 * @returns {Promise<Welcome>}
 * @throws {Refusal} the server refuses the name
 * @throws {Offline} there is no connection
 */
export function greetOver(socket, hello, said) {
  return new Promise((resolve, reject) => {
    socket.onopen = () => socket.send(JSON.stringify(hello));
    socket.onclose = () => reject(new Offline());
    socket.onmessage = ({ data }) => {
      /** @type {ServerMessage} */
      const message = JSON.parse(data);
      if (message.type === 'welcome') resolve(message);
      if (message.type !== 'refused') return;
      reject(new Refusal({ code: message.code, message: said(message) }));
      socket.close();
    };
  });
}
