/**
 * The review of a game that is over: the moves that lost it, better ones, and why, in words.
 *
 * @import { Picture } from './mirror.js'
 * @import { Finding, GameOffered, GameReview, PositionJudgement } from './protocol.js'
 * @import { Followed, Review } from './state/state.js'
 * @import { Translate } from './words.js'
 *
 * @typedef {Finding['facts'][number]} Fact its kind as `fact`, and what it needs besides
 */

import { called } from './game_words.js';

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

/** Best moves that are named; of others the number is told. */
export const MOST_BEST = 6;

/**
 * Return the judgement of the position of a game that is over, before its next move: the best
 * moves and the result that they lead to; then the cost of the move that was played.
 *
 * @type {(judged: PositionJudgement, picture: Picture, mine: number[], t: Translate) => string[]}
 */
export function judgementSentences(judged, picture, mine, t) {
  const { ply, move, lost = null, finding = null } = judged;
  const best = [bestMoves(judged, t), resultOfBestPlay(judged, pictureAt(picture, ply), mine, t)];
  const first = best.filter(Boolean).join(' ');
  if (finding === null) return lost === null ? [first] : [first, t('judged_good', { move })];
  const { facts, better, better_facts: betterFacts } = finding;
  const name = nameUnlessMine(finding.seat, picture, mine, t);
  const costs = t('judged_costs', {
    move,
    better,
    lost: boxesLost(finding, t),
    why: because(facts, t),
    better_why: because(betterFacts, t),
  });
  const later = [after(finding.move, facts, name, t), after(better, betterFacts, name, t)];
  return [first, [costs, ...later].filter(Boolean).join(' ')];
}

/** @type {(judged: PositionJudgement, t: Translate) => string} */
function bestMoves({ ply, best }, t) {
  const number = ply + 1;
  const n = best.length - MOST_BEST;
  if (n <= 0) return t('judged_best', { number, moves: t('listed', { names: best }) });
  return t('judged_best_more', { number, moves: best.slice(0, MOST_BEST).join(', '), n });
}

/**
 * Return by how much best play wins from the position of `picture`; empty if that isn't known.
 *
 * @type {(judged: PositionJudgement, picture: Picture, mine: number[], t: Translate) => string}
 */
function resultOfBestPlay({ seat, value, exact }, { movers, taken, players }, mine, t) {
  if (!exact) return '';
  const takenBy = (/** @type {number} */ one) =>
    taken.reduce((sum, [index, ...things]) => sum + (movers[index] === one ? things.length : 0), 0);
  const margin = takenBy(seat) - takenBy(1 - seat) + value;
  if (margin === 0) return t('judged_draw');
  const winner = margin > 0 ? seat : 1 - seat;
  const by = t('fact_gives', { n: Math.abs(margin) });
  const name = nameUnlessMine(winner, { players }, mine, t);
  return name === null ? t('judged_wins.you', { by }) : t('judged_wins.name', { by, name });
}

/**
 * Return the boxes that a player lost by a move.
 *
 * @type {(finding: Finding, t: Translate) => string}
 */
export function boxesLost({ lost, exact }, t) {
  const boxes = t('fact_gives', { n: Math.round(lost / 2) });
  return exact ? boxes : t('about', { what: boxes });
}

/**
 * Return the name of a player; null for the person, if that is the only one of these seats.
 *
 * @type {(seat: number, game: Pick<Picture, 'players'>, mine: number[], t: Translate) => ?string}
 */
export function nameUnlessMine(seat, { players }, mine, t) {
  return mine.length === 1 && mine[0] === seat ? null : called(players[seat], t);
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
