import { loadAgent } from '../agent/load/loadAgent.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { AgentStackError } from '../errors.js';
import { isObject, type JsonObject, parseObject } from '../json.js';
import { findText } from '../jsonText/findText.js';
import type { Ports } from '../ports.js';
import { originsIn, type Snapshot } from '../snapshot/createSnapshot.js';
import { type DiffGroup, snapshotDiff } from '../snapshot/snapshotDiff.js';
import { parseOrigins } from '../snapshot/snapshotOrigins.js';
import type { SnapshotValue } from '../snapshot/snapshotValue.js';
import type { CallOverrides } from '../snapshot/types.js';
import { verifySnapshot } from '../snapshot/verifySnapshot.js';
import { loadOrchestration } from '../team/loadOrchestration.js';
import { runsFolder } from './readRuns.js';
import { originsPath, snapshotPath } from './readSnapshot.js';
import { ownAt, textAt } from './untrusted.js';

/** Whether the frozen config of a run is unchanged, and how it differs from the current files. */
export interface RunVerification {
  readonly run_id: string;
  readonly kind: string | null;
  readonly name: string | null;
  readonly version: string | null;
  readonly environment: string | null;
  readonly snapshot_hash: string;
  /** Project path. */
  readonly snapshot_path: string;
  /** Faults of the kept files, a sentence each. Empty if no frozen config was changed. */
  readonly faults: readonly string[];
  /** The hash of the current config; null if it cannot be frozen. */
  readonly hash_now: string | null;
  /** Why it cannot be frozen. */
  readonly error_now: { readonly code: string; readonly message: string } | null;
  /** The differences from the current config, by cause. */
  readonly differences: readonly DiffGroup[];
}

export interface VerifyRunRequest {
  readonly ports: Pick<Ports, 'files' | 'environment' | 'sha256'>;
  /** The current config files. */
  readonly project: () => Promise<LoadedIndex>;
  readonly run_id: string;
  /** Whether a project file can be written to. Default: not checked. */
  readonly isWritable?: (path: string) => Promise<boolean>;
}

/**
 * Rehashes all frozen configs of a run, and freezes the current files for the same name, environment and call.
 * Undefined if the run has no frozen config: it does not exist, or was refused before it began.
 */
export async function verifyRun({ ports, project, run_id, isWritable }: VerifyRunRequest): Promise<RunVerification | undefined> {
  const { files, sha256 } = ports;
  const folder = `${runsFolder}/${run_id}`;
  const run = parseObject((await findText(files, `${folder}/run.json`)) ?? '') ?? {};
  const hash = textAt(run, 'snapshot_hash') ?? '';
  const snapshot_path = snapshotPath(run_id, hash);
  if (snapshot_path === undefined) return undefined;

  const faults: string[] = [];
  const named = textAt(run, 'snapshot_path');
  if (named !== snapshot_path) faults.push(`run.json says that the frozen config is ${named ?? 'nowhere'}, which is not ${snapshot_path}.`);
  const paths = new Set([
    snapshot_path,
    ...(await files.list(folder)).flatMap(({ name }) => (frozen.test(name) ? [`${folder}/${name}`] : [])),
  ]);
  let kept: SnapshotValue | undefined;
  for (const path of paths) {
    const text = await findText(files, path);
    if (text === undefined) {
      faults.push(`${path} is missing, or cannot be read.`);
      continue;
    }
    const verified = verifySnapshot(text, frozen.exec(path)?.[1] ?? '', sha256);
    if (!verified.ok) faults.push(`${path}: ${verified.message}`);
    else if (path === snapshot_path) kept = verified.value;
    if (await isWritable?.(path)) faults.push(`${path} can be written to. It was written read-only.`);
  }
  const written = (await findText(files, originsPath(snapshot_path))) ?? '';
  const origins = parseOrigins(written);
  if (kept !== undefined && origins.size === 0) faults.push(`The origins of ${snapshot_path} are missing, or cannot be read.`);

  const facts = {
    run_id,
    kind: textAt(run, 'kind'),
    name: textAt(run, 'name'),
    version: textAt(run, 'version'),
    environment: textAt(run, 'environment'),
    snapshot_hash: hash,
    snapshot_path,
    faults,
  };
  try {
    const now = await freezeAgain({ ports, project }, kept ?? facts, run);
    const after = { value: now.value, origins: originsIn(now) };
    const differences = kept === undefined || now.hash === hash ? [] : snapshotDiff({ value: kept, origins }, after);
    return { ...facts, hash_now: now.hash, error_now: null, differences };
  } catch (error) {
    if (!(error instanceof AgentStackError)) throw error;
    return { ...facts, hash_now: null, error_now: { code: error.code, message: error.message }, differences: [] };
  }
}

const frozen = /(?:^|\/)effective_config_([0-9a-f]{64})\.json$/;

type Identity = { readonly [part in 'kind' | 'name' | 'version' | 'environment']?: string | null };

/** @throws AgentStackError if the current files cannot run */
async function freezeAgain(
  { ports, project }: Pick<VerifyRunRequest, 'ports' | 'project'>,
  { kind, name, version, environment }: Identity,
  run: JsonObject,
): Promise<Snapshot> {
  const overrides = ownAt(run, 'overrides');
  const source = {
    ports,
    project: await project(),
    environment_name: environment ?? undefined,
    // Written by the run; layering reports anything invalid.
    overrides: isObject(overrides) ? (overrides as CallOverrides) : undefined,
  };
  if (kind === 'orchestration') return (await loadOrchestration({ ...source, name: name ?? '' })).orchestration.snapshot;
  return (await loadAgent({ ...source, agent_name: name ?? '', version: version ?? '' })).agent.snapshot;
}
