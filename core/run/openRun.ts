import type { RunContext } from '../agent/events.js';
import { ResumeError } from '../errors.js';
import type { McpInput } from '../generated/types.js';
import { type JsonObject, parseObject } from '../json.js';
import { FileProblem, type FileSystem, type Ports } from '../ports.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import { verifySnapshot } from '../snapshot/verifySnapshot.js';
import { runsFolder } from './readRuns.js';
import { originsPath, snapshotPath } from './readSnapshot.js';
import { objectAt, objectsAt, ownAt, textAt } from './untrusted.js';

/** Everything that a resumable run began with, read from its folder. */
export interface OpenRun {
  readonly run_id: string;
  readonly snapshot: Snapshot;
  readonly snapshot_path: string;
  readonly context: RunContext;
  readonly input: JsonObject;
  /** Ids of the journals that hold its steps, oldest first. */
  readonly journals: readonly string[];
  /** The `inputs` of mcp.json when it began. */
  readonly mcp_inputs: readonly McpInput[];
}

type Files = Pick<FileSystem, 'readText'>;

/**
 * Reads a run in order to resume it. Call it while holding the run's lock.
 *
 * @throws ResumeError if there is no such run, it has ended or has no journal, or its snapshot was changed
 */
export async function readOpenRun(files: Files, run_id: string, sha256: Ports['sha256']): Promise<OpenRun> {
  const refuse = (why: string, cause?: unknown) => new ResumeError(run_id, `The run ${run_id} cannot be resumed: ${why}`, { cause });
  const folder = `${runsFolder}/${run_id}`;
  const read = async (path: string): Promise<string | undefined> => {
    try {
      return await files.readText(path);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      if (error.reason === 'not-found') return undefined;
      throw refuse(error.message, error);
    }
  };
  const run = parseObject((await read(`${folder}/run.json`)) ?? '');
  if (run === undefined) throw refuse(`${folder}/run.json is missing, or is not a JSON object. Start it anew.`);
  const ended = parseObject((await read(`${folder}/result.json`)) ?? '');
  // A cancelled run stopped before its end and kept its steps.
  if (ended !== undefined && textAt(ended, 'status') !== 'cancelled')
    throw refuse(`it has ended (${textAt(ended, 'status') ?? 'see its result.json'}). Start it anew.`);

  if (ownAt(objectAt(run, 'context'), 'forked_from') !== undefined)
    throw refuse('it is a fork, and the record that answered it is not kept with it. Fork again.');
  const journals = ownAt(run, 'journals');
  if (!Array.isArray(journals) || !journals.every((id) => typeof id === 'string' && isJournalId(id)))
    throw refuse('its steps were not kept. Only runs of orchestrations, and those started as durable, can go on. Start it anew.');
  const hash = textAt(run, 'snapshot_hash') ?? '';
  const snapshot_path = snapshotPath(run_id, hash);
  const text = snapshot_path === undefined ? undefined : await read(snapshot_path);
  if (snapshot_path === undefined || text === undefined)
    throw refuse(`its frozen config ${snapshot_path ?? `${folder}/effective_config_*.json`} is missing. Start it anew.`);
  const verified = verifySnapshot(text, hash, sha256);
  if (!verified.ok) throw refuse(`${snapshot_path}: ${verified.message} Restore the file from a copy, or start the run anew.`);
  // A power cut may leave it empty.
  const origins_text = (await read(originsPath(snapshot_path))) || '{}';
  return {
    run_id,
    snapshot: { value: verified.value, text, hash, origins_text },
    snapshot_path,
    // Written by the run itself.
    context: objectAt(run, 'context') as unknown as RunContext,
    input: objectAt(run, 'input'),
    journals: journals as readonly string[],
    mcp_inputs: objectsAt(run, 'mcp_inputs') as unknown as readonly McpInput[],
  };
}

/** Checked because it becomes a file name. */
export function isJournalId(id: string): boolean {
  return /^[0-9a-f]{32}$/.test(id);
}
