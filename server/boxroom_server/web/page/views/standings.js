/**
 * The sheet with the table of a room's games.
 *
 * @import { Description, View } from '../dom.js'
 * @import { PageEvent } from '../state/next.js'
 * @import { BoardState, RoomState } from '../state/state.js'
 */

import { h } from '../dom.js';
import { shownPicture } from '../state/state.js';
import { asText, inOrder, standingsInShort, standingsTable } from '../standings.js';

/**
 * Return the button that opens the table, as soon as a game has ended.
 *
 * @type {View<?Description, BoardState>}
 */
export function standingsButton(state, t) {
  if (!shownPicture(state).table.length) return null;
  /** @type {PageEvent} */
  const onclick = { type: 'open_dialog', dialog: { kind: 'standings' } };
  return h('button', { key: 'standings', onclick }, t('standings'));
}

/** @type {View<(?Description)[], RoomState>} */
export function standingsView({ picture, games }, t) {
  const { room, table: rows, series } = picture;
  if (!rows.length) return [h('p', {}, t('standings.none'))];
  const table = standingsTable(rows, t, games);
  const [head, ...lines] = table;
  const tables = { table: inOrder(rows), series: inOrder(series) };
  const json = JSON.stringify({ format: 'boxroom-table-1', room, ...tables }, null, 2);
  return [
    h(
      'div.standings',
      { tabindex: 0 }, // so that keys can scroll it
      h(
        'table',
        {},
        h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text))),
        ...lines.map((line) => h('tr', {}, ...line.map((text) => h('td', {}, text)))),
      ),
    ),
    h('p.help', {}, t('standings.how')),
    series.length ? h('p', {}, standingsInShort(picture, t)) : null,
    h(
      'div.buttons',
      {},
      download(t('standings.as_text'), `${room}.txt`, 'text/plain', asText(table)),
      download(t('standings.as_json'), `${room}.json`, 'application/json', `${json}\n`),
    ),
  ];
}

/**
 * Return a link that saves a text, also on a page over plain http, where no clipboard is.
 *
 * @type {(label: string, file: string, type: string, text: string) => Description}
 */
function download(label, file, type, text) {
  const href = `data:${type};charset=utf-8,${encodeURIComponent(text)}`;
  return h('a', { download: file, href }, label);
}
