/**
 * What happened and was said in a room, and the line in which one types.
 *
 * @import { Description, View } from '../dom.js'
 * @import { PageEvent } from '../state/next.js'
 * @import { Audience, Line, RoomState } from '../state/state.js'
 * @import { Translate } from '../words.js'
 */

import { h, typedIn } from '../dom.js';
import { commanded, mySeats, nameOf } from '../state/state.js';
import { iconButton } from './icons.js';

/** Before a member's name in the value of an option; no other value has a colon. */
const MEMBER = 'member:';

/** In the order of their buttons. */
const REACTIONS = /** @type {const} */ (['gg', 'gl', 'nice', 'thanks', 'oops', 'wow']);

/** @type {View<Description, RoomState>} */
export function chatView(state, t) {
  return h(
    'section.chat',
    { key: 'chat', 'aria-label': t('chat') },
    h(
      'div.journal',
      {
        class: state.settings.moves ? null : 'quiet',
        role: 'log',
        'aria-live': 'polite',
        tabindex: 0,
      },
      ...[...state.journal, ...state.unsent].map((line) => journalLine(line, t)),
    ),
    state.unread ? unreadButton(state.unread, t) : null,
    h(
      'div.tools',
      {},
      reactions(t),
      movesSwitch(state, t),
      iconButton('clear', t('clear_chat'), { type: 'clear' }),
    ),
    composer(state, t),
  );
}

/** @type {(t: Translate) => Description} */
function reactions(t) {
  return h(
    'div.reactions',
    { role: 'group', 'aria-label': t('reactions') },
    ...REACTIONS.map((reaction) =>
      iconButton(reaction, t(`reaction.${reaction}`), commanded({ type: 'react', reaction })),
    ),
  );
}

/** @type {(n: number, t: Translate) => Description} */
function unreadButton(n, t) {
  const onclick = /** @type {const} */ ({ type: 'show_newest' });
  return h('button.unread', { key: 'unread', onclick }, t('unread', { n }));
}

/**
 * Return the switch of the moves, which screen readers read out in any case.
 *
 * @type {View<Description, RoomState>}
 */
function movesSwitch({ settings: { moves } }, t) {
  const onclick = /** @type {const} */ ({ type: 'change_settings', changes: { moves: !moves } });
  return iconButton('moves', t('chat.moves'), onclick, { 'aria-pressed': `${moves}` });
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
        to: audienceNamed(typedIn(target, 'to')),
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
    audiences(state, t),
    h('button', { type: 'submit' }, t('send')),
  );
}

/**
 * Return the choice of who reads a line; null where only all members can.
 *
 * @type {View<?Description, RoomState>}
 */
function audiences(state, t) {
  const { members, phase } = state.picture;
  const others = members.filter(({ name, connected }) => connected && name !== nameOf(state));
  const asides = !mySeats(state).length && phase === 'playing' ? ['spectators'] : [];
  if (!others.length && !asides.length) return null;
  return h(
    'select',
    { name: 'to', 'aria-label': t('who_reads') },
    h('option', { value: 'all' }, t('to_all')),
    ...asides.map((value) => h('option', { value }, t('to_spectators'))),
    ...others.map(({ name }) =>
      h('option', { key: name, value: `${MEMBER}${name}` }, t('to_member', { name })),
    ),
  );
}

/** @type {(value: string) => Audience} */
function audienceNamed(value) {
  if (value.startsWith(MEMBER)) return { to: value.slice(MEMBER.length) };
  return value === 'spectators' ? 'spectators' : 'all';
}
