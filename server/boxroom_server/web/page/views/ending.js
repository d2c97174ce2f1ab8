/**
 * The end of a game: what comes next, and what can be done with the game that is over.
 *
 * @import { Description, View } from '../dom.js'
 * @import { Picture } from '../mirror.js'
 * @import { BoardState } from '../state/state.js'
 */

import { h } from '../dom.js';
import { leadsOf } from '../leads.js';
import { canReview } from '../review.js';
import { standingsInShort } from '../standings.js';
import { isHost, mySeats, shownPicture } from '../state/state.js';
import { button, voteButton } from './buttons.js';
import { standingsButton } from './standings.js';

/**
 * Return what a person can do after a game: the rematch first, and larger than the rest.
 *
 * @type {View<Description, BoardState>}
 */
export function endingView(state, t) {
  const picture = shownPicture(state);
  const isRoom = state.finished === null;
  return h(
    'section.ending',
    { key: 'ending', 'aria-label': t('ending') },
    ...(isRoom ? standingsInShort(picture, t).map((text) => h('p', {}, text)) : []),
    isRoom ? forNextGame(state, t) : null,
    h(
      'div.actions',
      {},
      canReview(picture, state.games) && state.review === null
        ? button(t(reviewOffer(picture, mySeats(state))), { type: 'ask_review' })
        : null,
      isRoom ? standingsButton(state, t) : null,
      isRoom && isHost(state) ? button(t('next_game'), { type: 'open_form' }) : null,
      button(t('share'), { type: 'open_dialog', dialog: { kind: 'share' } }),
    ),
  );
}

/**
 * Return the key of what a review is asked: who hasn't lost lost nothing.
 *
 * @type {(picture: Picture, mine: number[]) => string}
 */
function reviewOffer(picture, mine) {
  if (hasTurned(picture)) return 'review_turn';
  const { winners } = picture;
  return !winners?.length || winners.some((seat) => mine.includes(seat))
    ? 'review_better'
    : 'review';
}

/**
 * Return whether somebody else than the winner was ahead for a time.
 *
 * @type {(picture: Picture) => boolean}
 */
function hasTurned(picture) {
  const [winner, ...others] = picture.winners ?? [];
  if (winner === undefined || others.length) return false;
  return leadsOf(picture, null).some(({ seat }) => seat !== null && seat !== winner);
}

/** @type {View<Description, BoardState>} */
function forNextGame(state, t) {
  const { rematch } = shownPicture(state);
  return h(
    'div.next',
    { key: 'next' },
    voteButton(state, mySeats(state).length > 0 ? t('rematch') : t('join_next'), t),
    rematch.length ? h('p.help', {}, t('rematch_wanted_by', { names: rematch })) : null,
  );
}
