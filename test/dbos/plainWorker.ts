// A worker in a process of its own, for tests that end or stop it.

import { startWorker } from '../../core/node/dbos/worker.js';
import { createNodeClock, createNodeLogger, createNodeRandom } from '../../core/node/nodePorts.js';
import { plainProgram } from './plainProgram.js';

const worker = await startWorker({
  database_url: process.env.DATABASE_URL ?? '',
  program: () => plainProgram,
  ports: { clock: createNodeClock(), logger: createNodeLogger(process.env.AGENTSTACK_LOG), random: createNodeRandom() },
});
process.once('SIGTERM', () => void worker.stop(10_000));
console.log(`worker ${worker.id}`);
console.log(`ended ${await worker.ended}`);
