/**
 * Addresses of the page, and of a finished game on it. A room's code is in the fragment of the
 * page's address: see `identity_link.js`.
 */

const GAME = /games\/([\w-]{22})$/;

/**
 * Return the address of the page itself, of which a game may have been opened.
 *
 * @type {(location: {origin: string, pathname: string}) => string}
 */
export function pageAt({ origin, pathname }) {
  return origin + pathname.replace(GAME, '');
}

/**
 * Return the link of the finished game that an address leads to; null if it leads to none.
 *
 * @type {(location: {pathname: string}) => ?string}
 */
export function gameAt({ pathname }) {
  return GAME.exec(pathname)?.[1] ?? null;
}

/**
 * Return the part behind the page's address that leads to a finished game.
 *
 * @type {(link: string) => string}
 */
export function toGame(link) {
  return `games/${link}`;
}
