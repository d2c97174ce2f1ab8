/**
 * The file of the puzzles, with the progress that this browser keeps.
 *
 * @import { Store } from '../storage.js'
 * @import { Loaded } from '../state/puzzle_events.js'
 */

import { keptProgress } from '../storage.js';
import { parsePuzzle } from './puzzle.js';

/** The file, beside the script. */
const FILE = 'puzzles.txt';

/** @type {(store: Store) => Promise<Loaded>} */
export async function loadPuzzles(store) {
  const script = document.querySelector('script[src]')?.getAttribute('src') ?? '';
  const answer = await fetch(script.replace(/[^/]*$/, FILE));
  if (!answer.ok) throw new Error(`${FILE}: ${answer.status}`);
  const lines = (await answer.text()).trim().split('\n');
  const day = new Date().toLocaleDateString('sv'); // in Swedish as in ISO 8601
  return { puzzles: lines.map(parsePuzzle), progress: keptProgress(store), day };
}
