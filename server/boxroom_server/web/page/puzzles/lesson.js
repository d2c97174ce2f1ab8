/**
 * Lessons: tasks one after the other, as the server makes them of the lessons' files.
 *
 * The terminal plays the same lessons (`boxroom_engine.review.lesson`).
 *
 * @import { Sentences } from '../words.js'
 * @import { Puzzle } from './puzzle.js'
 *
 * @typedef {object} Told
 * @property {Sentences} task
 * @property {string} goal
 * @property {Sentences} wrong said of a wrong move; empty if the refutation says enough
 *
 * @typedef {Puzzle & Told} Step
 *
 * @typedef {object} Lesson
 * @property {string} name
 * @property {Sentences} title
 * @property {?string} theme of the puzzles in which to practise it
 * @property {Step[]} steps
 * @property {Sentences} end
 *
 * @typedef {Omit<Lesson, 'steps'> & {steps: ({board: string, right: string[]} & Told)[]}}
 *   LessonInFile
 */

import { afterMoves, parsePuzzle } from './puzzle.js';

/** @type {(lesson: LessonInFile) => Lesson} */
export function parseLesson(lesson) {
  const steps = lesson.steps.map(({ board, right, ...told }) => ({
    ...parsePuzzle(`${board} ${right}`),
    ...told,
  }));
  return { ...lesson, steps };
}

/**
 * Return what is shown of best play after a wrong move: all where the best move is asked, else up
 * to the end of the other player's first turn.
 *
 * @type {(step: Puzzle | Step, line: string[]) => string[]}
 */
export function refutationOf(step, line) {
  if (!('goal' in step) || step.goal === 'best') return line;
  const { movers } = afterMoves(step, line);
  const others = movers.findIndex((seat) => seat !== step.seat);
  const again = movers.findIndex((seat, index) => index > others && seat === step.seat);
  return others < 0 || again < 0 ? line : line.slice(0, again);
}

/**
 * Return the move that the task names, which the board shows; null if it is to be found.
 *
 * @type {(puzzle: Puzzle | Step) => ?string}
 */
export function namedMove(puzzle) {
  return 'goal' in puzzle && puzzle.goal === 'line' ? puzzle.best[0] : null;
}
