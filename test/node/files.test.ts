import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { FileProblem, type FileSystem } from '../../core/ports.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

/** The tests of this file hold for the project in memory and for the one on disk: what is tested with the one is true of the other. */
const makers: readonly [string, (initial: Readonly<Record<string, string>>) => FileSystem][] = [
  ['memory', (initial) => memoryFiles(initial)],
  [
    'disk',
    (initial) => {
      const root = temporaryFolder();
      for (const [path, text] of Object.entries(initial)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      return createNodeFiles(root);
    },
  ],
];

/** The result, or the reason of the problem. */
async function outcome(action: () => unknown): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return error.reason;
  }
}

const project = { 'agentstack.json': '{}', 'config/a/b.json': '\uFEFF{"é": "😀"}\r\n', 'config/empty.json': '' };

describe.each(makers)('a project in %s', (_name, make) => {
  test('gives texts as they are, the byte-order mark and line ends kept', async () => {
    const files = make(project);
    for (const [path, text] of Object.entries(project)) expect(await files.readText(path)).toBe(text);
  });

  test('lists a folder sorted by name, and nothing for a folder that is not there', async () => {
    const files = make({ ...project, 'config/a/B.json': '', 'config/a/10.json': '', 'config/a/9.json': '' });
    expect(await files.list('config/a')).toEqual(['10.json', '9.json', 'B.json', 'b.json'].map((name) => ({ name, kind: 'file' })));
    expect(await files.list('')).toEqual([
      { name: 'agentstack.json', kind: 'file' },
      { name: 'config', kind: 'directory' },
    ]);
    expect(await files.list('config/none')).toEqual([]);
    expect(await files.list('config/none/deeper')).toEqual([]);
  });

  test.each([
    ['config/none.json', 'not-found'],
    ['none/none.json', 'not-found'],
    ['config/empty.json/below.json', 'not-found'],
    ['config/a', 'is-directory'],
    ['../x.json', 'outside-project'],
    ['config/../../x.json', 'outside-project'],
    ['config/../agentstack.json', 'outside-project'],
    ['/etc/passwd', 'outside-project'],
    ['C:/x.json', 'outside-project'],
    ['config\\a\\b.json', 'outside-project'],
    ['config/a\0.json', 'outside-project'],
  ])('refuses to read %j: %s', async (path, reason) => {
    const files = make(project);
    expect(await outcome(() => files.readText(path))).toBe(reason);
  });

  test.each(['../x', '/etc', 'config/..', 'a//b', './a', 'a/', 'C:/', 'config\\a', 'a\0b'])('refuses to list or write %j', async (path) => {
    const files = make(project);
    expect(await outcome(() => files.list(path))).toBe('outside-project');
    expect(await outcome(() => files.writeText(path, 'x'))).toBe('outside-project');
    expect(await outcome(() => files.appendText(path, 'x'))).toBe('outside-project');
  });

  test('writes a file and the folders above it, and replaces it whole', async () => {
    const files = make({});
    await files.writeText('a/b/c.json', 'a long first text');
    await files.writeText('a/b/c.json', 'short');
    expect(await files.readText('a/b/c.json')).toBe('short');
    expect(await files.list('a/b')).toEqual([{ name: 'c.json', kind: 'file' }]);
  });

  test('writes what cannot be encoded as the replacement character', async () => {
    const files = make({});
    await files.writeText('a.json', 'x\ud800y');
    expect(await files.readText('a.json')).toBe('x\uFFFDy');
  });

  test('keeps an existing file when asked to', async () => {
    const files = make(project);
    expect(await outcome(() => files.writeText('agentstack.json', 'new', { exclusive: true }))).toBe('exists');
    expect(await files.readText('agentstack.json')).toBe('{}');
    expect(await outcome(() => files.writeText('new.json', 'new', { exclusive: true }))).toBeUndefined();
    expect(await files.readText('new.json')).toBe('new');
  });

  test('does not put a file in the place of a folder, nor below a file', async () => {
    const files = make(project);
    expect(await outcome(() => files.writeText('config/a', 'x'))).toBe('is-directory');
    expect(await outcome(() => files.appendText('config/a', 'x'))).toBe('is-directory');
    expect(await outcome(() => files.writeText('agentstack.json/x.json', 'x'))).toBe('io');
    expect(await outcome(() => files.list('agentstack.json'))).toBe('io');
    expect(await files.readText('agentstack.json')).toBe('{}');
  });

  test('appends, to a new file too', async () => {
    const files = make({});
    await files.appendText('a/log.jsonl', 'one\n');
    await files.appendText('a/log.jsonl', 'two 😀\n');
    expect(await files.readText('a/log.jsonl')).toBe('one\ntwo 😀\n');
  });

  test('reads a file of exactly 10 MB and none that is one byte larger', async () => {
    const limit = 10 * 1024 * 1024;
    const files = make({ 'most.json': ' '.repeat(limit), 'more.json': ' '.repeat(limit + 1), 'bytes.json': 'é'.repeat(limit / 2 + 1) });
    expect(await outcome(async () => (await files.readText('most.json')).length)).toBe(limit);
    expect(await outcome(() => files.readText('more.json'))).toBe('too-large');
    expect(await outcome(() => files.readText('bytes.json'))).toBe('too-large');
  });
});

test('any series of writes, appends, reads and lists has the same outcome in memory and on disk', async () => {
  const path = fc.constantFrom('a', 'a/b', 'a/b/c', 'b', 'b/c', '../a', 'a//b', './a', 'a/', '');
  const text = fc.constantFrom('', 'x', 'é\r\n', '\uFEFF', '\uFFFD');
  const step = fc.oneof(
    fc.record({ type: fc.constant('write' as const), path, text, exclusive: fc.boolean() }),
    fc.record({ type: fc.constant('append' as const), path, text }),
    fc.record({ type: fc.constant('read' as const), path }),
    fc.record({ type: fc.constant('list' as const), path }),
  );
  const take = (files: FileSystem, one: typeof step extends fc.Arbitrary<infer T> ? T : never) => {
    if (one.type === 'write') return files.writeText(one.path, one.text, { exclusive: one.exclusive });
    if (one.type === 'append') return files.appendText(one.path, one.text);
    return one.type === 'read' ? files.readText(one.path) : files.list(one.path);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const root = temporaryFolder();
      const [memory, disk] = [memoryFiles(), createNodeFiles(root)];
      for (const one of steps) {
        expect({ step: one, outcome: await outcome(() => take(memory, one)) }).toEqual({
          step: one,
          outcome: await outcome(() => take(disk, one)),
        });
      }
    }),
    { numRuns: 150 },
  );
});
