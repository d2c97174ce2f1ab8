/**
 * The view of a review: the costly moves, and why one of them was costly.
 *
 * @import { Description, View } from '../dom.js'
 * @import { Finding, GameReview } from '../protocol.js'
 * @import { BoardState } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h } from '../dom.js';
import { called, known } from '../game_words.js';
import { explained, findingAt, findingsOf, sentences } from '../review.js';
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
  const first = explained(findings);
  const rest = findings.filter((finding) => !first.includes(finding));
  const early = review.first_judged - 1;
  return h(
    'section.review',
    { key: 'review', 'aria-label': t('review') },
    mine.includes(review.behind ?? -1) ? h('p', {}, behindText(review, t)) : null,
    first.length
      ? h('ol', {}, ...first.map((finding) => findingItem(state, finding, mine, t)))
      : null,
    findings.length ? null : h('p', {}, t(mine.length ? 'review_none_mine' : 'review_none')),
    rest.length ? restView(state, rest, mine, t) : null,
    early > 0 ? h('p.help', {}, t('review_early', { n: early })) : null,
    findings.length ? wordList(review.words ?? {}, t) : null,
  );
}

/** @type {(review: GameReview, t: Translate) => string} */
function behindText({ first_judged: n }, t) {
  return t(n > 1 ? 'review_behind' : 'review_behind_start', { n });
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
  const { number, seat, exact, move, better } = finding;
  const boxes = t('fact_gives', { n: Math.round(finding.lost / 2) });
  const lost = exact ? boxes : t('about', { what: boxes });
  const name = called(shownPicture(state).players[seat], t);
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
  const { seat } = finding;
  const player = called(shownPicture(state).players[seat], t);
  const name = isMine(seat, mySeats(state)) ? null : player;
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
 * Return whether `seat` is the only one of the person, who is called "you" then.
 *
 * @type {(seat: number, mine: number[]) => boolean}
 */
function isMine(seat, mine) {
  return mine.length === 1 && mine[0] === seat;
}
