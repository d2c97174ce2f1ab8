/**
 * Mistakes of the person in finished games: positions to find a better line in, and how often each
 * theme was missed.
 *
 * The terminal counts in the same way (`boxroom_engine.review.mistakes`).
 *
 * @import { Picture } from '../mirror.js'
 * @import { GameReview } from '../protocol.js'
 * @import { Puzzle } from './puzzle.js'
 *
 * @typedef {Puzzle & {game: number, number: number, lost: number}} Mistake a costly move: its game,
 *   its place among the moves, from 1, and the boxes that it lost; the server knows the best moves
 *
 * @typedef {object} Mistakes
 * @property {string} name of the person whose games these are
 * @property {Record<number, ?Mistake[]>} games null for one that doesn't count
 * @property {number[]} wanted the newest games, the newest first, reviewed or not
 * @property {boolean} isSeeking whether a game is being reviewed
 *
 * @typedef {{theme: string, times: number, lost: number, trend: '' | 'less' | 'more'}} MissedTheme
 */

import { initialLines, lines } from '../board/board_geometry.js';
import { pictureAt } from '../review.js';

/** With fewer games nothing is said of a trend. */
const LEAST_GAMES = 6;

/**
 * Return the costly moves of a seat in a game, without those in a lost position, and those that no
 * theme would have found.
 *
 * @type {(picture: Picture, game: number, review: GameReview, seat: number) => Mistake[]}
 */
export function mistakesIn(picture, game, { findings }, seat) {
  return findings.flatMap(({ number, effect, theme, lost, ...finding }) => {
    if (finding.seat !== seat || !theme || effect === 'lost_anyway') return [];
    const { rows, cols, drawn, boxes } = positionBefore(picture, number);
    const free = lines(rows, cols).filter((name) => !drawn.includes(name));
    const position = { name: `${game}:${number}`, rows, cols, drawn, free, boxes, seat };
    return [{ ...position, best: [], theme, grade: 2, game, number, lost: lost / 2 }];
  });
}

/**
 * Return the board before a move, by its number.
 *
 * @type {(picture: Picture, number: number) => Pick<Puzzle, 'rows' | 'cols' | 'drawn' | 'boxes'>}
 */
function positionBefore(picture, number) {
  const { tokens, movers, taken, settings } = pictureAt(picture, number - 1);
  const { border } = settings.options;
  const [rows, cols] = [Number(settings.options.rows), Number(settings.options.cols)];
  const boxes = [0, 1].map((seat) =>
    taken.flatMap(([index, ...taking]) => (movers[index] === seat ? taking : [])),
  );
  return { rows, cols, drawn: [...initialLines(rows, cols, border), ...tokens], boxes };
}

/**
 * Return the mistakes of each game that counts, the newest game first.
 *
 * @type {(mistakes: Mistakes) => Mistake[][]}
 */
export function countedGames({ games, wanted }) {
  return wanted.flatMap((game) => (games[game] ? [games[game]] : []));
}

/**
 * Return the themes that were missed in games, the newest first; the dearest theme first.
 *
 * @type {(games: Pick<Mistake, 'theme' | 'lost'>[][]) => MissedTheme[]}
 */
export function missedThemes(games) {
  const themes = new Set(games.flat().map(({ theme }) => theme));
  const missed = [...themes].map((theme) => missedTheme(theme, games));
  return missed.sort(
    (one, other) =>
      other.lost - one.lost || other.times - one.times || (one.theme < other.theme ? -1 : 1),
  );
}

/** @type {(theme: string, games: Pick<Mistake, 'theme' | 'lost'>[][]) => MissedTheme} */
function missedTheme(theme, games) {
  const costs = games.map((each) => each.filter((mistake) => mistake.theme === theme));
  const half = Math.floor(games.length / 2);
  const change = costs.slice(0, half).flat().length - costs.slice(-half).flat().length;
  const isTold = games.length >= LEAST_GAMES && change !== 0;
  const all = costs.flat();
  return {
    theme,
    times: all.length,
    lost: all.reduce((sum, { lost }) => sum + lost, 0),
    trend: isTold ? (change < 0 ? 'less' : 'more') : '',
  };
}
