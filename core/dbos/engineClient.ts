import type { UnfinishedAnswer, UnfinishedStep } from '../durable.js';
import { StorageError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { Ports } from '../ports.js';
import { databaseName, throughOutages, toDatabaseError } from './databaseErrors.js';
import { DBOSClient } from './dbosSdk.js';
import { EngineDatabase, type StoredRun, type StoredSnapshot } from './engineDatabase.js';
import { libraryLogger } from './libraryLogger.js';
import { applicationName, flowVersion, runFlow, runQueue, taskQueue } from './names.js';
import { WorkerTable } from './workerTable.js';

export interface EngineClientOptions {
  readonly database_url: string;
  readonly ports: Pick<Ports, 'clock' | 'logger'>;
  /** Called with notices for the person who waits: no worker has the run, or the database cannot be reached. Undefined: the cause is gone. */
  readonly onNotice?: (notice: string | undefined) => void;
  /** Whether to wait for a database that cannot be reached at first. Default false. */
  readonly waits?: boolean;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** Submits runs to workers, and follows them. Runs nothing itself. */
export interface EngineClient {
  /** Resolves once the run is durably submitted. @throws StorageError, or the signal's reason; then the run may or may not have been submitted */
  submit(
    run: { readonly run_id: string; readonly request: JsonObject; readonly snapshot: StoredSnapshot },
    signal?: AbortSignal,
  ): Promise<void>;
  /**
   * The events of a run from number `from` on, as they arrive, with their numbers; ends after the first final one. The signal stops following, not
   * the run.
   *
   * @throws StorageError if the engine gave up the run; the signal's reason
   */
  follow(run_id: string, from: number, signal?: AbortSignal): AsyncGenerator<JsonObject, void, undefined>;
  /** Asks the workers to end a run; it then ends with a result. */
  cancel(run_id: string): Promise<void>;
  /** Resumes a run that stopped before its end, or was cancelled. @returns false for one that did not stop */
  continueRun(run_id: string): Promise<boolean>;
  run(run_id: string): Promise<StoredRun | undefined>;
  snapshot(hash: string): Promise<StoredSnapshot>;
  /** Calls of a run that a person has to decide about. */
  unfinished(run_id: string): Promise<readonly UnfinishedStep[]>;
  answer(run_id: string, step: string, answer: UnfinishedAnswer): Promise<void>;
  close(): Promise<void>;
}

/** Waits between polls, in ms: short while events arrive, longer otherwise. */
const shortestWait = 20;
const longestWait = 250;
/** After this time without events, in ms, the cause is checked. */
const patience = 2000;
const isOver: ReadonlySet<string> = new Set(['ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED']);

/** @throws StorageError if the database cannot be used */
export async function openEngineClient(options: EngineClientOptions): Promise<EngineClient> {
  const { database_url: url, ports, onNotice, waits = false } = options;
  const { clock } = ports;
  /** Pieces of work that wait for the database. */
  let waiting = 0;
  const through = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    let isWaiting = false;
    const onOutage = (error: unknown) => {
      isWaiting = true;
      waiting += 1;
      if (waiting === 1) onNotice?.(`${toDatabaseError(error, url).message} Trying again; the run is not lost.`);
    };
    try {
      return await throughOutages(work, { ...ports, onOutage, ...(signal && { signal }) });
    } catch (error) {
      throw signal?.aborted ? signal.reason : toDatabaseError(error, url);
    } finally {
      if (isWaiting) waiting -= 1;
      if (isWaiting && waiting === 0) onNotice?.(undefined);
    }
  };
  let database: EngineDatabase | undefined;
  let client: DBOSClient;
  try {
    // A submitter may exist before the first worker.
    const open = () => EngineDatabase.open(url, { connections: 4, ports });
    database = await (waits ? through(open, options.signal) : open());
    client = await DBOSClient.create({
      systemDatabaseUrl: url,
      systemDatabasePool: database.pool,
      applicationName,
      logger: libraryLogger(ports.logger),
    });
  } catch (error) {
    await database?.close();
    throw toDatabaseError(error, url);
  }
  const tables = database;
  const workers = new WorkerTable(tables.pool);

  async function* follow(run_id: string, from: number, signal?: AbortSignal): AsyncGenerator<JsonObject, void, undefined> {
    // An earlier follower may have ended in the middle of a batch.
    let next = from === 0 ? 0 : await through(() => tables.batchOf(run_id, from), signal);
    let wait = shortestWait;
    let quietSince = clock.monotonic();
    let hasNotice = false;
    for (;;) {
      const batches = await through(() => tables.events(run_id, next), signal);
      // Before the events, which may be the last.
      if (batches.length > 0 && hasNotice) {
        onNotice?.(undefined);
        hasNotice = false;
      }
      for (const { first_seq, events } of batches) {
        for (const [index, event] of events.entries()) {
          next = first_seq + index + 1;
          if (next <= from) continue;
          yield { ...event, run_id, seq: first_seq + index };
          if (event.final === true) return;
        }
      }
      if (batches.length > 0) {
        wait = shortestWait;
        quietSince = clock.monotonic();
        continue;
      }
      if (clock.monotonic() - quietSince > patience) {
        quietSince = clock.monotonic();
        const notice = await through(() => whyQuiet(run_id, next), signal);
        if (notice !== undefined && !hasNotice) onNotice?.(notice);
        hasNotice ||= notice !== undefined;
      }
      await clock.sleep(wait, signal);
      wait = Math.min(wait * 2, longestWait);
    }
  }

  /** Why a run has no new events; undefined if it is active. @throws StorageError if no more will arrive */
  async function whyQuiet(run_id: string, next: number): Promise<string | undefined> {
    const flow = await client.getWorkflow(run_id);
    if (flow === undefined) throw new StorageError(`The run ${run_id} is no longer in the database ${databaseName(url)}: it was deleted.`);
    if (isOver.has(flow.status)) {
      // Its last events may have arrived after the last poll.
      const run = await tables.run(run_id);
      if (run !== undefined && run.event_count > next) return undefined;
      const why = flow.error instanceof Error ? flow.error.message : 'it was ended with the tools of the engine';
      throw new StorageError(`The engine gave up the run ${run_id} (${flow.status}): ${why}. See the log of the workers.`);
    }
    const waits_for = (await tables.run(run_id))?.waits_for;
    if (waits_for) return `No worker at work has what the run needs. ${waits_for} The run waits for a worker that has it.`;
    if ((await workers.alive(patience * 5)) > 0) return undefined;
    return `No worker is at work on ${databaseName(url)}. The run waits for one: npx agent-stack worker --engine dbos --database-url ...`;
  }

  return {
    submit: (run, signal) =>
      through(
        () =>
          tables.submit(run, (transaction) =>
            client.enqueueInTransaction(
              transaction as Parameters<DBOSClient['enqueueInTransaction']>[0],
              {
                queueName: runQueue,
                workflowName: runFlow,
                workflowID: run.run_id,
                appVersion: flowVersion,
                attributes: { run_id: run.run_id },
              },
              run.run_id,
            ),
          ),
        signal,
      ),
    follow,
    cancel: (run_id) => through(() => tables.requestCancel(run_id)),
    async continueRun(run_id) {
      const flows = await through(() => client.listWorkflows({ attributes: { run_id }, loadInput: false, loadOutput: false }));
      const flowOfRun = flows.find(({ workflowID }) => workflowID === run_id);
      // Also a run that no worker has cancelled yet: the last request decides.
      await through(() => tables.resume(run_id));
      if (flowOfRun?.status !== 'CANCELLED') return false;
      // Its tasks first, since the run reads their outcome at once.
      const paused = flows.filter(({ status }) => status === 'CANCELLED').map(({ workflowID }) => workflowID);
      const tasks = paused.filter((id) => id !== run_id);
      if (tasks.length > 0) await through(() => client.resumeWorkflows(tasks, { queueName: taskQueue }));
      await through(() => client.resumeWorkflow(run_id, { queueName: runQueue }));
      return true;
    },
    run: (run_id) => through(() => tables.run(run_id)),
    snapshot: (hash) => through(() => tables.snapshot(hash)),
    unfinished: (run_id) => through(() => tables.unfinished(run_id)),
    answer: (run_id, step, answer) => through(() => tables.answer(run_id, step, answer)),
    async close() {
      await client.destroy();
      await tables.close();
    },
  };
}
