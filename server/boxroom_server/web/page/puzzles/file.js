/**
 * The files of the puzzles and lessons, with the progress that this browser keeps.
 *
 * @import { Store } from '../storage.js'
 * @import { Loaded } from '../state/puzzle_events.js'
 */

import { keptProgress } from '../storage.js';
import { parseLesson } from './lesson.js';
import { parsePuzzle } from './puzzle.js';

/** @type {(store: Store) => Promise<Loaded>} */
export async function loadPuzzles(store) {
  const [puzzles, lessons] = await Promise.all(['puzzles.txt', 'lessons.json'].map(fileText));
  return {
    puzzles: puzzles.trim().split('\n').map(parsePuzzle),
    lessons: JSON.parse(lessons).map(parseLesson),
    progress: keptProgress(store),
    day: new Date().toLocaleDateString('sv'), // in Swedish as in ISO 8601
  };
}

/**
 * Return the text of a file, which is beside the script.
 *
 * @type {(name: string) => Promise<string>}
 */
async function fileText(name) {
  const script = document.querySelector('script[src]')?.getAttribute('src') ?? '';
  const answer = await fetch(script.replace(/[^/]*$/, name));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.text();
}
