/**
 * The review of a game that is over: the moves that lost it, better ones, and why, in words.
 *
 * @import { Picture } from './mirror.js'
 * @import { Finding, GameOffered, GameReview } from './protocol.js'
 * @import { Review } from './state/state.js'
 * @import { Translate } from './words.js'
 *
 * @typedef {Finding['facts'][number]} Fact its kind as `fact`, and what it needs besides
 */

/**
 * Return whether the server can review the game of `picture`, which must be over.
 *
 * @type {(picture: Pick<Picture, 'phase' | 'settings'>, games: GameOffered[]) => boolean}
 */
export function canReview({ phase, settings }, games) {
  const { reviewed = [] } = games.find(({ game }) => game === settings.game) ?? {};
  return phase === 'over' && reviewed.includes(settings.seats);
}

/**
 * Return the costly moves of the seats in `mine`, of all seats if these are none.
 *
 * @type {(review: GameReview, mine: number[]) => Finding[]}
 */
export function findingsOf(review, mine) {
  const { findings } = review;
  return mine.length ? findings.filter(({ seat }) => mine.includes(seat)) : findings;
}

/**
 * Return the finding that decided the game: the turning point, else the move that lost most.
 *
 * @type {(review: GameReview, mine: number[]) => ?Finding}
 */
export function decisive(review, mine) {
  const findings = findingsOf(review, mine);
  /** @type {(one: Finding, other: Finding) => Finding} */
  const dearest = (one, other) => (other.lost > one.lost ? other : one);
  return (
    findings.find(({ number }) => number === review.turning_point) ??
    (findings.length ? findings.reduce(dearest) : null)
  );
}

/**
 * Return the key of the words for what a player lost by a move, in a game that `winners` won.
 *
 * @type {(finding: Finding, review: GameReview, winners: number[], mine: number[]) => string}
 */
export function lossOf(finding, review, winners, mine) {
  if (finding.number === review.turning_point) {
    return winners.includes(finding.seat) ? 'lost_win' : 'lost_game';
  }
  return finding === decisive(review, mine) ? 'lost_most' : 'lost_some';
}

/**
 * Return the finding about the next move, when `count` moves are shown; null if there is none.
 *
 * @type {(review: ?Review, count: number) => ?Finding}
 */
export function findingAt(review, count) {
  if (review === null || review.isPending) return null;
  return review.findings.find(({ number }) => number === count + 1) ?? null;
}

/**
 * Return the facts about a move in one phrase: "takes a box and keeps control".
 *
 * @type {(facts: Fact[], t: Translate) => string}
 */
export function phrases(facts, t) {
  const known = facts.filter(({ fact }) => Object.hasOwn(PHRASES, String(fact)));
  return t('listed', { names: known.map((it) => PHRASES[String(it.fact)](it, t)) });
}

/** @type {Record<string, (fact: Fact, t: Translate) => string>} */
const PHRASES = {
  takes: ({ boxes: n }, t) => t('fact_takes', { n }),
  declines: ({ boxes: n }, t) => t('fact_declines', { n }),
  leaves: ({ boxes: n }, t) => t('fact_leaves', { n }),
  opens: ({ gives, handout, shape, length, had_neutral: isEarly }, t) =>
    t(isEarly ? 'fact_opens_early' : 'fact_opens', {
      boxes: t('fact_gives', { n: gives }),
      name: t(`fact_${handout ?? shape}`, { n: length }),
    }),
  waits: ({ room: n }, t) => {
    if (n === null) return t('fact_neutral');
    if (n === 0) return t('fact_waits_last');
    return t(Number(n) % 2 ? 'fact_waits_odd' : 'fact_waits_even', { n });
  },
  changes_long_chains: ({ by }, t) =>
    Number(by) > 0 ? t('fact_longer', { n: by }) : t('fact_shorter', { n: -Number(by) }),
  changes_control: ({ change, is_forecast: isForecast }, t) =>
    isForecast
      ? t('fact_forecast', { what: t(`fact_control_${change}`) })
      : t(`fact_control_${change}`),
};

/**
 * Return the finding as sentences about the person or `name`: why, and what was better.
 *
 * @type {(finding: Finding, about: {who: string, name: string, t: Translate}) => string}
 */
export function sentences(finding, { who, name, t }) {
  const { move, number, better, facts, better_facts: betterFacts } = finding;
  return t(who, {
    name,
    move,
    number,
    better,
    why: because(facts, t),
    better_why: because(betterFacts, t),
  });
}

/** @type {(facts: Fact[], t: Translate) => string} */
function because(facts, t) {
  const text = phrases(facts, t);
  return text && t('finding_why', { facts: text });
}
