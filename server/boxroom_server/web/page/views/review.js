/**
 * The view of a review: the costly moves, and why one of them was costly.
 *
 * @import { Description, View } from '../dom.js'
 * @import { Finding, GameReview } from '../protocol.js'
 * @import { BoardState } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h } from '../dom.js';
import { known } from '../game_words.js';
import {
  boxesLost,
  canReview,
  explained,
  findingAt,
  findingsOf,
  judgementSentences,
  nameUnlessMine,
  sentences,
} from '../review.js';
import { mySeats, plyShown, shownPicture } from '../state/state.js';

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
  const first = explained(findings);
  const rest = findings.filter((finding) => !first.includes(finding));
  const opening = shownPicture(state).settings.opening.length;
  const last = review.first_judged - 1;
  return h(
    'section.review',
    { key: 'review', 'aria-label': t('review') },
    mine.includes(review.behind ?? -1) ? h('p', {}, behindText(review, opening, t)) : null,
    first.length
      ? h('ol', {}, ...first.map((finding) => findingItem(state, finding, mine, t)))
      : null,
    findings.length ? null : h('p', {}, t(mine.length ? 'review_none_mine' : 'review_none')),
    rest.length ? restView(state, rest, mine, t) : null,
    opening ? h('p.help', {}, t('event.opening', { n: opening })) : null,
    last > opening
      ? h('p.help', {}, t('review_early', { n: last - opening, first: opening + 1, last }))
      : null,
    findings.length ? wordList(review.words ?? {}, t) : null,
  );
}

/** @type {(review: GameReview, opening: number, t: Translate) => string} */
function behindText({ first_judged: n }, opening, t) {
  return t(n > opening + 1 ? 'review_behind' : 'review_behind_start', { n });
}

/** @type {(state: BoardState, rest: Finding[], mine: number[], t: Translate) => Description} */
function restView(state, rest, mine, t) {
  return h(
    'details',
    { key: 'rest' },
    h('summary', {}, t('review_rest', { n: rest.length })),
    h('ol', {}, ...rest.map((finding) => findingItem(state, finding, mine, t))),
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
  const { number, seat, move, better } = finding;
  const lost = boxesLost(finding, t);
  const name = nameUnlessMine(seat, shownPicture(state), mine, t);
  const key = name === null ? 'finding_you' : 'finding';
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
 * Return the finding about the next move of the position that is shown, or of whose lines one is.
 *
 * @type {(state: BoardState) => ?Finding}
 */
export function findingShown({ review, replayAt, line }) {
  const count = line === null ? replayAt : line.number - 1;
  return count === null ? null : findingAt(review, count);
}

/**
 * Return why that move was costly; null if it wasn't.
 *
 * @type {View<?Description, BoardState>}
 */
export function findingText(state, t) {
  const finding = findingShown(state);
  if (finding === null) return null;
  const name = nameUnlessMine(finding.seat, shownPicture(state), mySeats(state), t);
  const title = rankOf(state, finding, name, t);
  return h('p.finding', { role: 'status' }, h('strong', {}, title), sentences(finding, name, t));
}

/** Effects of the turning point, unless its player was behind before all judged moves. */
const TURNS = ['lost_game', 'lost_win'];

/**
 * Return that the game turned with a move, or that of all it cost most; empty if neither is so.
 *
 * @type {(state: BoardState, finding: Finding, name: ?string, t: Translate) => string}
 */
function rankOf(state, finding, name, t) {
  const { review } = state;
  if (review === null || review.isPending) return '';
  if (TURNS.includes(finding.effect ?? '')) return `${t('finding_turned')} `;
  const others = findingsOf(review, mySeats(state)).filter((each) => each !== finding);
  if (others.some(({ lost }) => lost >= finding.lost)) return '';
  return `${t(name === null ? 'finding_most_you' : 'finding_most')} `;
}

/**
 * Return the judgement of the position that is shown, once it was asked for; else null.
 *
 * @type {View<?Description, BoardState>}
 */
export function judgementText(state, t) {
  const { judged } = state;
  if (judged === null || judged.ply !== plyShown(state)) return null;
  if (judged.isPending) return h('p.help', { role: 'status' }, t('judged_pending'));
  const [best, ...others] = judgementSentences(judged, shownPicture(state), mySeats(state), t);
  return h('p.finding', { role: 'status' }, h('strong', {}, `${best} `), ...others);
}

/**
 * Return the button that asks what was best in the position that is shown; null if it can't be
 * judged, or is.
 *
 * @type {View<?Description, BoardState>}
 */
export function judgeButton(state, t) {
  const picture = shownPicture(state);
  const at = plyShown(state);
  if (at === null || state.judged?.ply === at || !canReview(picture, state.games)) return null;
  return h('button', { key: 'judge', onclick: { type: 'ask_judgement' } }, t('what_was_best'));
}
