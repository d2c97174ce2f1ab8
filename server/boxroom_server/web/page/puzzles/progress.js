/**
 * The progress of a person: lessons, ratings, the puzzles of the day, and a series of days.
 *
 * It counts as the terminal does (`boxroom_engine.review.progress`).
 *
 * @import { Puzzle } from './puzzle.js'
 *
 * @typedef {object} Progress days are as in ISO 8601
 * @property {number} rating
 * @property {Record<string, number>} puzzles the rating of each that was tried, by its name, the
 *   one that was tried last at the end
 * @property {string} day the last one on which a puzzle of that day was solved
 * @property {string[]} solved names of the puzzles of that day that were solved
 * @property {number} series number of days in a row on which all were solved
 * @property {string} lastWholeDay the last of these days
 * @property {string[]} lessons names of those that were done, in the order of the first time
 */

/** @type {Progress} */
export const BEGINNER = {
  rating: 800,
  puzzles: {},
  day: '',
  solved: [],
  series: 0,
  lastWholeDay: '',
  lessons: [],
};

const OF_GRADE = [700, 1000, 1300];
const SCALE = 400;
const STEP = 32;
const PUZZLE_STEP = 16;

const PER_DAY = 10;
const DAY_MS = 86_400_000;

/** Themes that are mixed, so that nobody learns to leave boxes always. */
const MIXED = ['leave_two', 'leave_four', 'take_all'];

/** @type {(progress: Progress, puzzle: Puzzle) => number} */
export function ratingOf(progress, { name, grade }) {
  return progress.puzzles[name] ?? OF_GRADE[grade - 1];
}

/**
 * Return the progress with the ratings that follow from the first answer to a puzzle.
 *
 * @type {(progress: Progress, puzzle: Puzzle, isRight: boolean) => Progress}
 */
export function afterFirstTry(progress, puzzle, isRight) {
  const { rating } = progress;
  const its = ratingOf(progress, puzzle);
  const gain = Number(isRight) - 1 / (1 + 10 ** ((its - rating) / SCALE));
  const { [puzzle.name]: _, ...others } = progress.puzzles;
  return {
    ...progress,
    rating: rating + STEP * gain,
    puzzles: { ...others, [puzzle.name]: its - PUZZLE_STEP * gain },
  };
}

/** @type {(progress: Progress, name: string) => Progress} */
export function afterLesson(progress, name) {
  return { ...progress, lessons: [...new Set([...progress.lessons, name])] };
}

/** @type {(progress: Progress, day: string) => string[]} */
function solvedOn(progress, day) {
  return progress.day === day ? progress.solved : [];
}

/**
 * Return the progress with a puzzle solved, which counts for `day` if it is one of that day.
 *
 * @type {(progress: Progress, puzzle: Puzzle, ofToday: Puzzle[], day: string) => Progress}
 */
export function afterSolving(progress, puzzle, ofToday, day) {
  const before = solvedOn(progress, day);
  if (!ofToday.includes(puzzle) || before.includes(puzzle.name)) return progress;
  const after = { ...progress, day, solved: [...before, puzzle.name] };
  if (after.solved.length < ofToday.length) return after;
  return { ...after, series: seriesOn(progress, day) + 1, lastWholeDay: day };
}

/**
 * Return how many days in a row are done on `day`, which itself may still be missing.
 *
 * @type {(progress: Progress, day: string) => number}
 */
export function seriesOn({ series, lastWholeDay }, day) {
  const yesterday = new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
  return [day, yesterday].includes(lastWholeDay) ? series : 0;
}

/**
 * Return the ten puzzles of a day, the easiest first: the same for everybody.
 *
 * @type {(puzzles: Puzzle[], day: string) => Puzzle[]}
 */
export function ofTheDay(puzzles, day) {
  const days = Math.ceil(puzzles.length / PER_DAY);
  const first = PER_DAY * ((Date.parse(day) / DAY_MS) % days);
  return puzzles.slice(first, first + PER_DAY);
}

/** @type {(progress: Progress, ofToday: Puzzle[], day: string) => Puzzle[]} */
export function leftOf(progress, ofToday, day) {
  const solved = solvedOn(progress, day);
  return ofToday.filter(({ name }) => !solved.includes(name));
}

/**
 * Return the next puzzle: of `theme`, or else of `day`, or when these are done any other.
 *
 * It is the new one with the nearest rating, or else the one that was tried longest ago.
 *
 * @type {(puzzles: Puzzle[], progress: Progress, day: string, theme: string) => Puzzle}
 */
export function nextPuzzle(puzzles, progress, day, theme) {
  const [left] = theme ? [] : leftOf(progress, ofTheDay(puzzles, day), day);
  if (left) return left;
  const themes = MIXED.includes(theme) ? MIXED : [theme];
  const pool = puzzles.filter((puzzle) => !theme || themes.includes(puzzle.theme));
  const fresh = pool.filter(({ name }) => !(name in progress.puzzles));
  const tried = Object.keys(progress.puzzles);
  return fresh.length
    ? least(fresh, (puzzle) => Math.abs(ratingOf(progress, puzzle) - progress.rating))
    : least(pool, ({ name }) => tried.indexOf(name));
}

/** @type {(puzzles: Puzzle[], key: (puzzle: Puzzle) => number) => Puzzle} */
function least(puzzles, key) {
  return puzzles.reduce((best, each) => (key(each) < key(best) ? each : best));
}
