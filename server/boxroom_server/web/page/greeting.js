/** The first view: one's name, and the room of the link. */

import { h } from './dom.js';

export function greetingView(app) {
  const { t } = app;
  const submit = (event) => {
    event.preventDefault();
    const name = event.target.elements.name.value.trim();
    if (name) app.greet(name);
  };
  return h(
    'main.greeting',
    { 'data-key': 'greeting' },
    h('h1', {}, t('welcome')),
    h('p', {}, t('welcome_text')),
    h(
      'form',
      { onsubmit: submit },
      h('label', { for: 'name' }, t('your_name')),
      h('input', {
        id: 'name',
        name: 'name',
        maxlength: 24,
        required: true,
        autocomplete: 'nickname',
        'aria-describedby': 'name-help',
        value: app.identity.name ?? guestName(),
      }),
      h('p.help', { id: 'name-help' }, t('name_help')),
      app.problem ? h('p.problem', { role: 'alert' }, app.problem) : null,
      app.problem && app.isNameTaken ? h('p.help', {}, t('name_taken_help')) : null,
      h(
        'button.primary',
        { type: 'submit' },
        app.roomFromLink ? t('come_in_room', { room: app.roomFromLink }) : t('come_in'),
      ),
    ),
    h('p.help', {}, t(app.store.isKept ? 'kept' : 'not_kept')),
  );
}

/** Return a name to begin with, so that a guest needs one tap; two guests rarely get the same. */
function guestName() {
  guestName.made ??= crypto.getRandomValues(new Uint16Array(3));
  const [first, second, number] = guestName.made;
  const consonants = 'bdfgklmnprst';
  const vowels = 'aeiou';
  const syllable = (n) => consonants[n % 12] + vowels[Math.floor(n / 12) % 5];
  const word = syllable(first) + syllable(second);
  return `${word[0].toUpperCase()}${word.slice(1)} ${(number % 90) + 10}`;
}
