import { isObject, type JsonObject, parseObject, pointerOf } from '../json.js';
import { findText } from '../jsonText/findText.js';
import type { FileSystem } from '../ports.js';
import { runsFolder } from './readRuns.js';
import { objectAt, ownAt, textAt } from './untrusted.js';

/** The frozen configuration of a run of one agent, read back. */
export interface StoredSnapshot {
  /** The effective config of the agent; empty when the snapshot holds none. */
  readonly config: JsonObject;
  /** The llm profile it called with; null when it had none. */
  readonly llm_id: string | null;
  /** The profile that this call brought in place of the agent's own; null when it brought none. */
  readonly called_llm: string | null;
  /** Its MCP servers by id, with the `tools` that were pinned; empty when it had none. */
  readonly servers: JsonObject;
  /** Its built-in tools and skills by name; empty when it had none. */
  readonly skills: JsonObject;
  /** Where a value of the agent's config was written, by its pointer there; undefined for what no file says. */
  originOf(pointer: string): { readonly file: string; readonly pointer: string } | undefined;
}

/** The project path of a run's snapshot; undefined for what is not a hash. */
export function snapshotPath(runId: string, hash: string): string | undefined {
  return /^[0-9a-f]{64}$/.test(hash) ? `${runsFolder}/${runId}/effective_config_${hash}.json` : undefined;
}

/** Where the origins file of a snapshot is: beside it. */
export function originsPath(path: string): string {
  return path.replace(/\.json$/, '.origins.json');
}

/** Reads a snapshot and where its values came from; undefined when it is not there or cannot be read. */
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

/** Origins are known of leaves: a value's own place is that of a leaf in it, less the way from the one to the other. */
function findOrigin(origins: JsonObject, pointer: string): { readonly file: string; readonly pointer: string } | undefined {
  const leaf = Object.hasOwn(origins, pointer) ? pointer : Object.keys(origins).find((one) => one.startsWith(`${pointer}/`));
  const origin = leaf === undefined ? undefined : ownAt(origins, leaf);
  if (leaf === undefined || !isObject(origin)) return undefined;
  const file = textAt(origin, 'file');
  const at = textAt(origin, 'pointer');
  const way = leaf.slice(pointer.length);
  if (file === null || at === null || !at.endsWith(way)) return undefined;
  return { file, pointer: at.slice(0, at.length - way.length) };
}

async function readObject(files: Pick<FileSystem, 'readText'>, path: string): Promise<JsonObject | undefined> {
  return parseObject((await findText(files, path)) ?? '');
}

/** The llm profile that the agent of a frozen config calls its model with; null where it has none, and for an orchestration. */
export function profileOf(snapshot: JsonObject): string | null {
  const name = textAt(snapshot, 'name') ?? '';
  // The agents that it calls have entries too.
  const llms = objectAt(snapshot, 'llms');
  const named = textAt(objectAt(objectAt(snapshot, 'agents'), name), 'llm_config_id');
  return named !== null && Object.hasOwn(llms, named) && !Object.hasOwn(llms, `@${name}`) ? named : null;
}
