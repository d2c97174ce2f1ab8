/** The settings of this browser: colours, language, a question before each move; and the rules. */

import { openOffer } from './another_device.js';
import { h } from './dom.js';
import { LANGUAGES } from './languages.js';

export function openSettings(app) {
  app.dialogs.sheet(app.t('settings'), () => settingsView(app));
}

function settingsView(app) {
  const { t } = app;
  const settings = { ...app.settings, language: app.language };
  const choice = (label, name, choices) =>
    h(
      'label',
      {},
      label,
      h(
        'select',
        { name, onchange: (event) => app.change({ [name]: event.target.value }) },
        ...choices.map(([value, text]) =>
          h('option', { value, selected: settings[name] === value }, text),
        ),
      ),
    );
  const languages = Object.entries(LANGUAGES).map(([code, table]) => [code, table.language]);
  const themes = ['auto', 'light', 'dark'].map((theme) => [theme, t(`theme_${theme}`)]);
  return [
    choice(t('theme'), 'theme', themes),
    choice(t('language_label'), 'language', languages),
    h(
      'label.check',
      {},
      h('input', {
        type: 'checkbox',
        checked: settings.confirms,
        onchange: (event) => app.change({ confirms: event.target.checked }),
      }),
      t('confirm_moves'),
    ),
    h('button', { disabled: !app.isOnline, onclick: () => openOffer(app) }, t('other_device')),
    ...rules(app),
  ];
}

function rules(app) {
  const game = app.games.find((each) => each.game === (app.picture?.settings.game ?? 'dots'));
  return game?.rules
    ? [h('h3', {}, `${app.t('rules')}: ${game.title}`), h('p', {}, game.rules)]
    : [];
}
