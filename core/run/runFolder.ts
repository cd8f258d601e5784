import type { RunStore } from '../agent/types.js';
import { type DurableSteps, scopedSteps } from '../durable.js';
import type { Json, JsonObject } from '../json.js';
import { FileProblem, type FileSystem, type KnownSecrets, type WriteOptions } from '../ports.js';
import { coverAll, coverJson } from '../secrets/coverValue.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { OrchestrationStore } from '../team/types.js';
import { home, ignoreHome, toStorageError } from './home.js';
import { originsPath, profileOf } from './readSnapshot.js';

/** The folder of one run: `.agentstack/runs/{run_id}`. Methods are called in this order, one at a time. */
export interface RunFolder {
  /**
   * Writes the frozen config, its origins and `run.json` (which names the hash) before anything runs. `details` are added to `run.json`:
   * the context and the input. Returns the project path of the snapshot.
   * @throws StorageError
   */
  begin(snapshot: Snapshot, details?: JsonObject): Promise<{ readonly snapshot_path: string }>;
  /**
   * Resolves when the frozen config and `run.json` would survive a power cut: at once, except for a run with a journal, whose `begin` does not
   * wait for the disk while its first step does. @throws StorageError
   */
  durable(): Promise<void>;
  /**
   * Adds a line to `events.jsonl`, one JSON object each. Streamed text is buffered up to 32 Ki characters; an event after which something may
   * happen outside (a tool call, a wait, the end) flushes the buffer, and the end of a task or team does once the run waits for anything. A failed
   * write may leave a torn line and repeat its neighbours: readers skip lines that are not JSON, and recognise copies by `seq`.
   * @throws StorageError; the events are kept, and the next write tries again
   */
  event(event: RunFolderEvent): void | Promise<void>;
  /** Adds a finished step to `steps.jsonl`, one JSON object a line, without waiting for the disk. A failed write is tried again with the next ones. */
  step(name: string, value: Json | undefined): void;
  /** Writes a further frozen config and its origins, for a part of the run with another config. @throws StorageError */
  snapshot(snapshot: Snapshot): Promise<{ readonly snapshot_path: string }>;
  /** Writes the buffered events and steps, then `result.json`, which marks the run as ended. @throws StorageError after both were tried */
  end(result: object): Promise<void>;
  /** Writes the buffered events but no result, so that the run can be resumed. @throws StorageError */
  suspend(): Promise<void>;
}

export interface RunFolderEvent {
  readonly type: string;
}

const notKept = 'The run could not be kept';
/** Events are written once more UTF-16 units than this are buffered. */
const bufferLimit = 32 * 1024;
/** Events that may be followed by a long wait, or by a crash elsewhere. */
const durable: ReadonlySet<string> = new Set(['tool_call', 'tool_result', 'retry', 'task_start', 'final']);
/** Events that are followed either by another at once or by a long wait. */
const lasting: ReadonlySet<string> = new Set(['task_end', 'route']);

export interface RunFolderOptions {
  /** An earlier process has written events, the last one perhaps only in part. Default false. */
  readonly isResumed?: boolean;
  /** A journal holds its steps, from which a result lost in a power cut is rebuilt. Default false: the result itself must be durable. */
  readonly isJournaled?: boolean;
  /** `step` will be called: `steps.jsonl` is there from the beginning. Default false. */
  readonly keepsSteps?: boolean;
  readonly knownSecrets?: KnownSecrets | undefined;
}

/** Nothing is written before `begin`. @param runId as made by the random port: it becomes a folder name */
export function createRunFolder(
  files: FileSystem,
  runId: string,
  { isResumed = false, isJournaled = false, keepsSteps = false, knownSecrets }: RunFolderOptions = {},
): RunFolder {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(runId)) throw new Error(`${JSON.stringify(runId)} cannot name a run folder`);
  const folder = `${home}/runs/${runId}`;
  const events = createEventLog(files, `${folder}/events.jsonl`, isResumed);
  const steps = createEventLog(files, `${folder}/steps.jsonl`, isResumed);
  let synced: Promise<void> = Promise.resolve();
  const freeze = async (snapshot: Snapshot, options?: WriteOptions): Promise<{ readonly snapshot_path: string }> => {
    const snapshot_path = `${folder}/effective_config_${snapshot.hash}.json`;
    await writeOnce(files, snapshot_path, snapshot.text, options);
    await writeOnce(files, originsPath(snapshot_path), snapshot.origins_text, options);
    return { snapshot_path };
  };
  const sync = async (path: string, ...others: readonly string[]): Promise<void> => {
    try {
      await files.sync?.([path, ...others]);
    } catch (error) {
      throw toStorageError(error, path, notKept);
    }
  };

  return {
    async begin(snapshot, details = {}) {
      const { value, hash, overrides } = snapshot;
      // The journal has already done it.
      if (!isJournaled) await ignoreHome(files);
      const { snapshot_path } = await freeze(snapshot, { durable: false });
      const { kind, name, version, environment } = value;
      const run = {
        run_id: runId,
        kind,
        name,
        version,
        environment,
        llm_id: profileOf(value as unknown as JsonObject),
        snapshot_hash: hash,
        snapshot_path,
        ...(overrides && { overrides }),
        ...details,
      };
      const path = `${folder}/run.json`;
      await write(files, path, readable(coverAll(run, knownSecrets)), { durable: false });
      if (keepsSteps) await write(files, `${folder}/steps.jsonl`, '', { durable: false });
      // The origins only explain; no run depends on them.
      synced = sync(path, snapshot_path);
      if (!isJournaled) await synced;
      // A failure is reported to the caller of `durable`.
      synced.catch(() => undefined);
      return { snapshot_path };
    },

    durable: () => synced,

    step(name, value) {
      // A failure is reported at the end.
      Promise.resolve(steps.add(coverJson(JSON.stringify({ step: name, value }), knownSecrets), 'soon')).catch(() => undefined);
    },

    // Durable at once: a run resumed after a power cut writes the same again, and must not find half of it.
    snapshot: (snapshot) => freeze(snapshot),

    event(event) {
      const { type } = event;
      return events.add(JSON.stringify(event), durable.has(type) ? 'now' : lasting.has(type) ? 'soon' : 'sometime');
    },

    async end(result) {
      let failure: unknown;
      try {
        await events.flush();
        await steps.flush();
      } catch (error) {
        failure = error;
      }
      // The result is worth keeping even if the events could not be written.
      await write(files, `${folder}/result.json`, readable(result), { durable: !isJournaled });
      if (failure !== undefined) throw failure;
    },

    suspend: () => events.flush(),
  };
}

/** Keeps one agent's run in its folder, with its context and input in `run.json`, but without its steps. */
export function createRunStore(files: FileSystem, knownSecrets?: KnownSecrets): RunStore {
  return agentStoreOf(createFolderStore(files, { knownSecrets }));
}

/**
 * As `createRunStore`, with the answers of the run, so that it can be debugged and forked afterwards. It cannot be resumed: the run waits for no disk,
 * and works with the values as they are, which only the file masks.
 */
export function createAnsweredRun(
  files: FileSystem,
  knownSecrets?: KnownSecrets,
): { readonly agentStore: RunStore; readonly steps: DurableSteps } {
  const { step, ...store } = createFolderStore(files, { knownSecrets, keepsSteps: true });
  return {
    agentStore: agentStoreOf(store),
    steps: {
      ...scopedSteps(async (name, work) => {
        const value = await work();
        step(name, value as Json);
        return value;
      }),
      isOnlyKept: true,
    },
  };
}

function agentStoreOf({ begin, snapshot: _none, ...store }: Omit<ReturnType<typeof createFolderStore>, 'step'>): RunStore {
  return { ...store, begin: ({ run_id, agent, context, payload }) => begin(run_id, agent.snapshot, context, payload) };
}

/** Keeps a replayed run of an orchestration in its folder. */
export function createOrchestrationFolder(files: FileSystem, knownSecrets?: KnownSecrets): OrchestrationStore {
  const { begin, ...store } = createFolderStore(files, { knownSecrets });
  return { ...store, begin: ({ run_id, snapshot, context, input }) => begin(run_id, snapshot, context, input) };
}

function createFolderStore(files: FileSystem, options: RunFolderOptions) {
  let folder: RunFolder | undefined;
  const opened = (): RunFolder => {
    if (!folder) throw new Error('A run was kept before it began.');
    return folder;
  };
  return {
    begin(run_id: string, snapshot: Snapshot, context: object, input: JsonObject) {
      folder = createRunFolder(files, run_id, options);
      // Plain JSON; its type says more than `JsonObject` can.
      return folder.begin(snapshot, { context: context as JsonObject, input });
    },
    snapshot: (snapshot: Snapshot) => opened().snapshot(snapshot),
    event: (event: RunFolderEvent) => opened().event(event),
    end: (result: object) => opened().end(result),
    step: (name: string, value: Json | undefined) => opened().step(name, value),
  };
}

interface EventLog {
  add(line: string, when: 'now' | 'soon' | 'sometime'): void | Promise<void>;
  flush(): Promise<void>;
}

/** @param isTorn whether the file may end in half a line, which must not swallow the next one */
function createEventLog(files: FileSystem, path: string, isTorn: boolean): EventLog {
  let waiting: string[] = [];
  let size = 0;
  let isPlanned = false;

  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    const lines = waiting;
    waiting = [];
    size = 0;
    const text = `${lines.join('\n')}\n`;
    try {
      await files.appendText(path, isTorn ? `\n${text}` : text);
      isTorn = false;
    } catch (error) {
      isTorn = true;
      waiting = [...lines, ...waiting];
      size += text.length;
      throw toStorageError(error, path, notKept);
    }
  }

  function flushLater(): void {
    isPlanned = false;
    // The lines are kept, and the next write reports the failure.
    flush().catch(() => undefined);
  }

  return {
    add(line, when) {
      waiting.push(line);
      size += line.length + 1;
      if (when === 'now' || size > bufferLimit) return flush();
      if (when === 'soon' && !isPlanned) {
        isPlanned = true;
        setTimeout(flushLater, 0);
      }
      return undefined;
    },
    flush,
  };
}

/** Read-only and never replaced; the same run may have written the same bytes already. */
async function writeOnce(files: FileSystem, path: string, text: string, options?: WriteOptions): Promise<void> {
  try {
    await files.writeText(path, text, { ...options, exclusive: true, readOnly: true });
  } catch (error) {
    if (error instanceof FileProblem && error.reason === 'exists' && (await isSame(files, path, text))) return;
    throw toStorageError(error, path, notKept);
  }
}

async function isSame(files: FileSystem, path: string, text: string): Promise<boolean> {
  try {
    return (await files.readText(path)) === text;
  } catch {
    // An unreadable file cannot be compared.
    return false;
  }
}

async function write(files: FileSystem, path: string, text: string, options: WriteOptions): Promise<void> {
  try {
    await files.writeText(path, text, options);
  } catch (error) {
    throw toStorageError(error, path, notKept);
  }
}

function readable(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
