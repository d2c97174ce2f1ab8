/**
 * The review of a game that is over: the moves that lost it, better ones, and why, in words.
 *
 * @import { Picture } from './mirror.js'
 * @import { Finding, GameOffered, GameReview } from './protocol.js'
 * @import { Followed, Review } from './state/state.js'
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

/** Findings that are explained at once; the others are told if they are asked for. */
const MOST_EXPLAINED = 3;

/**
 * Return the findings that mattered most, in their order.
 *
 * @type {(findings: Finding[]) => Finding[]}
 */
export function explained(findings) {
  return findings.filter(({ effect }) => effect !== 'lost_anyway').slice(0, MOST_EXPLAINED);
}

/**
 * Return the key of the words for what a player lost by a move.
 *
 * @type {(finding: Finding) => string}
 */
function lossOf({ effect }) {
  return effect && WITH_RESULT.includes(effect) ? effect : 'lost_boxes';
}

const WITH_RESULT = ['lost_game', 'lost_win', 'lost_result'];

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
 * Return the moves of a line; none if its review is gone.
 *
 * @type {(review: ?Review, line: Followed) => string[]}
 */
export function lineOf(review, { number, isBetter }) {
  const finding = findingAt(review, number - 1);
  return (isBetter ? finding?.better_line : finding?.line) ?? [];
}

/**
 * Return the picture of a game in which a line was played instead of what followed.
 *
 * @type {(picture: Picture, review: ?Review, line: Followed) => Picture}
 */
export function withLine(picture, review, line) {
  const before = pictureAt(picture, line.number - 1);
  const finding = findingAt(review, line.number - 1);
  const effects = line.isBetter ? finding?.better_effects : finding?.line_effects;
  const { movers = [], taken = [] } = effects ?? {};
  const first = line.number - 1;
  return {
    ...before,
    tokens: [...before.tokens, ...lineOf(review, line)],
    movers: [...before.movers, ...movers],
    taken: [...before.taken, ...taken.map(([index, ...things]) => [first + index, ...things])],
  };
}

/**
 * Return the picture after the first `count` moves of its game, for the board.
 *
 * @type {(picture: Picture, count: number) => Picture}
 */
export function pictureAt(picture, count) {
  return {
    ...picture,
    tokens: picture.tokens.slice(0, count),
    movers: picture.movers.slice(0, count),
    taken: picture.taken.filter(([index]) => index < count),
  };
}

/**
 * Return the effect of a move in one phrase: "takes a box"; empty if no fact is about that.
 *
 * @type {(facts: Fact[], t: Translate) => string}
 */
export function immediate(facts, t) {
  const said = facts.flatMap((it) => IMMEDIATE[String(it.fact)]?.(it, t) ?? []);
  return said.length ? t('listed', { names: said }) : '';
}

/** @type {Record<string, (fact: Fact, t: Translate) => string>} */
const IMMEDIATE = {
  takes: ({ boxes: n }, t) => t('fact_takes', { n }),
  declines: ({ boxes: n }, t) => t('fact_declines', { n }),
  leaves: ({ boxes: n }, t) => t('fact_leaves', { n }),
  opens: ({ gives, handout, shape, length, had_neutral: isEarly }, t) => {
    const name = t(`fact_${handout ?? shape}`, { n: length });
    return t(isEarly ? 'fact_opens_early' : 'fact_opens', {
      boxes: t('fact_gives', { n: gives }),
      name: Number(gives) > Number(length) ? t('fact_and_more', { name }) : name,
    });
  },
  waits: (_, t) => t('fact_neutral'),
};

/**
 * Return what best play leads to after a move of the player `name`, null for the reader; empty if
 * no fact is about that.
 *
 * @type {(facts: Fact[], name: ?string, t: Translate) => string}
 */
export function outlook(facts, name, t) {
  const whose = name === null ? 'you' : 'name';
  const [opened, gets] = facts.flatMap(
    (it) => OUTLOOKS[String(it.fact)]?.(it, whose, name, t) ?? [],
  );
  return gets === undefined ? (opened ?? '') : t('fact_so', { opened, gets });
}

/** @type {Record<string, (fact: Fact, whose: string, name: ?string, t: Translate) => string>} */
const OUTLOOKS = {
  first_opened: ({ by_mover: isOwn, shape, boxes: n, always }, whose, name, t) => {
    const what = t(`fact_next.${shape ?? 'any'}`);
    const string = n === null ? what : t('fact_next.of', { what, n });
    const key = always ? 'fact_must_open' : 'fact_may_open';
    return t(`${key}.${isOwn ? whose : 'other'}`, { name, string });
  },
  gets: ({ own: n, others }, whose, name, t) => t(`fact_gets.${whose}`, { name, n, others }),
};

/**
 * Return the finding as sentences about the player `name`, null for the reader: what was lost, why,
 * and what best play leads to.
 *
 * @type {(finding: Finding, name: ?string, t: Translate) => string}
 */
export function sentences(finding, name, t) {
  const { move, number, better, facts, better_facts: betterFacts } = finding;
  const kind = lossOf(finding);
  const lost = t(name === null ? `${kind}_you` : kind, {
    name,
    move,
    number,
    better,
    why: because(facts, t),
    better_why: because(betterFacts, t),
  });
  return [lost, after(move, facts, name, t), after(better, betterFacts, name, t)]
    .filter(Boolean)
    .join(' ');
}

/** @type {(facts: Fact[], t: Translate) => string} */
function because(facts, t) {
  const text = immediate(facts, t);
  return text && t('finding_why', { facts: text });
}

/** @type {(move: string, facts: Fact[], name: ?string, t: Translate) => string} */
function after(move, facts, name, t) {
  const text = outlook(facts, name, t);
  return text && t('finding_after', { move, outlook: text });
}
