import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DurableSteps, UnfinishedAnswer } from '../../core/durable.js';
import { StepSkippedError, StorageError, UnfinishedStepError } from '../../core/errors.js';
import { createNodeRandom } from '../../core/node/nodePorts.js';
import { FileProblem } from '../../core/ports.js';
import { createJournal, type Journal, journalPath } from '../../core/run/journal/journal.js';
import type { JournalFiles } from '../../core/run/journal/journalFiles.js';
import { createJournalSteps } from '../../core/run/journal/journalSteps.js';
import { type KeptSteps, readJournals } from '../../core/run/journal/readJournal.js';
import { memoryFiles } from '../support/memoryFiles.js';

const run = '0123456789abcdef0123456789abcdef';
const other = 'fedcba9876543210fedcba9876543210';
const secret = `sk-ant-${'aB3dE5gH7jK9'.repeat(3)}`;

/** Journals in memory. What was appended is counted; `fault` may refuse a write, or let only its first bytes through. */
class Disk implements JournalFiles {
  readonly files = new Map<string, Buffer>();
  writes: string[] = [];
  fault: ((text: string) => { readonly written: number } | undefined) | undefined;
  piece = 64;

  create(path: string, text: string) {
    if (this.files.has(path)) throw new FileProblem('exists', path, 'It exists.');
    this.#add(path, text);
    return {
      append: async (added: string) => {
        await new Promise(setImmediate);
        this.writes.push(added);
        this.#add(path, added);
      },
    };
  }

  #add(path: string, text: string): void {
    const before = this.files.get(path) ?? Buffer.alloc(0);
    const bytes = Buffer.from(text);
    const fault = this.fault?.(text);
    this.files.set(path, Buffer.concat([before, fault ? bytes.subarray(0, fault.written) : bytes]));
    if (fault) throw new FileProblem('disk-full', path, `${path} cannot be written: the disk is full.`);
  }

  async *read(path: string) {
    const bytes = this.files.get(path);
    if (!bytes) throw new FileProblem('not-found', path, `${path} cannot be read: it does not exist.`);
    const buffer = Buffer.alloc(this.piece);
    for (let at = 0; at < bytes.length; at += this.piece) yield buffer.subarray(0, bytes.copy(buffer, 0, at, at + this.piece));
  }

  checksum(data: string | Uint8Array): number {
    return crc32(data);
  }
}

/** A process: its journal, and the steps of runs in it. What names a run's journals is kept beside, as its folder would. */
function process(disk: Disk, journals: Map<string, string[]> = new Map()) {
  const journal: Journal = createJournal({ storage: disk, files: memoryFiles({}), random: createNodeRandom(), writer: 'agent-stack test' });
  const steps = (run_id: string, kept?: KeptSteps, askUnfinished?: () => Promise<UnfinishedAnswer | undefined>): DurableSteps =>
    createJournalSteps({
      journal: journal.write(run_id, undefined, async (id) => {
        journals.set(run_id, [...(journals.get(run_id) ?? []), id]);
      }),
      ...(kept && { kept }),
      askUnfinished,
    });
  return {
    journals,
    steps,
    /** The same run in the next process. */
    async next(run_id: string, answer?: UnfinishedAnswer) {
      const later = process(disk, journals);
      const kept = await readJournals(disk, journals.get(run_id) ?? [], run_id);
      return later.steps(run_id, kept, answer && (async () => answer));
    },
    only: () => [...disk.files.keys()][0] ?? '',
  };
}

const never = async () => {
  throw new Error('This was done twice.');
};

describe('a step', () => {
  test('is done once: a later process gets what it gave', async () => {
    const { steps, next } = process(new Disk());
    const first = steps(run).scope('1/team/task');
    expect(await first.step('llm/1', async () => ({ text: 'ä\n "crc" \u2028', n: 1 }))).toEqual({ text: 'ä\n "crc" \u2028', n: 1 });
    await first.step('nothing', async () => undefined);
    const later = (await next(run)).scope('1/team').scope('task');
    expect(await later.step('llm/1', never)).toEqual({ text: 'ä\n "crc" \u2028', n: 1 });
    expect(await later.step('nothing', never)).toBe(undefined);
    expect(await later.step('llm/2', async () => 2)).toBe(2);
    expect(await (await next(run)).scope('1/team/task').step('llm/2', never)).toBe(2);
  });

  test('whose work fails is not kept', async () => {
    const { steps, next } = process(new Disk());
    await expect(steps(run).step('a', async () => Promise.reject(new TypeError('no')))).rejects.toThrow('no');
    expect(await (await next(run)).step('a', async () => 1)).toBe(1);
  });

  test('gives its value as it keeps it, without secrets: a run that goes on has nothing else', async () => {
    const disk = new Disk();
    const { steps, next } = process(disk);
    const covered = { text: `key ${'*'.repeat(secret.length)}` };
    expect(await steps(run).step('a', async () => ({ text: `key ${secret}` }))).toEqual(covered);
    expect([...disk.files.values()].join('')).not.toContain(secret);
    expect(await (await next(run)).step('a', never)).toEqual(covered);
  });

  test('may be named and give anything that JSON can say', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.string(), fc.jsonValue()), { selector: ([name]) => name }),
        fc.integer({ min: 1, max: 200 }),
        async (made, piece) => {
          const disk = new Disk();
          disk.piece = piece;
          const { steps, next } = process(disk);
          const [mine, theirs] = [steps(run), steps(other)];
          await Promise.all(made.flatMap(([name, value]) => [mine.step(name, async () => value), theirs.step(name, async () => [value])]));
          const later = await next(run);
          for (const [name, value] of made) expect(JSON.stringify(await later.step(name, never))).toBe(JSON.stringify(value));
        },
      ),
    );
  });
});

describe('a step that may not be done twice', () => {
  const once = { once: { describe: () => ({ tool: 'send_mail', input: { to: 'ada' }, team: 'send', task: 'mail' }) } };
  const interrupted = async () => {
    const made = process(new Disk());
    await new Promise<void>((begun) => {
      // Never ends: the process does.
      const work = () => {
        begun();
        return new Promise(() => undefined);
      };
      void made.steps(run).step('mail', work, once);
    });
    return made;
  };

  test('is kept when it begins, so that a later process stops and says what is to be decided', async () => {
    const { next } = await interrupted();
    const failure = await (await next(run)).step('mail', never, once).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnfinishedStepError);
    expect(failure).toMatchObject({
      unfinished: { step: 'mail', tool: 'send_mail', input: { to: 'ada' }, team: 'send', task: 'mail' },
      message: expect.stringContaining('send_mail (team send, task mail)'),
    });
    // And the one after it too.
    await expect((await next(run)).step('mail', never, once)).rejects.toThrow(UnfinishedStepError);
  });

  test('is done again when a person says so, and then never again', async () => {
    const { next } = await interrupted();
    expect(await (await next(run, 'repeat')).step('mail', async () => 'sent', once)).toBe('sent');
    expect(await (await next(run)).step('mail', never, once)).toBe('sent');
  });

  test('is left alone for good when a person says so', async () => {
    const { next } = await interrupted();
    await expect((await next(run, 'skip')).step('mail', never, once)).rejects.toThrow(StepSkippedError);
    await expect((await next(run)).step('mail', never, once)).rejects.toThrow(StepSkippedError);
  });

  test('that was finished raises no question', async () => {
    const { steps, next } = process(new Disk());
    await steps(run).step('mail', async () => 'sent', once);
    expect(await (await next(run)).step('mail', never, once)).toBe('sent');
  });
});

describe('records that wait together', () => {
  test('are one write, and one that waits alone is written at once', async () => {
    const disk = new Disk();
    const runs = Array.from({ length: 64 }, (_, index) => process(disk).steps(String(index).padStart(32, '0')));
    const journal = process(disk);
    const shared = runs.map((_, index) => journal.steps(String(index).padStart(32, '0')));
    await Promise.all(shared.map((steps) => steps.step('first', async () => 0)));
    disk.writes = [];
    await Promise.all(shared.map((steps) => steps.step('second', async () => 0)));
    expect(disk.writes.length).toBeLessThanOrEqual(2);
    disk.writes = [];
    await shared[0]!.step('third', async () => 0);
    expect(disk.writes).toHaveLength(1);
  });
});

describe('a journal that is not as it was written', () => {
  const written = async (count = 5) => {
    const disk = new Disk();
    const made = process(disk);
    const [mine, theirs] = [made.steps(run), made.steps(other)];
    for (let index = 0; index < count; index += 1) {
      await mine.step(`mine/${index}`, async () => ({ text: 'x'.repeat(20), index }));
      await theirs.step(`theirs/${index}`, async () => index);
    }
    const path = made.only();
    const change = (edit: (text: string) => string) => disk.files.set(path, Buffer.from(edit(disk.files.get(path)!.toString())));
    return { ...made, disk, path, change, read: () => readJournals(disk, made.journals.get(run) ?? [], run) };
  };

  test('because its process ended while it wrote: half a line at the end is dropped, wherever it was cut', async () => {
    const { disk, path, read } = await written();
    const whole = disk.files.get(path)!;
    const lastLine = whole.lastIndexOf('\n', whole.length - 2) + 1;
    const mine = whole.lastIndexOf(`{"run":"${run}"`);
    for (let length = mine; length < whole.length; length += 1) {
      disk.files.set(path, whole.subarray(0, length));
      expect([...(await read()).keys()], `${length} of ${whole.length}`).toHaveLength(
        length >= lastLine - 1 ? (length >= lastLine ? 5 : 4) : 4,
      );
    }
  });

  test('because a line was edited: the file and the line are named', async () => {
    const { change, read, path } = await written();
    change((text) => text.replace('"index":1', '"index":7'));
    await expect(read()).rejects.toThrow(StorageError);
    await expect(read()).rejects.toThrow(`line 4 of ${path} is not as it was written`);
  });

  test('because a line was removed', async () => {
    const { change, read } = await written();
    change((text) =>
      text
        .split('\n')
        .filter((line) => !line.includes('mine/2'))
        .join('\n'),
    );
    await expect(read()).rejects.toThrow('line 7 of .agentstack/journal/');
    await expect(read()).rejects.toThrow('record 4 of the run, but 3 is missing before it');
  });

  test.each([
    [
      'two lines changed places',
      (lines: string[]) => [...lines.slice(0, 3), lines[5] ?? '', lines[4] ?? '', lines[3] ?? '', ...lines.slice(6)],
    ],
    ['a line is there twice', (lines: string[]) => [...lines.slice(0, 4), lines[3] ?? '', ...lines.slice(4)]],
    ['a line was put in place of another', (lines: string[]) => lines.map((line, index) => (index === 5 ? (lines[3] ?? '') : line))],
    ['the first line of the run is gone', (lines: string[]) => lines.filter((line) => !line.includes('mine/0'))],
  ])('because %s', async (_, edit) => {
    const { change, read } = await written();
    change((text) => edit(text.split('\n')).join('\n'));
    await expect(read()).rejects.toThrow(
      /line \d+ of \.agentstack\/journal\/\w+\.jsonl is record \d+ of the run, but \d+ is missing before it/,
    );
  });

  test('because something else was written into it', async () => {
    const { change, read } = await written();
    change((text) => text.replace('\n', '\nhello\n'));
    await expect(read()).rejects.toThrow('line 2');
  });

  test('but only in what another run has there: that is not its concern', async () => {
    const { change, read } = await written();
    change((text) => text.replace('"step":"theirs/1"', '"step":"theirs/7"'));
    expect(await read()).toHaveProperty('size', 5);
  });

  test('because any single byte before its last line was changed: it is noticed, or of no concern', async () => {
    const { disk, path, read } = await written(3);
    const whole = disk.files.get(path)!;
    const expected = JSON.stringify([...(await read())]);
    // Without the line break before it: with that the line is gone, as when the file is cut there.
    const end = whole.lastIndexOf(`{"run":"${run}"`);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: end - 2 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = Buffer.from(whole);
        bytes[at] = bytes[at]! ^ change;
        disk.files.set(path, bytes);
        const found = await read().catch((error: unknown) => error);
        if (found instanceof Error) expect(found).toBeInstanceOf(StorageError);
        else expect(JSON.stringify([...(found as KeptSteps)])).toBe(expected);
      }),
    );
  });

  test('because a newer version wrote it: that version is named', async () => {
    const { change, read } = await written();
    change((text) => text.replace('"format":2', '"format":3').replace('agent-stack test', 'agent-stack 9.0.0'));
    await expect(read()).rejects.toThrow('was written by agent-stack 9.0.0 in format 3, and this version reads format 2');
  });

  test('because it is empty, or gone', async () => {
    const { change, disk, path, read } = await written();
    change(() => '');
    await expect(read()).rejects.toThrow(`line 1 of ${path}`);
    disk.files.delete(path);
    await expect(read()).rejects.toThrow('does not exist. What the run has done was kept there. Restore the file from a copy');
  });
});

describe('storage that fails', () => {
  test('fails the step, keeps what was there, and nothing is ever added to half a line', async () => {
    const disk = new Disk();
    const { steps, next, journals } = process(disk);
    const first = steps(run);
    await first.step('a', async () => 1);
    disk.fault = () => ({ written: 11 });
    const failure = await first.step('b', async () => 2).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StorageError);
    expect((failure as Error).message).toContain('Free some space');
    disk.fault = undefined;
    expect(await first.step('c', async () => 3)).toBe(3);
    expect(journals.get(run)).toHaveLength(2);
    expect(disk.files.size).toBe(2);
    const later = await next(run);
    expect(await later.step('a', never)).toBe(1);
    expect(await later.step('b', async () => 'again')).toBe('again');
    expect(await later.step('c', never)).toBe(3);
  });

  test('fails every run whose record was in the same write', async () => {
    const disk = new Disk();
    const { steps } = process(disk);
    const both = [steps(run), steps(other)];
    await Promise.all(both.map((one) => one.step('a', async () => 1)));
    disk.fault = () => ({ written: 0 });
    const failed = await Promise.allSettled(both.map((one) => one.step('b', async () => 1)));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    disk.fault = undefined;
    await Promise.all(both.map((one) => one.step('c', async () => 1)));
    expect(disk.files.size).toBe(2);
  });

  test('does not begin what may not be done twice and could not be kept', async () => {
    const disk = new Disk();
    const { steps } = process(disk);
    const mine = steps(run);
    await mine.step('a', async () => 1);
    disk.fault = () => ({ written: 0 });
    await expect(mine.step('mail', never, { once: { describe: () => ({ tool: 'x', input: {} }) } })).rejects.toThrow(StorageError);
  });
});

test('a journal is named by what makes its path', () => expect(journalPath('x')).toBe('.agentstack/journal/x.jsonl'));
