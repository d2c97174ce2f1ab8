/**
 * The cards of the first view: the ways into a game that need no form.
 *
 * @import { Description, View } from '../dom.js'
 * @import { PageEvent } from '../state/next.js'
 * @import { State } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h, typedIn } from '../dom.js';
import { called } from '../game_words.js';
import { boardOf, levelOf, levelsOf, runningGames, SIZES } from '../state/way_in.js';

/** @type {View<Description>} */
export function cardsView(state, t) {
  return h('div.cards', {}, computerCard(state, t), friendCard(state, t), watchCard(state, t));
}

/**
 * Return a place for the board of that name, which draws itself: see `board/small_boards.js`.
 *
 * @type {(name: string) => Description}
 */
export function smallBoardPlace(name) {
  return h('div.small-board', { key: name, foreign: true, 'data-board': name });
}

/** @type {View<Description>} */
function computerCard(state, t) {
  const levels = levelsOf(state).map((level) => ({
    text: called(level, t),
    isChosen: level === levelOf(state),
    event: /** @type {const} */ ({ type: 'choose_level', level }),
  }));
  const sizes = SIZES.map((size) => ({
    text: `${size} × ${size}`,
    isChosen: size === state.settings.size,
    event: /** @type {const} */ ({ type: 'change_settings', changes: { size } }),
  }));
  const disabled = !state.isOnline;
  return h(
    'section.card.way',
    {},
    smallBoardPlace('computer'),
    h('h2', {}, t('against_computer')),
    chips('size', t('board_size'), sizes),
    chips('level', t('level_of'), levels),
    h('button.primary', { disabled, onclick: { type: 'play_computer' } }, t('play_now')),
  );
}

/** @type {View<Description>} */
function friendCard(state, t) {
  const disabled = !state.isOnline;
  const here = /** @type {const} */ ({ type: 'open_dialog', dialog: { kind: 'beside' } });
  return h(
    'section.card.way',
    {},
    smallBoardPlace('friend'),
    h('h2', {}, t('with_friend')),
    h('p', {}, t('with_friend_text')),
    h('button.primary', { disabled, onclick: { type: 'invite_friend' } }, t('invite_friend')),
    h('button', { disabled, onclick: here }, t('two_here')),
  );
}

/**
 * Return the sheet that asks for the name of another player at this device.
 *
 * @type {View<Description[]>}
 */
export function besideView({ settings: { beside } }, t) {
  return [
    h(
      'form',
      {
        onsubmit: ({ target }) => ({ type: 'play_here', name: typedIn(target, 'beside').trim() }),
      },
      h(
        'label',
        {},
        t('beside_name'),
        h('input', {
          name: 'beside',
          value: beside || t('second_player'),
          required: true,
          maxlength: 24,
          autocomplete: 'off',
        }),
      ),
      h('button.primary', { type: 'submit' }, t('play_now')),
    ),
  ];
}

/** @type {View<Description>} */
function watchCard(state, t) {
  const games = runningGames(state);
  const isEmpty = state.listing.isComplete && !games.length;
  return h(
    'section.card.way.watch',
    {},
    h('h2', {}, t('watch')),
    isEmpty ? h('p.help', {}, t('watch_none')) : null,
    h('ul.games-shown', {}, ...games.map(({ room }) => runningGame(state, room, t))),
  );
}

/** @type {(state: State, room: string, t: Translate) => Description} */
function runningGame({ boards }, room, t) {
  const { players = [], scores = [] } = boards.get(room) ?? {};
  return h(
    'li',
    { key: room },
    smallBoardPlace(boardOf(room)),
    h('ol', {}, ...players.map((name, seat) => playerAndScore(called(name, t), scores[seat]))),
    h('button', {
      'aria-label': t('watch_room', { room }),
      onclick: { type: 'join', room, watch: true },
    }),
  );
}

/** @type {(name: string, score: number | undefined) => Description} */
function playerAndScore(name, score) {
  return h('li', {}, h('span.name', {}, name), score === undefined ? null : h('b', {}, score));
}

/**
 * Return a choice of one of a few, which are all seen.
 *
 * @type {(name: string, label: string, choices: {text: string, isChosen: boolean,
 *   event: PageEvent}[]) => Description}
 */
function chips(name, label, choices) {
  return h(
    'fieldset.chips',
    { class: name },
    h('legend', {}, label),
    ...choices.map(({ text, isChosen, event }) =>
      h(
        'label',
        { key: text },
        h('input', { type: 'radio', name, checked: isChosen, onchange: event }),
        h('span', {}, text),
      ),
    ),
  );
}
