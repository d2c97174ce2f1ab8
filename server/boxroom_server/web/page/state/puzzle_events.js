/**
 * The state after what a person does with puzzles.
 *
 * @import { Progress } from '../puzzles/progress.js'
 * @import { Puzzle } from '../puzzles/puzzle.js'
 * @import { Picture } from '../mirror.js'
 * @import { Handlers, Outcome } from './next.js'
 * @import { State } from './state.js'
 *
 * @typedef {object} Course puzzles one after the other
 * @property {Puzzle[]} puzzles
 * @property {string} day
 * @property {string} theme '' for those of the day
 * @property {Progress} progress
 * @property {Puzzle} puzzle the one that is asked
 * @property {boolean} isFirstTry
 * @property {'asked' | 'again' | 'refuted' | 'solved'} stage
 * @property {string[]} moves played since the position of the puzzle
 * @property {string[]} rest moves of best play that aren't shown yet
 * @property {number} change of the rating by the last answer
 * @property {Picture} picture
 *
 * @typedef {{puzzles: Puzzle[], progress: Progress, day: string}} Loaded
 *
 * @typedef {{type: 'open_puzzles' | 'puzzle_on' | 'puzzle_again' | 'close_puzzles'}
 *   | {type: 'puzzles_loaded', theme: string} & Outcome<Loaded>
 *   | {type: 'puzzle_theme', theme: string}} PuzzleEvent
 */

import { afterFirstTry, afterSolving, nextPuzzle, ofTheDay } from '../puzzles/progress.js';
import { bestLine, puzzlePicture } from '../puzzles/puzzle.js';
import { failed, openLobby } from './changes.js';
import { withEffect } from './state.js';

/** @type {Handlers<PuzzleEvent>} */
export const PUZZLE_EVENTS = {
  open_puzzles: (state) => openPuzzles(state, ''),
  puzzles_loaded: (state, { answer, theme, error }) =>
    error ? failed(state, error) : { ...state, course: nextAsked({ ...answer, theme }) },
  puzzle_theme: (state, { theme }) =>
    state.course ? { ...state, course: nextAsked({ ...state.course, theme }) } : state,
  puzzle_on: (state) => (state.course ? { ...state, course: goneOn(state.course) } : state),
  puzzle_again: (state) =>
    state.course?.stage === 'refuted' ? { ...state, course: again(state.course) } : state,
  close_puzzles: (state) => {
    const closed = { ...state, course: null };
    return state.isOnline ? openLobby(closed) : closed; // the rooms may have changed meanwhile
  },
};

/**
 * Ask the next puzzle of a theme; that of '' are those of the day.
 *
 * @type {(state: State, theme: string) => State}
 */
export function openPuzzles(state, theme) {
  return withEffect(state, { type: 'load_puzzles', then: { type: 'puzzles_loaded', theme } });
}

/**
 * Answer the puzzle with a move.
 *
 * @type {(state: State, course: Course, move: string) => State}
 */
export function answerPuzzle(state, course, move) {
  const { puzzle, puzzles, day, isFirstTry, stage } = course;
  if ((stage !== 'asked' && stage !== 'again') || !puzzle.free.includes(move)) return state;
  const isRight = puzzle.best.includes(move);
  const rated = isFirstTry ? afterFirstTry(course.progress, puzzle, isRight) : course.progress;
  const ofToday = ofTheDay(puzzles, day);
  const progress = isRight ? afterSolving(rated, puzzle, ofToday, day) : rated;
  const answered = {
    ...course,
    progress,
    isFirstTry: false,
    stage: /** @type {Course['stage']} */ (isRight ? 'solved' : 'refuted'),
    rest: bestLine(puzzle, move).slice(1),
    change: Math.round(progress.rating) - Math.round(course.progress.rating),
  };
  const shown = { ...state, course: withMoves(answered, [move]) };
  if (progress === course.progress) return shown;
  return withEffect(shown, { type: 'save_progress', progress });
}

/** @type {(course: Pick<Course, 'puzzles' | 'progress' | 'day' | 'theme'>) => Course} */
function nextAsked({ puzzles, progress, day, theme }) {
  const puzzle = nextPuzzle(puzzles, progress, day, theme);
  return {
    puzzles,
    progress,
    day,
    theme,
    puzzle,
    isFirstTry: true,
    stage: 'asked',
    moves: [],
    rest: [],
    change: 0,
    picture: puzzlePicture(puzzle, []),
  };
}

/** @type {(course: Course, moves: string[]) => Course} */
function withMoves(course, moves) {
  return { ...course, moves, picture: puzzlePicture(course.puzzle, moves) };
}

/**
 * Show the next move of a refutation, ask again after the last, or ask the next puzzle.
 *
 * @type {(course: Course) => Course}
 */
function goneOn(course) {
  const { stage, moves, rest } = course;
  if (stage === 'solved') return nextAsked(course);
  if (stage !== 'refuted') return course;
  if (!rest.length) return again(course);
  return withMoves({ ...course, rest: rest.slice(1), change: 0 }, [...moves, rest[0]]);
}

/** @type {(course: Course) => Course} */
function again(course) {
  return withMoves({ ...course, stage: 'again', rest: [], change: 0 }, []);
}
