import type { RunContext, RunResult } from '../agent/events.js';
import { SharedBudget } from '../agent/sharedBudget.js';
import type { ResumedRun, RunStore } from '../agent/types.js';
import type { AskUnfinished, DurableSteps } from '../durable.js';
import { ResumeError, StorageError } from '../errors.js';
import type { McpInput } from '../generated/types.js';
import type { Json, JsonObject } from '../json.js';
import { FileProblem, type FileSystem, type KnownSecrets, type Ports } from '../ports.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { OrchestrationStore } from '../team/types.js';
import { toStorageError } from './home.js';
import type { Journal, RunJournal } from './journal/journal.js';
import type { JournalFiles } from './journal/journalFiles.js';
import { createJournalSteps } from './journal/journalSteps.js';
import { readKept } from './journal/readJournal.js';
import { nextSequence } from './lastEvent.js';
import { type OpenRun, readOpenRun } from './openRun.js';
import { runsFolder } from './readRuns.js';
import { createRunFolder, type RunFolder } from './runFolder.js';
import type { HeldLock, RunLock, RunLocks } from './runLocks.js';
import { hasStopped } from './runSummary.js';

/** What durable runs are kept with: one of each per process and project. */
export interface RunKeeping {
  readonly files: FileSystem;
  readonly journal: Journal;
  readonly storage: JournalFiles;
  readonly locks: RunLocks;
  readonly knownSecrets?: KnownSecrets;
}

/** One run in its folder and in the journal. */
export interface DurableRun {
  readonly steps: DurableSteps;
  readonly orchestrationStore: OrchestrationStore;
  readonly agentStore: RunStore;
  /** Only of a resumed run. */
  readonly resume?: ResumedRun;
  /** Releases the run's lock. Call it after the last event. */
  release(): void;
}

export interface NewRunOptions {
  /** Default: unfinished calls stop the run. */
  readonly askUnfinished?: AskUnfinished | undefined;
  /** The caller's input. Default: the input that the store receives, for runs that do not change it. */
  readonly input?: JsonObject | undefined;
  /** The `inputs` of mcp.json: a run that is resumed reads no config. Default: none. */
  readonly mcp_inputs?: readonly McpInput[];
  /** Of the whole run: the amount spent is kept with each step. Default: not kept. */
  readonly budget?: SharedBudget | undefined;
  /** False: it does not wait for its steps to be on the disk, since it is never resumed. Default true. */
  readonly isResumable?: boolean;
}

/** A new run. Nothing is written before its store's `begin`. */
export function createDurableRun(
  keeping: RunKeeping,
  { askUnfinished, input: callerInput, mcp_inputs = [], budget, isResumable = true }: NewRunOptions = {},
): DurableRun {
  let journal: RunJournal | undefined;
  let folder: RunFolder | undefined;
  let lock: RunLock | undefined;
  const opened = (): { readonly journal: RunJournal; readonly folder: RunFolder } => {
    if (!journal || !folder) throw new Error('A run was kept before it began.');
    return { journal, folder };
  };
  const meter: Meter = { budget };
  const begin = async ({ run_id, snapshot, context, input, elapsed }: Beginning) => {
    meter.elapsed = elapsed;
    lock = await acquireLock(keeping, run_id);
    const id = await keeping.journal.begin();
    folder = createRunFolder(keeping.files, run_id, { isJournaled: true, knownSecrets: keeping.knownSecrets });
    const written = writtenAfter(
      folder,
      metered(
        keeping.journal.write(run_id, id, (next) => nameJournal(keeping.files, run_id, next)),
        meter,
      ),
    );
    journal = isResumable ? written : awaitedAtEnd(written);
    return folder.begin(snapshot, {
      // Plain JSON; its type says more than `JsonObject` can.
      context: context as JsonObject,
      input: callerInput ?? input,
      journals: [id],
      ...(mcp_inputs.length > 0 && { mcp_inputs: mcp_inputs as unknown as Json }),
    });
  };
  return {
    steps: createJournalSteps({
      journal: { add: (record) => opened().journal.add(record) },
      askUnfinished,
      knownSecrets: keeping.knownSecrets,
    }),
    ...storesOf(begin, opened),
    release: () => lock?.release(),
  };
}

/** A run of an earlier process, ready to resume. */
export interface ResumedDurableRun {
  readonly open: OpenRun;
  readonly run: DurableRun;
  /** Full names of the steps that are finished. */
  readonly finished: ReadonlySet<string>;
  /** Of an orchestration with `max_cost`: its remaining budget. */
  readonly budget: SharedBudget | undefined;
}

/** The budget of a whole run, if its context limits the cost. @param spent by earlier processes of the run, in USD */
export function runBudget({ budget }: Partial<RunContext>, spent?: number): SharedBudget | undefined {
  return budget?.max_cost === undefined ? undefined : new SharedBudget(budget.max_cost, spent);
}

/**
 * Resumes a run of an earlier process.
 *
 * @throws ResumeError if it cannot be resumed, StorageError if its journal cannot be read
 */
export async function resumeDurableRun(
  keeping: RunKeeping,
  run_id: string,
  { sha256, askUnfinished }: Pick<NewRunOptions, 'askUnfinished'> & Pick<Ports, 'sha256'>,
): Promise<ResumedDurableRun> {
  const { files, storage } = keeping;
  // Checked before the lock is taken, which would create a folder for a run that never existed; and again after, since it may have ended meanwhile.
  await readOpenRun(files, run_id, sha256);
  const lock = await acquireLock(keeping, run_id);
  try {
    const open = await readOpenRun(files, run_id, sha256);
    const { steps: kept, elapsed_ms, spent_usd } = await readKept(storage, open.journals, run_id);
    const finished = new Set([...kept].flatMap(([step, what]) => (what === 'begun' ? [] : [step])));
    const resume: ResumedRun = {
      run_id,
      seq: await nextSequence(storage, `${runsFolder}/${run_id}/events.jsonl`),
      finished_steps: finished.size,
      elapsed_ms,
      spent_usd,
      timestamp: open.context.timestamp,
    };
    const folder = createRunFolder(files, run_id, { isResumed: true, isJournaled: true });
    const budget = open.snapshot.value.orchestration && runBudget(open.context, spent_usd);
    const meter: Meter = { budget };
    const journal = metered(
      keeping.journal.write(run_id, undefined, (next) => nameJournal(files, run_id, next)),
      meter,
    );
    const run: DurableRun = {
      steps: createJournalSteps({ journal, kept, askUnfinished, knownSecrets: keeping.knownSecrets }),
      ...storesOf(
        async ({ elapsed }) => {
          meter.elapsed = elapsed;
          return { snapshot_path: open.snapshot_path };
        },
        () => ({ journal, folder }),
      ),
      resume,
      release: () => lock.release(),
    };
    return { open, run, finished, budget };
  } catch (error) {
    lock.release();
    throw error instanceof FileProblem ? new StorageError(`The run cannot be resumed: ${error.message}`, { cause: error }) : error;
  }
}

/** A journal whose first record waits for `run.json` and the snapshot: a durable step is useless without them. */
function writtenAfter(folder: RunFolder, journal: RunJournal): RunJournal {
  let isDurable = false;
  return {
    async add(record) {
      if (!isDurable) await folder.durable();
      isDurable = true;
      await journal.add(record);
    },
  };
}

/** A journal whose records share writes: only the last one waits for them. */
function awaitedAtEnd(journal: RunJournal): RunJournal {
  let all: Promise<unknown> = Promise.resolve();
  return {
    async add(record) {
      all = Promise.all([all, journal.add(record)]);
      // The end of the run reports it.
      all.catch(() => undefined);
      if ('ended' in record) await all;
    },
  };
}

/** What a run has used so far: milliseconds once it has begun, and USD if it has a budget. */
interface Meter {
  elapsed?: (() => number) | undefined;
  readonly budget: SharedBudget | undefined;
}

/** A journal whose records hold the run's usage so far: in the next process, its limits continue from there. */
function metered(journal: RunJournal, meter: Meter): RunJournal {
  return {
    add(record) {
      const ms = meter.elapsed?.();
      const usd = meter.budget?.spent;
      return journal.add({ ...record, ...(ms !== undefined && { ms: Math.max(0, Math.round(ms)) }), ...(usd !== undefined && { usd }) });
    },
  };
}

/** What either kind of run begins with. */
interface Beginning {
  readonly run_id: string;
  readonly snapshot: Snapshot;
  readonly context: object;
  readonly input: JsonObject;
  readonly elapsed: (() => number) | undefined;
}

/** The stores of both kinds of runs, which keep the same things. */
function storesOf(
  begin: (beginning: Beginning) => Promise<{ readonly snapshot_path: string }>,
  opened: () => { readonly journal: RunJournal; readonly folder: RunFolder },
): Pick<DurableRun, 'orchestrationStore' | 'agentStore'> {
  const common = {
    event: (event: Parameters<RunFolder['event']>[0]) => opened().folder.event(event),
    async end(result: RunResult) {
      const { folder, journal } = opened();
      if (hasStopped(result)) {
        await folder.suspend();
        return;
      }
      await folder.end(result);
      await journal.add({ ended: result.status });
    },
  };
  return {
    orchestrationStore: {
      ...common,
      begin: ({ run_id, snapshot, context, input, elapsed }) => begin({ run_id, snapshot, context, input, elapsed }),
      snapshot: (snapshot) => opened().folder.snapshot(snapshot),
    },
    agentStore: {
      ...common,
      begin: ({ run_id, agent, context, payload, elapsed }) =>
        begin({ run_id, snapshot: agent.snapshot, context, input: payload, elapsed }),
    },
  };
}

/** Adds a journal to those listed in `run.json`. @throws StorageError */
async function nameJournal(files: FileSystem, run_id: string, id: string): Promise<void> {
  const path = `${runsFolder}/${run_id}/run.json`;
  try {
    const run = JSON.parse(await files.readText(path)) as JsonObject;
    const journals = Array.isArray(run.journals) ? run.journals : [];
    await files.writeText(path, `${JSON.stringify({ ...run, journals: [...journals, id] }, null, 2)}\n`);
  } catch (error) {
    throw toStorageError(error, path, 'The run could not be kept');
  }
}

/** @throws ResumeError if another process holds the run, StorageError */
async function acquireLock({ locks }: RunKeeping, run_id: string): Promise<RunLock> {
  let lock: RunLock | HeldLock;
  try {
    lock = await locks.acquire(run_id);
  } catch (error) {
    throw toStorageError(error, `${runsFolder}/${run_id}`, 'The run could not be kept');
  }
  if (!('held_by' in lock)) return lock;
  const { held_by, is_seen } = lock;
  throw new ResumeError(
    run_id,
    is_seen
      ? `The run ${run_id} cannot be resumed: it is still running (${held_by}). Wait for its end, or end that process.`
      : `The run ${run_id} cannot be resumed: it belongs to ${held_by}, which cannot be seen from here. If it is certainly gone, free the run with \`npx agent-stack runs unlock ${run_id}\` and resume again.`,
  );
}
