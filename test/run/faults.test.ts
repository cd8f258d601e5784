import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import { ResumeError } from '../../core/errors.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { FileProblem, type FileSystem } from '../../core/ports.js';
import { createRunFolder } from '../../core/run/runFolder.js';
import { triesAll } from '../support/effort.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { systemError, watchFs } from '../support/watchFs.js';
import { comparable, durableProject, readAll } from './durableProject.js';

const input = { wanted: 5 };
const runsIn = (folder: string) => {
  const runs = join(folder, '.agentstack/runs');
  return existsSync(runs) ? readdirSync(runs) : [];
};
const journalsIn = (folder: string) => {
  const journals = join(folder, '.agentstack/journal');
  return readdirSync(journals).map((name) => readFileSync(join(journals, name), 'utf8'));
};

/** A project whose disk takes its time to make what was written last. */
function slowDisk() {
  let answer: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;
  const waiting = new Promise<void>((resolve, reject) => {
    answer = { resolve, reject };
  });
  const files: { current: FileSystem | undefined } = { current: undefined };
  // Each call goes to the files of the project, whose folder is known only once it is there.
  const port = new Proxy({} as FileSystem, {
    get: (_, name: keyof FileSystem) => (name === 'sync' ? () => waiting : files.current?.[name]?.bind(files.current)),
  });
  const project = durableProject(undefined, { files: port });
  files.current = createNodeFiles(project.folder);
  return { project, answer: () => answer };
}

describe('the first step of a run', () => {
  test('is kept only once what the run began with survives a power cut', async () => {
    const { project, answer } = slowDisk();
    const ended = readAll(project.project.orchestrate({ keep: 'folder', name: 'supply', input }));
    while (project.outside.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    // A header, and nothing of the run.
    expect(journalsIn(project.folder).map((text) => text.trim().split('\n').length)).toEqual([1]);
    answer()?.resolve();
    expect((await ended).result.status).toBe('completed');
    expect(journalsIn(project.folder)[0]?.trim().split('\n').length).toBeGreaterThan(5);
  });

  test('ends the run where that cannot be, and it can be resumed', async () => {
    const { project, answer } = slowDisk();
    answer()?.reject(new FileProblem('io', 'run.json', 'run.json cannot be written.'));
    const { result } = await readAll(project.project.orchestrate({ keep: 'folder', name: 'supply', input }));
    expect(result).toMatchObject({ status: 'failed', error: { code: 'storage' } });
    const [run_id = ''] = runsIn(project.folder);
    expect(existsSync(join(project.folder, '.agentstack/runs', run_id, 'result.json'))).toBe(false);
    expect((await readAll(project.project.resume(run_id))).result.status).toBe('completed');
  });
});

test('events of one moment are written together, as soon as the run waits', async () => {
  const root = temporaryFolder();
  const disk = createNodeFiles(root);
  const added: string[] = [];
  const appendText: FileSystem['appendText'] = (path, text) => {
    added.push(text);
    return disk.appendText(path, text);
  };
  const run = createRunFolder({ ...disk, appendText }, '0'.repeat(32), { isJournaled: true });
  for (const type of ['task_end', 'route', 'team_end', 'team_start']) void run.event({ type });
  expect(added).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(added.map((text) => text.trim().split('\n').length)).toEqual([4]);
  for (const type of ['task_end', 'route', 'team_end', 'team_start', 'task_start']) void run.event({ type });
  expect(added.map((text) => text.trim().split('\n').length)).toEqual([4, 5]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(added).toHaveLength(2);
});

test('a result that a power cut left empty is written again, and no model is asked for it', async () => {
  const project = durableProject();
  const { result } = await readAll(project.project.orchestrate({ keep: 'folder', name: 'supply', input }));
  const asked = project.outside.requests.length;
  const [run_id = ''] = runsIn(project.folder);
  const path = join(project.folder, '.agentstack/runs', run_id, 'result.json');
  writeFileSync(path, '');
  const again = await readAll(project.project.resume(run_id));
  expect(comparable(again.result)).toEqual(comparable(result));
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(again.result)));
  expect(project.outside.requests).toHaveLength(asked);
  expect(project.outside.calls).toEqual(['stock bolts', 'order bolts']);
});

const codes = ['ENOSPC', 'EIO', 'EROFS'] as const;

describe.each(codes)('a disk that answers %s', (code) => {
  test.each(['once', 'from then on'])('at any of its calls, %s: the run says so, and goes on later', { timeout: 120_000 }, async (how) => {
    const whole = comparable((await readAll(durableProject().project.orchestrate({ keep: 'folder', name: 'supply', input }))).result);
    let reached = true;
    let failed = 0;
    // A fault at every second or fifth call reaches all kinds of calls. In `npm test`, the three codes share these calls.
    const every = how === 'once' ? 2 : 5;
    const [first, step] = triesAll ? [0, every] : [codes.indexOf(code) * every, codes.length * every];
    for (let at = first; reached; at += step) {
      const { project, folder, outside } = durableProject();
      let count = -1;
      const restore = watchFs((_, place) => {
        if (typeof place === 'string' && !place.includes('.agentstack')) return undefined;
        count += 1;
        return count === at || (how !== 'once' && count > at) ? systemError(code) : undefined;
      });
      let ended: Awaited<ReturnType<typeof readAll>>;
      try {
        ended = await readAll(project.orchestrate({ keep: 'folder', name: 'supply', input }));
      } finally {
        restore();
      }
      reached = count >= at;
      const { result, events } = ended;
      expect(events.filter((event: AgentEvent) => event.final)).toHaveLength(1);
      if (result.status !== 'completed') {
        failed += 1;
        expect(result.error, `call ${at}`).toMatchObject({ code: 'storage' });
      }
      let asked = 0;
      const askUnfinished = async () => {
        asked += 1;
        return 'repeat' as const;
      };
      const [run_id = '0'.repeat(32)] = runsIn(folder);
      const later = await readAll(project.resume(run_id, { askUnfinished })).catch((error: Error) => error);
      // It has its result, or nothing of it had begun.
      if (later instanceof Error) {
        expect(later, `call ${at}`).toBeInstanceOf(ResumeError);
        expect(later.message, `call ${at}`).toMatch(/has ended|is missing|was started/);
      } else expect(comparable(later.result), `call ${at}`).toEqual(whole);
      expect(outside.calls.filter((call) => call === 'order bolts').length, `call ${at}`).toBeLessThanOrEqual(1 + asked);
    }
    expect(failed).toBeGreaterThan(triesAll ? 5 : 2);
  });
});
