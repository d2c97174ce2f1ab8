/**
 * Views as plain data, and the elements that show them.
 *
 * A view returns descriptions: {tag, properties, children}. `render` makes the elements of a parent
 * equal to fresh ones. It changes what differs from the descriptions that were shown before, and so
 * keeps what people notice: the focus, what they have typed, and how far they scrolled.
 *
 * Properties are attributes, but for these:
 *
 * - `key` finds the element of a description among others again, wherever it stands now.
 * - `foreign` leaves the children of an element to others.
 * - `onclick` and the like are an event of the page for `dispatch`, or a function that returns one,
 *   or nothing, for an event of the browser. A form is never sent.
 *
 * @import { PageEvent } from './state/next.js'
 * @import { State } from './state/state.js'
 * @import { Translate } from './words.js'
 */

/**
 * The name in a tag with classes: `button` in `button.primary`.
 *
 * @template {string} T
 * @typedef {T extends `${infer Name}.${string}` ? Name : T} NameOf
 */

/**
 * The element with a name.
 *
 * @template {string} N
 * @typedef {N extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[N]
 *   : N extends keyof SVGElementTagNameMap ? SVGElementTagNameMap[N] : HTMLElement} ElementOf
 */

/**
 * A description of an element.
 *
 * @template {string} [N=string]
 * @typedef {{tag: N, properties: Record<string, unknown>, children: Made[]}} Description
 */

/**
 * The event of the page at an event of the browser, whose target is the element itself.
 *
 * @template {Event} V
 * @template {Element} E
 * @typedef {PageEvent | ((event: V & {target: E, currentTarget: E}) => PageEvent | null | void)}
 *   Handler
 */

/**
 * The properties of an element.
 *
 * @template {Element} E
 * @typedef {Record<string, unknown> & {key?: string | number, foreign?: boolean, class?: ?string,
 *   onclick?: PageEvent | ((event: MouseEvent) => PageEvent | null | void),
 *   onclose?: Handler<Event, E>, onchange?: Handler<Event, E>, onfocus?: Handler<FocusEvent, E>,
 *   oninput?: Handler<Event, E>, onkeydown?: Handler<KeyboardEvent, E>,
 *   onsubmit?: Handler<SubmitEvent, E>}} Properties
 */

/**
 * @typedef {Description | string | Node} Made
 * @typedef {{description: Made, node: ChildNode}} Shown
 * @typedef {Made | number | boolean | null | undefined} One
 * @typedef {One | One[]} Child
 * @typedef {(event: PageEvent) => void} Dispatch
 */

/**
 * A function that returns views.
 *
 * @template [D=Child]
 * @template {State} [S=State]
 * @typedef {(state: S, t: Translate) => D} View
 */

const SVG = 'http://www.w3.org/2000/svg';
const SVG_TAGS = 'svg g line path rect circle polyline polygon text use'.split(' ');

/** Properties that people change by using the page; set only when their description changes. */
const CHANGED_BY_PEOPLE = ['value', 'checked', 'selected'];
const NO_ATTRIBUTES = ['key', 'foreign'];

/**
 * The description that an element shows.
 *
 * @type {WeakMap<Node, Pick<Description, 'properties' | 'children'>>}
 */
const shown = new WeakMap();

/**
 * Return a description: `h('button.primary', { onclick: { type: 'start' } }, 'Start')`.
 *
 * Children may be null or false, which are left out, and lists.
 *
 * @template {string} T
 * @param {T} tag
 * @param {Properties<ElementOf<NameOf<T>>>} properties
 * @param {Child[]} children
 * @returns {Description<NameOf<T>>}
 */
export function h(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const all = [...classes, properties.class].filter(Boolean).join(' ');
  return {
    tag: /** @type {NameOf<T>} */ (name),
    properties: all ? { ...properties, class: all } : properties,
    children: children.flatMap(made),
  };
}

/** @type {(child: Child | Child[]) => Made[]} */
function made(child) {
  if (Array.isArray(child)) return child.flatMap(made);
  if (child === null || child === undefined || child === false) return [];
  return [typeof child === 'object' ? child : String(child)];
}

/**
 * Return what is in a field of a form; an empty text if the form has no such field.
 *
 * @type {(form: HTMLFormElement, name: string) => string}
 */
export function typedIn(form, name) {
  const field = form.elements.namedItem(name);
  return field !== null && 'value' in field ? String(field.value) : '';
}

/** @type {(each: Made, dispatch: Dispatch) => Node} */
function nodeOf(each, dispatch) {
  if (typeof each === 'string') return document.createTextNode(each);
  return isDescription(each) ? make(each, dispatch) : each;
}

/** @type {(each: Made) => each is Description} */
function isDescription(each) {
  return typeof each === 'object' && 'tag' in each;
}

/**
 * Return the element of a description.
 *
 * @template {string} N
 * @param {Description<N>} description
 * @param {Dispatch} dispatch
 */
export function make(description, dispatch = () => {}) {
  const { tag, properties, children } = description;
  const isSvg = SVG_TAGS.includes(tag);
  const element = isSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  setProperties(element, {}, properties, dispatch);
  element.append(...children.map((child) => nodeOf(child, dispatch)));
  shown.set(element, description);
  return /** @type {ElementOf<N>} */ (element);
}

/**
 * Make the children of `parent`, which are those of the last call, equal to `descriptions`.
 *
 * @type {(parent: Element, descriptions: Child[], dispatch?: Dispatch) => void}
 */
export function render(parent, descriptions, dispatch = () => {}) {
  const children = made(descriptions);
  updateChildren(parent, shown.get(parent)?.children ?? [], children, dispatch);
  shown.set(parent, { properties: {}, children });
}

/** @type {(parent: Element, before: Made[], after: Made[], dispatch: Dispatch) => void} */
function updateChildren(parent, before, after, dispatch) {
  const keys = new Set(after.map(keyOf));
  /** @type {(description: Made) => boolean} */
  const isGone = (description) => keyOf(description) !== null && !keys.has(keyOf(description));
  const nodes = [...parent.childNodes];
  const all = before.map((description, index) => ({ description, node: nodes[index] }));
  // First, as else its followers would be moved before it, which loses the focus.
  all.filter(({ description }) => isGone(description)).forEach(({ node }) => node.remove());
  const rest = all.filter(({ description }) => !isGone(description));
  for (const fresh of after) {
    const index = successorIn(rest, fresh);
    if (index < 0) {
      parent.insertBefore(nodeOf(fresh, dispatch), rest[0]?.node ?? null);
      continue;
    }
    const [{ description, node }] = rest.splice(index, 1);
    if (index > 0) moveForward(node, rest.slice(0, index));
    update(node, description, fresh, dispatch);
  }
  rest.forEach(({ node }) => node.remove());
}

/**
 * Move a node before the others, or these behind it, as a node that is moved loses the focus.
 *
 * @type {(node: ChildNode, others: Shown[]) => void}
 */
function moveForward(node, others) {
  if (node.contains(document.activeElement)) node.after(...others.map((other) => other.node));
  else others[0].node.before(node);
}

/**
 * Return the index of the element that becomes `fresh`; -1 if there is none.
 *
 * @type {(rest: Shown[], fresh: Made) => number}
 */
function successorIn(rest, fresh) {
  const key = keyOf(fresh);
  const index = key === null ? 0 : rest.findIndex(({ description }) => keyOf(description) === key);
  return rest[index] && isSameKind(rest[index].description, fresh) ? index : -1;
}

/**
 * Return whether an element can become another one; a button can't, as it may be pressed now.
 *
 * @type {(before: Made, after: Made) => boolean}
 */
function isSameKind(before, after) {
  if (!isDescription(before) || !isDescription(after)) return typeof before === typeof after;
  if (before.tag !== after.tag || keyOf(before) !== keyOf(after)) return false;
  return before.tag !== 'button' || textOf(before) === textOf(after);
}

/** @type {(description: Made) => unknown} */
function keyOf(description) {
  return isDescription(description) ? (description.properties.key ?? null) : null;
}

/** @type {(description: Made) => string | Node} */
function textOf(description) {
  return isDescription(description) ? description.children.map(textOf).join('') : description;
}

/** @type {(node: Node, before: Made, after: Made, dispatch: Dispatch) => void} */
function update(node, before, after, dispatch) {
  if (before === after) return;
  if (typeof after === 'string') node.textContent = after;
  if (!(node instanceof Element) || !isDescription(before) || !isDescription(after)) return;
  shown.set(node, after);
  setProperties(node, before.properties, after.properties, dispatch);
  if (after.properties.foreign) return;
  updateChildren(node, before.children, after.children, dispatch);
}

/**
 * @param {Element} element
 * @param {Description['properties']} before
 * @param {Description['properties']} after
 * @param {Dispatch} dispatch
 */
function setProperties(element, before, after, dispatch) {
  for (const name of Object.keys(before)) {
    if (!(name in after)) setProperty(element, name, before[name], null, dispatch);
  }
  for (const [name, value] of Object.entries(after)) {
    setProperty(element, name, before[name], value, dispatch);
  }
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {unknown} before
 * @param {unknown} value
 * @param {Dispatch} dispatch
 */
function setProperty(element, name, before, value, dispatch) {
  if (before === value || NO_ATTRIBUTES.includes(name)) return;
  if (name.startsWith('on')) {
    if (before && value) return; // its listener looks for the new one
    Reflect.set(element, name, value ? listener(element, name, dispatch) : null);
  } else if (CHANGED_BY_PEOPLE.includes(name)) {
    const wanted = name === 'value' ? String(value ?? '') : Boolean(value);
    if (Reflect.get(element, name) !== wanted) Reflect.set(element, name, wanted);
  } else if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? '' : String(value));
  }
}

/**
 * Return the listener of an element, which does what its description says by then.
 *
 * @type {(element: Element, name: string, dispatch: Dispatch) => (event: Event) => void}
 */
function listener(element, name, dispatch) {
  return (event) => {
    if (name === 'onsubmit') event.preventDefault();
    const handler = shown.get(element)?.properties[name];
    const found = typeof handler === 'function' ? handler(event) : handler;
    if (found) dispatch(found);
  };
}
