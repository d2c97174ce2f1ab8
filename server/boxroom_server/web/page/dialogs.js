/** Questions, and the sheets that open over a view: settings, players, invitation, chat. */

import { h, morphChildren } from './dom.js';

/** Return the elements of a sheet by which a person copies a link. */
export function linkToCopy(app, label, link) {
  const { t } = app;
  const copy = (event) => {
    const field = event.target.closest('dialog').querySelector('input');
    field.select();
    // `navigator.clipboard` is missing on pages over plain http, which a server on a LAN has.
    if (document.execCommand('copy')) app.toast(t('copied'));
  };
  return [
    h('input', {
      readonly: true,
      value: link,
      'aria-label': label,
      onfocus: (event) => event.target.select(),
    }),
    h('div.buttons', {}, h('button.primary', { onclick: copy }, t('copy'))),
  ];
}

export class Dialogs {
  constructor(app) {
    this.app = app;
    this.content = null; // function that returns the elements of the open dialog
    this.answer = null; // resolves the question that is open
    this.element = h('dialog', {
      'data-key': 'dialog',
      onclose: () => this.closed(),
      onclick: (event) => {
        if (event.target === this.element) this.close();
      },
    });
  }

  /** Ask a question; resolves to whether it was answered by `yes`. Escape and No mean no. */
  ask(question, yes) {
    const { t } = this.app;
    this.element.setAttribute('aria-label', question);
    return new Promise((resolve) => {
      this.open(
        () => [
          h('p', {}, question),
          h(
            'div.buttons',
            {},
            h('button', { autofocus: true, onclick: () => this.close(false) }, t('no')),
            h('button.primary', { onclick: () => this.close(true) }, yes),
          ),
        ],
        resolve,
      );
    });
  }

  /** Open a dialog, whose content is made anew after each change. */
  open(content, answer = null) {
    this.answer?.(false);
    this.answer = answer;
    this.content = content;
    this.update();
    if (!this.element.open) this.element.showModal();
  }

  update() {
    if (this.content !== null) morphChildren(this.element, this.content());
  }

  close(answer = false) {
    this.element.close();
    this.end(answer);
  }

  /** Escape closes a dialog, too. The browser tells it later, when another one may be open. */
  closed() {
    if (!this.element.open) this.end(false);
  }

  end(answer) {
    const resolve = this.answer;
    this.answer = null;
    this.content = null;
    this.element.replaceChildren();
    resolve?.(answer);
  }

  /** Open a sheet with a title, a button that closes it, and the elements of `content`. */
  sheet(title, content) {
    const { t } = this.app;
    this.element.setAttribute('aria-label', title);
    this.open(() => [
      h(
        'header',
        {},
        h('h2', {}, title),
        h('button.icon', { 'aria-label': t('close'), onclick: () => this.close() }, '✕'),
      ),
      ...[content()].flat().filter(Boolean),
    ]);
  }
}
