/**
 * The first view: one's name, and the room of the link.
 *
 * @import { Description, View } from '../dom.js'
 * @import { PageEvent } from '../state/next.js'
 */

import { h, typedIn } from '../dom.js';

/** @type {View<Description>} */
export function greetingView(state, t) {
  const { identity, problem, roomFromLink: room } = state;
  return h(
    'main.greeting',
    { key: 'greeting' },
    h('h1', {}, t('welcome')),
    h('p', {}, t('welcome_text')),
    h(
      'form',
      { onsubmit: ({ target }) => greeting(typedIn(target, 'name').trim()) },
      h('label', { for: 'name' }, t('your_name')),
      h('input', {
        id: 'name',
        name: 'name',
        maxlength: 24,
        required: true,
        autocomplete: 'nickname',
        'aria-describedby': 'name-help',
        value: identity.name ?? state.guestName,
      }),
      h('p.help', { id: 'name-help' }, t('name_help')),
      problem ? h('p.problem', { role: 'alert' }, problem.text) : null,
      problem?.isNameTaken ? h('p.help', {}, t('name_taken_help')) : null,
      h('button.primary', { type: 'submit' }, room ? t('come_in_room', { room }) : t('come_in')),
    ),
    h('button', { onclick: { type: 'open_puzzles', lesson: '' } }, t('lesson.first')),
    h('button', { onclick: { type: 'open_puzzles' } }, t('puzzle.puzzles')),
    h('p.help', {}, t(identity.isKept ? 'kept' : 'not_kept')),
  );
}

/** @type {(name: string) => ?PageEvent} */
function greeting(name) {
  return name ? { type: 'greet', name } : null;
}
