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
 * @typedef {{lesson?: string, theme?: string, own?: Mistake[]}} Wanted a lesson, '' for the next
 *   one, or else puzzles of an idea: of those that are the person's own mistakes, or of all
 *
 * @typedef {{type: 'puzzle_on' | 'puzzle_again' | 'close_puzzles'}
 *   | {type: 'open_puzzles' | 'choose_puzzles'} & Wanted
 *   | {type: 'puzzles_loaded'} & Wanted & Outcome<Loaded>
 *   | {type: 'answer_judged', picture: Picture} & Outcome<PositionJudgement>} PuzzleEvent
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
  puzzles_loaded: (state, { answer, error, own, ...wanted }) => {
    if (error) return failed(state, error);
    return { ...state, course: begun({ ...answer, ...(own && { puzzles: own }) }, wanted) };
  },
  choose_puzzles: onCourse(begun),
  puzzle_on: onCourse(goneOn),
  puzzle_again: onCourse((course) => (course.stage === 'refuted' ? again(course) : course)),
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
 * Return the handler of an event that changes the course, if there is one.
 *
 * @template E
 * @param {(course: Course, event: E) => Course} change
 * @returns {(state: State, event: E) => State}
 */
function onCourse(change) {
  return (state, event) =>
    state.course ? { ...state, course: change(state.course, event) } : state;
}

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
  const isRight = puzzle.best.includes(move);
  const line = bestLine(puzzle, move);
  const rest = (isRight ? line : refutationOf(puzzle, line)).slice(1);
  return answered(state, withMoves({ ...course, rest }, [move]), isRight);
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
function answered(state, before, isRight) {
  const progress = progressAfter(before, isRight);
  const change = Math.round(progress.rating) - Math.round(before.progress.rating);
  /** @type {Course['stage']} */
  const stage = isRight ? 'solved' : 'refuted';
  const shown = { ...state, course: { ...before, progress, isFirstTry: false, stage, change } };
  if (progress === before.progress) return shown;
  return withEffect(shown, { type: 'save_progress', course: before, isRight });
}

/** @type {(course: Course, isRight: boolean) => Progress} */
export function progressAfter({ lesson, puzzle, puzzles, day, isFirstTry, progress }, isRight) {
  if (lesson) {
    const isDone = isRight && puzzle === lesson.steps.at(-1);
    return isDone ? afterLesson(progress, lesson.name) : progress;
  }
  const rated = isFirstTry ? afterFirstTry(progress, puzzle, isRight) : progress;
  if (!isRight || 'game' in puzzle) return rated;
  return afterSolving(rated, puzzle, ofTheDay(puzzles, day), day);
}

/**
 * Ask the first step of a lesson, '' for the first that wasn't done, or else a puzzle.
 *
 * @type {(course: Loaded, wanted: Wanted) => Course}
 */
function begun(course, { lesson: name, theme = '' }) {
  const { puzzles, lessons, progress, day } = course;
  if (name === undefined) {
    return asked({ ...course, lesson: null, theme }, nextPuzzle(puzzles, progress, day, theme));
  }
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
  return begun(course, lesson.theme ? { theme: lesson.theme } : { lesson: '' });
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
    return lesson ? nextStep(course, lesson) : begun(course, { theme: course.theme });
  }
  if (stage !== 'refuted') return course;
  if (!rest.length) return again(course);
  return withMoves({ ...course, rest: rest.slice(1), change: 0 }, [...moves, rest[0]]);
}

/** @type {(course: Course) => Course} */
function again(course) {
  return withMoves({ ...course, stage: 'again', rest: [], change: 0 }, []);
}
