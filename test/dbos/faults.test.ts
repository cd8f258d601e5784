import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { EngineClient } from '../../core/dbos/engineClient.js';
import { startWorker } from '../../core/dbos/worker.js';
import { lease } from '../../core/dbos/workerTable.js';
import type { JsonObject } from '../../core/json.js';
import { createNodeClock, createNodeRandom } from '../../core/node/nodePorts.js';
import { repository } from '../cli/command.js';
import { runs } from '../support/effort.js';
import { emptyDatabase, newDatabase, ownPostgres, query, testWithPostgres } from '../support/postgres.js';
import { createRandom } from '../support/random.js';
import { type PlainOrder, plainProgram } from './plainProgram.js';
import { eventsOf, openClient, startCountingServer, startWorkerHere, startWorkerProcess } from './workers.js';

const snapshot = { hash: 'a'.repeat(64), text: '{}', origins_text: '{}' };
const submit = (client: EngineClient, run_id: string, order: PlainOrder) =>
  client.submit({ run_id, request: order as unknown as JsonObject, snapshot });
const resultOf = (events: readonly JsonObject[]) => events.at(-1)?.result as JsonObject;
const workers = (url: string, count: number, ...more: Parameters<typeof startWorkerProcess>[1][]) =>
  Promise.all(Array.from({ length: count }, (_, index) => startWorkerProcess(url, more[index])));

testWithPostgres('workers and submitters that start together on an empty database all get their tables', async () => {
  const url = await emptyDatabase();
  const [started, client] = await Promise.all([workers(url, 4), openClient(url), openClient(url)]);
  expect(started.map(({ id }) => id)).toHaveLength(4);
  await submit(client, 'run1', { url: '', tasks: [] });
  expect(resultOf(await eventsOf(client, 'run1'))).toMatchObject({ status: 'completed' });
  const indexes = 'SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE NOT i.indisvalid';
  expect(await query(url, indexes)).toEqual([{ count: '0' }]);
});

testWithPostgres(
  'a database that goes away again and again loses no run, and no claim is left behind',
  async () => {
    const postgres = await ownPostgres();
    onTestFinished(() => postgres.stop());
    const random = createRandom();
    const server = await startCountingServer(15);
    const client = await openClient(postgres.url);
    await Promise.all([startWorkerHere(postgres.url), startWorkerProcess(postgres.url)]);
    const names = Array.from({ length: 20 }, (_, index) => `run${index}`);
    for (const name of names) await submit(client, name, { url: server.url, tasks: [{ name, steps: 3 }] });
    const ended = Promise.all(names.map((name) => eventsOf(client, name)));
    for (let outage = 0; outage < 3; outage += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 400));
      await postgres.pause();
      // The last one is long enough for every worker to count as dead.
      await new Promise((resolve) => setTimeout(resolve, outage < 2 ? random() * 300 : 4000));
      await postgres.start();
    }
    for (const [index, events] of (await ended).entries()) {
      const name = names[index] ?? '';
      expect(resultOf(events)).toMatchObject({
        status: 'completed',
        output: { [name]: { answers: [1, 2, 3].map((n) => `/${name}/${n}`) } },
      });
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, each) => each));
    }
    // No worker died, so no answer was lost.
    expect([...server.counts].filter(([, count]) => count !== 1)).toEqual([]);
    const open = "SELECT workflow_uuid FROM dbos.workflow_status WHERE status NOT IN ('SUCCESS')";
    await expect.poll(() => query(postgres.url, open), { timeout: 20_000 }).toEqual([]);
  },
  120_000,
);

/** Keeps the heartbeats of a worker from the database until the result is called. @param isOver whether the worker counts as dead by then */
async function holdHeartbeats(url: string, worker_id: string): Promise<(isOver: boolean) => Promise<void>> {
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query('BEGIN');
  await pool.query('SELECT 1 FROM agent_stack.workers WHERE worker_id = $1 FOR UPDATE', [worker_id]);
  return async (isOver) => {
    if (isOver) await pool.query('UPDATE agent_stack.workers SET ended_at = now() WHERE worker_id = $1', [worker_id]);
    await pool.query('COMMIT');
    await pool.end();
  };
}

for (const isOver of [true, false]) {
  const outcome = isOver ? 'leaves its runs when it was considered dead meanwhile' : 'continues when they were only late';
  testWithPostgres(`a worker whose heartbeats do not arrive asks for nothing, and ${outcome}`, async () => {
    const url = await newDatabase();
    const server = await startCountingServer();
    const client = await openClient(url);
    const worker = await startWorkerHere(url);
    const release = await holdHeartbeats(url, worker.id);
    await new Promise((resolve) => setTimeout(resolve, lease + 200));
    await submit(client, 'run1', { url: server.url, tasks: [{ name: 'a', steps: 2 }] });
    const claimedTasks = "SELECT executor_id FROM dbos.workflow_status WHERE name = 'task' AND status = 'PENDING'";
    await expect.poll(() => query(url, claimedTasks), { timeout: 20_000 }).toEqual([{ executor_id: worker.id }]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(server.counts.size).toBe(0);
    await release(isOver);
    if (isOver) {
      expect(await worker.ended).toBe('taken-over');
      expect(server.counts.size).toBe(0);
      await startWorkerProcess(url);
    }
    expect(resultOf(await eventsOf(client, 'run1'))).toMatchObject({ status: 'completed' });
    expect(Object.fromEntries(server.counts)).toEqual({ '/a/1': 1, '/a/2': 1 });
  });
}

testWithPostgres('a task that another worker has taken asks for nothing', async () => {
  const url = await newDatabase();
  const server = await startCountingServer();
  const client = await openClient(url);
  let isTaken = false;
  await startWorkerHere(url, undefined, {
    ...plainProgram,
    async task(run, call, work) {
      const take = "UPDATE dbos.workflow_status SET executor_id = 'other', owner_xid = 'other' WHERE name = 'task'";
      if (!isTaken) await query(url, take);
      isTaken = true;
      return plainProgram.task(run, call, work);
    },
  });
  await submit(client, 'run1', { url: server.url, tasks: [{ name: 'a', steps: 1 }] });
  await expect.poll(() => isTaken, { timeout: 20_000 }).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(server.counts.size).toBe(0);
  // The other one is dead.
  await query(url, "INSERT INTO agent_stack.workers (worker_id, host, pid, version, ended_at) VALUES ('other', '', 0, '', now())");
  expect(resultOf(await eventsOf(client, 'run1'))).toMatchObject({ status: 'completed' });
  expect(Object.fromEntries(server.counts)).toEqual({ '/a/1': 1 });
});

testWithPostgres('a worker that could not send heartbeats gives the others time to send theirs', async () => {
  const url = await newDatabase();
  const server = await startCountingServer();
  const client = await openClient(url);
  const other = await startWorkerProcess(url);
  server.hold('/a/1');
  await submit(client, 'run1', { url: server.url, tasks: [{ name: 'a', steps: 1 }] });
  await server.asked('/a/1');
  const worker = await startWorkerHere(url);
  // Neither is heard of, as in an outage, and the heartbeat of this worker is the first to arrive after it.
  const release = await holdHeartbeats(url, worker.id);
  other.process.kill('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, lease + 200));
  await release(false);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  other.process.kill('SIGCONT');
  server.release('/a/1');
  expect(resultOf(await eventsOf(client, 'run1'))).toMatchObject({ status: 'completed' });
  expect(Object.fromEntries(server.counts)).toEqual({ '/a/1': 1 });
});

testWithPostgres('a run that was claimed by a worker which never heard of it is put back', async () => {
  const url = await newDatabase();
  const client = await openClient(url);
  const worker = await startWorkerHere(url, { concurrency: 1 });
  const server = await startCountingServer();
  server.hold('/a/1');
  await submit(client, 'run1', { url: server.url, tasks: [{ name: 'a', steps: 1 }] });
  await server.asked('/a/1');
  // It waits for its turn. A claim whose answer is lost with the connection leaves this behind:
  await submit(client, 'run2', { url: server.url, tasks: [{ name: 'b', steps: 1 }] });
  await query(
    url,
    "UPDATE dbos.workflow_status SET status = 'PENDING', executor_id = $1, owner_xid = 'lost' WHERE workflow_uuid = 'run2'",
    [worker.id],
  );
  server.release('/a/1');
  expect(resultOf(await eventsOf(client, 'run2'))).toMatchObject({ status: 'completed' });
  expect(Object.fromEntries(server.counts)).toEqual({ '/a/1': 1, '/b/1': 1 });
});

testWithPostgres('workers whose clocks are an hour apart do not take each other for dead, and take over from each other', async () => {
  const url = await newDatabase();
  const server = await startCountingServer();
  server.hold('/a/2');
  const client = await openClient(url);
  const ahead = await startWorkerProcess(url, { clock_ms: 3_600_000 });
  await submit(client, 'run1', { url: server.url, tasks: [{ name: 'a', steps: 3 }] });
  await server.asked('/a/2');
  await startWorkerProcess(url, { clock_ms: -3_600_000 });
  await new Promise((resolve) => setTimeout(resolve, 4000));
  expect(server.counts.get('/a/2')).toBe(1);
  ahead.process.kill('SIGKILL');
  // How soon is measured in test/bench/dbos.mjs.
  await expect.poll(() => server.counts.get('/a/2'), { timeout: 60_000, interval: 10 }).toBe(2);
  server.release('/a/2');
  expect(resultOf(await eventsOf(client, 'run1'))).toMatchObject({ status: 'completed' });
  expect(server.counts.get('/a/1')).toBe(1);
});

testWithPostgres('a worker that cannot finish in time hands its runs to another one at once', async () => {
  const url = await newDatabase();
  const server = await startCountingServer();
  server.hold('/a/2');
  const client = await openClient(url);
  const first = await startWorkerProcess(url, { patience_ms: 300 });
  await submit(client, 'run1', { url: server.url, tasks: [{ name: 'a', steps: 3 }] });
  await server.asked('/a/2');
  await startWorkerHere(url);
  const asked = Date.now();
  first.process.kill('SIGTERM');
  await expect.poll(() => server.counts.get('/a/2'), { timeout: 10_000, interval: 10 }).toBe(2);
  // Far less than it takes until a worker counts as dead.
  expect(Date.now() - asked).toBeLessThan(2800);
  server.release('/a/2');
  await first.exited;
  expect(first.lines).toContain('ended stopped');
  expect(resultOf(await eventsOf(client, 'run1'))).toMatchObject({ status: 'completed' });
  expect(Object.fromEntries(server.counts)).toEqual({ '/a/1': 1, '/a/2': 2, '/a/3': 1 });
});

testWithPostgres('a run that its worker leaves is never reported as cancelled', async () => {
  const url = await newDatabase();
  const client = await openClient(url);
  const first = await startWorkerProcess(url, { patience_ms: 300 });
  await submit(client, 'run1', { url: '', tasks: [], waits: true });
  const events = eventsOf(client, 'run1');
  await expect.poll(() => query(url, 'SELECT starts FROM agent_stack.runs'), { timeout: 20_000 }).toEqual([{ starts: 1 }]);
  first.process.kill('SIGTERM');
  await first.exited;
  await startWorkerHere(url);
  expect((await events).map(({ type }) => type)).toEqual(['run_start', 'run_start', 'final']);
  expect(resultOf(await events)).toMatchObject({ status: 'completed' });
});

const queued = runs(60, 1000);

testWithPostgres(
  `${queued} runs that wait are all done, each by exactly one worker`,
  async () => {
    const url = await newDatabase();
    const server = await startCountingServer();
    const client = await openClient(url);
    const names = Array.from({ length: queued }, (_, index) => `run${index}`);
    await Promise.all(names.map((name) => submit(client, name, { url: server.url, tasks: [{ name, steps: 1 }] })));
    await Promise.all([startWorkerHere(url, { concurrency: 25 }), startWorkerProcess(url, { concurrency: 25 })]);
    for (const name of names) expect(resultOf(await eventsOf(client, name))).toMatchObject({ status: 'completed' });
    expect(server.counts.size).toBe(queued);
    expect([...server.counts].filter(([, count]) => count !== 1)).toEqual([]);
  },
  600_000,
);

testWithPostgres('tables of an older version are brought up to date, and newer ones are refused', async () => {
  const url = await newDatabase();
  const client = await openClient(url);
  await submit(client, 'run1', { url: '', tasks: [] });
  // As version 1 had them.
  await query(url, 'ALTER TABLE agent_stack.runs DROP COLUMN waits_for');
  await query(url, 'UPDATE agent_stack.version SET version = 1');
  await startWorkerHere(url);
  expect(resultOf(await eventsOf(client, 'run1'))).toMatchObject({ status: 'completed' });
  await query(url, 'UPDATE agent_stack.version SET version = version + 1');
  await expect(openClient(url)).rejects.toThrow(
    /^The tables of Agent Stack in this database have version 3, but this program knows 2: update agent-stack, or use another database\.$/,
  );
});

testWithPostgres('the statements of docs/scaling.md delete all there is of old runs, and nothing of others', async () => {
  const statements = /```sql\n([\s\S]*?)```/.exec(readFileSync(join(repository, 'docs/scaling.md'), 'utf8'))?.[1] ?? '';
  expect(statements).toContain('DELETE FROM agent_stack.runs');
  const url = await newDatabase();
  const server = await startCountingServer();
  const client = await openClient(url);
  const worker = await startWorkerHere(url);
  const tasks = ['a', 'b'].map((name) => ({ name, steps: 2 }));
  const sizes = async () => {
    const tables = await query<{ name: string }>(
      url,
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('dbos', 'agent_stack') AND tablename NOT IN ('snapshots', 'workers')",
    );
    const counts = tables.map(async ({ name }) => [name, (await query(url, `SELECT count(*) FROM ${name}`))[0]?.count]);
    return Object.fromEntries(await Promise.all(counts));
  };
  await submit(client, 'new', { url: server.url, tasks });
  await eventsOf(client, 'new');
  await worker.stop();
  const before = await sizes();
  await startWorkerHere(url);
  await submit(client, 'old', { url: server.url, tasks });
  await eventsOf(client, 'old');
  const open = "SELECT workflow_uuid FROM dbos.workflow_status WHERE status <> 'SUCCESS'";
  await expect.poll(() => query(url, open), { timeout: 20_000 }).toEqual([]);
  expect(await sizes()).not.toEqual(before);
  await query(url, "UPDATE agent_stack.runs SET ended_at = ended_at - interval '8 days' WHERE run_id = 'old'");
  await query(url, statements);
  expect(await sizes()).toEqual(before);
  expect(await query(url, 'SELECT run_id FROM agent_stack.runs')).toEqual([{ run_id: 'new' }]);
});

testWithPostgres('flows of another step format are left to workers of that format', async () => {
  const url = await newDatabase();
  const client = await openClient(url);
  await submit(client, 'run1', { url: '', tasks: [] });
  await submit(client, 'run2', { url: '', tasks: [] });
  await query(url, "UPDATE dbos.workflow_status SET application_version = 'agent-stack-0' WHERE workflow_uuid = 'run1'");
  await startWorkerHere(url);
  expect(resultOf(await eventsOf(client, 'run2'))).toMatchObject({ status: 'completed' });
  const [other] = await query(url, "SELECT status, executor_id FROM dbos.workflow_status WHERE workflow_uuid = 'run1'");
  expect(other).toMatchObject({ status: 'ENQUEUED' });
});

testWithPostgres('a rate holds for all workers together, and can be taken away again', async () => {
  const url = await newDatabase();
  const server = await startCountingServer();
  const client = await openClient(url);
  const names = Array.from({ length: 12 }, (_, index) => `run${index}`);
  for (const name of names) await submit(client, name, { url: server.url, tasks: [{ name, steps: 1 }] });
  const limit = { rate: '3/1' };
  const [here] = await Promise.all([startWorkerHere(url, { rate: { runs: 3, seconds: 1 } }), startWorkerProcess(url, limit)]);
  await Promise.all(names.slice(0, 9).map((name) => eventsOf(client, name)));
  const rows = await query<{ at: string }>(
    url,
    'SELECT started_at_epoch_ms AS at FROM dbos.workflow_status WHERE name = $1 AND started_at_epoch_ms IS NOT NULL ORDER BY at',
    ['run'],
  );
  const starts = rows.map(({ at }) => Number(at));
  expect(starts.length).toBeGreaterThanOrEqual(9);
  for (const [index, at] of starts.slice(0, -3).entries()) expect((starts[index + 3] ?? 0) - at).toBeGreaterThanOrEqual(1000);
  // Nor is it much slower than it may be.
  expect((starts[8] ?? 0) - (starts[0] ?? 0)).toBeLessThan(2 * 1000 + 4000);
  await here.stop();
  await startWorkerHere(url, { rate: 'none' });
  const more = Array.from({ length: 9 }, (_, index) => `more${index}`);
  const begun = Date.now();
  for (const name of more) await submit(client, name, { url: server.url, tasks: [{ name, steps: 1 }] });
  for (const name of more) await eventsOf(client, name);
  expect(Date.now() - begun).toBeLessThan(4000);
});

testWithPostgres('a worker has no more runs at work than --concurrency says, and as many as it says', async () => {
  const url = await newDatabase();
  const server = await startCountingServer();
  const client = await openClient(url);
  const names = Array.from({ length: 10 }, (_, index) => `run${index}`);
  for (const name of names) server.hold(`/${name}/1`);
  for (const name of names) await submit(client, name, { url: server.url, tasks: [{ name, steps: 1 }] });
  await Promise.all([startWorkerHere(url, { concurrency: 3 }), startWorkerProcess(url, { concurrency: 3 })]);
  const atWork = () =>
    query<{ executor_id: string; count: string }>(
      url,
      "SELECT executor_id, count(*) FROM dbos.workflow_status WHERE name = 'run' AND status = 'PENDING' GROUP BY executor_id",
    );
  await expect.poll(() => server.counts.size, { timeout: 10_000 }).toBe(6);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect((await atWork()).map(({ count }) => count)).toEqual(['3', '3']);
  for (const name of names) server.release(`/${name}/1`);
  for (const name of names) await eventsOf(client, name);
});

test('limits that are none are refused before anything is touched', async () => {
  const ports = { clock: createNodeClock(), logger: { log: () => undefined }, random: createNodeRandom() };
  const start = (limits: object) =>
    startWorker({ database_url: 'postgres://127.0.0.1:1/none', program: () => plainProgram, ports, ...limits });
  await expect(start({ concurrency: 0 })).rejects.toThrow(/^\/concurrency must be a whole number above 0\.$/);
  await expect(start({ concurrency: 1.5 })).rejects.toThrow('/concurrency must be');
  await expect(start({ rate: { runs: 0, seconds: 1 } })).rejects.toThrow('/rate/runs must be');
  await expect(start({ rate: { runs: 1, seconds: Number.NaN } })).rejects.toThrow('/rate/seconds must be');
});
