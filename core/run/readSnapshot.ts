import { isObject, type JsonObject, parseObject, pointerOf } from '../json.js';
import { findText } from '../jsonText/findText.js';
import type { FileSystem, Ports } from '../ports.js';
import type { SnapshotValue } from '../snapshot/snapshotValue.js';
import { verifySnapshot } from '../snapshot/verifySnapshot.js';
import { readRunFiles, runsFolder } from './readRuns.js';
import { objectAt, ownAt, textAt } from './untrusted.js';

/** The frozen configuration of an agent's run. */
export interface StoredSnapshot {
  /** The effective config of the agent; empty if the snapshot has none. */
  readonly config: JsonObject;
  /** Its LLM profile; null without one. */
  readonly llm_id: string | null;
  /** The profile by which the call replaced the agent's; null if it did not. */
  readonly called_llm: string | null;
  /** Its MCP servers by id, with their pinned `tools`. */
  readonly servers: JsonObject;
  /** Its built-in tools and skills by name. */
  readonly skills: JsonObject;
  /** The file and place of a value of the agent's config; undefined for a value that no file sets. */
  originOf(pointer: string): { readonly file: string; readonly pointer: string } | undefined;
}

/** The project path of a run's snapshot; undefined if `hash` is not a hash. */
export function snapshotPath(runId: string, hash: string): string | undefined {
  return /^[0-9a-f]{64}$/.test(hash) ? `${runsFolder}/${runId}/effective_config_${hash}.json` : undefined;
}

/** The path of a snapshot's origins file. */
export function originsPath(path: string): string {
  return path.replace(/\.json$/, '.origins.json');
}

/** The frozen config of a run as its files have it. */
export interface FrozenConfig {
  readonly value: SnapshotValue;
  readonly text: string;
  readonly hash: string;
  /** Empty if they are gone. */
  readonly origins_text: string;
}

/** The frozen config of a run; `gone` if it has none or its files are gone, else the reason why it cannot be used. */
export async function readFrozenConfig(
  { files, sha256 }: Pick<Ports, 'files' | 'sha256'>,
  runId: string,
): Promise<FrozenConfig | 'gone' | { readonly problem: string }> {
  const hash = textAt((await readRunFiles(files, runId)).run, 'snapshot_hash') ?? '';
  const path = snapshotPath(runId, hash);
  const text = path && (await findText(files, path));
  if (path === undefined || text === undefined) return 'gone';
  const verified = verifySnapshot(text, hash, sha256);
  if (!verified.ok) return { problem: `${path}: ${verified.message}` };
  return { value: verified.value, text, hash, origins_text: (await findText(files, originsPath(path))) ?? '' };
}

/** Reads a snapshot and its origins; undefined if it is missing or unreadable. */
export async function readSnapshot(files: Pick<FileSystem, 'readText'>, runId: string, hash: string): Promise<StoredSnapshot | undefined> {
  const path = snapshotPath(runId, hash);
  if (path === undefined) return undefined;
  const value = await readObject(files, path);
  if (value === undefined) return undefined;
  const origins = (await readObject(files, originsPath(path))) ?? {};
  const name = textAt(value, 'name') ?? '';
  const config = objectAt(objectAt(value, 'agents'), name);
  const llm_id = profileOf(value);
  const isCalled = Object.entries(origins).some(
    ([pointer, origin]) => pointer.startsWith('/llms/') && isObject(origin) && origin.layer === 'call',
  );
  return {
    config,
    llm_id,
    called_llm: isCalled ? llm_id : null,
    servers: objectAt(value, 'servers'),
    skills: objectAt(value, 'skills'),
    originOf: (pointer) => findOrigin(origins, pointerOf('agents', name) + pointer),
  };
}

/** Only leaves have origins: the origin of any other value is that of a leaf in it, without the leaf's relative pointer. */
function findOrigin(origins: JsonObject, pointer: string): { readonly file: string; readonly pointer: string } | undefined {
  const leaf = Object.hasOwn(origins, pointer) ? pointer : Object.keys(origins).find((key) => key.startsWith(`${pointer}/`));
  const origin = leaf === undefined ? undefined : ownAt(origins, leaf);
  if (leaf === undefined || !isObject(origin)) return undefined;
  const file = textAt(origin, 'file');
  const at = textAt(origin, 'pointer');
  const relative = leaf.slice(pointer.length);
  if (file === null || at === null || !at.endsWith(relative)) return undefined;
  return { file, pointer: at.slice(0, at.length - relative.length) };
}

async function readObject(files: Pick<FileSystem, 'readText'>, path: string): Promise<JsonObject | undefined> {
  return parseObject((await findText(files, path)) ?? '');
}

/** The LLM profile of a frozen config's agent; null without one, and for an orchestration. */
export function profileOf(snapshot: JsonObject): string | null {
  const name = textAt(snapshot, 'name') ?? '';
  // The agents that it calls have profiles here too.
  const llms = objectAt(snapshot, 'llms');
  const named = textAt(objectAt(objectAt(snapshot, 'agents'), name), 'llm_config_id');
  return named !== null && Object.hasOwn(llms, named) && !Object.hasOwn(llms, `@${name}`) ? named : null;
}
