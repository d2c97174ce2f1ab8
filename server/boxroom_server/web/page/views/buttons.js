/**
 * Buttons that several views of a room have.
 *
 * @import { Description } from '../dom.js'
 * @import { PageEvent } from '../state/next.js'
 * @import { BoardState } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h } from '../dom.js';
import { canVote, joiningNext } from '../mirror.js';
import { commanded, nameOf, shownPicture } from '../state/state.js';

/**
 * Return a button that keeps its element: one that is just pressed must not become another.
 *
 * @type {(label: string, onclick: PageEvent, kind?: string) => Description}
 */
export function button(label, onclick, kind = '') {
  return h(`button${kind}`, { key: label, onclick }, label);
}

/**
 * Return the button by which a member votes for the next game, or a spectator who has can only
 * watch it; null if there is nothing to say.
 *
 * @type {(state: BoardState, label: string, t: Translate) => ?Description}
 */
export function voteButton(state, label, t) {
  const picture = shownPicture(state);
  const me = nameOf(state);
  if (canVote(picture, me)) return button(label, commanded({ type: 'rematch' }), '.primary');
  return me !== null && joiningNext(picture).includes(me)
    ? button(t('only_watch'), commanded({ type: 'stand' }))
    : null;
}
