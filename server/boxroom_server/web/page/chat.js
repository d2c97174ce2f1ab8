/** What happened and was said in a room, and the line in which one types. */

import { h } from './dom.js';
import { markOf } from './marks.js';

export function chatView(app) {
  return h(
    'section.chat',
    { 'data-key': 'chat', 'aria-label': app.t('chat') },
    h(
      'div.journal',
      {
        role: 'log',
        'aria-live': 'polite',
        tabindex: 0,
      },
      ...app.journal.map((line) => journalLine(app, line)),
      ...app.unsent.map((line) => unsentLine(app, line)),
    ),
    composer(app),
  );
}

function journalLine(app, line) {
  const { picture } = app;
  const mark =
    line.seat === null || line.seat >= picture.seats.length
      ? null
      : markOf(picture, line.seat, app.games);
  return h(
    'p',
    { class: line.kind },
    mark ? h('span.mark', { class: mark.className, 'aria-hidden': 'true' }, mark.glyph, ' ') : null,
    line.author ? h('strong', {}, `${line.author}: `) : null,
    line.text,
  );
}

function unsentLine(app, line) {
  return h(
    'p.unsent',
    {},
    h('strong', {}, `${app.me}: `),
    line.text,
    h('small', {}, ` (${app.t('not_sent_yet')})`),
  );
}

function composer(app) {
  const { t } = app;
  const isSpectator = !app.mySeats.length;
  const submit = (event) => {
    event.preventDefault();
    const { text, to } = event.target.elements;
    const typed = text.value;
    const move =
      app.mySeats.length && app.picture.phase === 'playing' ? app.board.moveIn(typed) : null;
    if (move !== null && !app.isMyTurn) {
      app.toast(t('not_your_turn', { move })); // as chat it would tell the others
      return;
    }
    text.value = '';
    if (move !== null) app.play(move);
    else app.say(typed, to?.value ?? 'all');
  };
  return h(
    'form.composer',
    { onsubmit: submit },
    h('input', {
      name: 'text',
      maxlength: 500,
      autocomplete: 'off',
      enterkeyhint: 'send',
      'aria-label': t(isSpectator ? 'say_watching' : 'say'),
      placeholder: t(isSpectator ? 'say_watching' : 'say'),
    }),
    isSpectator && app.picture.phase === 'playing'
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

/** Scroll the journal to its newest line, unless the reader has scrolled up. */
export function followJournal(root) {
  const journal = root.querySelector('.journal');
  if (journal === null) return;
  if (journal.scrollTop >= (journal.bottom ?? 0) - 40) journal.scrollTop = journal.scrollHeight;
  journal.bottom = journal.scrollHeight - journal.clientHeight; // ours: the end as it was shown
}
