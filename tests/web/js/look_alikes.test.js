import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { plainForms } from '../../../server/boxroom_server/web/page/look_alikes.js';

const lines = JSON.parse(
  readFileSync(new URL('../../golden/look_alikes.json', import.meta.url), 'utf8'),
);

describe('plainForms', () => {
  for (const { typed, forms } of lines)
    it(`reads ${typed} as the terminal does`, () => assert.deepEqual(plainForms(typed), forms));
});
