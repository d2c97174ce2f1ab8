/**
 * The view of a review: the costly moves, and why one of them was costly.
 *
 * @import { Description, View } from '../dom.js'
 * @import { Finding } from '../protocol.js'
 * @import { BoardState } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h } from '../dom.js';
import { known } from '../game_words.js';
import { findingAt, findingsOf, lossOf, sentences } from '../review.js';
import { mySeats, shownPicture } from '../state/state.js';

/**
 * Return the review as a list; each finding opens the position before its move.
 *
 * @type {View<?Description, BoardState>}
 */
export function reviewView(state, t) {
  const { review } = state;
  if (review === null) return null;
  if (review.isPending) return h('p.help', { role: 'status' }, t('review_pending'));
  const mine = mySeats(state);
  const findings = findingsOf(review, mine);
  const early = review.first_judged - 1;
  return h(
    'section.review',
    { key: 'review', 'aria-label': t('review') },
    findings.length
      ? h('ol', {}, ...findings.map((finding) => findingItem(state, finding, mine, t)))
      : h('p', {}, t(mine.length ? 'review_none_mine' : 'review_none')),
    early > 0 ? h('p.help', {}, t('review_early', { n: early })) : null,
    findings.length ? wordList(review.words ?? {}, t) : null,
  );
}

/** @type {(words: Record<string, string>, t: Translate) => Description} */
function wordList(words, t) {
  const entries = Object.entries(words);
  return h(
    'details',
    { key: 'words' },
    h('summary', {}, t('words')),
    h(
      'dl',
      {},
      ...entries.flatMap(([word, meaning]) => [
        h('dt', {}, known(t, `word.${word}`, word)),
        h('dd', {}, known(t, `meaning.${word}`, meaning)),
      ]),
    ),
  );
}

/** @type {(state: BoardState, finding: Finding, mine: number[], t: Translate) => Description} */
function findingItem(state, finding, mine, t) {
  const { number, seat, exact, move, better } = finding;
  const rounded = Math.round(finding.lost);
  const lost = exact ? rounded : t('about', { what: rounded });
  const name = shownPicture(state).players[seat];
  const key = isMine(seat, mine) ? 'finding_you' : 'finding';
  return h(
    'li',
    { key: number },
    h(
      'button',
      {
        'aria-current': state.replayAt === number - 1 ? 'true' : null,
        onclick: { type: 'look_back', count: number - 1 },
      },
      t(key, { number, name, lost, move, better }),
    ),
  );
}

/**
 * Return why the next move of the position that is shown was costly; null if it wasn't.
 *
 * @type {View<?Description, BoardState>}
 */
export function findingText(state, t) {
  const { review, replayAt } = state;
  const finding = replayAt === null ? null : findingAt(review, replayAt);
  if (finding === null || review === null || review.isPending) return null;
  const { seat } = finding;
  const { winners, players } = shownPicture(state);
  const mine = mySeats(state);
  const kind = lossOf(finding, review, winners, mine);
  const who = isMine(seat, mine) ? `${kind}_you` : kind;
  const text = sentences(finding, { who, name: players[seat], t });
  return h('p.finding', { role: 'status' }, text);
}

/**
 * Return whether `seat` is the only one of the person, who is called "you" then.
 *
 * @type {(seat: number, mine: number[]) => boolean}
 */
function isMine(seat, mine) {
  return mine.length === 1 && mine[0] === seat;
}
