import type { RunStore } from '../agent/types.js';
import type { JsonObject } from '../json.js';
import { FileProblem, type FileSystem, type KnownSecrets, type WriteOptions } from '../ports.js';
import { coverAll } from '../secrets/coverValue.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { OrchestrationStore } from '../team/types.js';
import { home, ignoreHome, toStorageError } from './home.js';
import { originsPath, profileOf } from './readSnapshot.js';

/** The folder of one run: `.agentstack/runs/{run_id}`. Methods are called in order, one at a time. */
export interface RunFolder {
  /**
   * Writes the frozen config, its origins and `run.json` (which names the hash) before anything runs. `details` are added to `run.json`:
   * the context and the input. Returns the project path of the snapshot.
   * @throws StorageError
   */
  begin(snapshot: Snapshot, details?: JsonObject): Promise<{ readonly snapshot_path: string }>;
  /**
   * Resolves when frozen config and `run.json` survive a power cut too: at once, but for a run whose steps are in a journal. Its `begin` does not
   * wait for the disk, and its first step does. @throws StorageError
   */
  durable(): Promise<void>;
  /**
   * Adds a line to `events.jsonl`, one JSON object each. Streamed text waits for up to 32 Ki characters of company; an event after which
   * something may happen outside (a tool call, a wait, the end) takes everything with it to the disk, and the end of a task or team does once the
   * run waits for anything. After a failed write a line may be
   * torn and its neighbours there twice: a reader skips what is not JSON, and `seq` tells copies apart.
   * @throws StorageError; what could not be written is kept and tried again with the next write
   */
  event(event: RunFolderEvent): void | Promise<void>;
  /** Writes one more frozen config and its origins, of a part of the run that has its own. @throws StorageError */
  snapshot(snapshot: Snapshot): Promise<{ readonly snapshot_path: string }>;
  /** Writes what is left of the events, then `result.json`, the mark of a run that ended. @throws StorageError after both were tried */
  end(result: object): Promise<void>;
  /** Writes what is left of the events and no result, of a run that can go on. @throws StorageError */
  suspend(): Promise<void>;
}

/** Any event of a run; only its type matters here. */
export interface RunFolderEvent {
  readonly type: string;
}

const notKept = 'The run could not be kept';
/** UTF-16 units of buffered events above which they are written. */
const bufferLimit = 32 * 1024;
/** Events that may be followed by nothing for a long time, or by a crash of something else. */
const durable: ReadonlySet<string> = new Set(['tool_call', 'tool_result', 'retry', 'task_start', 'final']);
/** Events that are followed by another at once, or by nothing for a long time. */
const lasting: ReadonlySet<string> = new Set(['task_end', 'route']);

export interface RunFolderOptions {
  /** An earlier process has written events, the last of them perhaps not to its end. Default false. */
  readonly goesOn?: boolean;
  /** Its steps are in a journal, from which a result that a power cut takes away is made again. Default false: the result itself must survive that. */
  readonly isJournaled?: boolean;
  readonly knownSecrets?: KnownSecrets | undefined;
}

/** @param runId as the random port makes them: it becomes a folder name. Nothing is written before `begin`. */
export function createRunFolder(
  files: FileSystem,
  runId: string,
  { goesOn = false, isJournaled = false, knownSecrets }: RunFolderOptions = {},
): RunFolder {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(runId)) throw new Error(`${JSON.stringify(runId)} cannot name a run folder`);
  const folder = `${home}/runs/${runId}`;
  const events = createEventLog(files, `${folder}/events.jsonl`, goesOn);
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
      // Whoever made the journal has seen to that.
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
      // The origins explain, and no run reads them.
      synced = sync(path, snapshot_path);
      if (!isJournaled) await synced;
      // A failure is reported to the caller of `durable`.
      synced.catch(() => undefined);
      return { snapshot_path };
    },

    durable: () => synced,

    // Durable at once: a run that goes on after a power cut writes the same again, and must not find half of it.
    snapshot: (snapshot) => freeze(snapshot),

    event(event) {
      const { type } = event;
      return events.add(JSON.stringify(event), durable.has(type) ? 'now' : lasting.has(type) ? 'soon' : 'sometime');
    },

    async end(result) {
      let failure: unknown;
      try {
        await events.flush();
      } catch (error) {
        failure = error;
      }
      // The result stands on its own: it is worth keeping even where the events could not be.
      await write(files, `${folder}/result.json`, readable(result), { durable: !isJournaled });
      if (failure !== undefined) throw failure;
    },

    suspend: () => events.flush(),
  };
}

/** Keeps one run in its folder, with its context and input in `run.json`. */
export function createRunStore(files: FileSystem, knownSecrets?: KnownSecrets): RunStore {
  let folder: RunFolder | undefined;
  return {
    begin({ run_id, agent, context, payload }) {
      folder = createRunFolder(files, run_id, { knownSecrets });
      // Both are plain JSON; their types say more than `JsonObject` can.
      return folder.begin(agent.snapshot, { context: context as unknown as JsonObject, input: payload });
    },
    event: (event) => folder?.event(event),
    end: (result) => folder?.end(result),
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
    // What was not written is kept, and the next write tells why.
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

/** Read-only and never replaced; the same bytes may be there already, from the same run. */
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
    // It cannot be read, so it cannot be shown to be the same.
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

/** Keeps a run of an orchestration in its folder, and none of its steps: it cannot go on in another process. */
export function createOrchestrationFolder(files: FileSystem, knownSecrets?: KnownSecrets): OrchestrationStore {
  let folder: RunFolder | undefined;
  const begun = (): RunFolder => {
    if (!folder) throw new Error('A run was kept before it began.');
    return folder;
  };
  return {
    begin({ run_id, snapshot, context, input }) {
      folder = createRunFolder(files, run_id, { knownSecrets });
      // Plain JSON; its type says more than `JsonObject` can.
      return folder.begin(snapshot, { context: context as unknown as JsonObject, input });
    },
    snapshot: (snapshot) => begun().snapshot(snapshot),
    event: (event) => begun().event(event),
    end: (result) => begun().end(result),
  };
}
