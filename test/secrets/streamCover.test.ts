import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coverAll, coverText } from '../../core/secrets/coverValue.js';
import { createKnownSecrets } from '../../core/secrets/knownSecrets.js';
import { StreamCover } from '../../core/secrets/streamCover.js';

// Written in halves, so that no scanner takes this file for a leak.
const key = (prefix: string, body: string) => prefix + body;
const body = 'q8Wk2Zt7Lm4Vx9Bn3Rc6Yd1Hf5Jp0Sg8Wk2Zt7Lm4V';
const plainKey = 'correct horse battery staple';

/** What must not come out: the part of each that is the secret itself. */
const secrets: readonly (readonly [text: string, secret: string])[] = [
  [key('sk-', body), body],
  [key('ghp_', body), body],
  [key('hf_', body), body],
  [`Bearer ${body}`, body],
  [key('eyJ', `hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${body}`), body],
  [`postgres://user:${body.slice(0, 20)}@db.local/x`, body.slice(0, 20)],
  [key('-----BEGIN ', `PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`), body],
  [`hooks.slack.com/services/T01234567/B01234567/${body.slice(0, 24)}`, body.slice(0, 24)],
  [`{"access_token": "${body}"}`, body],
  [JSON.stringify(JSON.stringify({ access_token: body })), body],
  [plainKey, plainKey],
];

function stream(pieces: readonly string[]): string[] {
  const known = createKnownSecrets();
  known.add(plainKey);
  const cover = new StreamCover(known);
  return [...pieces.map((piece) => cover.push(piece)), cover.end()];
}

/** Any way to cut a text into pieces. */
function cuts(text: string): fc.Arbitrary<readonly string[]> {
  return fc.uniqueArray(fc.nat(text.length)).map((places) => {
    const ordered = [0, ...places.sort((left, right) => left - right), text.length];
    return ordered.slice(1).map((end, index) => text.slice(ordered[index], end));
  });
}

describe('a stream', () => {
  test.each(secrets)('does not tell %s, wherever it is cut', (text, secret) => {
    const whole = `Here it is: ${text} and no more.`;
    fc.assert(
      fc.property(cuts(whole), (pieces) => {
        const told = stream(pieces).join('');
        expect(told).toHaveLength(whole.length);
        for (let at = 0; at + 8 <= secret.length; at += 1) expect(told).not.toContain(secret.slice(at, at + 8));
        expect(told.endsWith(' and no more.')).toBe(true);
      }),
    );
    expect(stream([whole]).join('')).toBe(coverText(whole.replace(plainKey, '*'.repeat(plainKey.length))));
  });

  test('does not tell a secret with which it ends', () => {
    for (const [text, secret] of secrets) expect(stream(['It is ', ...text]).join('')).not.toContain(secret);
  });

  test('hands on at once what can be no secret', () => {
    const pieces = ['{"', 'text', '": "', 'A', ' plain', ' answer', ', with skills', ' and 1', '2', '3 words', '."', '}'];
    expect(stream(pieces)).toEqual([...pieces, '']);
  });

  test('comes out as it went in where it holds none, a little later at most', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60, unit: fc.constantFrom(...'sk-_:/ eyJ.A1b"\n') }).chain(cuts), (pieces) => {
        expect(stream(pieces).join('')).toBe(coverText(pieces.join('')));
      }),
    );
  });

  test('goes on behind what is too long for a key', () => {
    const text = key('eyJ', 'a'.repeat(40_000));
    expect(stream([...(text.match(/.{1,100}/gs) ?? [])]).join('')).toBe(text);
  });
});

test('what was found to be clean is looked at again once a further secret is known', () => {
  const known = createKnownSecrets();
  const value = { text: `It is ${plainKey}.` };
  known.clean(value);
  expect(coverAll({ value }, known)).toEqual({ value });
  known.add(plainKey);
  expect(coverAll({ value }, known)).toEqual({ value: { text: `It is ${'*'.repeat(plainKey.length)}.` } });
});
