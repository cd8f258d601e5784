import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createKeptFolders, createKeptJournals } from '../../core/node/keptFolders.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { createRunLocks } from '../../core/node/runLocks.js';
import { createKeptRuns } from '../../core/project/keptRuns.js';
import { runsFolder } from '../../core/run/readRuns.js';
import { crashed, type DurableProject, durableProject, readAll } from '../run/durableProject.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

const runsIn = (folder: string) => readdirSync(join(folder, '.agentstack/runs'));
const journalsIn = (folder: string) => readdirSync(join(folder, '.agentstack/journal'));
const idOf = ({ folder }: DurableProject) => runsIn(folder)[0] ?? '';

function housekeeping({ folder }: Pick<DurableProject, 'folder'>) {
  const adapters = {
    files: createNodeFiles(folder),
    folders: createKeptFolders(folder, runsFolder),
    journals: createKeptJournals(folder),
  };
  return createKeptRuns(adapters);
}

/** Makes all journals those of a process that is gone, or of another machine. */
function written(folder: string, by: object): void {
  for (const name of journalsIn(folder)) {
    const path = join(folder, '.agentstack/journal', name);
    const [header = '', ...rest] = readFileSync(path, 'utf8').split('\n');
    const { crc: _, ...value } = JSON.parse(header) as { crc: string; process: object };
    writeFileSync(path, [JSON.stringify({ ...value, process: { ...value.process, ...by } }), ...rest].join('\n'));
  }
}
const gone = { pid: 1, started: 'never' };

/** A run that stopped half way, as a crash leaves it. */
async function halfway(): Promise<DurableProject> {
  const whole = durableProject();
  let copy: DurableProject | undefined;
  for await (const event of whole.project.orchestrate({ keep: 'folder', name: 'supply' }))
    if (event.type === 'route') copy ??= crashed(whole);
  if (copy === undefined) throw new Error('The run never routed.');
  return copy;
}

describe('a run that is deleted', () => {
  test('is gone, with its journal once no run needs that and its process is gone', async () => {
    const project = durableProject();
    await readAll(project.project.orchestrate({ keep: 'folder', name: 'supply' }));
    await readAll(project.project.orchestrate({ keep: 'folder', name: 'supply' }));
    const { deleteJournals, ...keeper } = housekeeping(project);
    const [first = '', second = ''] = runsIn(project.folder);
    expect(await keeper.delete(first)).toBe(undefined);
    expect(runsIn(project.folder)).toEqual([second]);
    expect(existsSync(join(project.folder, '.agentstack/deleted'))).toBe(false);
    written(project.folder, gone);
    expect((await deleteJournals()).deleted).toEqual([]);
    expect(await keeper.delete(second)).toBe(undefined);
    expect((await deleteJournals()).deleted).toHaveLength(1);
    expect(journalsIn(project.folder)).toEqual([]);
  });

  test.each([
    ['this process, which may begin a run in it', {}],
    ['another machine', { host: 'elsewhere' }],
    ['an unknown process', { pid: null }],
  ])('leaves its journal where that is of %s', async (_, by) => {
    const project = durableProject();
    await readAll(project.project.orchestrate({ keep: 'folder', name: 'supply' }));
    written(project.folder, by);
    const keeper = housekeeping(project);
    await keeper.delete(idOf(project));
    expect(await keeper.deleteJournals()).toEqual({ deleted: [], problem: null });
    expect(journalsIn(project.folder)).toHaveLength(1);
  });

  test('leaves all journals where a run cannot be read, which may need any of them', async () => {
    const project = durableProject();
    await readAll(project.project.orchestrate({ keep: 'folder', name: 'supply' }));
    written(project.folder, gone);
    const keeper = housekeeping(project);
    await keeper.delete(idOf(project));
    mkdirSync(join(project.folder, '.agentstack/runs/torn'));
    writeFileSync(join(project.folder, '.agentstack/runs/torn/run.json'), '{"run_id":');
    expect(await keeper.deleteJournals()).toEqual({ deleted: [], problem: expect.stringContaining('runs/torn/run.json') });
    expect(await keeper.delete('torn', 'unseen')).toBe(undefined);
    // Nothing that a run needs is in its result.
    mkdirSync(join(project.folder, '.agentstack/runs/half'));
    writeFileSync(join(project.folder, '.agentstack/runs/half/result.json'), '{');
    expect((await keeper.deleteJournals()).deleted).toHaveLength(1);
  });

  test('is none that is running, be it asked with force', async () => {
    const project = durableProject();
    for await (const event of project.project.orchestrate({ keep: 'folder', name: 'supply' })) {
      if (event.type !== 'route') continue;
      expect(await housekeeping(project).delete(idOf(project), 'unseen')).toMatchObject({
        kind: 'held',
        words: `is still running (process ${process.pid})`,
      });
    }
    expect(runsIn(project.folder)).toHaveLength(1);
  });

  test('is none without an end and a lock, unless the user says that it does not run', async () => {
    const project = durableProject();
    for await (const event of project.project.run({ keep: 'folder', agent_name: 'Writer', payload: {} })) {
      if (event.type !== 'step_start') continue;
      expect(await housekeeping(project).delete(idOf(project))).toMatchObject({ kind: 'unseen' });
    }
    expect(await housekeeping(project).delete(idOf(project))).toBe(undefined);
  });

  test('may be one that could go on', async () => {
    const copy = await halfway();
    expect(await housekeeping(copy).delete(idOf(copy))).toBe(undefined);
    expect(runsIn(copy.folder)).toEqual([]);
  });

  test('is never anything but a folder among the runs', async () => {
    const project = durableProject();
    await readAll(project.project.orchestrate({ keep: 'folder', name: 'supply' }));
    symlinkSync(join(project.folder, 'config'), join(project.folder, '.agentstack/runs/link'));
    for (const name of ['link', '..', '../journal', '.', '']) {
      await expect(housekeeping(project).delete(name, 'unseen')).rejects.toThrow();
    }
    expect(existsSync(join(project.folder, 'config/agents'))).toBe(true);
    expect(journalsIn(project.folder)).toHaveLength(1);
    const elsewhere = temporaryFolder();
    const other = temporaryFolder();
    mkdirSync(join(elsewhere, 'runs/a'), { recursive: true });
    symlinkSync(elsewhere, join(other, '.agentstack'));
    await expect(housekeeping({ folder: other }).delete('a', 'unseen')).rejects.toThrow(/inside the project/);
    expect(existsSync(join(elsewhere, 'runs/a'))).toBe(true);
  });
});

describe('a run of another machine', () => {
  test('is free once the user says that it is gone, for one process alone; and its own release changes nothing', async () => {
    const copy = await halfway();
    const path = join(copy.folder, '.agentstack/runs', idOf(copy));
    writeFileSync(join(path, 'lock-1.json'), JSON.stringify({ pid: 7, host: 'elsewhere', boot: null, namespace: null, started: null }));
    const refused = await readAll(copy.project.resume(idOf(copy))).catch((error: Error) => error.message);
    expect(refused).toContain('belongs to process 7 on the machine elsewhere');
    expect(refused).toContain(`agent-stack runs unlock ${idOf(copy)}`);
    expect(await housekeeping(copy).delete(idOf(copy), 'unseen')).toMatchObject({ kind: 'held' });

    const locks = createRunLocks(copy.folder);
    expect(locks.look(idOf(copy))).toMatchObject({ is_seen: false, held_by: 'process 7 on the machine elsewhere' });
    locks.unlock(idOf(copy));
    expect(locks.look(idOf(copy))).toBe(undefined);
    expect(readdirSync(path).filter((name) => name.includes('lock'))).toEqual(['lock-1.json', 'lock-2.json']);
    const both = await Promise.all([0, 1].map(() => readAll(copy.project.resume(idOf(copy))).catch((error: Error) => error)));
    expect(both.filter((one) => one instanceof Error)).toHaveLength(1);
    expect(both.filter((one) => !(one instanceof Error))).toMatchObject([{ result: { status: 'completed' } }]);
  });

  test('without a holder has nothing to look at', () => {
    const locks = createRunLocks(temporaryFolder());
    expect(() => locks.look('a')).toThrow();
  });
});
