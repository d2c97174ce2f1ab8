/**
 * The state after what the link to the server reports.
 *
 * An event `link` has the `update`, as `link.js` describes it, and in `seen` what the link knows by
 * then: {picture, you, games, serverMs}.
 */

import { narrate, said } from '../narrate.js';
import {
  closeDialog,
  forgetPosition,
  join,
  keepPlace,
  lookBack,
  openDialog,
  openLobby,
  play,
  report,
  toast,
} from './changes.js';
import { isValid } from './premoves.js';
import { nameOf, withEffect, wordsOf } from './state.js';

/** Events after which a hint is for another position. */
const NEW_POSITION = ['played', 'undone', 'started', 'withdrew'];
/** Events after which no bot thinks about the present position, or another one does. */
const NO_BOT_THINKS = [...NEW_POSITION, 'ended', 'bot_sat', 'vacated', 'took_back'];

export const LINK_EVENTS = {
  link: (state, { update, seen }) => {
    const change = UPDATES[update.kind] ?? ((same) => same);
    return change({ ...state, ...seen }, update);
  },
  second: (state, { serverMs }) => ({ ...state, serverMs }),
  come_back: (state, { place }) => (place ? join(state, place) : openLobby(state)),
  identity_kept: (state, { isKept }) => ({ ...state, identity: { ...state.identity, isKept } }),
};

const UPDATES = {
  online: (state) => ({ ...state, isOnline: true }),
  offline: (state) => ({ ...state, isOnline: false }),
  replaced: (state) => ({ ...state, ended: 'replaced' }),
  banned: (state) => ({ ...state, ended: 'banned' }),
  greeting_refused: (state, { code, message, name }) => {
    const isNameTaken = code === 'name_taken';
    const text = isNameTaken ? wordsOf(state)('name_taken', { name }) : message;
    return { ...state, problem: { text, isNameTaken } };
  },
  welcome: (state) => welcomed(state),
  entered: (state, update) => entered(state, update),
  event: (state, update) => happened(state, update),
  changed: (state) => playPremove(state),
  out: (state) => out(state),
  lost_room: (state, { message }) => out(toast(state, message)),
  notice: (state, { code, message }) =>
    code === 'identity_taken'
      ? openDialog(state, { kind: 'identity_taken', text: message })
      : toast(state, message),
  thinking: (state, { seat }) => ({ ...state, thinking: seat }),
  hint: (state, update) => hinted(state, update),
  rooms_changed: (state, update) => roomsChanged(state, update),
};

function welcomed(state) {
  const identity = { ...state.identity, name: nameOf(state) };
  const greeted = withEffect({ ...state, identity }, { type: 'keep_identity', identity });
  if (state.picture || state.isEntering) return greeted;
  const room = state.roomFromLink;
  if (room) return join({ ...greeted, roomFromLink: null }, { room });
  return withEffect(greeted, { type: 'load_room', then: { type: 'come_back' } });
}

function entered(state, { fresh, isBack }) {
  const there = keepPlace({ ...state, passwordFor: null, form: null, finished: null });
  if (!fresh) return there;
  const { picture, lastSeq } = there;
  const t = wordsOf(state);
  const unseen = picture.chat.filter((each) => !isBack || each.seq > lastSeq);
  const lines = unseen.map((each) => said(each, picture, nameOf(state), t));
  const journal = isBack ? there.journal : [];
  return playPremove({
    ...report(forgetPosition({ ...there, journal }), lines),
    lastSeq: picture.seq,
  });
}

function happened(state, { event, before, after }) {
  const lines = narrate(event, before, after, nameOf(state), wordsOf(state), state.games);
  const told = report(state, lines);
  const isOther = ['started', 'undone'].includes(event.type);
  return {
    ...(isOther ? lookBack(told, null) : told),
    thinking: NO_BOT_THINKS.includes(event.type) ? null : state.thinking,
    hint: NEW_POSITION.includes(event.type) ? null : state.hint,
    review: event.type === 'started' ? null : state.review,
    lastSeq: after.seq,
  };
}

/** Play the premove if its turn has come, and drop it if it has become impossible. */
function playPremove(state) {
  const { premove, picture } = state;
  if (premove === null || picture === null) return state;
  const dropped = { ...state, premove: null };
  if (!isValid(premove, picture, nameOf(state))) return dropped;
  return premove.seat === picture.to_move ? play(dropped, premove.move) : state;
}

function out(state) {
  // The dialog may be about the room.
  return openLobby(keepPlace(closeDialog(forgetPosition(state))));
}

function hinted(state, update) {
  if (update.ply !== state.picture?.ply) return state;
  const text = wordsOf(state)('event.hint', update);
  return report({ ...state, hint: update.move }, [{ kind: 'answer', text, seat: null }]);
}

function roomsChanged(state, { rooms = [], gone = [] }) {
  const listed = new Map(state.listing.rooms);
  for (const code of gone) listed.delete(code);
  for (const room of rooms) listed.set(room.room, room);
  return { ...state, listing: { ...state.listing, rooms: listed } };
}
