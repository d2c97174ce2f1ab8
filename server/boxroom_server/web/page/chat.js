/** What happened and was said in a room, and the line in which one types. */

import { h } from './dom.js';
import { plainForms } from './look_alikes.js';
import { markOf } from './marks.js';

export function chatView(app) {
  return h(
    'section.chat',
    { 'data-key': 'chat', 'aria-label': app.t('chat') },
    h('div.journal', { 'data-keep': '', role: 'log', 'aria-live': 'polite', tabindex: 0 }),
    composer(app),
  );
}

/**
 * The lines of the journal on the page. A line that is there stays as it is, so that screen readers
 * read only new ones, and a long journal costs nothing at each move.
 */
export class Journal {
  constructor(app) {
    this.app = app;
    this.place = null; // the element that has the lines
    this.elements = new Map(); // by line
    this.bottom = 0; // how far the journal could be scrolled when it was last shown
  }

  show() {
    const { app } = this;
    const place = app.root.querySelector('.journal');
    if (place === null) return;
    if (place !== this.place) this.elements.clear();
    this.place = place;
    if (this.update([...app.journal, ...app.unsent])) this.scrollDown();
  }

  /** Show the newest line, unless the person has scrolled up to read earlier ones. */
  scrollDown() {
    const { place } = this;
    if (place.scrollTop >= this.bottom - 40) place.scrollTop = place.scrollHeight;
    this.bottom = place.scrollHeight - place.clientHeight;
  }

  /** Show these lines; return whether one of them is new. */
  update(lines) {
    const wanted = new Set(lines);
    for (const [line, element] of this.elements) {
      if (wanted.has(line)) continue;
      element.remove();
      this.elements.delete(line);
    }
    let last = null;
    let hasNew = false;
    for (const line of lines) {
      if (!this.elements.has(line)) {
        hasNew = true;
        const element = journalLine(this.app, line);
        this.elements.set(line, element);
        if (last === null) this.place.prepend(element);
        else last.after(element);
      }
      last = this.elements.get(line);
    }
    return hasNew;
  }
}

function journalLine(app, line) {
  const { picture, t } = app;
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
    line.kind === 'unsent' ? h('small', {}, ` (${t('not_sent_yet')})`) : null,
  );
}

/** Return why a line isn't said that looks like a command or like a move, or null. */
function lookAlikeIn(typed, app, isInGame) {
  const text = typed.trim();
  for (const plain of [text, ...plainForms(text)]) {
    if (/^\/[\w?]/.test(plain) && !/^\p{L}/u.test(text)) return app.t('no_commands_here');
    const move = isInGame ? app.board.moveIn(plain) : null;
    if (move !== null) return app.t('looks_like_move', { move });
  }
  return null;
}

function composer(app) {
  const { t } = app;
  const isSpectator = !app.mySeats.length;
  const submit = (event) => {
    event.preventDefault();
    const { text, to } = event.target.elements;
    const typed = text.value;
    const isInGame = app.mySeats.length > 0 && app.picture.phase === 'playing';
    const move = isInGame ? app.board.moveIn(typed) : null;
    const problem = move === null ? lookAlikeIn(typed, app, isInGame) : null;
    if (problem !== null) {
      app.toast(problem);
      return;
    }
    text.value = '';
    if (move !== null && !app.isMyTurn)
      app.setPremove(move); // as chat it would tell the others
    else if (move !== null) app.play(move);
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
      onkeydown: (event) => {
        if (event.key === 'Escape') app.setPremove(null);
      },
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
