/**
 * The lead in each position of a game.
 *
 * @import { Picture } from './mirror.js'
 * @import { Review } from './state/state.js'
 *
 * @typedef {{seat: ?number, boxes: number, isExpected: boolean}} Lead the seat that is ahead of all
 *   others, by how many boxes, and whether that is at the end with best play
 */

/**
 * Return the lead before the first move and after each; none if the things that were taken aren't
 * the score.
 *
 * @type {(picture: Pick<Picture, 'tokens' | 'movers' | 'taken' | 'scores'>, review: ?Review) =>
 *   Lead[]}
 */
export function leadsOf({ tokens, movers, taken, scores }, review) {
  const things = new Map(taken.map(([index, ...numbers]) => [index, numbers.length]));
  const margins = review === null || review.isPending ? [] : (review.margins ?? []);
  const sums = scores.map(() => 0);
  const leads = [leadAt(sums, margins[0])];
  tokens.forEach((_, index) => {
    sums[movers[index]] += things.get(index) ?? 0;
    leads.push(leadAt(sums, margins[index + 1]));
  });
  return sums.every((sum, seat) => sum === scores[seat]) ? leads : [];
}

/**
 * Return the scores after the first `count` moves of `game`, the picture's or one that leaves it;
 * the last ones if the things that were taken aren't the score.
 *
 * @type {(picture: Picture, game: Picture, count: number) => number[]}
 */
export function scoresAt(picture, game, count) {
  const areTaken = `${sumsOf(picture)}` === `${picture.scores}`;
  return areTaken ? sumsOf(game, count) : picture.scores;
}

/** @type {(picture: Picture, count?: number) => number[]} */
function sumsOf({ movers, taken, scores }, count = Infinity) {
  const sums = scores.map(() => 0);
  for (const [index, ...things] of taken) {
    if (index < count) sums[movers[index]] += things.length;
  }
  return sums;
}

/** @type {(sums: number[], margin?: ?number) => Lead} */
function leadAt(sums, margin = null) {
  if (margin !== null) {
    const seat = margin ? Number(margin < 0) : null;
    return { seat, boxes: Math.abs(margin), isExpected: true };
  }
  const [most = 0, second = 0] = [...sums].sort((one, other) => other - one);
  const seat = most > second ? sums.indexOf(most) : null;
  return { seat, boxes: most - second, isExpected: false };
}
