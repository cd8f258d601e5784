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

/** What workers do, independent of how it is stored. */
export interface EngineProgram {
  /** What this worker would need for runs of a snapshot and lacks, in words; undefined when it lacks nothing. Default: never anything. */
  lacks?(snapshot_hash: string): Promise<string | undefined>;
  /** Looks up the secrets that this worker has for a run, before anything of it is written here. Default: none. */
  learn?(run: StoredRun): Promise<void>;
  /** Does a run to its final event, which is emitted like the others. */
  run(run: StoredRun, work: RunWork): Promise<void>;
  /** Does a task; its steps are kept. @param call as `startTask` was given it */
  task(run: StoredRun, call: JsonObject, work: TaskWork): Promise<TaskOutcome>;
}

export interface FlowWork {
  /** Aborts when the run is cancelled, or this worker has to leave it. */
  readonly signal: AbortSignal;
  /** Sends an event to the followers of the run. */
  readonly emit: (event: AgentEvent) => void;
  /** Waits until what was emitted can be read. */
  readonly flush: () => Promise<void>;
}

export interface RunWork extends FlowWork {
  /**
   * Does a task in a flow of its own, and waits for what it gives. Begun once, however often it is asked for.
   *
   * @throws UnfinishedStepError, CancelledError
   */
  readonly startTask: (id: string, call: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  readonly keepSnapshot: (snapshot: StoredSnapshot) => Promise<void>;
  /** How many steps of the run are kept already. */
  readonly countSteps: () => Promise<number>;
}

export interface TaskWork extends FlowWork {
  readonly steps: DurableSteps;
}

export interface TaskOutcome {
  readonly result: JsonObject;
  /** False: the waiting run gets the result, and a run that is resumed later does the task again. */
  readonly isKept: boolean;
}

export interface Engine {
  /** Runs with a flow at work here. */
  readonly runs: () => readonly string[];
  /** How many flows are at work here. */
  readonly size: () => number;
  /** Whether a flow is at work here. */
  readonly has: (flow_id: string) => boolean;
  readonly cancel: (run_id: string) => void;
  /** Leaves everything as it is, for others. */
  readonly leave: (reason: string) => void;
}

export interface EngineOptions {
  readonly program: EngineProgram;
  readonly database: EngineDatabase;
  readonly worker_id: string;
  readonly ports: Pick<Ports, 'clock' | 'logger' | 'knownSecrets'>;
  /** Told once of each snapshot whose runs are left to others, and why. */
  readonly onLack?: ((message: string) => void) | undefined;
}

/** How often the outcome of a task is looked for that another process works on, in ms. */
const pollingIntervalMs = 200;

/** A run that ends every process that takes it up must not go round for ever. */
const mostStarts = 100;

/** How many snapshots are remembered whose runs were left to others. */
const mostLacking = 1000;

function givenUp({ run_id, starts }: StoredRun): string {
  return `The run ${run_id} was taken up ${starts} times without coming to its end: it may be what ends its workers, by the memory it takes.`;
}

/** Registers the flows with the library: to be called before it is launched. */
export function createEngine({ program, database, worker_id, ports, onLack }: EngineOptions): Engine {
  // A task is started outside its run's flow, which numbers what is begun inside it: which of two parallel tasks begins first may differ.
  const outside = AsyncLocalStorage.snapshot();
  const flows = new Set<Flow>();
  /** Ids of tasks that a run here waits for, with the result of one that was cancelled, which is not kept. */
  const waited = new Map<string, JsonObject | undefined>();
  const left = new AbortController();
  const { knownSecrets } = ports;
  const outage = { ...ports, signal: left.signal };
  /** Hashes of snapshots whose runs were left to others. */
  const lacking = new Set<string>();

  /** One execution of a flow, from its beginning to what the library makes of it. */
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
    if (left.signal.aborted) flow.stop(left.signal.reason);
    try {
      const result = await work(flow, events);
      await events.flush();
      flow.throwIfStopped();
      return result;
    } catch (error) {
      flow.stop(error);
      await settle(flow, events);
      // The library then waits for what others make of the flow, and keeps nothing of ours.
      throw flow.stop(error);
    } finally {
      flows.delete(flow);
    }
  }

  /** What becomes of a flow that did not come to its end. @throws what the library is to keep as its failure */
  async function settle(flow: Flow, events: EventWriter): Promise<void> {
    const { stopReason, isLeft } = flow;
    if (isLeft) {
      ports.logger.log('info', 'flow left to others', { flow_id: flow.id });
      return;
    }
    await events.flush();
    if (!(stopReason instanceof FlowPause || stopReason instanceof UnfinishedStepError))
      throw failureWithoutSecrets(stopReason, knownSecrets);
    // Not when another worker has it by now, and goes on with it.
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
    // Not when another worker has it by now.
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
          toFailure: (error) => toDatabaseError(error, database.url),
          takeAnswer: (step) => throughOutages(() => database.takeAnswer(run_id, step), outage),
          keepUnfinished: (step, unfinished) => throughOutages(() => database.keepUnfinished(run_id, step, unfinished), outage),
          knownSecrets,
        });
        const run = await runOf(run_id);
        await requireAll(run, flow);
        const { result: told, isKept } = await program.task(run, call, { ...workOf(flow, events), steps });
        const result = coverAll(told, knownSecrets);
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

  /** What the library says of a flow elsewhere is that it was cancelled, or a message. */
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

  /** Covers secrets in the input again: the submitter may not know those that this worker knows. */
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
        // Its final event was written, and the worker died before the library heard of it.
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
        if (final && canGoOn(final)) throw new FlowPause('The run can go on.');
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
      left.abort(error);
      for (const flow of flows) flow.stop(error);
    },
  };
}
