/**
 * Lessons: tasks one after the other, as the server makes them of the lessons' text files.
 *
 * The terminal plays the same lessons (`boxroom_engine.review.lesson`).
 *
 * @import { Puzzle } from './puzzle.js'
 *
 * @typedef {Puzzle & {task: string, goal: string, wrong: string}} Step `wrong` is said of a wrong
 *   move; '' if the refutation says enough
 *
 * @typedef {object} Lesson
 * @property {string} name
 * @property {string} title
 * @property {?string} theme of the puzzles in which to practise it
 * @property {Step[]} steps
 * @property {string} end
 *
 * @typedef {Record<string, string>} Sentences a sentence in each language, by its code
 *
 * @typedef {{name: string, title: Sentences, theme: ?string, end: Sentences, steps: {position:
 *   string, task: Sentences, goal: string, wrong: Sentences}[]}} LessonInFile
 */

import { afterMoves, parsePuzzle } from './puzzle.js';

/**
 * Return a lesson in one language.
 *
 * @type {(lesson: LessonInFile, language: string) => Lesson}
 */
export function lessonFrom({ title, end, steps, ...lesson }, language) {
  const said = (/** @type {Sentences} */ each) => each[language] ?? each.en ?? '';
  return {
    ...lesson,
    title: said(title),
    end: said(end),
    steps: steps.map(({ position, goal, task, wrong }) => ({
      ...parsePuzzle(position),
      goal,
      task: said(task),
      wrong: said(wrong),
    })),
  };
}

/**
 * Return what is shown of best play after a wrong move: all where the best move is asked, else up
 * to the end of the other player's first turn.
 *
 * @type {(step: Step, line: string[]) => string[]}
 */
export function refutationOf(step, line) {
  if (step.goal === 'best') return line;
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
