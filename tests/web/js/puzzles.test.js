import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { shownOnBoard } from '../../../server/boxroom_server/web/page/board/shown.js';
import {
  afterFirstTry,
  BEGINNER,
  nextPuzzle,
  ofTheDay,
} from '../../../server/boxroom_server/web/page/puzzles/progress.js';
import { parseLesson } from '../../../server/boxroom_server/web/page/puzzles/lesson.js';
import {
  afterMoves,
  bestLine,
  parsePuzzle,
} from '../../../server/boxroom_server/web/page/puzzles/puzzle.js';
import { layersOf } from '../../../server/boxroom_server/web/page/state/layers.js';
import { progressAfter } from '../../../server/boxroom_server/web/page/state/puzzle_events.js';
import { isMyTurn, wordsOf } from '../../../server/boxroom_server/web/page/state/state.js';
import {
  changeProgress,
  keptProgress,
  Store,
} from '../../../server/boxroom_server/web/page/storage.js';
import { pageView } from '../../../server/boxroom_server/web/page/views/page_view.js';
import { after, effectsOf, eventOf, found, fresh, t, textOf } from './page_state.js';

const FILE = new URL('../../../common/boxroom_common/puzzles/dots.txt', import.meta.url);
const puzzles = readFileSync(FILE, 'ascii').trim().split('\n').map(parsePuzzle);
const day = '2026-11-28';

/** Steps of the first lesson, and a lesson that ends in puzzles, as the file has them. */
const IN_FILE = [
  {
    name: 'first',
    title: { en: 'First', de: 'Erstes' },
    theme: null,
    steps: [
      {
        board: '2x2 801/0,0/0/-',
        right: ['v1'],
        task: { en: 'Draw v1.', de: 'Zieh v1.' },
        goal: 'line',
        wrong: {},
      },
      {
        board: '2x2 8a1/0,0/0/-',
        right: ['h1', 'h4', 'v2', 'v3'],
        task: { en: 'Draw no third line.' },
        goal: 'safe',
        wrong: { en: 'That was a third line.' },
      },
    ],
    end: { en: 'You have won.' },
  },
  {
    name: 'safe',
    title: { en: 'Safe lines' },
    theme: 'last_safe',
    steps: [
      {
        board: '2x2 8a1/0,0/0/-',
        right: ['h1', 'h4', 'v2', 'v3'],
        task: { en: 'Find it.' },
        goal: 'best',
        wrong: {},
      },
    ],
    end: { en: 'Now you know.' },
  },
];
const lessons = IN_FILE.map(parseLesson);

/** The state of a beginner who has opened the puzzles, or the lessons. */
function opened({ isLearning = false, progress = BEGINNER } = {}) {
  const answer = { puzzles, lessons, progress, day };
  const wanted = isLearning ? { lesson: '' } : {};
  const opening = after(fresh(), { type: 'open_puzzles', ...wanted });
  return after(opening, { ...opening.effects[0].then, answer });
}

/** A move that doesn't win. */
function wrongMove({ free, best }) {
  return free.find((move) => !best.includes(move));
}

const play = (move) => ({ type: 'play', move });
const shownText = (state) => textOf(pageView(state, t));

describe('a puzzle', () => {
  it('is won by its best moves alone, and by best play to the end', () => {
    const few = puzzles.filter(({ free }) => free.length <= 11);
    assert.ok(few.length > 50);
    for (const puzzle of few) {
      const { free, seat, best } = puzzle;
      for (const move of free) {
        const line = bestLine(puzzle, move);
        const { scores, toMove } = afterMoves(puzzle, line);
        assert.equal(toMove, null);
        assert.deepEqual([...line].sort(), [...free].sort());
        assert.equal(scores[seat] > scores[1 - seat], best.includes(move), puzzle.name);
      }
    }
  });

  it('is shown with its lines and boxes, and only its person can move', () => {
    const state = opened();
    const { puzzle, picture } = state.course;
    assert.ok(isMyTurn(state));
    const shown = shownOnBoard(state);
    assert.ok(shown.canMove);
    assert.equal(shown.marked.size, 0);
    assert.deepEqual(picture.tokens.slice(0, puzzle.drawn.length), puzzle.drawn);
    const boxes = picture.taken.flatMap(([, ...each]) => each);
    assert.deepEqual(boxes.sort(), puzzle.boxes.flat().sort());
  });
});

describe('the course of puzzles', () => {
  it('begins with the ten of the day, without a name or a connection', () => {
    const state = opened();
    assert.deepEqual(effectsOf(after(fresh(), { type: 'open_puzzles' })), ['load_puzzles']);
    assert.equal(state.course.puzzle, ofTheDay(puzzles, day)[0]);
    assert.match(shownText(state), /Puzzle 1 of 10your rating: 800/);
    assert.deepEqual(layersOf(state), [{ type: 'close_puzzles' }]);
    assert.equal(after(state, { type: 'close_puzzles' }).course, null);
  });

  it('says why a right answer is right, rates it, and goes on', () => {
    const state = opened();
    const [move] = state.course.puzzle.best;
    const solved = after(state, play(move));
    assert.deepEqual(effectsOf(solved), ['save_progress']);
    const told = /Right! .*Boxes in the end: .*Your rating is 8\d\d now \(\+/s;
    assert.match(shownText(solved), told);
    assert.deepEqual([...shownOnBoard(solved).marked], [solved.course.picture.tokens.length - 1]);
    assert.equal(after(solved, play(solved.course.puzzle.free[0])).course, solved.course);
    const next = after(solved, eventOf(pageView(solved, t), t('puzzle.next')));
    assert.match(shownText(next), /Puzzle 2 of 10/);
  });

  it('plays a wrong answer out, asks again, and rates the first try alone', () => {
    const state = opened();
    const { puzzle } = state.course;
    let shown = after(state, play(wrongMove(puzzle)));
    assert.match(shownText(shown), /doesn't win\. Boxes in the end: .*Your rating is 7\d\d now/s);
    assert.ok(!shownOnBoard(shown).canMove);
    while (shown.course.rest.length) shown = after(shown, { type: 'puzzle_on' });
    assert.equal(shown.course.moves.length, puzzle.free.length);
    assert.match(shownText(shown), /That is the end/);
    const again = after(shown, eventOf(pageView(shown, t), t('puzzle.try_again')));
    assert.match(shownText(again), /Again! Find a better line\./);
    const right = after(again, play(puzzle.best[0]));
    assert.equal(right.course.progress.rating, shown.course.progress.rating);
    assert.deepEqual(right.course.progress.solved, [puzzle.name]);
  });

  it('ends a day with its tenth puzzle, and goes on with others', () => {
    let state = opened();
    for (let number = 1; number <= 10; number += 1) {
      assert.equal(/all puzzles of today/.test(shownText(state)), false);
      state = after(state, play(state.course.puzzle.best[0]));
      if (number < 10) state = after(state, { type: 'puzzle_on' });
    }
    assert.match(shownText(state), /You have solved all puzzles of today\./);
    assert.equal(state.course.progress.series, 1);
    state = after(state, { type: 'puzzle_on' });
    assert.ok(!ofTheDay(puzzles, day).includes(state.course.puzzle));
  });

  it('practises one theme, in which leaving is mixed with taking', () => {
    const [select] = found(pageView(opened(), t), ({ tag }) => tag === 'select');
    const target = { value: 'leave_four' };
    let state = after(opened(), select.properties.onchange({ target }));
    const themes = new Set();
    for (let number = 0; number < 135; number += 1) {
      themes.add(state.course.puzzle.theme);
      state = after(state, play(state.course.puzzle.best[0]), { type: 'puzzle_on' });
    }
    assert.deepEqual([...themes].sort(), ['leave_four', 'leave_two', 'take_all']);
  });

  it('tells why the file is missing', () => {
    const error = { message: 'puzzles.txt: 404' };
    const state = after(fresh(), { type: 'puzzles_loaded', error });
    assert.equal(state.course, null);
    assert.match(shownText(state), /puzzles\.txt: 404/);
  });
});

describe('a lesson', () => {
  const learning = (progress) => opened({ isLearning: true, progress });
  const go = (state, name) => after(state, eventOf(pageView(state, t), name));

  it('names its first moves, and shows them on the board', () => {
    const state = learning();
    assert.match(shownText(state), /First: 1 of 2.*Draw v1\./s);
    assert.deepEqual(shownOnBoard(state).hints, ['v1']);
    assert.deepEqual(shownOnBoard(state).named, ['v1']);
    const told = after(state, play('h1'));
    assert.match(shownText(told), /Not this one\.See how it goes on\./);
    assert.deepEqual(effectsOf(told), []);
    assert.match(shownText(go(told, t('puzzle.try_again'))), /Again! .*Draw v1\./);
  });

  it('goes on step by step, and is done after the last, which leads to the next lesson', () => {
    let state = go(after(learning(), play('v1')), t('lesson.next'));
    assert.match(shownText(state), /First: 2 of 2.*Draw no third line\./s);
    assert.deepEqual(shownOnBoard(state).hints, []);
    state = after(state, play('v2'));
    assert.match(shownText(state), /Right!You have won\./);
    assert.deepEqual(effectsOf(state), ['save_progress']);
    assert.deepEqual(state.course.progress.lessons, ['first']);
    assert.match(shownText(go(state, t('lesson.next_lesson'))), /Safe lines: 1 of 1/);
  });

  it("refutes a wrong move by the other player's turn, or to the end if the best is asked", () => {
    let state = go(after(learning(), play('v1')), t('lesson.next'));
    state = after(state, play('v0'));
    assert.match(shownText(state), /That was a third line\./);
    const { rest, puzzle } = state.course;
    const { movers } = afterMoves(puzzle, ['v0', ...rest]);
    assert.deepEqual(new Set(movers.slice(1)), new Set([1]));
    assert.ok(rest.length < puzzle.free.length - 1);
    const next = learning({ ...BEGINNER, lessons: ['first'] });
    assert.equal(after(next, play('v0')).course.rest.length, puzzle.free.length - 1);
  });

  it('ends in puzzles of its theme', () => {
    const last = after(learning({ ...BEGINNER, lessons: ['first'] }), play('v2'));
    const practising = go(last, t('lesson.puzzles'));
    assert.equal(practising.course.puzzle.theme, 'last_safe');
    assert.match(shownText(practising), /Puzzles.*your rating/);
  });

  it('is the first that was not done, or else the chosen one', () => {
    const progress = { ...BEGINNER, lessons: ['first', 'safe'] };
    const state = learning(progress);
    assert.equal(state.course.lesson.name, 'first');
    const [select] = found(pageView(state, t), ({ tag }) => tag === 'select');
    assert.equal(textOf(select), '✓ First✓ Safe lines');
    const target = { value: 'safe' };
    const chosen = after(state, select.properties.onchange({ target }));
    assert.equal(chosen.course.lesson.name, 'safe');
  });

  it('is told in the language of the page, or where that lacks a sentence in English', () => {
    const german = { ...learning(), language: 'de' };
    const told = (state) => textOf(pageView(state, wordsOf(state)));
    assert.match(told(german), /Erstes: 1 of 2.*Zieh v1\./s);
    const second = after(german, play('v1'), { type: 'puzzle_on' }, play('v0'));
    assert.match(told(second), /That was a third line\./);
  });
});

describe('the progress in the browser', () => {
  const emptyStore = () => {
    const kept = new Map();
    return new Store(() => ({
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => kept.set(key, text),
      removeItem: (key) => kept.delete(key),
    }));
  };

  it('is that of a beginner at first, or where it is damaged, and survives', () => {
    const store = emptyStore();
    assert.deepEqual(keptProgress(store), BEGINNER);
    const { progress } = after(opened(), play(opened().course.puzzle.best[0])).course;
    changeProgress(store, () => progress);
    assert.deepEqual(keptProgress(store), progress);
    store.write('puzzles', { rating: 'high', puzzles: { a: 'b' }, solved: 3 });
    assert.deepEqual(keptProgress(store), BEGINNER);
    assert.notEqual(nextPuzzle(puzzles, progress, day, ''), ofTheDay(puzzles, day)[0]);
  });

  it('has the answers of two tabs, of which neither knew of the other', () => {
    const store = emptyStore();
    const [one, other] = ofTheDay(puzzles, day);
    for (const puzzle of [one, other]) {
      const asked = opened();
      const tab = { ...asked, course: { ...asked.course, puzzle } };
      const [{ course, isRight }] = after(tab, play(puzzle.best[0])).effects;
      changeProgress(store, (progress) => progressAfter({ ...course, progress }, isRight));
    }
    const { solved, puzzles: rated, rating } = keptProgress(store);
    assert.deepEqual(solved, [one.name, other.name]);
    assert.deepEqual(Object.keys(rated), solved);
    const alone = afterFirstTry(afterFirstTry(BEGINNER, one, true), other, true);
    assert.equal(rating, alone.rating);
  });

  it('of another tab is shown, beside what is being asked', () => {
    const state = opened();
    const progress = { ...BEGINNER, rating: 1234 };
    const kept = { ignored: [], results: {}, mistakes: state.mistakes };
    const told = after(state, { type: 'kept_elsewhere', kept, progress });
    assert.equal(told.course.puzzle, state.course.puzzle);
    assert.match(shownText(told), /your rating: 1234/);
  });
});
