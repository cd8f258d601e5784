import { describe, expect, test } from 'vitest';
import { coverJson } from '../../core/secrets/coverValue.js';
import { createKnownSecrets } from '../../core/secrets/knownSecrets.js';
import { StreamCover } from '../../core/secrets/streamCover.js';
import { encodings, expectNoSecret, markedSecrets } from './marked.js';

describe.each(markedSecrets)('of the secret %j', (secret) => {
  const known = createKnownSecrets();
  known.add(secret);

  test.each(encodings(secret))('nothing is left in %j', (form) => {
    const text = `before ${form} after`;
    expect(() => expectNoSecret(text)).toThrow();
    expect(known.mayBeIn(text)).toBe(true);
    expect(known.cover(text)).toHaveLength(text.length);
    expectNoSecret(known.cover(text));
    // Also where it is a text of JSON, once and again.
    expectNoSecret(known.cover(JSON.stringify({ text })));
    expectNoSecret(known.cover(JSON.stringify({ text: JSON.stringify({ text }) })));
  });

  test.each([1, 2, 3, 7, 20])('nothing is left of a stream that comes in pieces of %d', (size) => {
    const text = encodings(secret).join(' ');
    const stream = new StreamCover(known);
    const pieces = text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [];
    const told = pieces.map((piece) => stream.push(piece)).join('') + stream.end();
    expect(told).toHaveLength(text.length);
    expectNoSecret(told);
  });
});

test('the words around a secret are kept, in base64 too', () => {
  const known = createKnownSecrets();
  known.add('correct-horse-battery-staple');
  const text = Buffer.from('The key is correct-horse-battery-staple, keep it.').toString('base64');
  const covered = Buffer.from(known.cover(text).replaceAll('*', 'A'), 'base64').toString('utf8');
  expect(covered).toMatch(/^The key is .*keep it\.$/s);
});

test('white space around a key is not a part of it', () => {
  const known = createKnownSecrets();
  known.add(' correct-horse-battery-staple\n');
  expect(known.mayBeIn('(correct-horse-battery-staple)')).toBe(true);
});

test('what has fewer than 8 characters is not covered', () => {
  const known = createKnownSecrets();
  known.add('hunter2');
  expect(known.cover('hunter2')).toBe('hunter2');
});

test('a secret that is cut off is covered as far as it comes, and what only shows its kind is kept', () => {
  const known = createKnownSecrets();
  known.add('correct-horse-battery-staple');
  expect(known.cover('It is correct-horse-bat')).toBe(`It is ${'*'.repeat(17)}`);
  expect(known.cover('It is correct-horse-bat...')).toBe(`It is ${'*'.repeat(17)}...`);
  expect(coverJson('{"a":"It is correct-horse-bat"}', known)).toBe(`{"a":"It is ${'*'.repeat(17)}"}`);
  expect(known.cover('It is correct')).toBe('It is correct');
  const stream = new StreamCover(known);
  expect(stream.push('It is corr') + stream.push('ect-horse-bat') + stream.end()).toBe(`It is ${'*'.repeat(17)}`);
});

test('of base64 in lines that comes in pieces, no line is told', () => {
  const known = createKnownSecrets();
  const secret = 'correct-horse-battery-staple-and-more';
  known.add(secret);
  const text = Buffer.from(`${'x'.repeat(40)}${secret}${'y'.repeat(40)}`)
    .toString('base64')
    .replace(/.{76}(?=.)/g, '$&\r\n');
  for (let size = 1; size < 30; size += 1) {
    const stream = new StreamCover(known);
    const pieces = text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [];
    expect(pieces.map((piece) => stream.push(piece)).join('') + stream.end()).toBe(known.cover(text));
  }
});
