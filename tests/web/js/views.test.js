import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { shownOnBoard } from '../../../server/boxroom_server/web/page/board/shown.js';
import { next } from '../../../server/boxroom_server/web/page/state/next.js';
import { chatView } from '../../../server/boxroom_server/web/page/views/chat.js';
import { pageView, titleOf } from '../../../server/boxroom_server/web/page/views/page_view.js';
import { findingText, reviewView } from '../../../server/boxroom_server/web/page/views/review.js';
import {
  actions,
  roomView,
  stripView,
} from '../../../server/boxroom_server/web/page/views/room.js';
import { after, eventOf, found, fresh, inGame, t, textOf, update } from './page_state.js';

const byTag = (tag) => (description) => description.tag === tag;
const byClass =
  (name) =>
  ({ properties }) =>
    properties.class?.split(' ').includes(name);
const buttons = (view) => found(view, byTag('button')).map(textOf);
const open = (state, kind) => next(state, { type: 'open_dialog', dialog: { kind } });

/** A form with these fields. */
function formWith(values) {
  const namedItem = (name) => (name in values ? { value: values[name] } : null);
  return { elements: { namedItem } };
}

/** The line of the strip that screen readers read out. */
const statusLine = (state, words) => found(stripView(state, words), byClass('status'))[0];

describe('the page', () => {
  it('asks for a name first, and greets with it', () => {
    const view = pageView({ ...fresh(), roomFromLink: 'den' }, t);
    const [form] = found(view, byTag('form'));
    const target = formWith({ name: ' Ada ' });
    assert.deepEqual(form.properties.onsubmit({ target }), { type: 'greet', name: 'Ada' });
    assert.match(textOf(view), /Join the room den/);
    const [input] = found(view, byTag('input'));
    assert.equal(input.properties.value, 'Kiro 12');
  });

  it('says that it connects, that it is offline, and nothing while all is well', () => {
    const banner = (state) => textOf(found(pageView(state, t), byClass('banner')));
    assert.equal(banner(inGame()), '');
    const lost = (room) => after(inGame(room), update('offline', inGame(room).picture));
    assert.equal(banner(lost({ phase: 'waiting' })), t('offline'));
    assert.equal(banner(lost()), ''); // the strip of the game says it
    const asked = after(fresh(), { type: 'greet', name: 'Ada' });
    assert.equal(banner(asked), t('connecting'));
    const replaced = after(inGame(), update('replaced', inGame().picture));
    assert.deepEqual(eventOf(pageView(replaced, t), t('use_here')), {
      type: 'greet',
      name: 'Ada',
    });
  });

  it('lists open rooms, those with an empty seat and the most people first', () => {
    const room = (name, fields) => [
      name,
      { room: name, settings: {}, phase: 'waiting', ...fields },
    ];
    const rooms = new Map([
      room('full', { empty_seats: 0, people: 2 }),
      room('one', { empty_seats: 1, people: 1 }),
      room('two', { empty_seats: 1, people: 2 }),
    ]);
    const greeted = after(fresh(), { type: 'greet', name: 'Ada' });
    const view = pageView({ ...greeted, listing: { number: 1, rooms, isComplete: true } }, t);
    assert.deepEqual(found(view, byTag('strong')).map(textOf), ['two', 'one', 'full']);
    assert.deepEqual(eventOf(view, t('watch')), { type: 'join', room: 'two', watch: true });
  });

  it('has a title that says at another tab whose turn it is', () => {
    assert.equal(titleOf(inGame(), t), t('title_turn'));
    assert.equal(titleOf(inGame({ to_move: 1 }), t), t('title'));
    const lost = after(inGame(), update('offline', inGame().picture));
    assert.equal(titleOf(lost, t), t('title'));
  });

  it('shows messages in passing over the dialog that is open', () => {
    const toasts = [{ text: 'Copied', key: 1 }];
    const inDialog = (state) => {
      const [dialog] = found(pageView(state, t), byTag('dialog'));
      return found(dialog, byClass('toasts')).map(textOf);
    };
    assert.deepEqual(inDialog({ ...open(inGame(), 'invite'), toasts }), ['Copied']);
    assert.deepEqual(inDialog({ ...inGame(), toasts }), []);
    assert.equal(found(pageView(open(inGame(), 'invite'), t), byClass('toasts')).length, 1);
    assert.equal(found(pageView(inGame(), t), byClass('toasts')).length, 1);
  });
});

describe('a room', () => {
  it('says whose turn it is, and what follows by itself', () => {
    const text = (state) => textOf(statusLine(state, t));
    assert.match(text(inGame()), /^Your turn\. \d+ lines are safe\.$/);
    const bobs = inGame({ to_move: 1 });
    assert.equal(text(bobs), 'Bob is to move');
    assert.equal(
      text(next(bobs, { type: 'typed', text: 'h1' })),
      'Bob is to move, then you play h1',
    );
    assert.equal(text(next(inGame(), { type: 'look_back', count: 0 })), 'Move 0 of 0');
  });

  it('shows scores where they count something', () => {
    const shown = (games) => {
      const state = { ...inGame({ settings: { game: 'dots' }, scores: [2, 1] }), games };
      const scores = found(roomView(state, t), byClass('score'));
      return scores.map(({ properties }) => properties['data-score']);
    };
    assert.deepEqual(shown([{ game: 'dots', prize: ['box', 'boxes'] }]), [2, 1]);
    assert.deepEqual(shown([]), [2, 1]);
    assert.deepEqual(shown([{ game: 'dots' }]), []);
  });

  it('claims no turn without a connection', () => {
    const lost = after(inGame(), update('offline', inGame().picture));
    const status = statusLine(lost, t);
    assert.equal(textOf(status), t('offline'));
    assert.ok(!byClass('mine')(stripView(lost, t)));
    assert.ok(byClass('mine')(stripView(inGame(), t)));
  });

  it('counts no time and calls nobody without a connection', () => {
    const thinks = { to_move: 1, turn_since_ms: 900_000, deadline_ms: 1_030_000 };
    const moves = { tokens: ['h0', 'h1'], movers: [0, 1] };
    for (const room of [thinks, { ...moves, settings: { hints: true } }]) {
      const shown = inGame(room);
      const lost = after(shown, update('offline', shown.picture));
      const times = (state) =>
        found(stripView(state, t), (each) => byClass('clock')(each) || byClass('thinking')(each));
      assert.equal(times(lost).length, 0);
      const [here, there] = [shown, lost].map((state) => buttons(actions(state, t)));
      const gone = here.filter((label) => !there.includes(label));
      const name = 'Bob';
      const ofSleeper = [t('nudge', { name }), t('let_bot_play', { name })];
      assert.deepEqual(gone, room === thinks ? ofSleeper : [t('hint')]);
    }
  });

  it('can be started by its host as soon as enough seats are taken', () => {
    const seats = [{ glyph: 0, name: 'Ada', member: 'Ada', since: 3 }, { glyph: 1 }, { glyph: 2 }];
    const start = (room) => {
      const view = actions(inGame({ phase: 'waiting', ...room }), t);
      return found(view, ({ properties }) => properties.key === 'start')[0].properties.disabled;
    };
    assert.equal(start({}), false);
    assert.equal(start({ seats, settings: { seats: 3 } }), true);
    const bob = { ...seats[1], name: 'easy', bot: 'easy' };
    const [ada, , third] = seats;
    assert.equal(start({ seats: [ada, bob, third], settings: { seats: 3 } }), true);
    const ranged = { seats: 3, seat_range: [2, 3] };
    assert.equal(start({ seats: [ada, bob, third], settings: ranged }), false);
    assert.equal(start({ seats, settings: ranged }), true);
    const rematch = ['Bob'];
    assert.equal(start({ seats, settings: ranged, rematch }), false);
  });

  it('offers what one can do now', () => {
    const shown = (room) => buttons(actions(inGame(room), t));
    const inAnyGame = [t('pause'), t('resign'), t('abort_game')];
    assert.deepEqual(shown(), inAnyGame);
    const moves = { tokens: ['h0', 'h1'], movers: [0, 1], settings: { hints: true } };
    assert.deepEqual(shown(moves), [t('hint'), t('undo'), ...inAnyGame]);
    const undo = { member: 'Bob', ply: 2, keeps: 1, agreed: [] };
    assert.deepEqual(shown({ ...moves, undo }), [t('agree'), t('decline')]);
    const request = { kind: 'abort', member: 'Bob', since: 9, agreed: [] };
    assert.deepEqual(shown({ request }), [t('agree'), t('decline')]);
    assert.deepEqual(shown({ phase: 'over', winners: [0] }), [
      t('rematch'),
      t('next_game'),
      t('share'),
    ]);
    assert.deepEqual(shown({ phase: 'waiting' }), [t('start'), t('next_game')]);
    assert.deepEqual(shown({ seats: [{ glyph: 0 }, { glyph: 1 }] }), [t('pause')]);
    const bots = [0, 1].map((glyph) => ({ glyph, bot: 'greedy' }));
    const watching = { seats: bots, host: 'Bob' };
    assert.deepEqual(shown(watching), []);
  });

  it('has one strip, in the colour of the player to move or of the only winner', () => {
    const strip = (state) => stripView(state, t);
    const isOf = (seat, state) => byClass(`seat-${seat}`)(strip(state));
    assert.ok(isOf(0, inGame()));
    assert.ok(isOf(1, inGame({ to_move: 1 })));
    const moves = { tokens: ['h0', 'h1'], movers: [0, 1] };
    const won = inGame({ phase: 'over', winners: [1], scores: [1, 3], ...moves });
    assert.ok(isOf(1, won));
    assert.ok(!isOf(1, next(won, { type: 'look_back', count: 0 })));
    const drawn = inGame({ phase: 'over', winners: [0, 1], scores: [2, 2] });
    assert.ok(!isOf(0, drawn) && !isOf(1, drawn));
  });

  it('leads to where a game turned, and asks who lost and who did not different questions', () => {
    const games = [{ game: 'dots', reviewed: [2] }];
    const label = (winners, scores, movers) => {
      const taken = movers.map((_, index) => [index, index]);
      const tokens = movers.map((seat) => `h${seat}`);
      const played = { tokens, movers, taken, settings: { game: 'dots', seats: 2 } };
      const over = inGame({ phase: 'over', winners, scores, ...played });
      const [first] = found(actions({ ...over, games }, t), byTag('button')).slice(-3);
      return textOf(first);
    };
    assert.equal(label([1], [1, 2], [0, 1, 1]), t('review_turn'));
    assert.equal(label([1], [1, 2], [1, 0, 1]), t('review'));
    assert.equal(label([0, 1], [1, 1], [0, 1]), t('review_better'));
    assert.equal(label([0], [2, 1], [0, 1, 0]), t('review_better'));
  });

  it('keeps giving up away from taking back', () => {
    const moves = { tokens: ['h0', 'h1'], movers: [0, 1] };
    const shown = actions(inGame(moves), t);
    const [rare] = found(shown, byClass('rarely'));
    assert.ok(buttons(rare).includes(t('resign')));
    assert.ok(!buttons(rare).includes(t('undo')));
    assert.ok(buttons(shown).includes(t('undo')));
  });

  it('hides moves in the chat from the eye, unless they are wanted', () => {
    const journal = (state) => found(roomView(state, t), byClass('journal'))[0];
    assert.ok(byClass('quiet')(journal(inGame())));
    const wanted = { ...inGame(), settings: { ...inGame().settings, moves: true } };
    assert.ok(!byClass('quiet')(journal(wanted)));
  });

  it('counts the lines that came while nobody looked', () => {
    const away = next(inGame(), { type: 'reading', isReading: false });
    const said = { type: 'said', member: 'Bob', text: 'hello', to: 'all', seq: 9 };
    const picture = away.picture;
    const heard = (state, event) => {
      return next(state, update('event', picture, { event, before: picture, after: picture }));
    };
    const twice = heard(heard(away, said), said);
    assert.equal(twice.unread, 2);
    assert.equal(heard(twice, { ...said, member: 'Ada' }).unread, 2);
    assert.ok(titleOf(twice, t).startsWith('(2) '));
    assert.deepEqual(eventOf(roomView(twice, t), t('unread', { n: 2 })), { type: 'show_newest' });
    assert.equal(next(twice, { type: 'reading', isReading: true }).unread, 0);
    assert.equal(heard(inGame(), said).unread, 0);
  });

  it('tells all about a game to people elsewhere', () => {
    const won = inGame({ phase: 'over', winners: [1], scores: [1, 3] });
    const { text, then } = next(won, { type: 'share', text: 'Bob won.' }).effects[0];
    assert.deepEqual([text, then], ['Bob won.', { type: 'copied' }]);
    const shared = (state) => {
      const open = eventOf(actions(state, t), t('share'));
      return eventOf(pageView(next(state, open), t), t('share_result')).text;
    };
    assert.match(shared(won), /^Bob won.* Ada 1, Bob 3\. .*http:\/\/test\/$/);
    const linked = { ...won, picture: { ...won.picture, game_link: 'link' } };
    assert.match(shared(linked), /http:\/\/test\/games\/link$/);
  });

  it('shows a pause, in which all times stand still, and lets some go on', () => {
    const pause = { member: 'Ada', since_ms: 1_000_000 };
    const paused = (room) => {
      const state = inGame({ pause, deadline_ms: 1_030_000, settings: { clock_s: 30 }, ...room });
      return next(state, { type: 'second', serverMs: 2_000_000 });
    };
    assert.equal(textOf(statusLine(paused(), t)), t('status_paused', { name: 'Ada' }));
    assert.equal(textOf(found(roomView(paused(), t), byClass('clock'))), '30 s');
    const moves = { tokens: ['h0', 'h1'], movers: [0, 1], settings: { hints: true } };
    const shown = buttons(actions(paused(moves), t));
    assert.deepEqual(shown, [t('unpause'), t('resign'), t('abort_game')]);
    const others = paused({ host: 'Bob', pause: { ...pause, member: 'Bob' } });
    assert.deepEqual(buttons(actions(others, t)), [t('resign'), t('abort_game')]);
    assert.equal(shownOnBoard(paused()).canMove, false);
  });

  it('shows the clock of the player who is to move, second by second', () => {
    const state = inGame({ deadline_ms: 1_030_000, settings: { clock_s: 30 } });
    const clock = (shown) => textOf(found(roomView(shown, t), byClass('clock')));
    assert.equal(clock(state), '30 s');
    assert.equal(clock(next(state, { type: 'second', serverMs: 1_001_010 })), '29 s');
    assert.equal(clock(next(state, { type: 'second', serverMs: 2_000_000 })), '0 s');
    assert.equal(clock(inGame()), '');
  });

  it('shows how long a player has been thinking, and offers a bot when that is long', () => {
    const thinks = (ms) => inGame({ to_move: 1, turn_since_ms: 1_000_000 - ms });
    const shown = (state) => textOf(found(roomView(state, t), byClass('thinking')));
    const offered = t('let_bot_play', { name: 'Bob' });
    assert.equal(shown(thinks(9_999)), '');
    assert.equal(shown(thinks(59_999)), t('thinking_for', { time: '0:59' }));
    assert.ok(!buttons(actions(thinks(59_999), t)).includes(offered));
    const nudge = t('nudge', { name: 'Bob' });
    assert.ok(!buttons(actions(thinks(9_999), t)).includes(nudge));
    assert.ok(buttons(actions(thinks(10_000), t)).includes(nudge));
    assert.ok(buttons(actions(thinks(60_000), t)).includes(offered));
  });

  it('counts down until a bot plays for a player who is away', () => {
    const away = { name: 'Bob', connected: false, grace_until_ms: 1_065_000 };
    const state = inGame({ members: [{ name: 'Ada' }, away] });
    assert.match(textOf([roomView(state, t)]), /away, bot in 1:05/);
    const waiting = inGame({ members: [{ name: 'Ada' }, away], settings: { on_drop: 'wait' } });
    assert.match(textOf([roomView(waiting, t)]), /\(away\)/);
    const seats = [
      { glyph: 0, name: 'Ada', member: 'Ada' },
      { glyph: 1, name: 'Bob', member: 'Bob', bot: 'easy' },
    ];
    const played = inGame({ members: [{ name: 'Ada' }, away], seats });
    assert.match(textOf([roomView(played, t)]), /\(Easy plays for now, away\)/);
  });

  it('keeps the place of the board for the board', () => {
    const [place] = found(roomView(inGame(), t), byClass('board-place'));
    assert.equal(place.properties.foreign, true);
    assert.equal(
      found(roomView(inGame({ phase: 'waiting' }), t), byClass('board-place')).length,
      0,
    );
  });

  it('has tools for the host alone', () => {
    const view = pageView(open(inGame(), 'players'), t);
    assert.deepEqual(eventOf(view, t('kick')), { type: 'kick', name: 'Bob' });
    const mute = { type: 'command', message: { type: 'mute', member: 'Bob' } };
    assert.deepEqual(eventOf(view, t('mute')), mute);
    const muted = pageView(open(inGame({ muted: ['Bob'] }), 'players'), t);
    assert.equal(eventOf(muted, t('unmute')).message.type, 'unmute');
    assert.match(textOf([muted]), /\(muted\)/);
    const guest = pageView(open(inGame({ host: 'Bob' }), 'players'), t);
    assert.equal(eventOf(guest, t('kick')), undefined);
  });
});

describe('the board', () => {
  it('takes a move at my turn, unless one is on its way or the past is shown', () => {
    assert.equal(shownOnBoard(inGame()).canMove, true);
    assert.equal(shownOnBoard(inGame({ to_move: 1 })).canMove, false);
    const waiting = shownOnBoard(next(inGame(), { type: 'play', move: 'h0' }));
    assert.deepEqual([waiting.canMove, waiting.pending], [false, 'h0']);
    const past = shownOnBoard(next(inGame(), { type: 'look_back', count: 0 }));
    assert.deepEqual([past.canMove, past.pending], [false, null]);
  });

  it('shows a move that waits only at its position, and until it is answered', () => {
    const waiting = next(inGame(), { type: 'play', move: 'h0' });
    const seen = (room) => ({ ...waiting, picture: { ...waiting.picture, ...room } });
    assert.equal(shownOnBoard(seen({ pause: { left_ms: null } })).pending, 'h0');
    const others = [{ ply: 1 }, { to_move: 1 }, { game_number: 4 }, { phase: 'over' }];
    for (const room of others) assert.equal(shownOnBoard(seen(room)).pending, null);
    const error = { code: 'stale', message: 'too late', isOffline: false };
    const refused = next(waiting, { ...waiting.effects[0].then, error });
    const { pending, canMove } = shownOnBoard(refused);
    assert.deepEqual([pending, canMove], [null, true]);
    assert.equal(refused.toasts[0].text, 'too late');
  });

  it('shows the move of the question whether to play it', () => {
    const settings = { ...inGame().settings, confirms: true };
    const asked = next({ ...inGame(), settings }, { type: 'play', move: 'h0' });
    assert.equal(shownOnBoard(asked).pending, 'h0');
    assert.equal(shownOnBoard(next(asked, { type: 'close_dialog' })).pending, null);
  });

  it('shows the first moves while one looks back', () => {
    const tokens = ['h0', 'h1', 'v0', 'v1'];
    const room = { tokens, movers: [0, 1, 0, 1], taken: [[3, 0]], phase: 'over', winners: [1] };
    const { picture, marked } = shownOnBoard(next(inGame(room), { type: 'look_back', count: 2 }));
    assert.deepEqual(picture.tokens, ['h0', 'h1']);
    assert.deepEqual(picture.taken, []);
    assert.deepEqual([...marked], [1]);
  });
});

describe('the chat', () => {
  const view = (state) => chatView(state, t);
  const lines = (state) => found(view(state), byTag('p')).map(textOf);

  it('shows what was said and is on its way, and keeps the descriptions of lines', () => {
    const chat = [{ seq: 2, member: 'Bob', text: 'good luck', at_ms: 1 }];
    const state = next(inGame({ chat }), { type: 'say', text: 'thanks' });
    assert.deepEqual(
      lines(state).map((line) => line.replace(/^\S+ /, '')),
      ['Bob: good luck', 'thanks (not sent yet)'],
    );
    const [journal] = found(view(state), byClass('journal'));
    assert.equal(found(view(state), byClass('journal'))[0].children[0], journal.children[0]);
  });

  it('lets people choose to whom they speak, and spectators of a game more', () => {
    const spectator = inGame({ seats: [{ glyph: 0 }, { glyph: 1 }] });
    const options = found(view(spectator), byTag('option'));
    assert.deepEqual(
      options.map(({ properties }) => properties.value),
      ['all', 'spectators', 'member:Bob'],
    );
    assert.deepEqual(
      found(view(inGame()), byTag('option')).map(textOf),
      ['to all', 'privately to Bob'],
    );
    const alone = inGame({ members: [{ name: 'Ada' }] });
    assert.equal(found(view(alone), byTag('option')).length, 0);
  });

  it('has a button for each reaction', () => {
    const [group] = found(view(inGame()), byClass('reactions'));
    const buttons = found(group, byTag('button'));
    assert.equal(buttons.length, 6);
    assert.equal(buttons[0].properties['aria-label'], 'Good game!');
    const { message } = buttons[0].properties.onclick;
    assert.deepEqual(message, { type: 'react', reaction: 'gg' });
  });

  it('turns a submitted line into an event, and Escape into dropping the move', () => {
    const [form] = found(view(inGame()), byTag('form'));
    const target = formWith({ text: 'hi' });
    assert.deepEqual(form.properties.onsubmit({ target }), {
      type: 'typed',
      text: 'hi',
      to: 'all',
    });
    const chosen = formWith({ text: 'hi', to: 'member:Bob' });
    assert.deepEqual(form.properties.onsubmit({ target: chosen }).to, { to: 'Bob' });
    const [input] = found(form, byTag('input'));
    assert.deepEqual(input.properties.onkeydown({ key: 'Escape' }), {
      type: 'premove',
      move: null,
    });
    assert.equal(input.properties.onkeydown({ key: 'a' }), null);
  });
});

describe('a review', () => {
  const over = { phase: 'over', tokens: ['h0', 'h1'], movers: [0, 1], winners: [1] };
  const finding = {
    number: 1,
    seat: 0,
    move: 'h0',
    lost: 2,
    better: 'v1',
    facts: [{ fact: 'takes', boxes: 1 }],
    better_facts: [],
  };
  const asked = next(inGame(over), { type: 'ask_review' });
  const reviewed = (answer) => next(asked, { ...asked.effects[0].then, answer });
  const judged = { first_judged: 1, words: { chain: 'boxes in a row' } };

  it('says that it is on its way, and that there was nothing to find', () => {
    assert.equal(textOf(reviewView(asked, t)), t('review_pending'));
    const none = reviewed({ ...judged, findings: [] });
    assert.equal(textOf(reviewView(none, t)), t('review_none_mine'));
  });

  it('lists costly moves, each with the way to its position, and says why', () => {
    const state = reviewed({ ...judged, findings: [{ ...finding, effect: 'lost_game' }] });
    const [item] = found(reviewView(state, t), byTag('button'));
    assert.deepEqual(item.properties.onclick, { type: 'look_back', count: 0 });
    assert.equal(item.properties['aria-current'], 'true');
    assert.match(textOf(findingText(state, t)), /h0.*v1/);
    assert.equal(findingText(next(state, { type: 'look_back', count: 2 }), t), null);
  });

  it('explains three that mattered, and tells the others if they are asked for', () => {
    const effects = ['lost_game', 'lost_boxes', 'lost_boxes', 'lost_boxes', 'lost_anyway'];
    const findings = effects.map((effect, index) => ({ ...finding, number: index + 1, effect }));
    const view = reviewView(reviewed({ ...judged, findings }), t);
    const isRest = ({ tag, properties }) => tag === 'details' && properties.key === 'rest';
    const [rest] = found(view, isRest);
    assert.equal(found(view, byTag('li')).length, 5);
    assert.equal(found(rest, byTag('li')).length, 2);
    assert.match(textOf(rest), /2/);
  });

  it('tells who was behind from the first judged move on', () => {
    const behind = (first, seat) => {
      const review = { ...judged, first_judged: first, behind: seat, findings: [] };
      return textOf(reviewView(reviewed(review), t));
    };
    assert.ok(behind(21, 0).includes(t('review_behind', { n: 21 })));
    assert.ok(behind(1, 0).includes(t('review_behind_start')));
    assert.ok(!behind(21, 1).includes(t('review_behind', { n: 21 })));
  });
});

describe('dialogs', () => {
  it('ask with the texts of their question, and close at a tap beside them', () => {
    const [dialog] = found(pageView(next(inGame(), { type: 'leave' }), t), byTag('dialog'));
    assert.equal(dialog.properties['aria-label'], t('leave_game'));
    assert.deepEqual(eventOf(dialog, t('leave')), { type: 'answer_yes' });
    const { onclick, onclose } = dialog.properties;
    assert.deepEqual(onclick({ target: 1, currentTarget: 1 }), { type: 'close_dialog' });
    assert.equal(onclick({ target: 2, currentTarget: 1 }), null);
    assert.equal(onclose({ target: { open: true } }), null);
  });

  it('are empty while none is open', () => {
    const [dialog] = found(pageView(inGame(), t), byTag('dialog'));
    assert.deepEqual(dialog.children, []);
  });

  it('tell what happened', () => {
    const told = { kind: 'told', title: 'den', text: 'The room den was closed.' };
    const [dialog] = found(
      pageView(next(inGame(), { type: 'open_dialog', dialog: told }), t),
      byTag('dialog'),
    );
    assert.equal(textOf(found(dialog, byTag('h2'))), 'den');
    assert.equal(textOf(found(dialog, byTag('p'))), told.text);
  });

  it('have a sheet for each kind', () => {
    const games = after(inGame(), { type: 'open_games' });
    for (const state of [
      games,
      ...['settings', 'players', 'invite', 'standings'].map((it) => open(inGame(), it)),
    ]) {
      const [dialog] = found(pageView(state, t), byTag('dialog'));
      assert.equal(textOf(found(dialog, byTag('h2'))), dialog.properties['aria-label']);
    }
    const [invitation] = found(pageView(open(inGame(), 'invite'), t), byTag('dialog'));
    const [field] = found(invitation, byTag('input'));
    assert.equal(field.properties.value, 'http://test/#attic');
  });
});

describe('the table of all games', () => {
  const row = (name, points, scores) => ({ name, games: 2, wins: 1, points, scores });
  const table = [row('Ben', 1, { dots: 4 }), row('Ada', 3, { dots: 12, noughts: 1 })];
  const games = [{ game: 'dots', prize: ['box', 'boxes'] }, { game: 'noughts' }];
  const view = pageView(open({ ...inGame({ table }), games }, 'standings'), t);

  it('has the best player first, and a column for what a game counts', () => {
    const lines = found(view, byTag('tr')).map(({ children }) => children.map(textOf));
    assert.deepEqual(lines, [
      ['player', 'games', 'won', 'boxes', 'points'],
      ['Ada', '2', '1', '12', '3'],
      ['Ben', '2', '1', '4', '1'],
    ]);
  });

  it('counts the series that were won, and tells that which is on', () => {
    const series = [row('Ada', 4, {}), row('Ben', 0, {})];
    const fields = { table: [{ ...table[0], series: 2 }], series, settings: { best_of: 5 } };
    const sheet = pageView(open(inGame(fields), 'standings'), t);
    const [head, ben] = found(sheet, byTag('tr')).map(({ children }) => children.map(textOf));
    assert.deepEqual(head.slice(-2), ['series', 'points']);
    assert.equal(ben.at(-2), '2');
    assert.match(textOf(sheet), /Best of 5: Ada 1 : 1 Ben/);
  });

  it('can be saved as text and as JSON', () => {
    const links = found(view, byTag('a')).map(({ properties: { download, href } }) => {
      const [, text] = href.split(',');
      return [download, decodeURIComponent(text)];
    });
    const [[textFile, text], [jsonFile, json]] = links;
    assert.deepEqual([textFile, jsonFile], ['attic.txt', 'attic.json']);
    assert.equal(
      text,
      'player  games  won  boxes  points\n' +
        'Ada         2    1     12       3\n' +
        'Ben         2    1      4       1\n',
    );
    assert.equal(JSON.parse(json).format, 'boxroom-table-1');
    assert.deepEqual(
      JSON.parse(json).table.map(({ name, scores }) => [name, scores.dots]),
      [
        ['Ada', 12],
        ['Ben', 4],
      ],
    );
  });
});

describe('the list of finished games', () => {
  const opened = after(inGame(), { type: 'open_games' });
  const game = {
    game: 7,
    kind: 'dots 5x5',
    room: 'attic',
    players: ['Ada', 'Bob'],
    scores: [1, 3],
    winners: [1],
    ended_ms: 0,
  };
  const listed = (page) => next(opened, { type: 'games_listed', answer: page });

  it('says who won each, and opens it', () => {
    const view = pageView(listed({ games: [game], next: '7' }), t);
    const [item] = found(view, byTag('li')).filter(({ properties }) => properties.key === 7);
    assert.match(textOf(item), /Ada 1, Bob 3.*Bob/);
    assert.deepEqual(item.children[0].properties.onclick, { type: 'open_game', number: 7 });
    assert.deepEqual(eventOf(view, t('more_games')), { type: 'more_games' });
  });

  it('says that there is none only when it is complete', () => {
    const texts = [opened, listed({ games: [] })].map((state) => textOf(pageView(state, t)));
    assert.deepEqual(
      texts.map((text) => text.includes(t('no_games'))),
      [false, true],
    );
  });
});
