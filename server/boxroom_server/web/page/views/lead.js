/**
 * The curve of the lead: who is ahead after each move, and the moves that cost something.
 *
 * Between two players the bars of the first are above the axis and those of the second below it.
 * Where the review knows it, a bar is the lead at the end with best play; a fainter one is that of
 * the score so far. A touch or click on the curve opens the position there.
 *
 * @import { Description, View } from '../dom.js'
 * @import { Lead } from '../leads.js'
 * @import { PageEvent } from '../state/next.js'
 * @import { BoardState } from '../state/state.js'
 */

import { h } from '../dom.js';
import { called } from '../game_words.js';
import { leadsOf } from '../leads.js';
import { markOf } from '../marks.js';
import { shownCount, shownPicture } from '../state/state.js';

/** Columns at most: a position, or the last of several. */
const MOST_COLUMNS = 120;
/** Height of the curve in its own units; a column is one wide. */
const HEIGHT = 24;

/**
 * Return the curve; null if the score of the game isn't a number of things, or nobody ever leads.
 *
 * @type {View<?Description, BoardState>}
 */
export function leadView(state, t) {
  const picture = shownPicture(state);
  const leads = leadsOf(picture, state.review);
  const most = Math.max(0, ...leads.map(({ boxes }) => boxes));
  if (!most) return null;
  const every = Math.ceil(leads.length / MOST_COLUMNS);
  const columns = Math.ceil(leads.length / every);
  /** @type {(count: number) => number} */
  const columnOf = (count) => columns - 1 - Math.floor((leads.length - 1 - count) / every);
  const isForTwo = picture.players.length === 2;
  const axis = isForTwo ? HEIGHT / 2 : HEIGHT;
  const scale = (isForTwo ? HEIGHT / 2 - 3 : HEIGHT - 3) / most;
  const bars = [...Array(columns).keys()].map((column) => {
    const lead = leads[leads.length - 1 - (columns - 1 - column) * every];
    return bar(lead, column, axis, scale, markOf(picture, lead.seat ?? 0, state.games).className);
  });
  const at = state.line === null ? shownCount(state) : state.line.number - 1;
  return h(
    'svg.lead',
    {
      key: 'lead',
      role: 'img',
      'aria-label': leadInWords(leads[at], picture.players, t),
      viewBox: `0 0 ${columns} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      onclick: (event) => opened(event, leads.length),
    },
    h('path.axis', { d: `M0 ${axis}h${columns}` }),
    ...bars,
    ...marks(state, columnOf, axis),
    h('path.at', { d: `M${columnOf(at) + 0.5} 0v${HEIGHT}` }),
  );
}

/**
 * @type {(lead: Lead, column: number, axis: number, scale: number, className: string) =>
 *   ?Description}
 */
function bar({ seat, boxes, isExpected }, column, axis, scale, className) {
  if (seat === null) return null;
  const height = boxes * scale;
  const y = seat === 1 && axis < HEIGHT ? axis : axis - height;
  const kind = isExpected ? 'rect.bar' : 'rect.bar.so-far';
  return h(kind, { class: className, x: column + 0.08, y, width: 0.84, height });
}

/**
 * @type {(state: BoardState, columnOf: (count: number) => number, axis: number) => Description[]}
 */
function marks({ review }, columnOf, axis) {
  if (review === null || review.isPending) return [];
  return review.findings.map(({ number, seat }) => {
    const isBelow = seat === 1 && axis < HEIGHT;
    const [y, by] = isBelow ? [HEIGHT, -2.4] : [0, 2.4];
    const turned = number === review.turning_point ? '.turned' : '';
    return h(`path.cost${turned}`, { d: `M${columnOf(number)} ${y}h1l-.5 ${by}z` });
  });
}

/** @type {(lead: Lead, players: string[], t: import('../words.js').Translate) => string} */
function leadInWords({ seat, boxes }, players, t) {
  if (seat === null) return t('lead_none');
  return t('lead', { name: called(players[seat], t), n: Math.round(boxes) });
}

/** @type {(event: MouseEvent, positions: number) => ?PageEvent} */
function opened({ currentTarget, clientX }, positions) {
  if (!(currentTarget instanceof Element)) return null;
  const { left, width } = currentTarget.getBoundingClientRect();
  const share = (clientX - left) / Math.max(1, width);
  const count = Math.max(0, Math.min(positions - 1, Math.floor(share * positions)));
  return { type: 'look_back', count };
}
