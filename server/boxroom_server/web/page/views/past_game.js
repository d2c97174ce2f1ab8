/**
 * A game that is stepped through: the way to each of its positions, the course of the lead, and
 * what the review says about the position that is shown.
 *
 * @import { Description, View } from '../dom.js'
 * @import { Finding } from '../protocol.js'
 * @import { PageEvent } from '../state/next.js'
 * @import { BoardState } from '../state/state.js'
 * @import { Translate } from '../words.js'
 * @import { StepName } from './icons.js'
 */

import { h } from '../dom.js';
import { lineOf } from '../review.js';
import { isHost, isSteppable, shownCount, shownGame, shownPicture } from '../state/state.js';
import { iconButton } from './icons.js';
import { leadView } from './lead.js';
import {
  findingShown,
  findingText,
  judgeButton,
  judgementText,
  reviewView,
} from './review.js';

/**
 * Return what stands below the board of a game that is over, or of which an earlier position is
 * shown.
 *
 * @type {View<(?Description)[], BoardState>}
 */
export function pastGameView(state, t) {
  if (!isSteppable(state)) return [];
  return [
    stepper(state, t),
    leadView(state, t),
    judgementText(state, t) ?? findingText(state, t),
    aboutPosition(state, t),
    tryAgainButton(state, t),
    reviewView(state, t),
  ];
}

/**
 * Return what can be done with an earlier position of a game that is over.
 *
 * @type {View<?Description, BoardState>}
 */
function aboutPosition(state, t) {
  if (state.replayAt === null || shownPicture(state).phase !== 'over') return null;
  /** @type {PageEvent} */
  const share = { type: 'open_dialog', dialog: { kind: 'share' } };
  return h(
    'div.actions.lines',
    { key: 'lines' },
    judgeButton(state, t),
    ...linesOf(state, t),
    h('button', { key: 'share', onclick: share }, t('share')),
  );
}

/**
 * Return the buttons by which both lines of a finding are followed, or left.
 *
 * @type {View<(?Description)[], BoardState>}
 */
function linesOf(state, t) {
  const finding = findingShown(state);
  if (finding === null) return [];
  const { number, line: played = [], better_line: instead = [] } = finding;
  const back = { type: /** @type {const} */ ('look_back'), count: number - 1 };
  return [
    played.length ? lineButton(state, finding, false, t) : null,
    instead.length ? lineButton(state, finding, true, t) : null,
    state.line === null ? null : h('button', { key: 'back', onclick: back }, t('back_to_game')),
  ];
}

/** @type {(state: BoardState, finding: Finding, isBetter: boolean, t: Translate) => Description} */
function lineButton({ line: followed }, finding, isBetter, t) {
  const { number, move, better } = finding;
  const isShown = followed?.isBetter === isBetter;
  /** @type {PageEvent} */
  const onclick = { type: 'look_back', count: number, line: { number, isBetter } };
  const label = t('line_after', { move: isBetter ? better : move });
  const kind = isBetter ? 'better' : 'mistake';
  const pressed = isShown ? 'true' : 'false';
  return h(`button.${kind}`, { key: kind, 'aria-pressed': pressed, onclick }, label);
}

/**
 * Return the button that plays from the position that is shown once more, for the host of a room or
 * who looks at a finished game; null after the last move, and where a player had given up before.
 *
 * @type {View<?Description, BoardState>}
 */
function tryAgainButton(state, t) {
  const { phase } = shownPicture(state);
  const mayStart = state.picture === null ? state.you !== null : isHost(state);
  const moves = shownGame(state).tokens;
  const count = shownCount(state);
  const isOpen = count < moves.length && !moves.slice(0, count).some((each) => each[0] === '~');
  if (phase !== 'over' || !mayStart || !isOpen) return null;
  const onclick = /** @type {const} */ ({ type: 'try_again' });
  return h('div.actions', { key: 'again' }, h('button', { onclick }, t('try_again')));
}

/**
 * Return the position that is shown in one phrase: "Move 12 of 60", or its place in a line.
 *
 * @type {View<string, BoardState>}
 */
export function positionText(state, t) {
  const { review, line } = state;
  const count = shownCount(state);
  if (line === null) return t('move_n_of', { n: count, of: shownPicture(state).tokens.length });
  const moves = lineOf(review, line);
  return t('line_n_of', { move: moves[0], n: count - line.number + 1, of: moves.length });
}

/** @type {View<Description, BoardState>} */
function stepper(state, t) {
  const at = shownCount(state);
  const all = shownGame(state).tokens.length;
  const { line } = state;
  const first = line === null ? 0 : line.number - 1;
  /** @type {(icon: StepName, label: string, count: number) => Description} */
  const step = (icon, label, count) => iconButton(icon, label, { type: 'look_back', count, line });
  const isLive = shownPicture(state).phase !== 'over';
  return h(
    'div.actions.stepper',
    { key: 'stepper' },
    step('first', t('first_move'), first),
    step('back', t('previous'), Math.max(first, at - 1)),
    h('input', {
      type: 'range',
      min: first,
      max: all,
      value: at,
      'aria-label': positionText(state, t),
      oninput: ({ target }) => ({ type: 'look_back', count: Number(target.value), line }),
    }),
    step('next', t('next'), Math.min(all, at + 1)),
    step('last', t('last_move'), all),
    isLive && line === null
      ? h('button', { onclick: { type: 'look_back', count: null } }, t('back_to_game'))
      : null,
  );
}
