import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import { type DbosEngine, openDbosEngine } from '../../core/dbos/dbosEngine.js';
import { comparable, type DurableProject, durableProject, readAll } from '../run/durableProject.js';
import { newDatabase, query, testWithPostgres } from '../support/postgres.js';
import { validateEvent } from '../support/validateRun.js';

const routed = (next: string | null, more: object = {}) => ({ routing: { default: next }, ...more });
const orchestration = (name: string, teams: object, more: object = {}) => ({
  [`config/orchestrations/${name}.json`]: { name, entry_team: Object.keys(teams)[0], context: { item: 'bolts', round: 1 }, teams, ...more },
});

/** The same runs on both engines: with parallel tasks, tools that may not be called twice, recursion, limits, and all ways to fail. */
const cases: readonly { readonly name: string; readonly files?: Readonly<Record<string, unknown>>; readonly input?: { wanted: number } }[] =
  [
    { name: 'supply', input: { wanted: 5 } },
    {
      name: 'again',
      files: orchestration('again', {
        write: {
          name: 'Write',
          tasks: [{ name: 'text', agent: 'Writer@v1' }],
          routing: {
            rules: [
              { condition: { context_field: 'round', operator: 'equals', value: 1 }, next_team: 'write', context_updates: { round: 2 } },
            ],
            default: null,
          },
        },
      }),
    },
    {
      name: 'endless',
      files: orchestration(
        'endless',
        { write: { name: 'Write', tasks: [{ name: 'text', agent: 'Writer@v1' }], ...routed('write') } },
        {
          max_recursion_depth: 3,
        },
      ),
    },
    {
      name: 'unknown_path',
      files: orchestration('unknown_path', {
        write: {
          name: 'Write',
          tasks: [
            { name: 'text', agent: 'Writer@v1', input: { text: '{{context.missing}}' } },
            { name: 'after', agent: 'Writer@v1', depends_on: ['text'] },
            { name: 'other', agent: 'Writer@v1', depends_on: [] },
          ],
          ...routed(null),
        },
      }),
    },
    {
      name: 'no_way',
      files: orchestration('no_way', {
        write: {
          name: 'Write',
          tasks: [{ name: 'text', agent: 'Writer@v1' }],
          routing: { rules: [{ condition: { task: 'text', status: 'failure' }, next_team: null }] },
        },
      }),
    },
  ];

function projectWith(files: Readonly<Record<string, unknown>>): DurableProject {
  const project = durableProject();
  for (const [path, content] of Object.entries(files)) writeFileSync(join(project.folder, path), JSON.stringify(content));
  return project;
}

/** What `work` does with an engine and one worker of it, in this process. */
async function withWorker<T>(
  { folder, options }: DurableProject,
  database_url: string,
  work: (engine: DbosEngine) => Promise<T>,
): Promise<T> {
  const engine = openDbosEngine(folder, { ...options, database_url });
  const worker = await engine.startWorker();
  try {
    return await work(engine);
  } finally {
    await worker.stop();
  }
}

/** Events grouped by task, in order, without ids, times and numbers: parallel tasks may be reported in any order. */
function byPlace(events: readonly AgentEvent[]): Record<string, unknown[]> {
  const places: Record<string, unknown[]> = {};
  for (const { run_id: _run, seq: _seq, time: _time, ...event } of events) {
    const { team, task } = event as { team?: string; task?: string };
    const isInside = task !== undefined && event.type !== 'task_start' && event.type !== 'task_end';
    const place = isInside ? `${team}/${task}` : event.type.startsWith('task_') ? `${event.type} ${team}/${task}` : 'run';
    places[place] = [...(places[place] ?? []), comparable(event as never)];
  }
  return places;
}

const keptIn = (folder: string, run_id: string, name: string) => readFileSync(join(folder, '.agentstack/runs', run_id, name), 'utf8');

testWithPostgres('orchestrations give the same results, events and folders on both engines', async () => {
  const url = await newDatabase();
  for (const { name, files = {}, input } of cases) {
    const request = { name, ...(input && { input }) };
    const embedded = projectWith(files);
    const here = await readAll(embedded.project.orchestrate({ keep: 'folder', ...request }));
    const distributed = projectWith(files);
    const there = await withWorker(distributed, url, (engine) => readAll(engine.orchestrate(request)));

    expect(comparable(there.result), name).toEqual(comparable(here.result));
    expect(byPlace(there.events), name).toEqual(byPlace(here.events));
    expect(there.events.map(({ seq }) => seq)).toEqual(there.events.map((_, index) => index));
    for (const event of there.events) expect(validateEvent(event), `${name} ${event.type}`).toEqual([]);
    expect([...distributed.outside.requests].sort(), name).toEqual([...embedded.outside.requests].sort());
    const { run_id } = there.result;
    const snapshots = (project: DurableProject, id: string) =>
      readdirSync(join(project.folder, '.agentstack/runs', id)).filter((file) => file.startsWith('effective_config_'));
    expect(snapshots(distributed, run_id), name).toEqual(snapshots(embedded, here.result.run_id));
    expect(JSON.parse(keptIn(distributed.folder, run_id, 'result.json')), name).toEqual(JSON.parse(JSON.stringify(there.result)));
    expect(keptIn(distributed.folder, run_id, 'events.jsonl').trim().split('\n'), name).toHaveLength(there.events.length);
    expect(JSON.parse(keptIn(distributed.folder, run_id, 'run.json')), name).toMatchObject({
      engine: 'dbos',
      snapshot_hash: expect.any(String),
    });
  }
});

testWithPostgres('a worker reads no config: the run is the same when it is gone', async () => {
  const url = await newDatabase();
  const project = durableProject();
  const engine = openDbosEngine(project.folder, { ...project.options, database_url: url });
  const events = engine.orchestrate({ name: 'supply', input: { wanted: 5 } });
  const first = events.next();
  await expect.poll(() => query(url, 'SELECT run_id FROM agent_stack.runs').catch(() => []), { timeout: 5000 }).toHaveLength(1);
  rmSync(join(project.folder, 'config'), { recursive: true });
  const worker = await engine.startWorker();
  onTestFinished(() => worker.stop());
  await first;
  const { result } = await readAll(events);
  expect(result.status).toBe('completed');
});
