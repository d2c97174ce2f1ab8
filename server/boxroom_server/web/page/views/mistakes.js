/**
 * The ideas that the person missed in finished games, each of which leads to its positions.
 *
 * @import { Description, View } from '../dom.js'
 * @import { MissedTheme, Mistake } from '../puzzles/mistakes.js'
 * @import { Translate } from '../words.js'
 */

import { h } from '../dom.js';
import { countedGames, missedThemes } from '../puzzles/mistakes.js';

/** @type {View<(?Description)[]>} */
export function mistakesView({ mistakes }, t) {
  const games = countedGames(mistakes);
  const { isSeeking, wanted } = mistakes;
  const number = wanted.findIndex((game) => !(game in mistakes.games)) + 1;
  const reviewing = t('mistakes.reviewing', { number, last: wanted.length });
  const missed = missedThemes(games);
  const key = missed.length ? 'mistakes.heading' : 'mistakes.none';
  const none = isSeeking ? null : h('p', {}, t('mistakes.no_games'));
  return [
    games.length ? h('p', {}, t(key, { n: games.length })) : none,
    h('ul.games', {}, ...missed.map((each) => themeItem(each, games.flat(), t))),
    isSeeking && number ? h('p.help', { role: 'status' }, reviewing) : null,
  ];
}

/** @type {(missed: MissedTheme, own: Mistake[], t: Translate) => Description} */
function themeItem({ theme, times, lost, trend }, own, t) {
  const told = t('mistakes.line', {
    theme: t(`puzzle.theme.${theme}`),
    times: t('mistakes.times', { n: times }),
    boxes: t('mistakes.boxes', { n: Math.round(lost) }),
    trend: trend && t(`mistakes.trend.${trend}`),
  });
  const onclick = /** @type {const} */ ({ type: 'open_puzzles', theme, own });
  return h('li', { key: theme }, h('button', { onclick }, told));
}
