/**
 * Elements, and updates of them in place.
 *
 * A view is a function that returns fresh elements; `morph` makes the elements on the page equal to
 * them, and keeps what people notice: the focus, what they have typed, and how far they scrolled.
 * It leaves the children of an element with `data-keep` to others.
 */

const SVG = 'http://www.w3.org/2000/svg';

/** Return an element: `h('button.primary', {onclick: play}, 'Play')`. */
export function h(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  return filled(document.createElement(name), classes, properties, children);
}

/** Return an SVG element, in the same way. */
export function svg(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  return filled(document.createElementNS(SVG, name), classes, properties, children);
}

function filled(element, classes, properties, children) {
  if (classes.length) element.setAttribute('class', classes.join(' '));
  element.handlers = {};
  for (const [name, value] of Object.entries(properties)) setProperty(element, name, value);
  element.append(
    ...children.flat(3).filter((child) => child !== null && child !== false && child !== undefined),
  );
  return element;
}

function setProperty(element, name, value) {
  if (name.startsWith('on')) {
    element.handlers[name] = value;
    element[name] = value;
  } else if (name === 'class') {
    const before = element.getAttribute('class');
    element.setAttribute('class', [before, value].filter(Boolean).join(' '));
  } else if (value !== null && value !== undefined && value !== false) {
    element.setAttribute(name, value === true ? '' : String(value));
  }
}

/** Make the children of `parent` equal to `fresh`, keeping every element that can stay. */
export function morphChildren(parent, fresh) {
  const keys = new Set(fresh.map((node) => node.dataset?.key));
  const keyed = new Map();
  for (const child of [...parent.children]) {
    const { key } = child.dataset;
    if (!key) continue;
    if (keys.has(key)) keyed.set(key, child);
    else child.remove(); // else its followers would be moved before it, which loses the focus
  }
  let old = parent.firstChild;
  for (const node of fresh) {
    const named = node.dataset?.key ? keyed.get(node.dataset.key) : undefined;
    if (named && named !== old) {
      parent.insertBefore(named, old);
      old = named;
    }
    if (old && isSameKind(old, node)) {
      const following = old.nextSibling;
      morph(old, node);
      old = following;
    } else {
      parent.insertBefore(node, old);
    }
  }
  while (old) {
    const following = old.nextSibling;
    old.remove();
    old = following;
  }
}

/** Return whether an element can become another one; a button can't, as it may be pressed now. */
function isSameKind(old, fresh) {
  if (old.nodeName !== fresh.nodeName || old.dataset?.key !== fresh.dataset?.key) return false;
  return old.nodeName !== 'BUTTON' || old.textContent === fresh.textContent;
}

function morph(old, fresh) {
  if (old === fresh) return;
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  morphAttributes(old, fresh);
  morphHandlers(old, fresh);
  if (!('keep' in old.dataset)) morphChildren(old, [...fresh.childNodes]);
}

function morphAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !KEPT.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) === value) continue;
    old.setAttribute(name, value);
    if (name === 'value') old.value = value;
    if (name === 'checked') old.checked = true;
  }
}

/** Attributes that people change by using the page. */
const KEPT = new Set(['open', 'checked']);

function morphHandlers(old, fresh) {
  for (const name of Object.keys(old.handlers ?? {})) {
    if (!(name in (fresh.handlers ?? {}))) old[name] = null;
  }
  for (const [name, handler] of Object.entries(fresh.handlers ?? {})) old[name] = handler;
  old.handlers = fresh.handlers;
}
