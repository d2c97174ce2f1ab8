/**
 * A puzzle: the board, what there is to do, and what comes of an answer.
 *
 * @import { Description, Properties, View } from '../dom.js'
 * @import { Course } from '../state/puzzle_events.js'
 * @import { State } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h } from '../dom.js';
import { leftOf, ofTheDay, seriesOn } from '../puzzles/progress.js';
import { afterMoves } from '../puzzles/puzzle.js';
import { boardView } from './room.js';

const PUZZLE_THEMES = [
  ...['last_safe', 'make_chain', 'give', 'count', 'no_choice'],
  ...['leave_two', 'leave_four', 'take_all'],
];

/** @type {View<Description, State & {course: Course}>} */
export function puzzleView({ course }, t) {
  /** @type {Properties<HTMLButtonElement>} */
  const close = { 'aria-label': t('close'), title: t('close'), onclick: { type: 'close_puzzles' } };
  const told = puzzleSentences(course, t);
  return h(
    'main.room.puzzle',
    { key: 'puzzle' },
    h('header', {}, h('button.icon', close, '‹'), heading(course, t)),
    themeField(course, t),
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
function heading({ puzzles, puzzle, progress, day, theme }, t) {
  const ofToday = ofTheDay(puzzles, day);
  const number = theme ? 0 : ofToday.indexOf(puzzle) + 1;
  const last = ofToday.length;
  const text = number ? t('puzzle.number', { number, last }) : t('puzzle.puzzles');
  const rating = t('puzzle.your_rating', { rating: Math.round(progress.rating) });
  return h('h1', {}, text, h('small', {}, rating));
}

/** @type {(course: Course, t: Translate) => Description} */
function themeField({ theme }, t) {
  /** @type {(value: string, text: string) => Description} */
  const option = (value, text) => h('option', { value, selected: value === theme }, text);
  return h(
    'select.theme',
    {
      key: 'theme',
      'aria-label': t('puzzle.practise'),
      onchange: ({ target }) => ({ type: 'puzzle_theme', theme: target.value }),
    },
    option('', t('puzzle.of_today')),
    ...PUZZLE_THEMES.map((each) => option(each, t(`puzzle.theme.${each}`))),
  );
}

/** @type {(course: Course, t: Translate) => string[]} */
function puzzleSentences(course, t) {
  const { puzzle, moves, rest, stage, change, progress } = course;
  const { seat, theme } = puzzle;
  const [move] = moves;
  const rated = { rating: Math.round(progress.rating), change: change > 0 ? `+${change}` : change };
  const rating = change ? [t('puzzle.rating', rated)] : [];
  switch (stage) {
    case 'asked':
      return [t('puzzle.task'), t('puzzle.score', boxesAfter(course, []))];
    case 'again':
      return [t('puzzle.again'), t('puzzle.score', boxesAfter(course, []))];
    case 'solved':
      return [
        t(`puzzle.reason.${theme}`),
        t('puzzle.ends', boxesAfter(course, [...moves, ...rest])),
        ...rating,
        ...dayIsDone(course, t),
      ];
    default:
      break;
  }
  const on = t(rest.length ? 'puzzle.look' : 'puzzle.played_out');
  if (moves.length === 1) {
    const ends = boxesAfter(course, [...moves, ...rest]);
    return [t('puzzle.wrong_gets', { move, ...ends }), ...rating, on];
  }
  const isOwn = afterMoves(puzzle, moves).movers.at(-1) === seat;
  const step = { move: moves.at(-1), ...boxesAfter(course, moves) };
  return [t(isOwn ? 'puzzle.step.you' : 'puzzle.step.other', step), on];
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
function buttons({ stage, rest }, t) {
  /** @type {Properties<HTMLButtonElement>} */
  const on = { onclick: { type: 'puzzle_on' } };
  /** @type {Properties<HTMLButtonElement>} */
  const again = { onclick: { type: 'puzzle_again' } };
  if (stage === 'solved') return [h('button.primary', on, t('puzzle.next'))];
  if (stage !== 'refuted') return [];
  return [
    rest.length ? h('button.primary', on, t('puzzle.next_move')) : null,
    h('button', again, t('puzzle.try_again')),
  ].filter((each) => each !== null);
}
