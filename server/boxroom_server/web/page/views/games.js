/**
 * The finished games of a person, and one of them, move by move.
 *
 * @import { Description, View } from '../dom.js'
 * @import { GameListed } from '../protocol.js'
 * @import { BoardState, State } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h } from '../dom.js';
import { called } from '../game_words.js';
import { result } from '../narrate.js';
import { shownPicture } from '../state/state.js';
import { iconButton } from './icons.js';
import { belowBoard, boardView, scores, stripView } from './room.js';

/**
 * Return the list of finished games, the newest first.
 *
 * @type {View<(?Description)[]>}
 */
export function gamesView(state, t) {
  if (state.dialog?.kind !== 'games') return [];
  const { games, next, isComplete = false } = state.dialog;
  return [
    isComplete && !games.length ? h('p.help', {}, t('no_games')) : null,
    h('ul.games', {}, ...games.map((game) => gameItem(state, game, t))),
    next ? h('button', { onclick: { type: 'more_games' } }, t('more_games')) : null,
  ];
}

/** @type {(state: State, game: GameListed, t: Translate) => Description} */
function gameItem({ games, language }, game, t) {
  const players = game.players.map((name, seat) => `${called(name, t)} ${game.scores[seat]}`);
  const [name] = game.kind.split(' ');
  const picture = { players: game.players, tokens: [], settings: { game: name } };
  return h(
    'li',
    { key: game.game },
    h(
      'button',
      { onclick: { type: 'open_game', number: game.game } },
      h('strong', {}, players.join(', ')),
      h('span', {}, result(game.winners, game.scores, picture, t, games)),
      h('span.help', {}, `${game.kind} · ${game.room} · ${date(game.ended_ms, language)}`),
    ),
  );
}

/** @type {(ms: number, language: string) => string} */
function date(ms, language) {
  return new Date(ms).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}

/**
 * A finished game: like a room after its end, in which nobody is.
 *
 * @type {View<Description, BoardState>}
 */
export function gameView(state, t) {
  const close = iconButton('back', t('close'), { type: 'close_game' });
  return h(
    'main.room',
    { key: 'game' },
    h('header', {}, close, h('h1', {}, shownPicture(state).room)),
    scores(state, t),
    h(
      'section.table',
      { key: 'table' },
      stripView(state, t),
      boardView(),
      ...belowBoard(state, t),
    ),
  );
}
