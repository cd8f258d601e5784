import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coverSecrets, looksLikeSecret, maskSecret, mayHoldSecret } from '../../core/secrets/secretPatterns.js';

// Written in halves, so that no scanner takes this file for a leak.
const key = (prefix: string, body: string) => prefix + body;

const secrets: readonly (readonly [name: string, text: string, secret: string])[] = [
  ['OpenAI API key', key('sk-', 'proj-aB3dE5gH7jK9mN1pQ3sT5vX7'), key('sk-', 'proj-aB3dE5gH7jK9mN1pQ3sT5vX7')],
  ['OpenAI API key', `use ${key('sk-', '1234567890abcdef1234567890abcdef')} here`, key('sk-', '1234567890abcdef1234567890abcdef')],
  ['Anthropic API key', key('sk-ant-', 'api03-AbCdEfGhIjKlMnOpQrStUvWx12345678'), key('sk-ant-', 'api03-AbCdEfGhIjKlMnOpQrStUvWx12345678')],
  ['Google API key', key('AIza', 'SyA1234567890abcdefghijklmnopqrstuv'), key('AIza', 'SyA1234567890abcdefghijklmnopqrstuv')],
  ['GitHub token', key('ghp_', 'abcdefghijklmnopqrstuvwxyz0123456789'), key('ghp_', 'abcdefghijklmnopqrstuvwxyz0123456789')],
  ['GitHub token', key('github_pat_', '11ABCDEFG0abcdefghijkl_mnop'), key('github_pat_', '11ABCDEFG0abcdefghijkl_mnop')],
  ['AWS access key id', `id=${key('AKIA', 'IOSFODNN7EXAMPLA')}`, key('AKIA', 'IOSFODNN7EXAMPLA')],
  ['Slack token', key('xoxb-', '123456789012-abcdefghijkl'), key('xoxb-', '123456789012-abcdefghijkl')],
  ['Hugging Face token', key('hf_', 'abcdefghijklmnopqrstuvwxyzABCDEFGH'), key('hf_', 'abcdefghijklmnopqrstuvwxyzABCDEFGH')],
  ['Azure storage key', `AccountKey=${'a1B2'.repeat(21)}ab==`, `${'a1B2'.repeat(21)}ab==`],
  [
    'JSON Web Token',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN',
  ],
  ['bearer token', 'Authorization: Bearer abcdef0123456789abcdef', 'abcdef0123456789abcdef'],
  ['password in a URL', 'postgres://bob:hunter2@db.example.com/x', 'hunter2'],
  ['password in a URL', 'redis://:p4ss@localhost', 'p4ss'],
  ['private key', `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA'}`, `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA'}`],
];

test.each(secrets)('sees a %s in %j', (name, text, secret) => {
  const found = looksLikeSecret(text);
  expect(found && { name: found.name, secret: text.slice(found.start, found.end) }).toEqual({ name, secret });
});

/** As programs write them: lines of 64 characters, the last one shorter. */
const body = (lines: number) => Array.from({ length: lines }, (_, index) => String.fromCharCode(65 + index).padEnd(64, 'b3Xz/9+Q'));
const pem = (kind: string, lines: readonly string[], end = true) =>
  [key('-----BEGIN ', `${kind}-----`), ...lines, ...(end ? [key('-----END ', `${kind}-----`)] : [])].join('\n');
const all = [...body(12), 'kLm4nOp=='];

describe('a private key of several lines is covered in all of them', () => {
  test.each([
    ['as it stands in its file', pem('RSA PRIVATE KEY', all), all],
    ['between words', `It is\n${pem('PRIVATE KEY', all)}\nand nothing else is secret.`, all],
    ['with line ends of Windows', pem('EC PRIVATE KEY', all).replaceAll('\n', '\r\n'), all],
    ['indented', pem('OPENSSH PRIVATE KEY', all).replaceAll('\n', '\n    '), all],
    ['as JSON in a text', JSON.stringify({ key: pem('PRIVATE KEY', all) }), all],
    ['as JSON in JSON in a text', JSON.stringify(JSON.stringify({ key: pem('PRIVATE KEY', all) })), all],
    ['in one line', pem('PRIVATE KEY', [all.join('')]), all],
    ['whose end was cut off', pem('PRIVATE KEY', all.slice(0, 5), false), all.slice(0, 5)],
    [
      'whose last line was cut off',
      `${pem('PRIVATE KEY', all.slice(0, 5), false)}\n${all[5]?.slice(0, 9)}`,
      [...all.slice(0, 5), 'Fb3Xz/9+Q'],
    ],
    ['with headers', pem('RSA PRIVATE KEY', ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,0123', '', ...all]), all],
    ['of PGP', pem('PGP PRIVATE KEY BLOCK', ['Version: GnuPG v2', '', ...all, '=aB3d']), [...all, '=aB3d']],
  ])('%s', (_, text, lines) => {
    const covered = coverSecrets(text);
    expect(covered).toHaveLength(text.length);
    for (const line of lines) expect(covered).not.toContain(line);
    expect(covered).not.toMatch(/[A-Za-z0-9+/]{24,}/);
    for (const words of ['It is', 'and nothing else is secret.']) expect(covered.includes(words)).toBe(text.includes(words));
  });

  test('and what follows it is not', () => {
    const text = `${pem('PRIVATE KEY', all.slice(0, 4), false)}\nThese are ordinary words again.`;
    expect(coverSecrets(text)).toContain('\nThese are ordinary words again.');
    const two = `${pem('PRIVATE KEY', all)}\nkept/in/the/file\n${pem('PRIVATE KEY', [...body(12).reverse(), 'zzz='])}`;
    expect(coverSecrets(two)).toContain('\nkept/in/the/file\n');
    expect(coverSecrets(two)).not.toMatch(/[A-Za-z0-9+/]{24,}/);
  });
});

test('takes any random-looking value for a secret under the name of one', () => {
  const value = '0123456789abcdef0123456789abcdef';
  expect(looksLikeSecret(value)).toBeUndefined();
  expect(looksLikeSecret(value, 'MY_API_KEY')).toEqual({ name: 'key or token', start: 0, end: 32 });
  expect(looksLikeSecret(value, 'checksum')).toBeUndefined();
});

test.each([
  'sk-your-openai-api-key-goes-here-1',
  'task-management-and-long-kebab-case-name1',
  'sk-learn-gradient-boosting-classifier',
  'Bearer ${TOKEN_OF_THE_SERVICE}',
  'Bearer {{context.access_token}}',
  'bearer of the responsibilities1',
  'postgres://user:password@localhost/db',
  'postgres://${USER}:${PASSWORD}@localhost/db',
  'A2@v1 and https://example.com:8080/a',
  'Never print -----BEGIN PRIVATE KEY----- or anything that follows such a line.',
  'ft:gpt-4.1-mini-2025-04-14:personal:a2-promptshaper-v1:XXXX',
  'https://en.wikipedia.org/wiki/Help:Link@2x',
])('leaves %j alone', (text) => {
  expect(looksLikeSecret(text)).toBeUndefined();
});

test.each(['secret://openai', '${OPENAI_API_KEY_2024}', 'OPENAI_API_KEY_2024_PROD_1', 'the-token-of-the-service'])(
  'leaves %j alone under the name of a secret',
  (text) => {
    expect(looksLikeSecret(text, 'api_key')).toBeUndefined();
  },
);

test('never rules out a file that holds a secret, wherever it stands', () => {
  const anywhere = fc.tuple(fc.constantFrom(...secrets), fc.string({ unit: 'binary' }), fc.string(), fc.boolean());
  fc.assert(
    fc.property(anywhere, ([[, text], before, after, escaped]) => {
      const value = `${before} ${text} ${after}`;
      if (looksLikeSecret(value) === undefined) return;
      const json = JSON.stringify({ a: ['word', value] }, null, 2);
      expect(mayHoldSecret(escaped ? json.replaceAll('s', '\\u0073') : json)).toBe(true);
    }),
  );
});

test.each([
  ['after other scripts', `é—漢字 🔑 ${key('ghp_', 'abcdefghijklmnopqrstuvwxyz0123456789')}é`],
  ['far into a long text', `${'word '.repeat(20_000)}${key('ghp_', 'abcdefghijklmnopqrstuvwxyz0123456789')}`],
  ['far into a long text of another script', `${'слово '.repeat(20_000)}${key('ghp_', 'abcdefghijklmnopqrstuvwxyz0123456789')}`],
])('sees a token %s, where it is', (_place, text) => {
  // A longer text before it leaves nothing behind.
  looksLikeSecret(`${'x1'.repeat(30_000)}`);
  const start = text.indexOf('ghp_');
  expect(looksLikeSecret(text)).toEqual({ name: 'GitHub token', start, end: start + 40 });
  expect(mayHoldSecret(JSON.stringify(text))).toBe(true);
});

test('lets an ordinary file pass without a closer look', () => {
  const json = JSON.stringify({
    agent_name: 'A2',
    max_output_tokens: 256,
    system_text: 'You are A2. Inspect task, purpose and context, then choose https://example.com/docs/a/b.',
    output_schema: { type: 'object', additionalProperties: false, properties: { response_depth: { enum: ['short', 'detailed'] } } },
    model_name: 'ft:gpt-4.1-mini-2025-04-14:personal:a2-promptshaper-v1:XXXX',
  });
  expect(mayHoldSecret(json)).toBe(false);
});

test('takes under a telling name what is random as a whole, and as long as keys are', () => {
  const random = 'k3J9sQ2vX7bN4mT8wR5yL1pZ6cH0';
  expect(looksLikeSecret(random, 'api_key')?.name).toBe('key or token');
  expect(looksLikeSecret(random.repeat(9), 'api_key')?.name).toBe('key or token');
  expect(looksLikeSecret(random.repeat(10), 'api_key')).toBeUndefined();
  expect(looksLikeSecret(`The id ${random} is not a key`, 'api_key')).toBeUndefined();
  expect(looksLikeSecret(random.slice(0, 19), 'api_key')).toBeUndefined();
});

test('shows four characters of a secret and no more, of a short one less', () => {
  expect(maskSecret(key('sk-', 'proj-aB3dE5gH7jK9'))).toBe('sk-p…');
  expect(maskSecret('hunter2')).toBe('h…');
  expect(maskSecret('p4')).toBe('…');
});

// Quadratic time would take minutes; the bound leaves room for a busy machine.
describe('hostile text of 5 MB takes seconds', { timeout: 30_000 }, () => {
  const repeat = (unit: string) => unit.repeat(Math.ceil(5e6 / unit.length));
  test.each([
    'a',
    'sk-',
    'eyJ',
    'eyJaaaaaaaaaaaaaaaaa.',
    '://a:',
    'a://b:c@',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\na: b\n',
    `-----BEGIN PRIVATE KEY-----\n${'A1'.repeat(32)}\n`,
    'Bearer ',
    '1Q~',
    'gh',
  ])('%j repeated', (unit) => {
    const text = repeat(unit);
    const started = performance.now();
    looksLikeSecret(text, 'api_key');
    mayHoldSecret(text);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  test.each([
    '',
    'sk-',
    'sk-ant-',
    'ya29.',
    'ghp_',
    'github_pat_',
    'xoxb-',
    'hf_',
    'nvapi-',
    'sk_live_',
    'pypi-AgE',
    'eyJ',
    'eyJhbGciOiJIUzI1.eyJ',
    'Bearer ',
    'Basic ',
    '-----BEGIN PRIVATE KEY-----\n',
  ])('a run of ten million characters after %j', (start) => {
    const text = start + 'aB3x'.repeat(2_500_000);
    expect(() => looksLikeSecret(text, 'api_key')).not.toThrow();
    expect(() => mayHoldSecret(`{"data": "${text}"}`)).not.toThrow();
  });

  const begun = `-----BEGIN PRIVATE KEY-----\n${'A1'.repeat(32)}\n`;
  test.each([
    ['one key without end', begun + repeat(`${'A1'.repeat(32)}\n`)],
    ['lines that are short and end no key', repeat(begun + 'A1\n'.repeat(999))],
    ['spaces behind a key', begun + repeat(' ')],
    ['headers that are none', repeat(`-----BEGIN PRIVATE KEY-----\n${'a: '.repeat(300)}`)],
    ['backslashes', repeat(`-----BEGIN PRIVATE KEY-----${'\\'.repeat(300)}`)],
  ])('%s', (_, text) => {
    const started = performance.now();
    looksLikeSecret(text);
    mayHoldSecret(text);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
