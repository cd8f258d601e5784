import { AsyncLocalStorage } from 'node:async_hooks';
import type { AgentEvent, FinalEvent } from '../agent/events.js';
import type { DurableSteps } from '../durable.js';
import { CancelledError, StorageError, UnfinishedStepError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { Ports } from '../ports.js';
import { coverInput, inputCovered } from '../secrets/coverInput.js';
import { coverAll } from '../secrets/coverValue.js';
import { throughOutages, toDatabaseError } from './databaseErrors.js';
import { assertStillOwnsWorkflow, DBOS } from './dbosSdk.js';
import { createDbosSteps } from './dbosSteps.js';
import type { EngineDatabase, StoredRun, StoredSnapshot } from './engineDatabase.js';
import { canGoOn, createEventWriter, type EventWriter } from './eventWriter.js';
import { Flow, FlowPause, WorkerLeftError } from './flow.js';
import { runFlow, taskFlow, waitingQueue } from './names.js';
import { unfinishedCall } from './unfinishedCall.js';
import { failureWithoutSecrets } from './withoutSecrets.js';
import { WorkerTable } from './workerTable.js';

/** The work of workers, independent of how it is stored. */
export interface EngineProgram {
  /** What this worker lacks for the runs of a snapshot, in words; undefined for nothing. Default: always undefined. */
  lacks?(snapshot_hash: string): Promise<string | undefined>;
  /** Looks up the secrets that this worker has for a run, before anything of it is written here. Default: none. */
  learn?(run: StoredRun): Promise<void>;
  /** Runs a run to its final event, which is emitted like the others. */
  run(run: StoredRun, work: RunWork): Promise<void>;
  /** Runs a task; its steps are stored. @param call as passed to `startTask` */
  task(run: StoredRun, call: JsonObject, work: TaskWork): Promise<TaskOutcome>;
}

export interface FlowWork {
  /** Aborts when the run is cancelled, or this worker has to leave it. */
  readonly signal: AbortSignal;
  /** Sends an event to the followers of the run. */
  readonly emit: (event: AgentEvent) => void;
  /** Waits until everything emitted can be read. */
  readonly flush: () => Promise<void>;
}

export interface RunWork extends FlowWork {
  /**
   * Runs a task in a separate flow, and waits for its result. Started once, however often it is called.
   *
   * @throws UnfinishedStepError, CancelledError
   */
  readonly startTask: (id: string, call: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  readonly keepSnapshot: (snapshot: StoredSnapshot) => Promise<void>;
  /** How many steps of the run are already stored. */
  readonly countSteps: () => Promise<number>;
}

export interface TaskWork extends FlowWork {
  readonly steps: DurableSteps;
}

export interface TaskOutcome {
  readonly result: JsonObject;
  /** False: the waiting run gets the result, and a run that is resumed later runs the task again. */
  readonly isKept: boolean;
}

export interface Engine {
  /** Runs with an active flow here. */
  readonly runs: () => readonly string[];
  /** How many flows are active here. */
  readonly size: () => number;
  /** Whether a flow is active here. */
  readonly has: (flow_id: string) => boolean;
  readonly cancel: (run_id: string) => void;
  /** Leaves all flows to others. */
  readonly leave: (reason: string) => void;
}

export interface EngineOptions {
  readonly program: EngineProgram;
  readonly database: EngineDatabase;
  readonly worker_id: string;
  readonly ports: Pick<Ports, 'clock' | 'logger' | 'knownSecrets'>;
  /** Called once for each snapshot whose runs are left to others, with the reason. */
  readonly onLack?: ((message: string) => void) | undefined;
}

/** How often to look for the outcome of a task that another process works on, in ms. */
const pollingIntervalMs = 200;

/** How often to look whether a heartbeat has arrived after all, in ms. */
const lateInterval = 100;

/** A run that crashes its workers must not be restarted for ever. */
const mostStarts = 100;

/** How many snapshots are remembered whose runs were left to others. */
const mostLacking = 1000;

function givenUp({ run_id, starts }: StoredRun): string {
  return `The run ${run_id} was started ${starts} times without ending: it may crash its workers, for example by the memory it takes.`;
}

/** Registers the flows with the library; must be called before it is launched. */
export function createEngine({ program, database, worker_id, ports, onLack }: EngineOptions): Engine {
  // A task is started outside its run's flow, which numbers what is started inside it: the order of two parallel tasks may differ.
  const outside = AsyncLocalStorage.snapshot();
  const flows = new Set<Flow>();
  /** Ids of tasks that runs here wait for, with the results of cancelled ones, which are not stored. */
  const waited = new Map<string, JsonObject | undefined>();
  const abandon = new AbortController();
  const { knownSecrets } = ports;
  const outage = { ...ports, signal: abandon.signal };
  const workers = new WorkerTable(database.pool);
  /** Hashes of snapshots whose runs were left to others. */
  const lacking = new Set<string>();

  /** One execution of a flow, up to its outcome in the library. */
  async function execute<Result>(run_id: string, work: (flow: Flow, events: EventWriter) => Promise<Result>): Promise<Result> {
    const flow = new Flow(DBOS.workflowID ?? '', run_id);
    const events = createEventWriter(
      async (texts, isEnd) => {
        const owner = { flow_id: flow.id, worker_id };
        const isOwner = await throughOutages(() => database.addEvents(run_id, texts, owner, isEnd), outage);
        if (!isOwner) throw new WorkerLeftError('Another worker has taken over this flow.');
      },
      (error) => flow.stop(error),
      knownSecrets,
    );
    flows.add(flow);
    if (abandon.signal.aborted) flow.stop(abandon.signal.reason);
    try {
      const result = await work(flow, events);
      await events.flush();
      flow.throwIfStopped();
      return result;
    } catch (error) {
      flow.stop(error);
      await settle(flow, events);
      // The library then waits for the outcome of another worker, and stores nothing.
      throw flow.stop(error);
    } finally {
      flows.delete(flow);
    }
  }

  /**
   * Waits until the database confirms that this worker owns the flow: after an outage or a pause, others may have the flow, or take it at any time.
   * To be called inside the flow.
   *
   * @throws the error that ends the flow here, or the signal's reason
   */
  async function claim(flow: Flow): Promise<void> {
    for (;;) {
      const query = () => Promise.all([workers.epoch(worker_id), assertStillOwnsWorkflow(flow.id)]);
      const [epoch] = await throughOutages(query, { ...ports, signal: flow.signal });
      if (epoch === 'current') return;
      if (epoch === 'over') throw new WorkerLeftError('The worker was considered dead.');
      await ports.clock.sleep(lateInterval, flow.signal);
    }
  }

  /** Handles a flow that did not reach its end. @throws the failure that the library stores */
  async function settle(flow: Flow, events: EventWriter): Promise<void> {
    const { stopReason, isLeft } = flow;
    if (isLeft) {
      ports.logger.log('info', 'flow left to others', { flow_id: flow.id });
      return;
    }
    await events.flush();
    if (!(stopReason instanceof FlowPause || stopReason instanceof UnfinishedStepError))
      throw failureWithoutSecrets(stopReason, knownSecrets);
    // Not if another worker has taken it over by now.
    await assertStillOwnsWorkflow(flow.id);
    await outside(() => DBOS.cancelWorkflow(flow.id));
  }

  /** Leaves a flow to a worker that has what this one lacks. */
  async function requireAll(run: StoredRun, flow: Flow): Promise<void> {
    const { run_id, snapshot_hash } = run;
    await program.learn?.(run);
    const lack = await program.lacks?.(snapshot_hash);
    if (lack === undefined) return;
    const message = `The run ${run_id} was left to workers that have what it needs. ${lack}`;
    ports.logger.log('warn', 'flow left to workers that have what it needs', { flow_id: flow.id, lack });
    if (!lacking.has(snapshot_hash)) onLack?.(message);
    if (lacking.size > mostLacking) lacking.clear();
    lacking.add(snapshot_hash);
    await throughOutages(() => database.keepWaiting(run_id, lack), outage);
    // Not if another worker has taken it over by now.
    await assertStillOwnsWorkflow(flow.id);
    await outside(() => DBOS.resumeWorkflow(flow.id, { queueName: waitingQueue }));
    throw new WorkerLeftError(message);
  }

  function workOf(flow: Flow, events: EventWriter): FlowWork {
    return {
      signal: flow.signal,
      emit(event) {
        // A worker that leaves a flow sees it end; for followers the run continues.
        if (!flow.isStopped) events.add(event);
      },
      flush: () => events.flush(),
    };
  }

  const startTaskFlow = DBOS.registerWorkflow(
    (run_id: string, call: JsonObject) =>
      execute(run_id, async (flow, events) => {
        const steps = createDbosSteps({
          flow,
          claim: () => claim(flow),
          toFailure: (error) => toDatabaseError(error, database.url),
          takeAnswer: (step) => throughOutages(() => database.takeAnswer(run_id, step), outage),
          keepUnfinished: (step, unfinished) => throughOutages(() => database.keepUnfinished(run_id, step, unfinished), outage),
          knownSecrets,
        });
        const run = await runOf(run_id);
        await requireAll(run, flow);
        const { result: unmasked, isKept } = await program.task(run, call, { ...workOf(flow, events), steps });
        const result = coverAll(unmasked, knownSecrets);
        if (isKept || flow.isStopped) return result;
        await events.flush();
        if (waited.has(flow.id)) waited.set(flow.id, result);
        throw new FlowPause('The task was cancelled.');
      }),
    { name: taskFlow },
  );

  async function startTask(flow: Flow, id: string, call: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    flow.throwIfStopped();
    const onAbort = () => {
      for (const each of flows) if (each.id === id) each.cancel(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    waited.set(id, undefined);
    try {
      const handle = await outside(() =>
        DBOS.startWorkflow(startTaskFlow, { workflowID: id, workflowAttributes: { run_id: flow.run_id } })(
          flow.run_id,
          coverAll(call, knownSecrets),
        ),
      );
      if (signal.aborted) onAbort();
      return await outside(() => handle.getResult({ pollingIntervalMs }));
    } catch (error) {
      flow.throwIfStopped();
      const result = waited.get(id);
      if (result) return result;
      throw await whyNot(flow.run_id, id, error);
    } finally {
      waited.delete(id);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** For a flow elsewhere, the library reports only that it was cancelled, or a message. */
  async function whyNot(run_id: string, id: string, error: unknown): Promise<unknown> {
    const scope = `${id.slice(run_id.length + 1)}/`;
    const calls = await throughOutages(() => database.unfinished(run_id), outage);
    const unfinished = calls.find(({ step }) => step?.startsWith(scope));
    if (unfinished) return unfinishedCall(unfinished, run_id);
    const status = await outside(() => DBOS.getWorkflowStatus(id));
    if (status?.status === 'CANCELLED') return new CancelledError('The task was cancelled.', { cause: error });
    const { name, message } = error as Error;
    return name === 'StorageError' ? new StorageError(message, { cause: error }) : error;
  }

  async function runOf(run_id: string): Promise<StoredRun> {
    const run = await throughOutages(() => database.run(run_id), outage);
    if (run === undefined) throw new Error(`There is no run ${run_id} in the database.`);
    return run;
  }

  /** Masks secrets in the input again: the submitter may not know those of this worker. */
  async function start(run_id: string): Promise<StoredRun> {
    const run = await throughOutages(() => database.start(run_id), outage);
    const { value: request, places } = coverInput(run.request, knownSecrets);
    if (places.length === 0) return run;
    ports.logger.log('warn', inputCovered, { run_id, places });
    await throughOutages(() => database.keepRequest(run_id, request), outage);
    return { ...run, request };
  }

  DBOS.registerWorkflow(
    (run_id: string) =>
      execute(run_id, async (flow, events) => {
        await requireAll(await runOf(run_id), flow);
        const run = await start(run_id);
        // Its final event was written, but the worker died before the library stored that.
        if (run.is_ended) return null;
        if (run.starts > mostStarts) throw new StorageError(givenUp(run));
        let final: FinalEvent | undefined;
        const work = workOf(flow, events);
        await program.run(run, {
          ...work,
          emit(event) {
            if (event.final) final = event;
            work.emit(event);
          },
          startTask: (id, call, signal) => startTask(flow, id, call, signal),
          keepSnapshot: (snapshot) => throughOutages(() => database.keepSnapshot(snapshot), outage),
          async countSteps() {
            const tasks = await outside(() => DBOS.listWorkflows({ attributes: { run_id }, loadInput: false, loadOutput: false }));
            return throughOutages(() => database.countSteps(tasks.map(({ workflowID }) => workflowID)), outage);
          },
        });
        if (final && canGoOn(final)) throw new FlowPause('The run can be resumed.');
        return null;
      }),
    { name: runFlow },
  );

  return {
    runs: () => [...new Set([...flows].map(({ run_id }) => run_id))],
    size: () => flows.size,
    has: (flow_id) => [...flows].some(({ id }) => id === flow_id),
    cancel(run_id) {
      for (const flow of flows) if (flow.run_id === run_id && !flow.signal.aborted) flow.cancel();
    },
    leave(reason) {
      const error = new WorkerLeftError(reason);
      abandon.abort(error);
      for (const flow of flows) flow.stop(error);
    },
  };
}
