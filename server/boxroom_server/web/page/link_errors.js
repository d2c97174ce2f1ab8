/** The ways in which the server, or the lack of one, says no. */

/** The server refused a message. */
export class Refusal extends Error {
  /** @param {{code: string, message: string}} refused */
  constructor({ code, message }) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}

/** The connection was lost, or there is none, so that a question has no answer. */
export class Offline extends Error {
  constructor() {
    super('there is no connection to the server');
    this.name = 'Offline';
  }
}
