// The distributed engine: its steps against those of the bare library, how fast a dead worker is replaced, and how workers add up.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { Pool } from 'pg';
import { startPostgres } from '../../scripts/postgres.mjs';
import { median, ratioRow, valueRow } from './report.mjs';

const root = join(import.meta.dirname, '../..');
const rounds = 7;
const runsPerRound = 200;

export async function run() {
  const sources = await buildWorker();
  const postgres = await startPostgres({ shared_buffers: '256MB' });
  try {
    const { openEngineClient, createNodeClock } = await import(pathToFileURL(sources).href);
    const ports = { clock: createNodeClock(), logger: { log: () => undefined } };
    const client = await openEngineClient({ database_url: postgres.url, ports });
    const bench = { client, worker: (task, url) => startWorker(task, sources, postgres.url, url) };
    const { ours, bare } = await measureSteps(bench);
    const takeovers = [];
    for (let round = 0; round < 3; round++) takeovers.push(await measureTakeover(bench));
    const rates = [];
    const before = await sizeOf(postgres.url);
    for (const workers of [1, 2, 4]) rates.push([workers, await measureRate(bench, workers)]);
    const after = await sizeOf(postgres.url);
    await client.close();
    const perRun = (key) => (after[key] - before[key]) / (3 * rates.length * runsPerRound);
    return {
      title: 'Distributed engine',
      rows: [
        ratioRow('a durable step, µs / DBOS.runStep', ours, bare, { atMost: 1.1 }),
        valueRow('kill -9 of a worker to the first step of another one', median(takeovers) / 1000, 's', { atMost: 5 }),
        ...rates.map(([workers, rate]) =>
          valueRow(`runs of 5 tasks of 1 step, ${workers} worker${workers > 1 ? 's' : ''}`, rate, 'per second', {}),
        ),
        valueRow('rows that such a run leaves', perRun('rows'), 'rows', {}),
        valueRow('disk that such a run takes, indexes included', perRun('bytes') / 1024, 'KiB', {}),
        valueRow('log that such a run makes (WAL)', perRun('log') / 1024, 'KiB', {}),
        valueRow('transactions that such a run takes, all polling included', perRun('commits'), 'commits', {}),
      ],
      notes: [notes],
    };
  } finally {
    await postgres.stop();
  }
}

/** In the repository, where the packages are found that are left out. */
async function buildWorker() {
  const folder = mkdtempSync(join(root, 'node_modules/.agent-stack-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'sources.mjs');
  const contents = [
    "export { createNodeClock, createNodeRandom } from './core/node/nodePorts.ts';",
    "export { DBOS } from './core/dbos/dbosSdk.ts';",
    "export { openEngineClient } from './core/dbos/engineClient.ts';",
    "export { taskFlowId } from './core/dbos/names.ts';",
    "export { startWorker } from './core/dbos/worker.ts';",
  ].join('\n');
  await build({
    stdin: { resolveDir: root, contents, sourcefile: 'sources.ts', loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

async function startWorker(...args) {
  const child = fork(join(import.meta.dirname, 'dbosClient.mjs'), args.map(String));
  await once(child, 'message');
  return child;
}

async function stop(child) {
  child.send({ stop: true });
  await once(child, 'exit');
}

let count = 0;

async function submit(client, request) {
  const run_id = (++count).toString(16).padStart(32, '0');
  await client.submit({ run_id, request, snapshot: { hash: '0'.repeat(64), text: '{}', origins_text: '{}' } });
  return run_id;
}

async function endOf(client, run_id) {
  for await (const _event of client.follow(run_id, 0));
}

/** In turns, in one process, so that both meet the same disk. */
async function measureSteps({ client, worker }) {
  const child = await worker('steps', '');
  const measured = { ours: [], bare: [] };
  child.on('message', (message) => {
    for (const [whose, spent] of Object.entries(message)) measured[whose]?.push(spent);
  });
  for (let round = 0; round < rounds + 1; round++) {
    await endOf(client, await submit(client, { tasks: 1, steps: 200, measure: true }));
    child.send({ bare: 200 });
    await once(child, 'message');
  }
  await stop(child);
  // The first round is for the compiler.
  return { ours: median(measured.ours.slice(1)), bare: median(measured.bare.slice(1)) };
}

async function measureTakeover({ client, worker }) {
  const asked = [];
  const server = createServer((_request, response) => {
    asked.push([performance.now(), response]);
    server.emit('asked');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  const first = await worker('worker', url);
  const run_id = await submit(client, { tasks: 1, steps: 1, asks: true });
  await once(server, 'asked');
  const second = await worker('worker', url);
  const killed = performance.now();
  first.kill('SIGKILL');
  await once(server, 'asked');
  const [at, response] = asked[1];
  response.end('answer');
  await endOf(client, run_id);
  await stop(second);
  server.closeAllConnections();
  server.close();
  return at - killed;
}

async function measureRate({ client, worker }, workers) {
  const children = await Promise.all(Array.from({ length: workers }, () => worker('worker', '')));
  const rates = [];
  for (let round = 0; round < 3; round++) {
    const begun = performance.now();
    const runs = await Promise.all(Array.from({ length: runsPerRound }, () => submit(client, { tasks: 5, steps: 1 })));
    for (const run_id of runs) await endOf(client, run_id);
    rates.push((runsPerRound / (performance.now() - begun)) * 1000);
  }
  await Promise.all(children.map(stop));
  return median(rates);
}

/** What is in the database: rows and bytes of all our tables and those of the library, bytes of log and transactions so far. */
async function sizeOf(url) {
  const pool = new Pool({ connectionString: url, max: 1 });
  const one = async (text) => Number((await pool.query(text)).rows[0].value);
  const tables =
    "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname IN ('dbos', 'agent_stack')";
  try {
    // Counts of dead rows are not what is asked for.
    const { rows } = await pool.query(`SELECT format('%I.%I', n.nspname, c.relname) AS name ${tables}`);
    let count = 0;
    for (const { name } of rows) {
      await pool.query(`VACUUM ${name}`);
      count += await one(`SELECT count(*) AS value FROM ${name}`);
    }
    return {
      rows: count,
      bytes: await one(`SELECT sum(pg_total_relation_size(c.oid)) AS value ${tables}`),
      log: await one("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS value"),
      commits: await one('SELECT xact_commit AS value FROM pg_stat_database WHERE datname = current_database()'),
    };
  } finally {
    await pool.end();
  }
}

const notes =
  'PostgreSQL 18 on the same machine, its settings as they come but for 256 MB of shared buffers, every commit synced to the disk of the temporary folder. A step keeps a value of about 250 bytes; ours and those of the bare library in turns in one process, 200 each, medians of 7 rounds. Killed: kill -9 of the worker in the middle of a step, until another one, idle before, begins that step; median of 3. Runs: 200 handed in at once and followed to their ends, from the first submission to the last end, workers of 50 runs at a time; medians of 3; what they leave and take is over all nine rounds. Submitter, workers and database share the cores.';
