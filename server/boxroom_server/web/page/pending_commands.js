/**
 * The commands that the server hasn't answered yet. No socket here.
 *
 * A command gets its id when it is first sent, and keeps it over all connections, so that the
 * server recognises one that is sent again. Those with an id come first, as their ids are smaller.
 *
 * @import { Command, Settler } from './link.js'
 *
 * @typedef {Settler<number> & {message: Command, id: ?number, isSent: boolean}} Pending a command
 */

/** Commands without an answer at most: the server remembers that many. */
const IN_FLIGHT = 16;

export class PendingCommands {
  /** @type {Pending[]} */
  #commands = [];

  /** Whether the server owes an answer to one of them. */
  get isAnswerDue() {
    return this.#commands.some(({ isSent }) => isSent);
  }

  /**
   * Whether there is a command of a type.
   *
   * @param {Command['type']} type
   */
  has(type) {
    return this.#commands.some(({ message }) => message.type === type);
  }

  /**
   * Whether a command of a type was sent over this connection or an earlier one.
   *
   * @param {Command['type']} type
   */
  wasSent(type) {
    return this.#commands.some(({ message, id }) => message.type === type && id !== null);
  }

  /**
   * @param {Command} message
   * @param {Settler<number>} settler
   */
  add(message, settler) {
    this.#commands.push({ message, id: null, isSent: false, ...settler });
  }

  /**
   * Send as many as may be without an answer, in order; `nextId` returns ids for the new ones.
   *
   * @param {() => number} nextId
   * @param {(message: Command & {id: number}) => void} send
   */
  send(nextId, send) {
    const free = IN_FLIGHT - this.#commands.filter(({ isSent }) => isSent).length;
    const unsent = this.#commands.filter(({ isSent }) => !isSent);
    unsent.slice(0, Math.max(0, free)).forEach((command) => {
      command.id ??= nextId();
      command.isSent = true;
      send({ ...command.message, id: command.id });
    });
  }

  /** The connection is lost: all are to be sent again. */
  unsend() {
    this.#commands.forEach((command) => {
      command.isSent = false;
    });
  }

  /**
   * Return the command that the server answers, and forget it; undefined if it is none of these.
   *
   * @param {number} id
   */
  take(id) {
    const command = this.#commands.find((sent) => sent.isSent && sent.id === id);
    this.#commands = this.#commands.filter((other) => other !== command);
    return command;
  }

  /**
   * Have a command sent again: with another id, as a later one may be accepted by now.
   *
   * @param {Pending} command
   */
  putBack(command) {
    Object.assign(command, { id: null, isSent: false });
    const at = this.#commands.findIndex(({ id }) => id === null);
    this.#commands.splice(at < 0 ? this.#commands.length : at, 0, command);
  }

  /**
   * Answer all with `error`, but a `leave` with `seq`, as it has what it wants.
   *
   * @param {Error} error
   * @param {?number} seq
   */
  reject(error, seq = null) {
    const commands = this.#commands;
    this.#commands = [];
    commands.forEach(({ message, resolve, reject }) =>
      seq !== null && message.type === 'leave' ? resolve(seq) : reject(error),
    );
  }

  /**
   * Answer the longest, which exceeds what the server takes, so that it isn't repeated.
   *
   * @param {Error} error
   */
  rejectLongest(error) {
    /** @type {(command: Pending) => number} */
    const length = ({ message }) => JSON.stringify(message).length;
    const [longest] = [...this.#commands].sort((one, other) => length(other) - length(one));
    this.#commands = this.#commands.filter((other) => other !== longest);
    longest?.reject(error);
  }
}
