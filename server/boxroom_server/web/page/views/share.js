/**
 * The sheet by which a finished game is shown to others: its link, the result in words, and a
 * picture of the board.
 *
 * @import { Description, View } from '../dom.js'
 * @import { BoardState } from '../state/state.js'
 */

import { h } from '../dom.js';
import { called } from '../game_words.js';
import { result, settingsInWords } from '../narrate.js';
import { gameAddress, shownPicture } from '../state/state.js';
import { linkToCopy } from './another_device.js';

/** @type {View<(?Description)[], BoardState>} */
export function shareView(state, t) {
  const link = gameAddress(state);
  const text = sharedText(state, t);
  return [
    link ? h('p', {}, t('share_link')) : h('p.help', {}, t('share_no_link')),
    ...(link ? linkToCopy(t('share_link'), link, t) : []),
    h('button.wide', { onclick: { type: 'share', text } }, t('share_result')),
    h('button.wide', { onclick: { type: 'share_picture' } }, t('share_picture')),
  ];
}

/**
 * Return the game in words for people elsewhere: who won, all scores, the game, and where it is.
 *
 * @type {View<string, BoardState>}
 */
function sharedText(state, t) {
  const { games, address } = state;
  const picture = shownPicture(state);
  const { winners, scores, players, settings } = picture;
  const told = result(winners ?? [], scores, picture, t, games);
  const all = players.map((name, seat) => `${called(name, t)} ${scores[seat] ?? ''}`.trim());
  const where = gameAddress(state) || address;
  return `${told} ${all.join(', ')}. ${settingsInWords(settings, t, games)}. ${where}`;
}
