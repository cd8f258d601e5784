import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { unlessRefused } from '../core/agent/load/refused.js';
import type { LoadedIndex } from '../core/config/loadProjectIndex.js';
import type { ProjectIndex } from '../core/config/projectIndex.js';
import { agentNames, didYouMean, firstNames, nearestNames } from '../core/names.js';
import type { Project } from '../core/project/types.js';
import { listRunIds } from '../core/run/readRuns.js';
import { originsPath, readFrozenConfig } from '../core/run/readSnapshot.js';
import { originsIn, type Snapshot, type SnapshotSubject } from '../core/snapshot/createSnapshot.js';
import type { Origin } from '../core/snapshot/effective.js';
import { parseOrigins } from '../core/snapshot/snapshotOrigins.js';
import type { SnapshotValue } from '../core/snapshot/snapshotValue.js';
import type { CallOverrides } from '../core/snapshot/types.js';
import { verifySnapshot } from '../core/snapshot/verifySnapshot.js';
import { checkEnvironment } from './checkEnvironment.js';
import { UsageError } from './cli.js';
import { findRun } from './findRun.js';
import { parseAgent } from './parseAgent.js';

/** A snapshot, wherever it came from. */
export interface SnapshotSource {
  /** What a person calls it: `A2@v1, environment prod`, `run 0193f1c2...`, a path. */
  readonly title: string;
  readonly value: SnapshotValue;
  readonly text: string;
  readonly hash: string;
  readonly origins: ReadonlyMap<string, Origin>;
  readonly origins_text: string;
  /** What it was made of a moment ago; undefined for one that was kept. */
  readonly subject?: SnapshotSubject;
}

export interface MakeOptions {
  /** What was read of the project a moment ago. Default: it is read now. */
  readonly index?: LoadedIndex;
  readonly environment?: string | undefined;
  readonly overrides?: CallOverrides | undefined;
}

/**
 * The snapshot that an agent or orchestration makes of the files of this moment.
 * @param spec `NAME`, `NAME@VERSION`, or `agents/NAME` and `orchestrations/NAME` where both have the name
 * @throws UsageError, AgentStackError
 */
export async function makeSnapshot(
  project: Project,
  spec: string,
  { environment, overrides, index: loadedIndex }: MakeOptions,
): Promise<SnapshotSource> {
  const index = loadedIndex ?? (await project.index());
  checkEnvironment(index, environment);
  const options = { index, environment_name: environment, ...(overrides && { overrides }) };
  const { kind, name } = readSpec(spec, index);
  if (kind === 'orchestration') {
    const { orchestration, resolved } = unlessRefused(await project.loadOrchestration({ ...options, name }));
    return made(orchestration.snapshot, { kind, resolved });
  }
  const [agent_name, version] = parseAgent(name, index);
  const { agent, called } = unlessRefused(await project.load({ ...options, agent_name, version }));
  return made(agent.snapshot, { kind, resolved: agent.resolved, called });
}

export function readSpec(spec: string, index: ProjectIndex): { readonly kind: 'agent' | 'orchestration'; readonly name: string } {
  const folder = /^(agents|orchestrations)\/(.*)$/.exec(spec);
  if (folder) return { kind: folder[1] === 'agents' ? 'agent' : 'orchestration', name: folder[2] ?? '' };
  const orchestrations = index.ids('orchestration');
  const [name = ''] = spec.split('@', 1);
  const isAgent = index.versions(name).length > 0;
  if (spec.includes('@') || !orchestrations.has(name)) {
    if (isAgent || spec.includes('@')) return { kind: 'agent', name: spec };
    const names = [...new Set([...agentNames(index), ...orchestrations.keys()])];
    const nearest = nearestNames(name, names);
    const listed = names.length === 0 ? '' : ` There are: ${firstNames(names)}.`;
    throw new UsageError(
      `There is no agent and no orchestration ${JSON.stringify(spec)}.${nearest.length > 0 ? didYouMean(nearest) : listed}`,
    );
  }
  if (isAgent)
    throw new UsageError(`${name} is an agent and an orchestration. Write agents/${name}, ${name}@VERSION or orchestrations/${name}.`);
  return { kind: 'orchestration', name };
}

function made(snapshot: Snapshot, subject: SnapshotSubject): SnapshotSource {
  const { value, text, hash, origins_text } = snapshot;
  const title = `${value.name}${value.version === undefined ? '' : `@${value.version}`}, environment ${value.environment}`;
  return { title, value, text, hash, origins_text, origins: originsIn(snapshot), subject };
}

/**
 * One side of a comparison: a snapshot file, a run (its id, the beginning of it, `last`), or what `NAME[@VERSION][:ENVIRONMENT]` makes now.
 * @throws UsageError, AgentStackError
 */
export async function findSnapshot(project: Project, cwd: string, spec: string, options: MakeOptions): Promise<SnapshotSource> {
  const { files, sha256 } = project.ports;
  if (spec.endsWith('.json')) {
    const path = resolve(cwd, spec);
    const origins = await readFile(originsPath(path), 'utf8').catch(() => '');
    return readBack(spec, { text: await readText(path, spec), origins, hash: hashIn(spec) }, sha256);
  }
  const ids = spec === 'last' || runId.test(spec) ? await listRunIds(files) : [];
  if (spec === 'last' || ids.some((id) => id.startsWith(spec))) {
    const run_id = await findRun(files, spec);
    const frozen = await readFrozenConfig(project.ports, run_id);
    if (frozen === 'gone')
      throw new UsageError(`The run ${run_id} has no frozen config: it was refused before it began, or its files are gone.`);
    if ('problem' in frozen) throw new UsageError(`run ${run_id}: ${frozen.problem}`);
    return { ...frozen, title: `run ${run_id}`, origins: parseOrigins(frozen.origins_text) };
  }
  const colon = spec.indexOf(':');
  if (colon < 0) return makeSnapshot(project, spec, options);
  return makeSnapshot(project, spec.slice(0, colon), { ...options, environment: spec.slice(colon + 1) });
}

const runId = /^[0-9a-f][0-9a-f-]{3,}$/;

/** The hash that a kept file is named by; undefined where it has another name. */
function hashIn(path: string): string | undefined {
  return /effective_config_([0-9a-f]{64})\.json$/.exec(path)?.[1];
}

function readBack(
  title: string,
  { text, origins, hash }: { readonly text: string; readonly origins: string; readonly hash: string | undefined },
  sha256: (text: string) => string,
): SnapshotSource {
  const name = hash ?? sha256(text);
  const verified = verifySnapshot(text, name, sha256);
  if (!verified.ok)
    throw new UsageError(`${title}: ${verified.message} \`agent-stack snapshot NAME --out FILE\` writes one that this version reads.`);
  return { title, value: verified.value, text, hash: name, origins_text: origins, origins: parseOrigins(origins) };
}

async function readText(path: string, written: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${written} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
