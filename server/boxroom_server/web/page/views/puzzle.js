/**
 * A task of a course: the board, what there is to do, and what comes of an answer.
 *
 * @import { Description, Properties, View } from '../dom.js'
 * @import { Lesson } from '../puzzles/lesson.js'
 * @import { Mistake } from '../puzzles/mistakes.js'
 * @import { Course } from '../state/puzzle_events.js'
 * @import { State } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h } from '../dom.js';
import { leftOf, ofTheDay, seriesOn } from '../puzzles/progress.js';
import { afterMoves } from '../puzzles/puzzle.js';
import { iconButton } from './icons.js';
import { boardView } from './room.js';

const PUZZLE_THEMES = [
  ...['last_safe', 'make_chain', 'give', 'count', 'no_choice'],
  ...['leave_two', 'leave_four', 'take_all'],
];

/** @type {View<Description, State & {course: Course}>} */
export function puzzleView({ course }, t) {
  const close = iconButton('back', t('close'), { type: 'close_puzzles' });
  const told = puzzleSentences(course, course.puzzle, t);
  return h(
    'main.room.puzzle',
    { key: 'puzzle' },
    h('header', {}, close, heading(course, t)),
    course.lesson ? lessonField(course, course.lesson, t) : themeField(course, t),
    h(
      'section.table',
      { key: 'table' },
      boardView(),
      h('div.told', { role: 'status' }, ...told.map((text) => h('p', {}, text))),
      h('div.buttons', {}, ...buttons(course, t)),
    ),
  );
}

/** @type {(course: Course, t: Translate) => Description} */
function heading({ puzzles, puzzle, lesson, progress, day, theme }, t) {
  const ofToday = lesson?.steps ?? ofTheDay(puzzles, day);
  const number = theme ? 0 : ofToday.indexOf(puzzle) + 1;
  const last = ofToday.length;
  if (lesson) return h('h1', {}, t('lesson.title', { title: t.of(lesson.title), number, last }));
  const title = t(isOwn(puzzle) ? 'mistakes.title' : 'puzzle.puzzles');
  const text = number ? t('puzzle.number', { number, last }) : title;
  const rating = t('puzzle.your_rating', { rating: Math.round(progress.rating) });
  return h('h1', {}, text, h('small', {}, rating));
}

/** @type {(course: Course, t: Translate) => Description} */
function themeField({ theme, puzzle, puzzles }, t) {
  const isThere = (/** @type {string} */ each) => puzzles.some((it) => it.theme === each);
  const themes = PUZZLE_THEMES.filter(isThere).map((each) => [each, t(`puzzle.theme.${each}`)]);
  const all = isOwn(puzzle) ? themes : [['', t('puzzle.of_today')], ...themes];
  return field(t('puzzle.practise'), 'theme', theme, all);
}

/** @type {(course: Course, lesson: Lesson, t: Translate) => Description} */
function lessonField({ lessons, progress }, lesson, t) {
  const mark = (/** @type {string} */ name) => (progress.lessons.includes(name) ? '✓ ' : '');
  const titles = lessons.map(({ name, title }) => [name, mark(name) + t.of(title)]);
  return field(t('lesson.lessons'), 'lesson', lesson.name, titles);
}

/**
 * Return the choice of the tasks: the value and the text of each.
 *
 * @type {(label: string, kind: 'theme' | 'lesson', chosen: string, options: string[][]) =>
 *   Description}
 */
function field(label, kind, chosen, options) {
  return h(
    'select.theme',
    {
      key: kind,
      'aria-label': label,
      onchange: ({ target }) => ({ type: 'choose_puzzles', [kind]: target.value }),
    },
    ...options.map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
  );
}

/** @type {(course: Course, puzzle: Course['puzzle'], t: Translate) => string[]} */
function puzzleSentences(course, puzzle, t) {
  const { moves, rest, stage } = course;
  const isStep = 'goal' in puzzle;
  const task = isStep ? t.of(puzzle.task) : t('puzzle.score', boxesAfter(course, []));
  switch (stage) {
    case 'asked':
      return isStep ? [task] : [t(isOwn(puzzle) ? 'mistakes.task' : 'puzzle.task'), task];
    case 'again':
      return [t('puzzle.again'), task];
    case 'judged':
      return [t('mistakes.judged')];
    case 'solved':
      return praise(course, t);
    default:
      break;
  }
  const on = t(rest.length ? 'puzzle.look' : 'puzzle.played_out');
  if (moves.length === 1) return [...objection(course, puzzle, t), on];
  const isByPerson = afterMoves(puzzle, moves).movers.at(-1) === puzzle.seat;
  const step = { move: moves.at(-1), ...boxesAfter(course, moves) };
  return [t(isByPerson ? 'puzzle.step.you' : 'puzzle.step.other', step), on];
}

/** @type {(course: Course, t: Translate) => string[]} */
function praise(course, t) {
  const { lesson, puzzle, moves, rest } = course;
  if (lesson) return [t('lesson.right'), ...(isLastStep(course) ? [t.of(lesson.end)] : [])];
  return [
    t(`puzzle.reason.${puzzle.theme}`),
    ...(isWhole(course) ? [t('puzzle.ends', boxesAfter(course, [...moves, ...rest]))] : []),
    ...ratingSentence(course, t),
    ...dayIsDone(course, t),
  ];
}

/** @type {(course: Course, puzzle: Course['puzzle'], t: Translate) => string[]} */
function objection(course, puzzle, t) {
  if ('goal' in puzzle) return [t.of(puzzle.wrong) || t('lesson.not_this_one')];
  const { moves, rest } = course;
  const ends = boxesAfter(course, [...moves, ...rest]);
  const key = `${isOwn(puzzle) ? 'mistakes' : 'puzzle'}.wrong${isWhole(course) ? '_gets' : ''}`;
  return [t(key, { move: moves[0], ...ends }), ...ratingSentence(course, t)];
}

/** @type {(course: Course, t: Translate) => string[]} */
function ratingSentence({ change, progress }, t) {
  const rated = { rating: Math.round(progress.rating), change: change > 0 ? `+${change}` : change };
  return change ? [t('puzzle.rating', rated)] : [];
}

/** @type {(puzzle: Course['puzzle']) => puzzle is Mistake} */
function isOwn(puzzle) {
  return 'game' in puzzle;
}

/**
 * Return whether best play after the answer is known to its end.
 *
 * @type {(course: Course) => boolean}
 */
function isWhole({ puzzle, moves, rest }) {
  return afterMoves(puzzle, [...moves, ...rest]).toMove === null;
}

/** @type {(course: Course) => boolean} */
function isLastStep({ lesson, puzzle }) {
  return lesson !== null && lesson.steps.at(-1) === puzzle;
}

/** @type {(course: Course, moves: string[]) => {own: number, others: number}} */
function boxesAfter({ puzzle }, moves) {
  const all = afterMoves(puzzle, moves).scores;
  return { own: all[puzzle.seat], others: all[1 - puzzle.seat] };
}

/** @type {(course: Course, t: Translate) => string[]} */
function dayIsDone({ puzzles, puzzle, progress, day, theme }, t) {
  const ofToday = ofTheDay(puzzles, day);
  const isOfToday = !theme && ofToday.includes(puzzle);
  if (!isOfToday || leftOf(progress, ofToday, day).length) return [];
  return [t('puzzle.day_done', { n: seriesOn(progress, day) })];
}

/** @type {(course: Course, t: Translate) => Description[]} */
function buttons(course, t) {
  const { stage, rest, lesson } = course;
  /** @type {Properties<HTMLButtonElement>} */
  const on = { onclick: { type: 'puzzle_on' } };
  /** @type {Properties<HTMLButtonElement>} */
  const again = { onclick: { type: 'puzzle_again' } };
  if (stage === 'solved') {
    const next = t(lesson ? nextKey(course, lesson) : 'puzzle.next');
    return [h('button.primary', on, next)];
  }
  if (stage !== 'refuted') return [];
  return [
    rest.length ? h('button.primary', on, t('puzzle.next_move')) : null,
    h('button', again, t('puzzle.try_again')),
  ].filter((each) => each !== null);
}

/** @type {(course: Course, lesson: Lesson) => string} */
function nextKey(course, { theme }) {
  if (!isLastStep(course)) return 'lesson.next';
  return theme ? 'lesson.puzzles' : 'lesson.next_lesson';
}
