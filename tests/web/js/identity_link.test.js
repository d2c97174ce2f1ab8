import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  identityLink,
  masked,
  randomPad,
  readFragment,
  takeIdentity,
} from '../../../server/boxroom_server/web/page/identity_link.js';
import { Offline, Refusal } from '../../../server/boxroom_server/web/page/link_errors.js';
import { randomText } from '../../../server/boxroom_server/web/page/random_text.js';

const CODE = '0123456789abcdef0123456789abcdef';
const PAGE = 'http://192.168.1.5:8765/';

function fragmentOf(link) {
  return new URL(link).hash;
}

describe('a masked secret', () => {
  it('is unmasked by the pad that masked it', () => {
    for (const length of [16, 43, 64, 200]) {
      const [secret, pad] = [randomPad(length), randomPad(length)];
      assert.equal(secret.length, length);
      assert.match(masked(secret, pad), /^[\w-]+$/);
      assert.equal(masked(masked(secret, pad), pad), secret);
    }
    const secret = randomText(32);
    assert.notEqual(masked(masked(secret, randomPad(64)), randomPad(64)), secret);
  });

  it('is what the page about the protocol says', () => {
    const [zero, last] = ['0'.repeat(16), '_'.repeat(16)];
    assert.equal(masked('0129ABYZabyz-_00', zero), '0129ABYZabyz-_00');
    assert.equal(masked('0129ABYZabyz-_00', last), '_-zsrqTSRQ3210__');
    assert.equal(masked('01'.repeat(8), '1'.repeat(16)), '10'.repeat(8));
    assert.equal(masked('A'.repeat(16), '1'.repeat(16)), 'B'.repeat(16)); // 10 ^ 1 = 11
  });

  it('says nothing about the secret, as each character of a pad is any of 64', () => {
    const seen = new Set(Array.from({ length: 4000 }, () => randomPad(16)[3]));
    assert.equal(seen.size, 64);
  });

  it('needs a pad of its own length, and characters that can be masked', () => {
    const pad = randomPad(16);
    for (const text of ['', 'short', `${pad}x`, 'a secret with spaces', 'ä'.repeat(16), null, 7]) {
      assert.throws(() => masked(text, pad), RangeError);
      assert.throws(() => masked(pad, text), RangeError);
    }
  });
});

describe('a link', () => {
  const pad = randomPad(64);

  it('brings the pad and the code, and the room', () => {
    for (const place of [
      null,
      { room: 'kiwa-tobe', watch: false },
      { room: "Ada's & 100 % Bob. + ü", watch: true },
    ]) {
      const link = identityLink(PAGE, { pad, code: CODE, place });
      const read = { room: null, arrival: { pad, code: CODE, place } };
      assert.deepEqual(readFragment(fragmentOf(link)), read);
    }
  });

  it('brings no room whose code is too long for one', () => {
    const place = { room: 'ü'.repeat(101), watch: false };
    const link = identityLink(PAGE, { pad, code: CODE, place });
    assert.equal(readFragment(fragmentOf(link)).arrival.place, null);
  });

  it('that was cut off or changed has no code', () => {
    const whole = fragmentOf(identityLink(PAGE, { pad, code: CODE, place: null }));
    const damaged = [
      ...Array.from({ length: CODE.length }, (_, i) => whole.slice(0, -1 - i)),
      '#identity=',
      '#identity=.',
      `#identity=${CODE}`,
      `#identity=${pad} .${CODE}`,
      `#identity=%FF.${CODE}`,
      `#identity=short.${CODE}`,
      `${whole}0`,
    ];
    for (const fragment of damaged) {
      assert.deepEqual(readFragment(fragment).arrival, { pad: '', code: null, place: null });
    }
  });

  it('to a room is none that brings an identity', () => {
    assert.deepEqual(readFragment('#kiwa-tobe'), { room: 'kiwa-tobe', arrival: null });
    assert.deepEqual(readFragment('#identity'), { room: 'identity', arrival: null });
    assert.deepEqual(readFragment('#b%C3%BCro%20%27%2B%27'), { room: "büro '+'", arrival: null });
    for (const none of ['', '#', '#%FF']) {
      assert.deepEqual(readFragment(none), { room: null, arrival: null });
    }
  });
});

describe('an identity', () => {
  const pad = randomPad(64);
  const secret = randomText(32);
  const link = { pad, code: CODE };

  const said = ({ phrase }) => `words of ${phrase.key}`;

  /** Take the identity from a server that does as `serve` says with the socket. */
  async function taken(serve) {
    const sockets = [];
    class Socket {
      sent = [];

      constructor(url) {
        this.url = url;
        sockets.push(this);
      }

      send(text) {
        this.sent.push(JSON.parse(text));
      }

      close() {
        this.isClosed = true;
        this.onclose({});
      }
    }
    const taking = takeIdentity('ws://test/', link, said, Socket);
    const [socket] = sockets;
    assert.equal(socket.url, 'ws://test/');
    serve(socket);
    return { identity: await taking, socket };
  }

  const answering = (answer) => (socket) => {
    socket.onopen({});
    socket.onmessage({ data: typeof answer === 'string' ? answer : JSON.stringify(answer) });
  };

  it('is unmasked, and the connection was for this alone', async () => {
    const answer = { type: 'identity', name: 'Ada', masked: masked(secret, pad) };
    const { identity, socket } = await taken(answering(answer));
    assert.deepEqual(identity, { name: 'Ada', secret });
    assert.deepEqual(socket.sent, [{ type: 'take_identity', code: CODE }]);
    assert.ok(socket.isClosed);
  });

  it("is refused by its code, and in the person's language", async () => {
    const phrase = { key: 'refusal.no_such_code', values: {} };
    const refused = { type: 'refused', id: 0, code: 'no_such_code', message: 'no', phrase };
    await assert.rejects(taken(answering(refused)), (error) => {
      assert.ok(error instanceof Refusal);
      assert.equal(error.code, 'no_such_code');
      assert.equal(error.message, 'words of refusal.no_such_code');
      return true;
    });
  });

  it('is not taken without a connection', async () => {
    await assert.rejects(
      taken((socket) => socket.onclose({})),
      Offline,
    );
  });

  it('is none that the link does not belong to', async () => {
    for (const masked of [undefined, 7, 'short', randomPad(63)]) {
      await assert.rejects(taken(answering({ type: 'identity', name: 'Ada', masked })), RangeError);
    }
    for (const answer of ['{', 'null']) {
      await assert.rejects(taken(answering(answer)));
    }
  });
});
