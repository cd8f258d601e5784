import { type Json, type JsonObject, pointerOf } from '../json.js';
import { canonicalJson } from './canonicalJson.js';
import type { Origin } from './effective.js';
import { collectKeyOrder } from './keyOrder.js';
import type { Path } from './layering.js';
import { forEachLeaf } from './origins.js';
import type { ResolvedAgent } from './resolveAgent.js';
import type { SnapshotValue } from './snapshotValue.js';

/** A frozen effective config, as text and by name. */
export interface Snapshot {
  readonly value: SnapshotValue;
  /** Canonical JSON of `value`. */
  readonly text: string;
  /** SHA-256 of the UTF-8 bytes of `text`, 64 lower-case hexadecimal digits: the name of the snapshot. */
  readonly hash: string;
  /** Canonical JSON: pointer of every leaf of the snapshot but `key_order` to `{file, pointer, layer}`. No part of the hash. */
  readonly origins_text: string;
}

export interface SnapshotRequest {
  readonly kind: 'agent';
  readonly resolved: ResolvedAgent;
  /** SHA-256 of the UTF-8 bytes of a text, in lower-case hexadecimal digits. */
  readonly sha256: (text: string) => string;
}

/**
 * Freezes what a run will use: the effective agent with its template and examples, its llm profile, and nothing else. Same files,
 * environment and overrides give the same bytes on every machine. Holds no secret and no path outside the project.
 * @throws Error when the config holds what looks like a secret: a caller must refuse a config with problems before
 */
export function createSnapshot({ resolved, sha256 }: SnapshotRequest): Snapshot {
  if (resolved.problems.some(({ code }) => code === 'secret-in-plain-text'))
    throw new Error('A config with a secret in it was about to be written down.');
  const { config, llm } = resolved;
  const instance = config.agent_name;
  const llmId = llm.llm_id ?? `@${instance}`;
  const content: SnapshotValue = {
    format: 1,
    kind: 'agent',
    name: config.agent_name,
    version: config.version,
    environment: resolved.environment_name,
    agents: single(instance, config),
    llms: single(llmId, llm),
    servers: resolved.servers,
    ...skillsOf(resolved),
  };
  const key_order = collectKeyOrder(content);
  const value: SnapshotValue = Object.freeze(Object.keys(key_order).length === 0 ? content : { ...content, key_order });
  const text = canonicalJson(value as unknown as Json);
  return new FrozenSnapshot(value, text, sha256(text), () => originsText(value, instance, llmId, resolved));
}

/** Its origins are written only when somebody keeps the run. */
class FrozenSnapshot implements Snapshot {
  readonly value: SnapshotValue;
  readonly text: string;
  readonly hash: string;
  readonly #writeOrigins: () => string;

  constructor(value: SnapshotValue, text: string, hash: string, writeOrigins: () => string) {
    this.value = value;
    this.text = text;
    this.hash = hash;
    this.#writeOrigins = writeOrigins;
    Object.freeze(this);
  }

  get origins_text(): string {
    return this.#writeOrigins();
  }
}

function skillsOf({ tools }: ResolvedAgent): { readonly skills?: JsonObject } {
  const own = tools.filter(({ origin }) => origin.type !== 'mcp');
  if (own.length === 0) return {};
  const entries = own.map(({ name, description, parameters, examples }): [string, JsonObject] => [
    name,
    Object.freeze({ description, ...(examples && { examples }), parameters }),
  ]);
  return { skills: Object.freeze(Object.fromEntries(entries)) };
}

/** An object with one key, which may be any name at all. */
function single<Value>(key: string, value: Value): { readonly [key: string]: Value } {
  return Object.freeze(Object.fromEntries([[key, value]]));
}

function originsText(value: SnapshotValue, instance: string, llmId: string, resolved: ResolvedAgent): string {
  const agentAt = pointerOf('agents', instance);
  const llmAt = pointerOf('llms', llmId);
  const entries: [string, Origin][] = [];
  forEachLeaf(value as unknown as Json, (pointer, path) => {
    if (path[0] === 'agents') entries.push([pointer, known(resolved.origins, pointer.slice(agentAt.length))]);
    else if (path[0] === 'llms') entries.push([pointer, known(resolved.llm_origins, pointer.slice(llmAt.length))]);
    else if (path[0] === 'key_order') return;
    else entries.push([pointer, ownOrigin(pointer, path, resolved)]);
  });
  return canonicalJson(Object.fromEntries(entries) as unknown as Json);
}

/** Where the snapshot's own members come from: its name and version are the agent's; servers and tools are what the project has for all. */
function ownOrigin(pointer: string, path: Path, { origins, tools, tool_files }: ResolvedAgent): Origin {
  if (pointer === '/name') return known(origins, '/agent_name');
  if (pointer === '/version') return known(origins, '/version');
  const [part, name, inner] = path;
  if (part === 'servers' && name !== undefined)
    return { file: inner === 'tools' ? tool_files.lock : tool_files.mcp, pointer, layer: 'system' };
  const source = part === 'skills' ? tools.find((tool) => tool.origin.type !== 'mcp' && tool.name === name)?.source : undefined;
  if (source) return { file: source.file, pointer: `${source.pointer}${pointerOf(...path.slice(2))}`, layer: 'system' };
  return { file: null, pointer, layer: 'default' };
}

function known(origins: ReadonlyMap<string, Origin>, pointer: string): Origin {
  const origin = origins.get(pointer);
  if (!origin) throw new Error(`${pointer} of an effective config has no origin`);
  return origin;
}
