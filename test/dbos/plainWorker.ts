// A worker in a process of its own, for tests that end or stop it.

import { startWorker } from '../../core/dbos/worker.js';
import { createNodeClock, createNodeLogger, createNodeRandom } from '../../core/node/nodePorts.js';
import { plainProgram } from './plainProgram.js';
import type { WorkerProcessOptions } from './workers.js';

const { concurrency, rate, patience_ms = 10_000, clock_ms = 0 }: WorkerProcessOptions = JSON.parse(process.env.WORKER_OPTIONS ?? '{}');
const now = Date.now;
// The whole process, the library in it too.
Date.now = () => now() + clock_ms;
const [runs = 0, seconds = 0] = rate?.split('/').map(Number) ?? [];

const worker = await startWorker({
  database_url: process.env.DATABASE_URL ?? '',
  program: () => plainProgram,
  ports: { clock: createNodeClock(), logger: createNodeLogger(process.env.AGENTSTACK_LOG), random: createNodeRandom() },
  ...(concurrency !== undefined && { concurrency }),
  ...(rate !== undefined && { rate: rate === 'none' ? rate : { runs, seconds } }),
});
process.once('SIGTERM', () => void worker.stop(patience_ms));
console.log(`worker ${worker.id}`);
console.log(`ended ${await worker.ended}`);
