import { appendFileSync, chmodSync, mkdirSync, openSync, readFileSync, statSync, symlinkSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { StorageError } from '../../core/errors.js';
import { createJournalFiles } from '../../core/node/journalFiles.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { createNodeRandom } from '../../core/node/nodePorts.js';
import { createJournal, journalPath } from '../../core/run/journal/journal.js';
import { createJournalSteps } from '../../core/run/journal/journalSteps.js';
import { readJournals } from '../../core/run/journal/readJournal.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { testOfPermissions, unprivileged } from '../support/unprivileged.js';

const run = '0123456789abcdef0123456789abcdef';
const other = 'fedcba9876543210fedcba9876543210';

/** A run of a project on disk, and the id of its journal once it has one. */
function startRun(root: string) {
  const storage = createJournalFiles(root);
  const journals: string[] = [];
  const journal = createJournal({ storage, files: createNodeFiles(root), random: createNodeRandom(), writer: 'agent-stack test' });
  const steps = createJournalSteps({ journal: journal.write(run, undefined, async (id) => void journals.push(id)) });
  const path = () => join(root, journalPath(journals[0] ?? ''));
  return { storage, steps, journals, path, read: () => readJournals(storage, journals, run) };
}

describe('a journal on disk', () => {
  test('is made with the first step, for its owner alone, and read back', async () => {
    const root = temporaryFolder();
    const { steps, journals, path, read } = startRun(root);
    expect(journals).toEqual([]);
    await steps.step('a', async () => ({ text: 'ä' }));
    await steps.step('b', async () => 2);
    const lines = readFileSync(path(), 'utf8').trim().split('\n');
    expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual([
      ['format', 'writer', 'crc'],
      ['run', 'n', 'step', 'value', 'crc'],
      ['run', 'n', 'step', 'value', 'crc'],
    ]);
    expect(statSync(path()).mode & 0o077).toBe(0);
    expect(readFileSync(join(root, '.agentstack/.gitignore'), 'utf8')).toBe('*\n');
    expect([...(await read())]).toEqual([
      ['a', { value: { text: 'ä' } }],
      ['b', { value: 2 }],
    ]);
  });

  test('has the checksum that every tool knows', () => {
    expect(createJournalFiles('/').checksum('123456789')).toBe(0xcbf43926);
    expect(createJournalFiles('/').checksum(Buffer.from('ä'))).toBe(crc32('ä'));
  });

  test('of 1 GB of other runs hardly matters: it is read piece by piece', { timeout: 120_000 }, async () => {
    const { steps, path, read } = startRun(temporaryFolder());
    await steps.step('a', async () => 1);
    // Another run's record, of which the disk holds only the ends.
    const size = statSync(path()).size + 2 ** 30;
    appendFileSync(path(), `{"run":"${other}","n":1,"step":"x","value":"`);
    truncateSync(path(), size);
    appendFileSync(path(), '","crc":"00000000"}\n');
    await steps.step('b', async () => 2);
    const before = process.memoryUsage();
    const kept = await read();
    const after = process.memoryUsage();
    expect([...kept.keys()]).toEqual(['a', 'b']);
    expect(after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed).toBeLessThan(32 * 2 ** 20);
  });

  test('of many lines of other runs is passed over', async () => {
    const { steps, path, read } = startRun(temporaryFolder());
    await steps.step('a', async () => 1);
    const line = `{"run":"${other}","n":1,"step":"x","value":"${'x'.repeat(300)}","crc":"00000000"}\n`;
    const file = openSync(path(), 'a');
    for (let megabytes = 0; megabytes < 32; megabytes += 1) writeSync(file, line.repeat(2 ** 20 / line.length));
    await steps.step('b', async () => 2);
    expect([...(await read()).keys()]).toEqual(['a', 'b']);
  });

  testOfPermissions('in a folder that may not be written is an error that names it', async () => {
    const root = temporaryFolder();
    chmodSync(root, 0o555);
    const failure = unprivileged(() => {
      try {
        return createJournalFiles(root).create(journalPath('x'), 'header');
      } catch (error) {
        return error;
      }
    });
    expect(failure).toMatchObject({ reason: 'no-permission', message: expect.stringContaining('.agentstack/journal') });
  });

  test('is not written through a link that leads out of the project', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, '.agentstack'));
    symlinkSync(temporaryFolder(), join(root, '.agentstack/journal'));
    const failure = await startRun(root)
      .steps.step('a', async () => 1)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StorageError);
    expect((failure as Error).message).toContain('Replace the link with a folder inside the project');
  });
});
