import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { randomText } from '../../../server/boxroom_server/web/page/random_text.js';
import {
  Store,
  identityFor,
  keepIdentity,
  resultsIn,
  keepRoom,
  roomFor,
  saveIdentity,
  saveResults,
  saveRoom,
  takeKeptRoom,
  saveSettings,
  settingsOf,
} from '../../../server/boxroom_server/web/page/storage.js';

const SERVER = '192.168.1.5:8765';

/** Something like `localStorage`; it throws when it is full. */
class Browser {
  items = new Map();
  isFull = false;

  getItem(key) {
    return this.items.get(key) ?? null;
  }

  setItem(key, text) {
    if (this.isFull) {
      throw new Error('QuotaExceededError');
    }
    this.items.set(key, String(text));
  }

  removeItem(key) {
    this.items.delete(key);
  }

  open() {
    return new Store(() => this);
  }
}

const FORBIDDEN = () => {
  throw new Error('SecurityError');
};

describe('an identity', () => {
  it('is made once for each server', () => {
    const browser = new Browser();
    const { name, secret, isKept } = identityFor(browser.open(), SERVER);
    assert.deepEqual([name, isKept], [null, true]);
    assert.match(secret, /^[0-9a-f]{64}$/);
    assert.equal(identityFor(browser.open(), SERVER).secret, secret);
    assert.notEqual(identityFor(browser.open(), 'elsewhere').secret, secret);
  });

  it('is that with which a tab was greeted, where two tabs began at once', () => {
    const browser = new Browser();
    const { secret } = identityFor(browser.open(), SERVER, () => 'the secret of this tab');
    saveIdentity(browser.open(), SERVER, { name: null, secret: 'the secret of the other tab' });
    keepIdentity(browser.open(), SERVER, { name: 'Ada', secret });
    const kept = { name: 'Ada', secret: 'the secret of this tab', isKept: true };
    assert.deepEqual(identityFor(browser.open(), SERVER), kept);
  });

  it('is kept again where the storage was cleared since', () => {
    const browser = new Browser();
    const { secret } = identityFor(browser.open(), SERVER);
    browser.items.clear();
    keepIdentity(browser.open(), SERVER, { name: 'Ada', secret });
    assert.deepEqual(identityFor(browser.open(), SERVER), { name: 'Ada', secret, isKept: true });
  });

  it('does not replace another one that another tab keeps by now', () => {
    const browser = new Browser();
    const { secret } = identityFor(browser.open(), SERVER);
    const other = { name: 'Bob', secret: 'the secret of the other device' };
    saveIdentity(browser.open(), SERVER, other);
    keepIdentity(browser.open(), SERVER, { name: 'Ada', secret });
    assert.deepEqual(identityFor(browser.open(), SERVER), { ...other, isKept: true });
  });

  it('can come from another device', () => {
    const store = new Browser().open();
    identityFor(store, SERVER);
    saveIdentity(store, SERVER, { name: 'Ada', secret: 'the secret of the other device' });
    const { name, secret } = identityFor(store, SERVER);
    assert.deepEqual([name, secret], ['Ada', 'the secret of the other device']);
  });

  it('is not kept where the browser forbids it, but the same until the page is closed', () => {
    const store = new Store(FORBIDDEN);
    const { secret, isKept } = identityFor(store, SERVER);
    keepIdentity(store, SERVER, { name: 'Ada', secret });
    assert.equal(isKept, false);
    assert.deepEqual(identityFor(store, SERVER), { name: 'Ada', secret, isKept: false });
  });

  it('is the same until the page is closed if the browser gets full', () => {
    const browser = new Browser();
    const store = browser.open();
    browser.isFull = true;
    const { secret, isKept } = identityFor(store, SERVER);
    assert.equal(isKept, false);
    assert.equal(identityFor(store, SERVER).secret, secret);
  });

  it('is the same as before if the browser got full since', () => {
    const browser = new Browser();
    const { secret } = identityFor(browser.open(), SERVER);
    browser.isFull = true;
    const store = browser.open();
    saveSettings(store, { theme: 'dark' });
    assert.equal(store.isKept, false);
    assert.equal(identityFor(store, SERVER).secret, secret);
    assert.equal(settingsOf(store).theme, 'dark');
    browser.isFull = false;
    saveSettings(store, { theme: 'light' });
    assert.equal(store.isKept, true);
    assert.equal(settingsOf(browser.open()).theme, 'light');
  });

  it('is made anew if what is kept makes no sense', () => {
    for (const text of ['{', 'null', '7', '{"secret":7}', '{"secret":"short","name":"Ada"}']) {
      const browser = new Browser();
      browser.items.set(`boxroom.identity.${SERVER}`, text);
      const { name, secret } = identityFor(browser.open(), SERVER);
      assert.equal(name, null);
      assert.equal(secret.length, 64);
      assert.equal(identityFor(browser.open(), SERVER).secret, secret);
    }
  });
});

describe('a room', () => {
  it('is kept for a reload, without its password', () => {
    const browser = new Browser();
    assert.equal(roomFor(browser.open(), SERVER), null);
    saveRoom(browser.open(), SERVER, { room: 'attic', watch: true, password: 'pw' });
    assert.deepEqual(roomFor(browser.open(), SERVER), { room: 'attic', watch: true });
    assert.ok(![...browser.items.values()].some((text) => text.includes('pw')));
    saveRoom(browser.open(), SERVER, null);
    assert.equal(roomFor(browser.open(), SERVER), null);
  });

  it('is kept as it was shown for one reload of the same version of the page', () => {
    const browser = new Browser();
    const kept = { picture: { room: 'attic' }, you: 'Ada' };
    keepRoom(browser.open(), kept, 'one');
    assert.deepEqual(takeKeptRoom(browser.open(), 'one'), kept);
    assert.equal(takeKeptRoom(browser.open(), 'one'), null);
    keepRoom(browser.open(), kept, 'one');
    assert.equal(takeKeptRoom(browser.open(), 'another'), null);
    keepRoom(browser.open(), kept, 'one');
    keepRoom(browser.open(), null, 'one');
    assert.equal(takeKeptRoom(browser.open(), 'one'), null);
    assert.equal(browser.items.size, 0);
  });
});

describe('settings', () => {
  it('have defaults, and change one by one', () => {
    const browser = new Browser();
    const off = { confirms: false, moves: false, sounds: false, size: 5, beside: '' };
    const defaults = { theme: 'auto', language: null, ...off };
    assert.deepEqual(settingsOf(browser.open()), defaults);
    saveSettings(browser.open(), { theme: 'dark' });
    saveSettings(browser.open(), { confirms: true });
    const { theme, confirms } = settingsOf(browser.open());
    assert.deepEqual([theme, confirms], ['dark', true]);
  });
});

describe('random text', () => {
  it('has two digits for each byte, and is another one each time', () => {
    const texts = Array.from({ length: 50 }, () => randomText(8));
    assert.ok(texts.every((text) => /^[0-9a-f]{16}$/.test(text)));
    assert.equal(new Set(texts).size, 50);
  });
});

describe('results', () => {
  it('are kept, without what is no result', () => {
    const browser = new Browser();
    assert.deepEqual(resultsIn(browser.open()), {});
    saveResults(browser.open(), { dots: [['easy', 1], ['easy'], 'easy'], noughts: 7 });
    assert.deepEqual(resultsIn(browser.open()), { dots: [['easy', 1]], noughts: [] });
  });
});
