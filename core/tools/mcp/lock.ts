import type { LockedTool, McpLock } from '../../generated/types.js';
import type { Json, JsonObject } from '../../json.js';
import { compareNatural } from '../../names.js';
import { canonicalJson } from '../../snapshot/canonicalJson.js';

/** A tool as its server lists it; `description` is empty when there is none. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: JsonObject;
}

/** `new`: pinned just now. `changed`: listed differently from what is pinned. `gone`: pinned, and listed no more. */
export type LockState = 'new' | 'unchanged' | 'changed' | 'gone';

export interface LockedListing {
  readonly lock: McpLock;
  /** By name, in the order of the lock. */
  readonly states: ReadonlyMap<string, LockState>;
}

export type Sha256 = (text: string) => string;

export const emptyLock: McpLock = Object.freeze({ format: 1, servers: Object.freeze({}) });

/** What pins a tool: SHA-256, in lower-case hexadecimal digits, of the canonical JSON of `{description, parameters}`. */
export function hashTool({ description, parameters }: Pick<ListedTool, 'description' | 'parameters'>, sha256: Sha256): string {
  return sha256(canonicalJson({ description, parameters }));
}

/** The tools of a server as they are pinned; undefined for a server that was never listed. Names may be any at all. */
export function pinnedTools(lock: McpLock, client_id: string): ReadonlyMap<string, LockedTool> | undefined {
  if (!Object.hasOwn(lock.servers, client_id)) return undefined;
  return new Map(Object.entries(lock.servers[client_id]?.tools ?? {}));
}

/**
 * The lock after a server has listed its tools. What is new is pinned; what differs is kept beside what is pinned, until it is accepted.
 * Hashes are made from what is pinned, not taken from the file, which may have been edited.
 */
export function updateLock(lock: McpLock, client_id: string, listed: readonly ListedTool[], sha256: Sha256): LockedListing {
  const pinned = pinnedTools(lock, client_id) ?? new Map<string, LockedTool>();
  const now = new Map(listed.map((tool) => [tool.name, tool]));
  const names = [...new Set([...pinned.keys(), ...now.keys()])].sort(compareNatural);
  const states = new Map<string, LockState>();
  const tools: [string, LockedTool][] = names.map((name) => {
    const before = pinned.get(name);
    const after = now.get(name);
    const entry = (tool: Pick<ListedTool, 'description' | 'parameters'>) => ({
      description: tool.description,
      parameters: tool.parameters,
      hash: hashTool(tool, sha256),
    });
    if (before === undefined) {
      states.set(name, 'new');
      return [name, entry(after as ListedTool)];
    }
    const kept = entry(before);
    if (after === undefined) {
      states.set(name, 'gone');
      return [name, { ...kept, changed: null }];
    }
    const changed = entry(after);
    states.set(name, changed.hash === kept.hash ? 'unchanged' : 'changed');
    return [name, changed.hash === kept.hash ? kept : { ...kept, changed }];
  });
  return { lock: withTools(lock, client_id, tools), states };
}

/**
 * The lock with what was listed last in place of what was pinned, and without the tools that are listed no more.
 *
 * @param names which tools of the server; default all
 */
export function acceptChanges(lock: McpLock, client_id: string, names?: readonly string[]): McpLock {
  const tools = [...(pinnedTools(lock, client_id) ?? [])].flatMap(([name, tool]): [string, LockedTool][] => {
    const { changed } = tool;
    if (changed === undefined || (names !== undefined && !names.includes(name))) return [[name, tool]];
    return changed === null ? [] : [[name, changed]];
  });
  return withTools(lock, client_id, tools);
}

/** The lock without servers that the project has no more. */
export function withoutServers(lock: McpLock, isKept: (client_id: string) => boolean): McpLock {
  return { ...lock, servers: Object.fromEntries(Object.entries(lock.servers).filter(([id]) => isKept(id))) };
}

/** The lock as it stands in its file: servers and tools in natural order, so that a difference shows what a server changed and nothing else. */
export function lockText(lock: McpLock): string {
  const servers = sorted(Object.entries(lock.servers)).map(([id, server]) => [
    id,
    { tools: Object.fromEntries(sorted(Object.entries(server.tools))) },
  ]);
  const { $schema, $ignore } = lock;
  const value = {
    ...($schema !== undefined && { $schema }),
    ...($ignore !== undefined && { $ignore }),
    format: lock.format,
    servers: Object.fromEntries(servers),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function sorted<T>(entries: readonly (readonly [string, T])[]): (readonly [string, T])[] {
  return [...entries].sort(([left], [right]) => compareNatural(left, right));
}

/** `Object.fromEntries` makes own fields of any name, `__proto__` too. */
function withTools(lock: McpLock, client_id: string, tools: readonly (readonly [string, LockedTool])[]): McpLock {
  const others = Object.entries(lock.servers).filter(([id]) => id !== client_id);
  return { ...lock, servers: Object.fromEntries([...others, [client_id, { tools: Object.fromEntries(tools) }]]) };
}

/** Both forms of a tool as a text to compare, one key a line, so that a difference is small. */
export function toolText({ description, parameters }: Pick<ListedTool, 'description' | 'parameters'>): string {
  return `${JSON.stringify({ description, parameters: inOrder(parameters) }, null, 2)}\n`;
}

function inOrder(value: Json): Json {
  return JSON.parse(canonicalJson(value)) as Json;
}
