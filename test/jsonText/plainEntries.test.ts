import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { endOfSound } from '../../core/jsonText/soundValue.js';
import { findSyntaxFaults } from '../../core/jsonText/syntaxFaults.js';

/** The search that takes every entry token by token. */
async function slowSearch(): Promise<typeof findSyntaxFaults> {
  vi.resetModules();
  vi.doMock('../../core/jsonText/soundValue.js', () => ({ endOfSound: () => undefined }));
  vi.doMock('../../core/jsonText/syntaxTokens.js', async (original) => ({
    ...(await original<object>()),
    plainItem: /(?!)/y,
    plainMember: /(?!)/y,
  }));
  return (await import('../../core/jsonText/syntaxFaults.js')).findSyntaxFaults;
}

const name = fc.constantFrom('a', 'b', 'mode', '__proto__', '', 'a\\b', 'é', 'line\nbreak');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.constantFrom(true, false, null, -0.5, 1e21, 12), name),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('any')), { maxLength: 5 }).map((members) => ({ members })),
  ),
})).any;

/** As JSON with keys given twice, which no object has. */
function written(given: unknown, space: string): string {
  if (Array.isArray(given)) return `[${given.map((item) => written(item, space)).join(`,${space}`)}${space}]`;
  if (typeof given !== 'object' || given === null) return JSON.stringify(given);
  const { members } = given as { members: [string, unknown][] };
  return `{${space}${members.map(([key, item]) => `${JSON.stringify(key)}${space}:${space}${written(item, space)}`).join(`${space},`)}}`;
}

const slip = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat({ max: 3 }),
  text: fc.constantFrom('', ',', ':', '"', '}', ']', '{', '[', '// no\n', "'x'", 'word', '01', '\u0000', '\\', ' '),
});

test('plain entries and sound values that are taken whole leave the same faults as their tokens one by one', async () => {
  const slow = await slowSearch();
  let faulty = 0;
  fc.assert(
    fc.property(value, fc.constantFrom('', ' ', '\n  ', '\r\n'), fc.array(slip, { maxLength: 2 }), (given, space, slips) => {
      let text = written(
        {
          members: [
            ['name', 'x'],
            ['given', given],
            ['version', 'v1'],
          ],
        },
        space,
      );
      for (const { at, removed, text: added } of slips) {
        const start = Math.floor(at * text.length);
        text = text.slice(0, start) + added + text.slice(start + removed);
      }
      const faults = findSyntaxFaults(text, 0);
      if (faults.length > 0) faulty += 1;
      expect(faults).toEqual(slow(text, 0));
    }),
    { numRuns: 5000 },
  );
  expect(faulty).toBeGreaterThan(1000);
});

test('values too large or too deep to be taken whole leave the same faults', async () => {
  const slow = await slowSearch();
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const large = (faulty: string) => `{"a": [${'{"b": "some words", "c": [1, 2]}, '.repeat(1000)}${faulty}]}`;
  for (const text of [
    large(''),
    large('{"b": 1, "b": 2}'),
    large('{"b": [1,]}'),
    large('1'),
    `{"a": ${deep(199)},}`,
    `{"a": ${deep(200)},}`,
  ])
    expect(findSyntaxFaults(text, 0), text.slice(-40)).toEqual(slow(text, 0));
  expect(findSyntaxFaults(`{"a": ${deep(199)}}`, 0)).toEqual([]);
  expect(findSyntaxFaults(`{"a": ${deep(200)}}`, 0)).toHaveLength(1);
});

test('values about as long as may be taken whole leave the same faults', async () => {
  const slow = await slowSearch();
  for (let length = 16_380; length <= 16_388; length++) {
    const list = `["${'x'.repeat(length - 4)}"]`;
    for (const text of [`{"a": ${list}, "b": 1,}`, `{"a": ${list} "b": 1}`, `{"a": ${list.replace('"]', '",]')}}`]) {
      const faults = findSyntaxFaults(text, 0);
      expect(faults).toHaveLength(1);
      expect(faults).toEqual(slow(text, 0));
    }
  }
});

test('an object or a list is sound with colons in its texts, and not with a fault, a key given twice or too many levels', () => {
  for (const text of ['{}', '[]', '{"a": ":", "b": [1]}', '["\\":", {"a": 1}]', `[${'['.repeat(198)}${']'.repeat(198)}]`]) {
    expect(endOfSound(`  ${text}, 1`, 2, 1)).toBe(2 + text.length);
  }
  for (const text of ['{"a": 1,}', '{"a": 1, "a": 2}', '[', `[${'['.repeat(199)}${']'.repeat(199)}]`])
    expect(endOfSound(text, 0, 1)).toBeUndefined();
});

test('keys with an escape that JSON does not have differ', () => {
  expect(findSyntaxFaults('{"a\\x": 1, "b\\x": 2}', 0).map(({ code }) => code)).toEqual(['json-syntax', 'json-syntax']);
});

// Looked at again on every level they would take a minute; the bound leaves room for a busy machine.
test('megabytes of nested values that cannot be taken whole take no time', () => {
  const nested = (inner: string) => `${'['.repeat(195)}${inner}${']'.repeat(195)}`;
  const colons = Array(11_000).fill(nested('":"')).join();
  const large = Array(200)
    .fill(`${'{"a":'.repeat(190)}[${'[],'.repeat(6_000)}[]]${'}'.repeat(190)}`)
    .join();
  const repeated = Array(11_000).fill(nested('{"a":1,"a":2}')).join();
  for (const text of [`[${colons},]`, `[${large},]`, `[${repeated},]`]) {
    const started = performance.now();
    expect(findSyntaxFaults(text, 0).length).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(5_000);
  }
});

test('a text of millions of characters needs no stack', () => {
  const text = `{"a": "${'x'.repeat(8_000_000)}", "b": [${'"y", '.repeat(100_000)}], }`;
  expect(findSyntaxFaults(text, 0).map(({ code }) => code)).toEqual(['trailing-comma', 'trailing-comma']);
  expect(findSyntaxFaults(`{"a": "${'x'.repeat(8_000_000)}`, 0)).toHaveLength(1);
});
