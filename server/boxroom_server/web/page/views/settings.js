/**
 * The settings of this browser: colours, language, a question before each move; and the rules.
 *
 * @import { Description, View } from '../dom.js'
 * @import { Preferences } from '../storage.js'
 * @import { PageEvent } from '../state/next.js'
 */

import { h } from '../dom.js';
import { rulesOf, titleOfGame } from '../game_words.js';
import { gameOf, isInRoom, THEMES } from '../state/state.js';
import { otherName } from './players.js';

/** @type {View<(?Description)[]>} */
export function settingsView(state, t) {
  const settings = { ...state.settings, language: state.language };
  /**
   * @type {(label: string, name: 'theme' | 'language', choices: string[][]) => Description}
   */
  const choice = (label, name, choices) =>
    h(
      'label',
      {},
      label,
      h(
        'select',
        { name, onchange: ({ target }) => changing({ [name]: target.value }) },
        ...choices.map(([value, text]) =>
          h('option', { value, selected: settings[name] === value }, text),
        ),
      ),
    );
  const tables = Object.entries(state.phrases);
  const languages = tables.map(([code, table]) => [code, String(table.language)]);
  const themes = ['auto', ...THEMES].map((theme) => [theme, t(`theme_${theme}`)]);
  return [
    choice(t('theme'), 'theme', themes),
    choice(t('language_label'), 'language', languages),
    h(
      'label.check',
      {},
      h('input', {
        type: 'checkbox',
        checked: settings.confirms,
        onchange: ({ target }) => changing({ confirms: target.checked }),
      }),
      t('confirm_moves'),
    ),
    h(
      'label.check',
      {},
      h('input', {
        type: 'checkbox',
        name: 'sounds',
        checked: settings.sounds,
        onchange: ({ target }) => ({ type: 'set_sounds', on: target.checked }),
      }),
      t('sounds'),
    ),
    h(
      'button',
      {
        disabled: !state.isOnline,
        onclick: { type: 'open_dialog', dialog: { kind: 'offer' } },
      },
      t('other_device'),
    ),
    isInRoom(state) || !state.isOnline ? null : otherName(state, t),
    ...rules(state, t),
  ];
}

/** @type {(changes: Partial<Preferences>) => PageEvent} */
function changing(changes) {
  return { type: 'change_settings', changes };
}

/** @type {View<Description[]>} */
function rules(state, t) {
  const game = gameOf(state, state.picture?.settings ?? { game: 'dots' });
  if (!game?.rules) return [];
  return [h('h3', {}, `${t('rules')}: ${titleOfGame(game, t)}`), h('p', {}, rulesOf(game, t))];
}
