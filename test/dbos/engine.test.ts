import { expect, test } from 'vitest';
import type { EngineClient } from '../../core/dbos/engineClient.js';
import type { JsonObject } from '../../core/json.js';
import { newDatabase, ownPostgres, query, testWithPostgres } from '../support/postgres.js';
import type { PlainOrder } from './plainProgram.js';
import { eventsOf, openClient, startCountingServer, startWorkerHere, startWorkerProcess } from './workers.js';

const snapshot = { hash: 'a'.repeat(64), text: '{}', origins_text: '{}' };

function submit(client: EngineClient, run_id: string, order: PlainOrder): Promise<void> {
  return client.submit({ run_id, request: order as unknown as JsonObject, snapshot });
}

const typesOf = (events: readonly JsonObject[]) => events.map(({ type }) => type);
const resultOf = (events: readonly JsonObject[]) => events.at(-1)?.result as JsonObject;
const pathsOf = (name: string, steps: number) => Array.from({ length: steps }, (_, index) => `/${name}/${index + 1}`);

testWithPostgres('a run is done by a worker, and its events come in order', async () => {
  const url = await newDatabase();
  const server = await startCountingServer();
  const client = await openClient(url);
  await submit(client, 'run1', {
    url: server.url,
    tasks: [
      { name: 'a', steps: 2 },
      { name: 'b', steps: 1 },
    ],
  });
  await startWorkerHere(url);
  const events = await eventsOf(client, 'run1');
  expect(typesOf(events)).toEqual(['run_start', 'task_start', 'chunk', 'chunk', 'task_end', 'task_start', 'chunk', 'task_end', 'final']);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  // From each of them on, wherever it stands among those that were written together.
  for (const from of events.keys()) expect(await eventsOf(client, 'run1', from)).toEqual(events.slice(from));
  expect(resultOf(events)).toMatchObject({
    status: 'completed',
    output: { a: { answers: pathsOf('a', 2) }, b: { answers: pathsOf('b', 1) } },
  });
});

testWithPostgres('what a killed worker had finished is not done again, and another one takes over within 5 s', async () => {
  const url = await newDatabase();
  const server = await startCountingServer();
  server.hold('/b/3');
  const client = await openClient(url);
  const first = await startWorkerProcess(url);
  await submit(client, 'run1', {
    url: server.url,
    tasks: [
      { name: 'a', steps: 3 },
      { name: 'b', steps: 4 },
    ],
  });
  await server.asked('/b/3');
  // The task before it is done.
  await server.asked('/a/3');
  await startWorkerHere(url);
  const killed = Date.now();
  first.process.kill('SIGKILL');
  await expect.poll(() => server.counts.get('/b/3'), { timeout: 10_000, interval: 10 }).toBe(2);
  const takeover = Date.now() - killed;
  expect(takeover).toBeLessThan(5000);
  // The run may be taken over after its task, and tells how many steps were kept then.
  const told = 'SELECT 1 AS one FROM agent_stack.events WHERE events LIKE \'%"resumed"%\'';
  await expect.poll(() => query(url, told), { timeout: 10_000 }).toHaveLength(1);
  server.release('/b/3');
  const events = await eventsOf(client, 'run1');
  expect(resultOf(events)).toMatchObject({
    status: 'completed',
    output: { a: { answers: pathsOf('a', 3) }, b: { answers: pathsOf('b', 4) } },
  });
  expect(Object.fromEntries(server.counts)).toEqual({ '/a/1': 1, '/a/2': 1, '/a/3': 1, '/b/1': 1, '/b/2': 1, '/b/3': 2, '/b/4': 1 });
  expect(events.filter(({ type }) => type === 'run_start')).toMatchObject([{}, { resumed: 5 }]);
});

testWithPostgres('a worker that was stopped and wakes up commits no step and tells no event', async () => {
  const url = await newDatabase();
  const server = await startCountingServer();
  server.hold('/a/2');
  const client = await openClient(url);
  const first = await startWorkerProcess(url);
  await submit(client, 'run1', { url: server.url, tasks: [{ name: 'a', steps: 3 }] });
  await server.asked('/a/2');
  first.process.kill('SIGSTOP');
  const second = await startWorkerHere(url);
  await expect.poll(() => server.counts.get('/a/2'), { timeout: 10_000, interval: 10 }).toBe(2);
  // Both have asked now. The one that sleeps gets its answer first, and wakes up with it.
  server.release('/a/2');
  first.process.kill('SIGCONT');
  const events = await eventsOf(client, 'run1');
  expect(resultOf(events)).toMatchObject({ status: 'completed', output: { a: { answers: pathsOf('a', 3) } } });
  await expect.poll(() => first.lines, { timeout: 10_000 }).toContain('ended taken-over');
  expect(server.counts.get('/a/3')).toBe(1);
  // The first step was finished before, so it may be told by both; what came after that by one alone.
  const told = events.filter(({ type }) => type === 'chunk').map(({ text }) => text);
  expect(told.filter((text) => text !== '/a/1')).toEqual(['/a/2', '/a/3']);
  const flows = await query(url, 'SELECT DISTINCT executor_id FROM dbos.workflow_status');
  expect(flows).toEqual([{ executor_id: second.id }]);
});

testWithPostgres('a call that must not be made twice stops the run, which goes on as the user says', async () => {
  for (const [answer, asked, output] of [
    ['repeat', 2, '/a/2'],
    ['skip', 1, 'skipped'],
  ] as const) {
    const url = await newDatabase();
    const server = await startCountingServer();
    server.hold('/a/2');
    const client = await openClient(url);
    const first = await startWorkerProcess(url);
    await submit(client, 'run1', {
      url: server.url,
      tasks: [
        { name: 'a', steps: 3, once: 2 },
        { name: 'b', steps: 1 },
      ],
    });
    await server.asked('/a/2');
    first.process.kill('SIGKILL');
    const second = await startWorkerHere(url);
    const stopped = await eventsOf(client, 'run1');
    expect(resultOf(stopped)).toMatchObject({ status: 'failed', error: { code: 'denied', details: { unfinished: { tool: 'a_2' } } } });
    expect(server.counts.get('/a/2')).toBe(1);
    server.release('/a/2');
    const [call] = await client.unfinished('run1');
    expect(call).toMatchObject({ tool: 'a_2' });
    await client.answer('run1', call?.step ?? '', answer);
    await expect.poll(() => client.continueRun('run1'), { timeout: 5000 }).toBe(true);
    const events = await eventsOf(client, 'run1', stopped.length);
    expect(resultOf(events)).toMatchObject({ status: 'completed', output: { a: { answers: ['/a/1', output, '/a/3'] } } });
    expect(server.counts.get('/a/2')).toBe(asked);
    expect(server.counts.get('/a/1')).toBe(1);
    await second.stop();
  }
});

testWithPostgres('a cancelled run ends with a result, and can go on', async () => {
  const url = await newDatabase();
  const server = await startCountingServer();
  server.hold('/b/1');
  const client = await openClient(url);
  await startWorkerHere(url);
  await submit(client, 'run1', {
    url: server.url,
    tasks: [
      { name: 'a', steps: 1 },
      { name: 'b', steps: 2 },
    ],
  });
  await server.asked('/b/1');
  await client.cancel('run1');
  const events = await eventsOf(client, 'run1');
  expect(resultOf(events)).toMatchObject({ status: 'cancelled', output: { a: { answers: ['/a/1'] }, b: { status: 'cancelled' } } });
  server.release('/b/1');
  await expect.poll(() => client.continueRun('run1'), { timeout: 5000 }).toBe(true);
  const more = await eventsOf(client, 'run1', events.length);
  expect(resultOf(more)).toMatchObject({ status: 'completed', output: { a: { answers: ['/a/1'] }, b: { answers: ['/b/1', '/b/2'] } } });
  expect(Object.fromEntries(server.counts)).toEqual({ '/a/1': 1, '/b/1': 2, '/b/2': 1 });
});

testWithPostgres('parallel tasks of a killed worker keep what each had finished', async () => {
  const url = await newDatabase();
  const server = await startCountingServer();
  for (const path of ['/a/3', '/b/2', '/c/4']) server.hold(path);
  const client = await openClient(url);
  const first = await startWorkerProcess(url);
  const tasks = ['a', 'b', 'c'].map((name) => ({ name, steps: 4 }));
  await submit(client, 'run1', { url: server.url, tasks, parallel: true });
  await Promise.all(['/a/3', '/b/2', '/c/4'].map((path) => server.asked(path)));
  first.process.kill('SIGKILL');
  for (const path of ['/a/3', '/b/2', '/c/4']) server.release(path);
  await startWorkerHere(url);
  const events = await eventsOf(client, 'run1');
  expect(resultOf(events)).toMatchObject({
    status: 'completed',
    output: { a: { answers: pathsOf('a', 4) }, c: { answers: pathsOf('c', 4) } },
  });
  const again = [...server.counts].filter(([, count]) => count > 1).map(([path]) => path);
  expect(again.sort()).toEqual(['/a/3', '/b/2', '/c/4']);
});

testWithPostgres('a worker that is asked to end finishes what is at work', async () => {
  const url = await newDatabase();
  const server = await startCountingServer();
  server.hold('/a/1');
  const client = await openClient(url);
  const worker = await startWorkerProcess(url);
  await submit(client, 'run1', { url: server.url, tasks: [{ name: 'a', steps: 2 }] });
  await server.asked('/a/1');
  worker.process.kill('SIGTERM');
  server.release('/a/1');
  expect(resultOf(await eventsOf(client, 'run1'))).toMatchObject({ status: 'completed' });
  await worker.exited;
  expect(worker.lines).toContain('ended stopped');
  expect(server.counts.get('/a/2')).toBe(1);
});

testWithPostgres('a database that goes away for a while loses no run', async () => {
  const postgres = await ownPostgres();
  try {
    const server = await startCountingServer();
    server.hold('/a/2');
    const notices: (string | undefined)[] = [];
    const client = await openClient(postgres.url, notices);
    await startWorkerHere(postgres.url);
    await submit(client, 'run1', { url: server.url, tasks: [{ name: 'a', steps: 3 }] });
    const events = eventsOf(client, 'run1');
    await server.asked('/a/2');
    await postgres.pause();
    server.release('/a/2');
    await expect.poll(() => notices.at(-1), { timeout: 5000 }).toMatch(/could not be reached: .* Trying again; the run is not lost\.$/);
    await postgres.start();
    expect(resultOf(await events)).toMatchObject({ status: 'completed', output: { a: { answers: pathsOf('a', 3) } } });
    expect(notices.at(-1)).toBeUndefined();
    expect(server.counts.get('/a/1')).toBe(1);
  } finally {
    await postgres.stop();
  }
});

testWithPostgres('without a worker the submitter is told what to start', async () => {
  const url = await newDatabase();
  const notices: (string | undefined)[] = [];
  const client = await openClient(url, notices);
  await submit(client, 'run1', { url: '', tasks: [] });
  const events = eventsOf(client, 'run1');
  await expect.poll(() => notices, { timeout: 6000 }).toHaveLength(1);
  expect(notices[0]).toMatch(
    /^No worker is at work on 127\.0\.0\.1:\d+\/test_\d+\. The run waits for one: npx agent-stack worker --engine dbos/,
  );
  await startWorkerHere(url);
  expect(resultOf(await events)).toMatchObject({ status: 'completed' });
});

test('a database that cannot be had is named without its password, with the way out', async () => {
  await expect(openClient('postgres://user:secret-word@127.0.0.1:1/name')).rejects.toThrow(
    /^The database 127\.0\.0\.1:1\/name could not be reached: connect ECONNREFUSED 127\.0\.0\.1:1\. Nothing listens there: start PostgreSQL, or correct host and port in --database-url\.$/,
  );
});
