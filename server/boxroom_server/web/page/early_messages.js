/**
 * Messages in the handshake of a WebSocket, which saves a round trip.
 *
 * A browser sends nothing over a socket before it is open, but it offers subprotocols; see
 * docs/reference/protocol.md, "Messages in the handshake".
 */

const SUBPROTOCOL = 'boxroom';

/**
 * Return the subprotocols that a socket offers to send messages early; none for no messages.
 *
 * @type {(messages: object[]) => string[]}
 */
export function subprotocolsFor(messages) {
  if (!messages.length) return [];
  return [SUBPROTOCOL, ...messages.map((message) => `${SUBPROTOCOL}.${inBase64Url(message)}`)];
}

/**
 * Return whether the server has taken the messages in the handshake of a socket that is open.
 *
 * @type {(socket: WebSocket) => boolean}
 */
export function hasTakenEarly({ protocol }) {
  return protocol === SUBPROTOCOL;
}

/** @type {(message: object) => string} */
function inBase64Url(message) {
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
