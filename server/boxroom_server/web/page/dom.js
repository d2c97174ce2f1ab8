/**
 * Views as plain data, and the elements that show them.
 *
 * A view returns descriptions: {tag, properties, children}. `render` makes the elements of a parent
 * equal to fresh ones. It changes what differs from the descriptions that were shown before, and so
 * keeps what people notice: the focus, what they have typed, and how far they scrolled.
 *
 * @typedef {{tag: string, properties: Object<string, any>, children: (Description | string)[]}}
 *   Description
 *
 * Properties are attributes, but for these:
 *
 * - `key` finds the element of a description among others again, wherever it stands now.
 * - `foreign` leaves the children of an element to others.
 * - `onclick` and the like are an event of the page for `dispatch`, or a function that returns one,
 *   or nothing, for an event of the browser. A form is never sent.
 */

const SVG = 'http://www.w3.org/2000/svg';
const SVG_TAGS = 'svg g line path rect circle polyline polygon text use'.split(' ');

/** Properties that people change by using the page; set only when their description changes. */
const CHANGED_BY_PEOPLE = ['value', 'checked', 'selected'];
const NO_ATTRIBUTES = ['key', 'foreign'];

/** The description that an element shows. */
const shown = new WeakMap();

/**
 * Return a description: `h('button.primary', { onclick: { type: 'start' } }, 'Start')`.
 *
 * Children may be null or false, which are left out, and lists.
 */
export function h(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const all = [...classes, properties.class].filter(Boolean).join(' ');
  return {
    tag: name,
    properties: all ? { ...properties, class: all } : properties,
    children: children
      .flat(Infinity)
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (typeof child === 'object' ? child : String(child))),
  };
}

/** Return the element of a description. An element is one already; so it may be a child, too. */
export function make(description, dispatch = () => {}) {
  if (description instanceof Node) return description;
  if (typeof description === 'string') return document.createTextNode(description);
  const { tag, properties, children } = description;
  const isSvg = SVG_TAGS.includes(tag);
  const element = isSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  setProperties(element, {}, properties, dispatch);
  element.append(...children.map((child) => make(child, dispatch)));
  shown.set(element, description);
  return element;
}

/** Make the children of `parent`, which are those of the last call, equal to `descriptions`. */
export function render(parent, descriptions, dispatch = () => {}) {
  const children = h('', {}, descriptions).children;
  updateChildren(parent, shown.get(parent)?.children ?? [], children, dispatch);
  shown.set(parent, { properties: {}, children });
}

function updateChildren(parent, before, after, dispatch) {
  const keys = new Set(after.map(keyOf));
  const isGone = (description) => keyOf(description) !== null && !keys.has(keyOf(description));
  const nodes = [...parent.childNodes];
  const all = before.map((description, index) => ({ description, node: nodes[index] }));
  // First, as else its followers would be moved before it, which loses the focus.
  all.filter(({ description }) => isGone(description)).forEach(({ node }) => node.remove());
  const rest = all.filter(({ description }) => !isGone(description));
  for (const fresh of after) {
    const index = successorIn(rest, fresh);
    if (index < 0) {
      parent.insertBefore(make(fresh, dispatch), rest[0]?.node ?? null);
      continue;
    }
    const [{ description, node }] = rest.splice(index, 1);
    if (index > 0) moveForward(node, rest.slice(0, index));
    update(node, description, fresh, dispatch);
  }
  rest.forEach(({ node }) => node.remove());
}

/** Move a node before the others, or these behind it, as a node that is moved loses the focus. */
function moveForward(node, others) {
  if (node.contains(document.activeElement)) node.after(...others.map((other) => other.node));
  else others[0].node.before(node);
}

/** Return the index of the element that becomes `fresh`; -1 if there is none. */
function successorIn(rest, fresh) {
  const key = keyOf(fresh);
  const index = key === null ? 0 : rest.findIndex(({ description }) => keyOf(description) === key);
  return rest[index] && isSameKind(rest[index].description, fresh) ? index : -1;
}

/** Return whether an element can become another one; a button can't, as it may be pressed now. */
function isSameKind(before, after) {
  if (before.tag !== after.tag || keyOf(before) !== keyOf(after)) return false;
  return before.tag !== 'button' || textOf(before) === textOf(after);
}

function keyOf(description) {
  return description.properties?.key ?? null;
}

function textOf(description) {
  return description.children?.map(textOf).join('') ?? description;
}

function update(node, before, after, dispatch) {
  if (before === after) return;
  if (typeof after === 'string') {
    node.data = after;
    return;
  }
  shown.set(node, after);
  setProperties(node, before.properties, after.properties, dispatch);
  if (after.properties.foreign) return;
  updateChildren(node, before.children, after.children, dispatch);
}

function setProperties(element, before, after, dispatch) {
  for (const name of Object.keys(before)) {
    if (!(name in after)) setProperty(element, name, before[name], null, dispatch);
  }
  for (const [name, value] of Object.entries(after)) {
    setProperty(element, name, before[name], value, dispatch);
  }
}

function setProperty(element, name, before, value, dispatch) {
  if (before === value || NO_ATTRIBUTES.includes(name)) return;
  if (name.startsWith('on')) {
    if (!before || !value) element[name] = value ? listener(element, name, dispatch) : null;
  } else if (CHANGED_BY_PEOPLE.includes(name)) {
    const wanted = name === 'value' ? String(value ?? '') : Boolean(value);
    if (element[name] !== wanted) element[name] = wanted;
  } else if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? '' : String(value));
  }
}

/** Return the listener of an element, which does what its description says by then. */
function listener(element, name, dispatch) {
  return (event) => {
    if (name === 'onsubmit') event.preventDefault();
    const handler = shown.get(element).properties[name];
    const found = typeof handler === 'function' ? handler(event) : handler;
    if (found) dispatch(found);
  };
}
