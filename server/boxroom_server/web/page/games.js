/** The finished games of a person, and one of them, move by move. */

import { h } from './dom.js';
import { pictureFrom } from './mirror.js';
import { result } from './narrate.js';
import { findingText, reviewView } from './review.js';
import { actions, scores, status } from './room.js';

/** Open the list of finished games, the newest first. */
export function openGames(app) {
  const { t } = app;
  const list = { games: [], next: '', isComplete: false };
  const more = () => {
    const after = list.next;
    list.next = ''; // so that a second tap doesn't ask for the same page
    return app.attempt(async () => {
      const page = await app.link.request({ type: 'list_games', ...(after && { after }) });
      list.games.push(...page.games);
      list.next = page.next ?? '';
      list.isComplete = list.next === '';
    });
  };
  app.dialogs.sheet(t('my_games'), () => [
    list.isComplete && !list.games.length ? h('p.help', {}, t('no_games')) : null,
    h('ul.games', {}, ...list.games.map((game) => gameItem(app, game))),
    list.next ? h('button', { onclick: more }, t('more_games')) : null,
  ]);
  more();
}

function gameItem(app, game) {
  const { t } = app;
  const players = game.players.map((name, seat) => `${name} ${game.scores[seat]}`);
  const [name] = game.kind.split(' ');
  const picture = { players: game.players, tokens: [], settings: { game: name } };
  return h(
    'li',
    { 'data-key': String(game.game) },
    h(
      'button',
      { onclick: () => openGame(app, game.game) },
      h('strong', {}, players.join(', ')),
      h('span', {}, result(game.winners, game.scores, picture, t, app.games)),
      h('span.help', {}, `${game.kind} · ${game.room} · ${date(game.ended_ms, app.language)}`),
    ),
  );
}

function date(ms, language) {
  return new Date(ms).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}

function openGame(app, number) {
  return app.attempt(async () => {
    const { room } = await app.link.request({ type: 'get_game', game: number });
    if (!room) throw new Error(app.t('game_unreadable'));
    app.dialogs.close();
    app.openFinished(pictureFrom(room), number);
  });
}

/** A finished game: like a room after its end, in which nobody is. */
export function gameView(app) {
  const { t, picture } = app;
  return h(
    'main.room',
    { 'data-key': 'game' },
    h(
      'header',
      {},
      h(
        'button.icon',
        { 'aria-label': t('close'), title: t('close'), onclick: () => app.closeFinished() },
        '‹',
      ),
      h('h1', {}, picture.room),
    ),
    scores(app),
    h(
      'section.table',
      { 'data-key': 'table' },
      h('div.board-place', { 'data-key': 'board', 'data-keep': 'board' }),
      status(app),
      findingText(app),
      actions(app),
      reviewView(app),
    ),
  );
}
