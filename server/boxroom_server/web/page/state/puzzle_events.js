/**
 * The state after what a person does with puzzles and lessons.
 *
 * @import { Progress } from '../puzzles/progress.js'
 * @import { Lesson, Step } from '../puzzles/lesson.js'
 * @import { Mistake } from '../puzzles/mistakes.js'
 * @import { PositionJudgement } from '../protocol.js'
 * @import { Puzzle } from '../puzzles/puzzle.js'
 * @import { Picture } from '../mirror.js'
 * @import { Handlers, Outcome } from './next.js'
 * @import { State } from './state.js'
 *
 * @typedef {{puzzles: Puzzle[], lessons: Lesson[], progress: Progress, day: string}} Loaded
 *
 * @typedef {Loaded & Asked} Course tasks one after the other
 *
 * @typedef {object} Asked
 * @property {?Lesson} lesson null for puzzles
 * @property {string} theme of the puzzles; '' for those of the day
 * @property {Puzzle | Step | Mistake} puzzle the one that is asked
 * @property {boolean} isFirstTry
 * @property {'asked' | 'again' | 'judged' | 'refuted' | 'solved'} stage `judged` while
 *   the server looks at a move
 * @property {string[]} moves played since the position of the puzzle
 * @property {string[]} rest moves of best play that aren't shown yet
 * @property {number} change of the rating by the last answer
 * @property {Picture} picture
 *
 * @typedef {{lessons?: boolean, theme?: string, own?: Mistake[]}} Wanted the next lesson, or else
 *   puzzles of an idea: of those that are the person's own mistakes, or of all
 *
 * @typedef {{type: 'puzzle_on' | 'puzzle_again' | 'close_puzzles'}
 *   | {type: 'open_puzzles'} & Wanted
 *   | {type: 'puzzles_loaded'} & Wanted & Outcome<Loaded>
 *   | {type: 'answer_judged', picture: Picture} & Outcome<PositionJudgement>
 *   | {type: 'puzzle_theme' | 'lesson', name: string}} PuzzleEvent
 */

import { refutationOf } from '../puzzles/lesson.js';
import {
  afterFirstTry,
  afterLesson,
  afterSolving,
  nextPuzzle,
  ofTheDay,
} from '../puzzles/progress.js';
import { bestLine, puzzlePicture } from '../puzzles/puzzle.js';
import { closeDialog, failed, openLobby } from './changes.js';
import { withEffect } from './state.js';

/** @type {Handlers<PuzzleEvent>} */
export const PUZZLE_EVENTS = {
  open_puzzles: (state, { type, ...wanted }) => openPuzzles(closeDialog(state), wanted),
  puzzles_loaded: (state, { lessons, theme = '', own, answer, error }) => {
    if (error) return failed(state, error);
    const puzzles = own ?? answer.puzzles;
    const course = lessons ? lessonAsked(answer) : nextAsked({ ...answer, puzzles }, theme);
    return { ...state, course };
  },
  puzzle_theme: (state, { name }) =>
    state.course ? { ...state, course: nextAsked(state.course, name) } : state,
  lesson: (state, { name }) =>
    state.course ? { ...state, course: lessonAsked(state.course, name) } : state,
  puzzle_on: (state) => (state.course ? { ...state, course: goneOn(state.course) } : state),
  puzzle_again: (state) =>
    state.course?.stage === 'refuted' ? { ...state, course: again(state.course) } : state,
  /** The person may do something else meanwhile: then another picture is shown. */
  answer_judged: (state, { picture, answer, error }) => {
    const { course } = state;
    if (course?.stage !== 'judged' || course.picture !== picture) return state;
    if (error) return failed({ ...state, course: again(course) }, error);
    const { finding, line } = answer;
    const best = line[0] === course.moves[0] ? line : course.moves; // else what follows isn't known
    const rest = (finding?.line ?? best).slice(1);
    return answered(state, { ...course, rest }, !finding);
  },
  close_puzzles: (state) => {
    const closed = { ...state, course: null };
    return state.isOnline ? openLobby(closed) : closed; // the rooms may have changed meanwhile
  },
};

/**
 * Ask the first of the tasks that are wanted; without a theme those of the day.
 *
 * @type {(state: State, wanted: Wanted) => State}
 */
export function openPuzzles(state, wanted) {
  return withEffect(state, { type: 'load_puzzles', then: { type: 'puzzles_loaded', ...wanted } });
}

/**
 * Answer the task with a move.
 *
 * @type {(state: State, course: Course, move: string) => State}
 */
export function answerPuzzle(state, course, move) {
  const { puzzle, stage } = course;
  if ((stage !== 'asked' && stage !== 'again') || !puzzle.free.includes(move)) return state;
  if ('game' in puzzle) return askJudge(state, course, puzzle, move);
  const rest = bestLine(puzzle, move).slice(1);
  return answered(state, withMoves({ ...course, rest }, [move]), puzzle.best.includes(move));
}

/**
 * Ask the server about a move in an own game, which has too many free lines for the page.
 *
 * @type {(state: State, course: Course, mistake: Mistake, move: string) => State}
 */
function askJudge(state, course, { game, number }, move) {
  const judged = withMoves({ ...course, stage: 'judged' }, [move]);
  return withEffect({ ...state, course: judged }, {
    type: 'request',
    message: { type: 'judge', game, ply: number - 1, move },
    then: { type: 'answer_judged', picture: judged.picture },
  });
}

/** @type {(state: State, course: Course, isRight: boolean) => State} */
function answered(state, course, isRight) {
  const { rest } = course;
  const { puzzle, moves } = course;
  const isShort = !isRight && 'goal' in puzzle;
  const progress = progressAfter(course, isRight);
  const shown = {
    ...state,
    course: {
      ...course,
      progress,
      isFirstTry: false,
      stage: /** @type {Course['stage']} */ (isRight ? 'solved' : 'refuted'),
      rest: isShort ? refutationOf(puzzle, [...moves, ...rest]).slice(1) : rest,
      change: Math.round(progress.rating) - Math.round(course.progress.rating),
    },
  };
  if (progress === course.progress) return shown;
  return withEffect(shown, { type: 'save_progress', course, isRight });
}

/** @type {(course: Omit<Course, 'rest'>, isRight: boolean) => Progress} */
export function progressAfter({ lesson, puzzle, puzzles, day, isFirstTry, progress }, isRight) {
  if (lesson) {
    const isDone = isRight && puzzle === lesson.steps.at(-1);
    return isDone ? afterLesson(progress, lesson.name) : progress;
  }
  const rated = isFirstTry ? afterFirstTry(progress, puzzle, isRight) : progress;
  if (!isRight || 'game' in puzzle) return rated;
  return afterSolving(rated, puzzle, ofTheDay(puzzles, day), day);
}

/** @type {(course: Loaded, theme: string) => Course} */
function nextAsked(course, theme) {
  const { puzzles, progress, day } = course;
  const puzzle = nextPuzzle(puzzles, progress, day, theme);
  return asked({ ...course, lesson: null, theme }, puzzle);
}

/**
 * Begin a lesson; without a name the first that wasn't done.
 *
 * @type {(course: Loaded, name?: string) => Course}
 */
function lessonAsked(course, name) {
  const { lessons, progress } = course;
  const isNext = (/** @type {Lesson} */ each) => !progress.lessons.includes(each.name);
  const lesson = lessons.find((each) => each.name === name) ?? lessons.find(isNext) ?? lessons[0];
  return asked({ ...course, lesson, theme: '' }, lesson.steps[0]);
}

/**
 * Ask the next step of the lesson, then puzzles of its theme, or if it has none the next lesson.
 *
 * @type {(course: Course, lesson: Lesson) => Course}
 */
function nextStep(course, lesson) {
  const step = lesson.steps[lesson.steps.findIndex((each) => each === course.puzzle) + 1];
  if (step) return asked(course, step);
  return lesson.theme ? nextAsked(course, lesson.theme) : lessonAsked(course);
}

/**
 * @param {Loaded & Pick<Course, 'lesson' | 'theme'>} course
 * @param {Course['puzzle']} puzzle
 * @returns {Course}
 */
function asked(course, puzzle) {
  return {
    ...course,
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
 * Show the next move of a refutation, ask again after the last, or ask the next task.
 *
 * @type {(course: Course) => Course}
 */
function goneOn(course) {
  const { stage, moves, rest, lesson } = course;
  if (stage === 'solved') {
    return lesson ? nextStep(course, lesson) : nextAsked(course, course.theme);
  }
  if (stage !== 'refuted') return course;
  if (!rest.length) return again(course);
  return withMoves({ ...course, rest: rest.slice(1), change: 0 }, [...moves, rest[0]]);
}

/** @type {(course: Course) => Course} */
function again(course) {
  return withMoves({ ...course, stage: 'again', rest: [], change: 0 }, []);
}
