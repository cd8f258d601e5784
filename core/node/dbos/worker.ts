import { hostname } from 'node:os';
import type { Ports } from '../../ports.js';
import { databaseName, isConnectionLoss, toDatabaseError } from './databaseErrors.js';
import type { Worker, WorkerLimits } from './dbosEngine.js';
import { DBOS, DBOSClient } from './dbosSdk.js';
import { createEngine, type Engine, type EngineProgram } from './engine.js';
import { EngineDatabase } from './engineDatabase.js';
import { libraryLogger } from './libraryLogger.js';
import { applicationName, flowVersion, runFlow, runQueue, taskQueue } from './names.js';

export interface WorkerOptions extends WorkerLimits {
  /** `postgres://user@host:port/name`. */
  readonly database_url: string;
  readonly program: (database: EngineDatabase) => EngineProgram;
  readonly ports: Pick<Ports, 'clock' | 'logger' | 'random'>;
  /** `agent-stack 1.2.3`, for whoever looks at the workers. */
  readonly version?: string;
}

/** Whoever is not heard from for so long is taken for dead, in ms: six heartbeats, which a pause of a busy process rarely misses all. */
export const lease = 3000;
const heartbeatInterval = 500;
/** How often a worker looks for runs that wait, in ms. */
const pollingInterval = 100;
const usualConcurrency = 10;
/** Of one worker, to the database. */
const connections = 20;
const controlConnections = 4;

/**
 * Starts a worker in this process, of which there can be one: the library keeps what it works on in globals.
 *
 * @throws StorageError when the database cannot be used
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { database_url: url, program, ports, version = applicationName } = options;
  const id = ports.random.id();
  let database: EngineDatabase | undefined;
  let control: EngineDatabase | undefined;
  let engine: Engine;
  let client: DBOSClient;
  try {
    database = await EngineDatabase.open(url, connections);
    engine = createEngine({ program: program(database), database, worker_id: id, ports });
    DBOS.setConfig({
      name: applicationName,
      applicationVersion: flowVersion,
      executorID: id,
      systemDatabaseUrl: url,
      systemDatabasePool: database.pool,
      listenQueues: [runQueue, taskQueue],
      logger: libraryLogger(ports.logger),
    });
    control = await EngineDatabase.open(url, controlConnections);
    // Before anything can be begun here: what a worker that nobody knows leaves behind would never be found.
    await control.register({ worker_id: id, host: hostname(), pid: process.pid, version });
    await DBOS.launch();
    await registerQueues(options);
    client = await DBOSClient.create({
      systemDatabaseUrl: url,
      systemDatabasePool: control.pool,
      applicationName,
      logger: libraryLogger(ports.logger),
    });
  } catch (error) {
    await DBOS.shutdown({ deregister: true }).catch(() => undefined);
    await control?.close();
    await database?.close();
    throw toDatabaseError(error, url);
  }
  ports.logger.log('info', 'worker started', { worker_id: id, database: databaseName(url) });
  return watch({ id, control, client, engine, database }, ports);
}

interface RunningWorker {
  readonly id: string;
  /** Connections apart from those of the flows: heartbeats must not wait behind steps, or a busy worker is taken for dead. */
  readonly control: EngineDatabase;
  readonly client: DBOSClient;
  readonly engine: Engine;
  readonly database: EngineDatabase;
}

function watch({ id, control, client, engine, database }: RunningWorker, { clock, logger }: WorkerOptions['ports']): Worker {
  let resolveEnded: (how: 'stopped' | 'taken-over') => void = () => undefined;
  const ended = new Promise<'stopped' | 'taken-over'>((resolve) => {
    resolveEnded = resolve;
  });
  let closing: Promise<void> | undefined;
  let isOver = false;
  let cancelBeat: (() => void) | undefined;
  let beating: Promise<void> = Promise.resolve();

  async function beat(): Promise<void> {
    try {
      if (!(await control.heartbeat(id))) {
        logger.log('warn', 'worker was taken for dead, others have its runs', { worker_id: id });
        closing ??= close('taken-over', 0);
        return;
      }
      const runs = engine.runs();
      if (runs.length > 0) for (const run_id of await control.cancelled(runs)) engine.cancel(run_id);
      if (!closing) await control.adoptDead(lease, adopt);
    } catch (error) {
      // Whether the worker is still the one that works on its flows, their next step tells.
      logger.log(isConnectionLoss(error) ? 'warn' : 'error', 'heartbeat failed', { worker_id: id, error: String(error) });
    }
    if (!isOver) schedule();
  }

  function schedule(): void {
    cancelBeat = clock.after(heartbeatInterval, () => {
      beating = beat();
    });
  }

  /** What dead workers have left goes back into its queues. That takes the flows' ownership away from them, whatever they still do. */
  async function adopt(workers: readonly string[]): Promise<void> {
    const left = await client.listWorkflows({ status: 'PENDING', executorId: [...workers], loadInput: false, loadOutput: false });
    for (const queueName of [taskQueue, runQueue]) {
      const ids = left.filter(({ workflowName }) => (workflowName === runFlow) === (queueName === runQueue)).map((flow) => flow.workflowID);
      if (ids.length === 0) continue;
      await client.resumeWorkflows(ids, { queueName });
      logger.log('warn', 'took over what a dead worker left', { worker_id: id, flows: ids });
    }
  }

  async function close(how: 'stopped' | 'taken-over', patience_ms: number): Promise<void> {
    const leave = () => engine.leave(how === 'stopped' ? 'The worker was stopped.' : 'The worker was taken for dead.');
    const cancelLeave = patience_ms > 0 ? clock.after(patience_ms, leave) : undefined;
    if (!cancelLeave) leave();
    // Begins nothing any more. What is at work goes on, and the heartbeats with it, until it is done or left.
    await DBOS.shutdown({ deregister: true, workflowCompletionTimeoutMS: patience_ms + 500 });
    cancelLeave?.();
    isOver = true;
    cancelBeat?.();
    await beating;
    await control.leave(id).catch(() => undefined);
    await client.destroy();
    await control.close();
    await database.close();
    resolveEnded(how);
  }

  schedule();
  return {
    id,
    size: engine.size,
    ended,
    async stop(patience_ms = 0) {
      closing ??= close('stopped', patience_ms);
      await closing;
    },
  };
}

async function registerQueues({ concurrency, rate }: WorkerOptions): Promise<void> {
  const rateLimit = rate && { limitPerPeriod: rate.runs, periodSec: rate.seconds };
  const queue = await DBOS.registerQueue(runQueue, {
    workerConcurrency: concurrency ?? usualConcurrency,
    minPollingIntervalMs: pollingInterval,
    ...(rateLimit && { rateLimit }),
    onConflict: 'never_update',
  });
  if (concurrency !== undefined) await queue.setWorkerConcurrency(concurrency);
  if (rateLimit) await queue.setRateLimit(rateLimit);
  await DBOS.registerQueue(taskQueue, { minPollingIntervalMs: pollingInterval, onConflict: 'never_update' });
}
