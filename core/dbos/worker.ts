import { hostname } from 'node:os';
import { InputInvalidError } from '../errors.js';
import type { Ports } from '../ports.js';
import { databaseName, isConnectionLoss, toDatabaseError } from './databaseErrors.js';
import { openPool } from './databasePool.js';
import type { Worker, WorkerLimits } from './dbosEngine.js';
import { DBOS, DBOSClient, type Pool } from './dbosSdk.js';
import { createEngine, type Engine, type EngineProgram } from './engine.js';
import { EngineDatabase } from './engineDatabase.js';
import { libraryLogger } from './libraryLogger.js';
import { applicationName, flowVersion, runQueue, taskQueue } from './names.js';
import { createStrayFlows, type StrayFlows } from './strayFlows.js';
import { heartbeatInterval, lease, WorkerTable } from './workerTable.js';

export interface WorkerOptions extends WorkerLimits {
  /** `postgres://user@host:port/name`. */
  readonly database_url: string;
  readonly program: (database: EngineDatabase) => EngineProgram;
  readonly ports: Pick<Ports, 'clock' | 'logger' | 'random' | 'knownSecrets'>;
  /** `agent-stack 1.2.3`, shown with the workers. */
  readonly version?: string;
  /** Called once for each config whose runs this worker leaves to others because it lacks a key. */
  readonly onLack?: ((message: string) => void) | undefined;
}

/** Heartbeats that a worker must send on time before it may declare another one dead, since a slow machine delays all of them. */
const steadyBeats = lease / heartbeatInterval;
/** Number of heartbeats between checks for flows that wait for a key, and for claims whose answer was lost. */
const takeUpBeats = 2;
const recoverBeats = 10;
/** How often a worker polls for waiting runs, in ms. */
const pollingInterval = 100;
const usualConcurrency = 10;
/** Of one worker to the database. */
const connections = 20;
const controlConnections = 4;

/**
 * Starts the worker of this process, which can have only one: the library keeps its state in globals.
 *
 * @throws StorageError if the database cannot be used, InputInvalidError for an invalid limit
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { database_url: url, ports, version = applicationName, onLack } = options;
  checkLimits(options);
  const id = ports.random.id();
  let database: EngineDatabase | undefined;
  let control: Pool | undefined;
  let parts: Omit<RunningWorker, 'control' | 'database'>;
  try {
    database = await EngineDatabase.open(url, { connections, ports });
    const program = options.program(database);
    const engine = createEngine({ program, database, worker_id: id, ports, onLack });
    DBOS.setConfig({
      name: applicationName,
      applicationVersion: flowVersion,
      executorID: id,
      systemDatabaseUrl: url,
      systemDatabasePool: database.pool,
      listenQueues: [runQueue, taskQueue],
      logger: libraryLogger(ports.logger),
    });
    control = openPool(url, controlConnections);
    const workers = new WorkerTable(control);
    // Before anything can start here: flows of an unregistered worker would never be found.
    await workers.register({ worker_id: id, host: hostname(), pid: process.pid, version });
    await DBOS.launch();
    await registerQueues(options);
    const client = await DBOSClient.create({
      systemDatabaseUrl: url,
      systemDatabasePool: control,
      applicationName,
      logger: libraryLogger(ports.logger),
    });
    const strays = createStrayFlows({ worker_id: id, client, workers, engine, program, logger: ports.logger });
    parts = { id, workers, client, engine, strays };
  } catch (error) {
    await DBOS.shutdown({ deregister: true }).catch(() => undefined);
    await control?.end();
    await database?.close();
    throw toDatabaseError(error, url);
  }
  ports.logger.log('info', 'worker started', { worker_id: id, database: databaseName(url) });
  return watch({ ...parts, control, database }, ports);
}

interface RunningWorker {
  readonly id: string;
  /** Connections separate from those of the flows: if heartbeats waited behind steps, a busy worker would count as dead. */
  readonly control: Pool;
  readonly workers: WorkerTable;
  readonly client: DBOSClient;
  readonly engine: Engine;
  readonly strays: StrayFlows;
  readonly database: EngineDatabase;
}

function watch(
  { id, control, workers, client, engine, strays, database }: RunningWorker,
  { clock, logger }: WorkerOptions['ports'],
): Worker {
  let resolveEnded: (how: 'stopped' | 'taken-over') => void = () => undefined;
  const ended = new Promise<'stopped' | 'taken-over'>((resolve) => {
    resolveEnded = resolve;
  });
  let closing: Promise<void> | undefined;
  let isOver = false;
  let beats = 0;
  let beatsInTime = 0;
  let cancelBeat: (() => void) | undefined;
  let beating: Promise<void> = Promise.resolve();

  async function beat(): Promise<void> {
    try {
      const epoch = await workers.heartbeat(id);
      if (epoch === 'over') {
        logger.log('warn', 'worker was considered dead, others have its runs', { worker_id: id });
        closing ??= close('taken-over', 0);
        return;
      }
      const runs = engine.runs();
      if (runs.length > 0) for (const run_id of await workers.cancelled(runs)) engine.cancel(run_id);
      beats += 1;
      beatsInTime = epoch === 'late' ? 0 : beatsInTime + 1;
      if (!closing && beatsInTime >= steadyBeats) await workers.endSilent();
      if (!closing) await strays.adopt();
      if (!closing && beats % takeUpBeats === 0) await strays.takeUp();
      if (!closing && beats % recoverBeats === 0) await strays.recover();
    } catch (error) {
      // The worker checks before each step whether it still owns the flow.
      logger.log(isConnectionLoss(error) ? 'warn' : 'error', 'heartbeat failed', { worker_id: id, error: String(error) });
    }
    if (!isOver) schedule();
  }

  function schedule(): void {
    cancelBeat = clock.after(heartbeatInterval, () => {
      beating = beat();
    });
  }

  async function close(how: 'stopped' | 'taken-over', patience_ms: number): Promise<void> {
    const leave = () => engine.leave(how === 'stopped' ? 'The worker was stopped.' : 'The worker was considered dead.');
    const cancelLeave = patience_ms > 0 ? clock.after(patience_ms, leave) : undefined;
    if (!cancelLeave) leave();
    // Starts nothing more. Active work continues, with the heartbeats, until it is done or left.
    await DBOS.shutdown({ deregister: true, workflowCompletionTimeoutMS: patience_ms + 500 });
    cancelLeave?.();
    isOver = true;
    cancelBeat?.();
    await beating;
    await workers.leave(id).catch(() => undefined);
    await client.destroy();
    await control.end();
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
  const rateLimit = rate === undefined || rate === 'none' ? undefined : { limitPerPeriod: rate.runs, periodSec: rate.seconds };
  const queue = await DBOS.registerQueue(runQueue, {
    workerConcurrency: concurrency ?? usualConcurrency,
    minPollingIntervalMs: pollingInterval,
    ...(rateLimit && { rateLimit }),
    onConflict: 'never_update',
  });
  if (concurrency !== undefined) await queue.setWorkerConcurrency(concurrency);
  if (rate !== undefined) await queue.setRateLimit(rateLimit);
  await DBOS.registerQueue(taskQueue, { minPollingIntervalMs: pollingInterval, onConflict: 'never_update' });
}

/** The library accepts any number, and a queue with none above 0 would stop all workers. */
function checkLimits({ concurrency, rate }: WorkerLimits): void {
  const numbers = { concurrency, ...(typeof rate === 'object' && { 'rate/runs': rate.runs, 'rate/seconds': rate.seconds }) };
  const invalid = Object.entries(numbers).filter(([, value]) => value !== undefined && !(Number.isSafeInteger(value) && value > 0));
  if (invalid.length === 0) return;
  const message = 'must be a whole number above 0.';
  throw new InputInvalidError(
    invalid.map(([path]) => `/${path} ${message}`).join('; '),
    invalid.map(([path]) => ({ path: `/${path}`, keyword: 'minimum', message })),
  );
}
