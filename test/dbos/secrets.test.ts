import { describe, expect } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import { type DbosEngine, openDbosEngine } from '../../core/dbos/dbosEngine.js';
import { createNodeEnvironment, createNodeLogger } from '../../core/node/nodePorts.js';
import { comparable, readAll } from '../run/durableProject.js';
import { covered, expectNone, keptIn, type LogLine, openAt, secretOptions, secretProject, sentKey, shaped } from '../run/secretProject.js';
import { expectNoSecret, modelKey, toldSecrets } from '../secrets/marked.js';
import { look, markedEnvironment, markedProject, writtenIn } from '../secrets/markedProject.js';
import { newDatabase, query, testWithPostgres } from '../support/postgres.js';

// As in one process: no secret, from any source, is in anything that a run reports or keeps, and the run works with what is kept.

/** What `work` does with an engine, and a worker in this process. */
async function withWorker<T>(engine: DbosEngine, worker: DbosEngine, work: (engine: DbosEngine) => Promise<T>): Promise<T> {
  const started = await worker.startWorker();
  try {
    return await work(engine);
  } finally {
    await started.stop();
  }
}

/** All rows of all tables, those of the library too. */
async function rowsOf(url: string): Promise<string> {
  const tables = await query<{ name: string }>(
    url,
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
  );
  expect(tables.length).toBeGreaterThan(8);
  const rows = await Promise.all(tables.map(({ name }) => query<{ row: string }>(url, `SELECT t::text AS row FROM ${name} t`)));
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

const streamed = (events: readonly AgentEvent[]) => events.flatMap((event) => (event.type === 'chunk' ? [event.text] : [])).join('');
const warnings = (log: readonly LogLine[]) => log.filter(({ level }) => level === 'warn');
const inputCovered = 'the input holds what looks like a secret, and the run works with it covered';

describe.each(['call', 'stream'] as const)('of a run on workers (%s)', (delivery) => {
  testWithPostgres('no secret is told or kept, and it comes to what it comes to in one process', async () => {
    const url = await newDatabase();
    const { folder, asked } = await secretProject();
    const log: LogLine[] = [];
    const input = { title: shaped, note: `Use ${sentKey}.` };
    const engine = openDbosEngine(folder, { ...secretOptions({ log }), database_url: url });
    const { events, result } = await withWorker(engine, engine, (open) => readAll(open.orchestrate({ name: 'both', input, delivery })));
    expect(result.error).toBe(null);
    expectNone(JSON.stringify(events));
    expectNone(streamed(events));
    expectNone(keptIn(folder));
    expectNone(JSON.stringify(log));
    const rows = await rowsOf(url);
    expectNone(rows);
    // Where the secrets would be.
    expect(rows.split(covered).length).toBeGreaterThan(4);
    expect(rows).toContain(`Use ${'*'.repeat(sentKey.length)}.`);
    // What was covered is what goes on: a model hears of no secret that another call brought up.
    expect(asked.length).toBeGreaterThan(2);
    expectNone(asked.join('\n'));
    expect(asked.join('\n')).toContain('*'.repeat(shaped.length));
    expect(warnings(log)).toMatchObject([
      { message: inputCovered, fields: { orchestration: 'both', run_id: result.run_id, places: ['/input/title', '/input/note'] } },
    ]);

    const embedded = await readAll(openAt((await secretProject()).folder).orchestrate({ keep: 'folder', name: 'both', input, delivery }));
    expect(comparable(result)).toEqual({ ...(comparable(embedded.result) as object), metadata: expect.anything() });
  });
});

testWithPostgres('no secret without a shape is told or kept, in any encoding', async () => {
  const url = await newDatabase();
  const { folder, server } = await markedProject();
  const log: string[] = [];
  const environment = createNodeEnvironment({ ...markedEnvironment, PATH: process.env.PATH });
  const logger = createNodeLogger('debug', (line) => void log.push(line));
  const options = { ports: { environment, logger }, tools: [look], database_url: url };
  const input = { title: toldSecrets, [modelKey]: [toldSecrets] };
  const context = { user_id: `user ${toldSecrets}`, correlation_id: `correlation ${modelKey}` };
  const engine = openDbosEngine(folder, options);
  const { events, result } = await withWorker(engine, engine, (open) =>
    readAll(open.orchestrate({ name: 'both', input, context, delivery: 'call', allow_tools: 'all' })),
  );
  expect(result.error).toBe(null);
  for (const written of [JSON.stringify(events), streamed(events), writtenIn(folder), log.join('\n'), await rowsOf(url)])
    expectNoSecret(written);
  // What was covered is what goes on: no model is sent what another one, or a tool, has told.
  expectNoSecret(server.requests.map(({ body }) => JSON.stringify(body)).join('\n'));
});

testWithPostgres('a secret that only the worker knows is taken out of the input before the run begins', async () => {
  const url = await newDatabase();
  const { folder, asked } = await secretProject();
  const log: LogLine[] = [];
  const submitter = openDbosEngine(folder, { ...secretOptions({ isLocked: true }), database_url: url });
  const worker = openDbosEngine(folder, { ...secretOptions({ log }), database_url: url });
  const { events, result } = await withWorker(submitter, worker, (open) =>
    readAll(open.orchestrate({ name: 'both', input: { note: `Use ${sentKey}.` }, delivery: 'call', keep: 'none' })),
  );
  expect(result.error).toBe(null);
  expectNone(JSON.stringify(events));
  expectNone(await rowsOf(url));
  expectNone(asked.join('\n'));
  expect(warnings(log)).toMatchObject([{ message: inputCovered, fields: { run_id: result.run_id, places: ['/input/note'] } }]);
  expectNone(JSON.stringify(log));
});
