import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionMessage } from '../../core/agent/types.js';
import { InputInvalidError, StorageError } from '../../core/errors.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import type { FileSystem } from '../../core/ports.js';
import { branchSession, createSessionStore, parseSession, readSessionRuns } from '../../core/run/sessionStore.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { standingClock } from '../support/testPorts.js';

const clock = standingClock();
const question = (content: string): SessionMessage => ({ role: 'user', content });
const answer = (content: string): SessionMessage => ({ role: 'assistant', content });
const asks = (...ids: readonly string[]): SessionMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'look', input: {} })),
});
const results = (...ids: readonly string[]): SessionMessage => ({
  role: 'user',
  content: ids.map((tool_use_id) => ({ type: 'tool_result', tool_use_id, name: 'look', content: 'seen' })),
});

/** A session after these appends: of which run, and what. */
async function session(...appends: readonly (readonly [run: string, ...messages: SessionMessage[]])[]) {
  const files = memoryFiles();
  const store = createSessionStore({ files, clock });
  for (const [run, ...messages] of appends) await store.append('s', run, messages);
  return { files, store, load: () => createSessionStore({ files, clock }).load('s') };
}

describe('a session', () => {
  test('without messages is empty', async () => {
    expect(await createSessionStore({ files: memoryFiles(), clock }).load('new')).toEqual([]);
  });

  test('gives back what its runs said, run by run', async () => {
    const { load, files } = await session(
      ['a', question('1'), answer('2')],
      ['b', question('3')],
      ['a', question('5')],
      ['b', answer('4')],
      ['a', answer('6')],
    );
    expect(await load()).toEqual([question('1'), answer('2'), question('5'), answer('6'), question('3'), answer('4')]);
    expect([...files.texts.keys()]).toEqual(['.agentstack/.gitignore', '.agentstack/sessions/s.jsonl']);
    const lines = files.texts
      .get('.agentstack/sessions/s.jsonl')!
      .split('\n')
      .filter((line) => line !== '');
    expect(JSON.parse(lines[0]!)).toEqual({
      run_id: 'a',
      seq: 0,
      time: '2026-01-02T03:04:05.000Z',
      messages: [question('1'), answer('2')],
    });
  });

  test('leaves out a turn whose tools did not all answer, and an unanswered question', async () => {
    const load = async (...messages: readonly SessionMessage[]) => (await session(['a', ...messages])).load();
    expect(await load(question('1'), asks('x'))).toEqual([]);
    expect(await load(question('1'), asks('x', 'y'), results('x'))).toEqual([]);
    expect(await load(question('1'), asks('x', 'y'), results('y', 'x'))).toHaveLength(3);
    expect(await load(question('1'), answer('2'), question('3'))).toEqual([question('1'), answer('2')]);
    expect(await load(question('1'), asks('x'), question('2'), answer('3'))).toEqual([]);
    expect(await load(question('1'), answer('2'), results('z'), answer('3'))).toEqual([question('1'), answer('2')]);
  });

  test('a run that was cut off takes nothing from the others', async () => {
    const { load } = await session(['a', question('1'), asks('x')], ['b', question('2'), answer('3')]);
    expect(await load()).toEqual([question('2'), answer('3')]);
  });

  test('keeps no secret, no thought and no mark of a provider', async () => {
    const secret = `sk-ant-${'aB3dE5gH7jK9'.repeat(3)}`;
    const { files, load } = await session([
      'a',
      question(`my key is ${secret}`),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'secret thought', signature: 'mark-1' },
          { type: 'tool_use', id: 'x', name: 'look', input: { key: secret, token: 'q8Wk2Zt7Lm4Vx9Bn3Rc6' }, signature: 'mark-2' },
        ],
      },
      results('x'),
      { role: 'assistant', content: [{ type: 'thinking', text: 'only a thought' }] },
      answer('done'),
    ]);
    const text = files.texts.get('.agentstack/sessions/s.jsonl')!;
    for (const hidden of [secret, 'q8Wk2Zt7', 'thought', 'mark-1', 'mark-2']) expect(text).not.toContain(hidden);
    expect(await load()).toHaveLength(4);
  });

  test.each(['', '.', '..', '../x', 'a/b', 'a\\b', '.hidden', 'x'.repeat(65), 'a b', '__proto__'])('cannot be called %j', async (id) => {
    const store = createSessionStore({ files: memoryFiles(), clock });
    await expect(store.load(id)).rejects.toThrow(InputInvalidError);
    await expect(store.append(id, 'a', [question('1')])).rejects.toThrow(InputInvalidError);
  });
});

describe('a session that goes on from an earlier turn', () => {
  test('begins with what the runs before have left, and leaves the session it comes from as it is', async () => {
    const { files, load } = await session(
      ['a', question('1')],
      ['b', question('3'), answer('4')],
      ['a', answer('2')],
      ['c', question('5'), answer('6')],
    );
    expect((await readSessionRuns(files, 's')).map(({ run_id, messages }) => [run_id, messages.length])).toEqual([
      ['a', 2],
      ['b', 2],
      ['c', 2],
    ]);
    await branchSession(files, { from: 's', to: 't', runs: ['a', 'b'] });
    const branch = createSessionStore({ files, clock });
    expect(await branch.load('t')).toEqual([question('1'), answer('2'), question('3'), answer('4')]);
    await branch.append('t', 'd', [question('7'), answer('8')]);
    expect((await readSessionRuns(files, 't')).map(({ run_id }) => run_id)).toEqual(['a', 'b', 'd']);
    expect(await load()).toHaveLength(6);
  });

  test('is a new one where nothing came before', async () => {
    const { files } = await session(['a', question('1'), answer('2')]);
    await branchSession(files, { from: 's', to: 't', runs: [] });
    await branchSession(files, { from: 'none', to: 'u', runs: ['a'] });
    expect(await readSessionRuns(files, 't')).toEqual([]);
    expect(await readSessionRuns(files, 'u')).toEqual([]);
    await expect(readSessionRuns(files, '../s')).rejects.toThrow(InputInvalidError);
  });
});

describe('a session file that is damaged', () => {
  test('lines that are torn or something else are skipped', async () => {
    const { files, store, load } = await session(['a', question('1'), answer('2')]);
    const path = '.agentstack/sessions/s.jsonl';
    const whole = files.texts.get(path)!;
    for (const torn of [
      '{"run_id":"b","seq":0,"mess',
      'null',
      '[]',
      '{"run_id":1}',
      '\u0000\u0000',
      '{"run_id":"z","seq":0,"messages":[{"role":"system","content":"x"}]}',
    ]) {
      files.texts.set(path, whole + torn);
      await store.append('s', `after ${torn}`, [question('3'), answer('4')]);
      expect(await load()).toEqual([question('1'), answer('2'), question('3'), answer('4')]);
    }
  });

  test('cut anywhere, it holds whole turns from its beginning', async () => {
    const { files, load } = await session(
      ['a', question('1'), asks('x')],
      ['a', results('x')],
      ['a', answer('2')],
      ['b', question('3')],
      ['b', answer('4')],
    );
    const whole = files.texts.get('.agentstack/sessions/s.jsonl')!;
    const all = await load();
    fc.assert(
      fc.property(fc.nat(whole.length), (length) => {
        const some = parseSession(whole.slice(0, length));
        expect(all.slice(0, some.length)).toEqual(some);
      }),
    );
  });

  test('reading does not fail for any content', () => {
    const message = fc.oneof(
      fc.json().map((text) => JSON.parse(text)),
      fc.record({ role: fc.constantFrom('user', 'assistant', 'system'), content: fc.jsonValue() }),
    );
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ run_id: fc.constantFrom('a', 'b', '__proto__'), seq: fc.nat(3), messages: fc.array(message) })
        .map((entry) => JSON.stringify(entry)),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        for (const { role } of parseSession(lines.join('\n'))) expect(['user', 'assistant']).toContain(role);
      }),
    );
  });

  test('too large to be read is said, with a way out', async () => {
    const { files, load } = await session(['a', question('1'), answer('2')]);
    files.problems.set('.agentstack/sessions/s.jsonl', 'too-large');
    await expect(load()).rejects.toThrow(StorageError);
    await expect(load()).rejects.toThrow('go on in a new session');
  });
});

describe('a disk that is full', () => {
  test('is told, what was kept is still there, and the session goes on when there is room again', async () => {
    const { files: memory } = await session(['a', question('1'), answer('2')]);
    let isFull = true;
    const files: FileSystem = {
      ...memory,
      appendText(path, text) {
        if (!isFull) return memory.appendText(path, text);
        // As on a real disk: a part of it still fits.
        void memory.appendText(path, text.slice(0, text.length / 2));
        memory.problems.set(path, 'disk-full');
        try {
          return memory.appendText(path, text);
        } finally {
          memory.problems.delete(path);
        }
      },
    };
    const store = createSessionStore({ files, clock });
    await expect(store.append('s', 'b', [question('3'), answer('4')])).rejects.toThrow(/session s could not be kept.*Free some space/);
    expect(await store.load('s')).toEqual([question('1'), answer('2')]);
    isFull = false;
    await store.append('s', 'b', [question('3'), answer('4')]);
    expect(await store.load('s')).toEqual([question('1'), answer('2'), question('3'), answer('4')]);
  });
});

describe('processes that write to one session', () => {
  let folder: string;
  let script: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sessions-'));
    script = join(folder, 'writer.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('../fixtures/run/sessionWriter.ts', import.meta.url))],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = (id: string, run: string, turns: number) => spawn(process.execPath, [script, folder, id, run, String(turns)]);
  const load = (id: string) => createSessionStore({ files: createNodeFiles(folder), clock }).load(id);

  test.each(['first', 'second', 'third', 'fourth'])(
    'at once, the one that makes it too, lose and mix no lines: the %s time',
    async (id) => {
      const writers = ['a', 'b', 'c'].map((run) => start(id, run, 8));
      await Promise.all(writers.map((writer) => once(writer, 'close')));
      expect(await load(id)).toHaveLength(3 * 8 * 4);
      const lines = readFileSync(join(folder, `.agentstack/sessions/${id}.jsonl`), 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    },
  );

  test('and are killed at any moment leave a session that can be read, with every turn they had finished', async () => {
    for (let round = 0; round < 6; round += 1) {
      const writer = start(`killed-${round}`, 'a', 5_000);
      let finished = 0;
      writer.stdout.on('data', (chunk: Buffer) => {
        finished += chunk.toString().split('\n').length - 1;
      });
      await once(writer.stdout, 'data');
      await wait(round * 7);
      writer.kill('SIGKILL');
      await once(writer, 'close');
      const messages = await load(`killed-${round}`);
      expect(messages.length).toBeGreaterThanOrEqual(finished * 4);
      expect([0, 3]).toContain(messages.length % 4);
      const store = createSessionStore({ files: createNodeFiles(folder), clock });
      await store.append(`killed-${round}`, 'b', [question('still here?'), answer('yes')]);
      expect((await load(`killed-${round}`)).slice(-2)).toEqual([question('still here?'), answer('yes')]);
    }
  });
});
