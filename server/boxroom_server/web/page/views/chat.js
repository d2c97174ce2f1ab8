/**
 * What happened and was said in a room, and the line in which one types.
 *
 * @import { Description, View } from '../dom.js'
 * @import { Line, RoomState } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h, typedIn } from '../dom.js';
import { mySeats } from '../state/state.js';

/** @type {View<Description, RoomState>} */
export function chatView(state, t) {
  return h(
    'section.chat',
    { key: 'chat', 'aria-label': t('chat') },
    h(
      'div.journal',
      { role: 'log', 'aria-live': 'polite', tabindex: 0 },
      ...[...state.journal, ...state.unsent].map((line) => journalLine(line, t)),
    ),
    composer(state, t),
  );
}

/**
 * The descriptions of lines, which stay as they are, so that a long journal costs little.
 *
 * @type {WeakMap<Line, Description>}
 */
const shownLines = new WeakMap();

/** @type {(line: Line, t: Translate) => Description} */
function journalLine(line, t) {
  const shown = shownLines.get(line) ?? newLine(line, t);
  shownLines.set(line, shown);
  return shown;
}

/** @type {(line: Line, t: Translate) => Description} */
function newLine({ key, kind, mark, author, text }, t) {
  return h(
    'p',
    { key, class: kind },
    mark ? h('span.mark', { class: mark.className, 'aria-hidden': 'true' }, mark.glyph, ' ') : null,
    author ? h('strong', {}, `${author}: `) : null,
    text,
    kind === 'unsent' ? h('small', {}, ` (${t('not_sent_yet')})`) : null,
  );
}

/** @type {View<Description, RoomState>} */
function composer(state, t) {
  const isSpectator = !mySeats(state).length;
  const label = t(isSpectator ? 'say_watching' : 'say');
  return h(
    'form.composer',
    {
      onsubmit: ({ target }) => ({
        type: 'typed',
        text: typedIn(target, 'text'),
        to: typedIn(target, 'to') === 'spectators' ? 'spectators' : 'all',
      }),
    },
    h('input', {
      name: 'text',
      maxlength: 500,
      autocomplete: 'off',
      enterkeyhint: 'send',
      'aria-label': label,
      placeholder: label,
      onkeydown: ({ key }) => (key === 'Escape' ? { type: 'premove', move: null } : null),
    }),
    isSpectator && state.picture.phase === 'playing'
      ? h(
          'select',
          { name: 'to', 'aria-label': t('chat') },
          h('option', { value: 'all' }, t('to_all')),
          h('option', { value: 'spectators' }, t('to_spectators')),
        )
      : null,
    h('button', { type: 'submit' }, t('send')),
  );
}
