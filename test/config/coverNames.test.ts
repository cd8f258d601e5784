import { expect, test } from 'vitest';
import { coverAll, coverJson } from '../../core/secrets/coverValue.js';
import { createKnownSecrets } from '../../core/secrets/knownSecrets.js';

// Written in halves, so that no scanner takes this file for a leak.
const shaped = `${'sk-'}q8Wk2Zt7Lm4Vx9Bn3Rc6Yd1Hf5Jp0Sg8`;
const plain = 'correct horse battery staple';
const letters = 'correcthorsebattery';

test('a secret is covered where it is the name of a value, too', () => {
  const known = createKnownSecrets();
  known.add(plain);
  known.add(letters);
  known.add('metadata');
  for (const secret of [shaped, plain, letters]) {
    const value = { metadata: [{ [secret]: { found: 'metadata' } }] };
    const covered = { metadata: [{ ['*'.repeat(secret.length)]: { found: '********' } }] };
    expect(coverAll(value, known)).toEqual(covered);
    expect(JSON.parse(coverJson(JSON.stringify(value), known))).toEqual(covered);
  }
});
