import { type DiffLine, diffLines } from '../../diffLines.js';
import type { LockedTool, McpLock, ToolAnnotations } from '../../generated/types.js';
import type { Json, JsonObject } from '../../json.js';
import { compareNatural } from '../../names.js';
import { canonicalJson } from '../../snapshot/canonicalJson.js';

/** A tool as its server lists it; `description` may be empty. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: JsonObject;
  /** What the server claims it does; not pinned. */
  readonly annotations?: ToolAnnotations;
}

/** The parts of a tool that are pinned. */
type ToolForm = Pick<ListedTool, 'description' | 'parameters'>;

/** `new`: pinned just now. `changed`: differs from the pinned tool. `gone`: pinned, but no longer listed. */
export type LockState = 'new' | 'unchanged' | 'changed' | 'gone';

export interface LockedListing {
  readonly lock: McpLock;
  /** By name, in the order of the lock. */
  readonly states: ReadonlyMap<string, LockState>;
}

export type Sha256 = (text: string) => string;

export const emptyLock: McpLock = Object.freeze({ format: 1, servers: Object.freeze({}) });

/** The hash that pins a tool: SHA-256, in lower-case hex, of the canonical JSON of `{description, parameters}`. */
export function hashTool({ description, parameters }: ToolForm, sha256: Sha256): string {
  return sha256(canonicalJson({ description, parameters }));
}

/** The pinned tools of a server; undefined for a server that was never listed. Any name is possible. */
export function pinnedTools(lock: McpLock, client_id: string): ReadonlyMap<string, LockedTool> | undefined {
  if (!Object.hasOwn(lock.servers, client_id)) return undefined;
  return new Map(Object.entries(lock.servers[client_id]?.tools ?? {}));
}

/**
 * The lock after a server has listed its tools. New tools are pinned; a changed tool is kept beside the pinned one until it is accepted. Labels
 * are kept.
 * Hashes are computed from the pinned tools, not taken from the file, which may have been edited.
 *
 * @param protocol the revision of MCP that the server spoke. Default: the one that the lock has
 */
export function updateLock(
  lock: McpLock,
  client_id: string,
  listed: readonly ListedTool[],
  sha256: Sha256,
  protocol?: string,
): LockedListing {
  const pinned = pinnedTools(lock, client_id) ?? new Map<string, LockedTool>();
  const now = new Map(listed.map((tool) => [tool.name, tool]));
  const names = [...new Set([...pinned.keys(), ...now.keys()])].sort(compareNatural);
  const states = new Map<string, LockState>();
  const tools: [string, LockedTool][] = names.map((name) => {
    const before = pinned.get(name);
    const after = now.get(name);
    const entry = (tool: ToolForm & Pick<ListedTool, 'annotations'>) => ({
      description: tool.description,
      parameters: tool.parameters,
      hash: hashTool(tool, sha256),
      ...(tool.annotations && { annotations: tool.annotations }),
    });
    if (before === undefined) {
      states.set(name, 'new');
      return [name, entry(after as ListedTool)];
    }
    const labels = before.labels && { labels: before.labels };
    const kept = { ...entry(before), ...labels };
    if (after === undefined) {
      states.set(name, 'gone');
      return [name, { ...kept, changed: null }];
    }
    const changed = entry(after);
    states.set(name, changed.hash === kept.hash ? 'unchanged' : 'changed');
    return [name, changed.hash === kept.hash ? { ...changed, ...labels } : { ...kept, changed }];
  });
  return { lock: withTools(lock, client_id, tools, protocol), states };
}

/**
 * The lock with the changes of a server accepted: changed tools are pinned anew, without their labels, and tools that are gone are removed.
 *
 * @param names the tools to accept. Default: all
 */
export function acceptChanges(lock: McpLock, client_id: string, names?: readonly string[]): McpLock {
  const tools = [...(pinnedTools(lock, client_id) ?? [])].flatMap(([name, tool]): [string, LockedTool][] => {
    const { changed } = tool;
    if (changed === undefined || (names !== undefined && !names.includes(name))) return [[name, tool]];
    return changed === null ? [] : [[name, changed]];
  });
  return withTools(lock, client_id, tools);
}

/** The lock without the servers that the project no longer has. */
export function withoutServers(lock: McpLock, isKept: (client_id: string) => boolean): McpLock {
  return { ...lock, servers: Object.fromEntries(Object.entries(lock.servers).filter(([id]) => isKept(id))) };
}

/** The text of the lock file: servers and tools in natural order, so that a diff shows only what a server changed. */
export function lockText(lock: McpLock): string {
  const servers = sorted(Object.entries(lock.servers)).map(([id, server]) => [
    id,
    { ...server, tools: Object.fromEntries(sorted(Object.entries(server.tools))) },
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

/** `Object.fromEntries` creates own fields of any name, including `__proto__`. */
function withTools(
  lock: McpLock,
  client_id: string,
  tools: readonly (readonly [string, LockedTool])[],
  protocol = Object.hasOwn(lock.servers, client_id) ? lock.servers[client_id]?.protocol : undefined,
): McpLock {
  const others = Object.entries(lock.servers).filter(([id]) => id !== client_id);
  const server = { ...(protocol !== undefined && { protocol }), tools: Object.fromEntries(tools) };
  return { ...lock, servers: Object.fromEntries([...others, [client_id, server]]) };
}

/** A tool as text for a diff, one key per line. */
export function toolText({ description, parameters }: ToolForm): string {
  return `${JSON.stringify({ description, parameters: inOrder(parameters) }, null, 2)}\n`;
}

function inOrder(value: Json): Json {
  return JSON.parse(canonicalJson(value)) as Json;
}

/** How a tool has changed, line by line; `after` is null for one that is no longer listed. */
export function toolDifference(before: ToolForm, after: ToolForm | null): readonly DiffLine[] {
  return diffLines(linesOf(before), after === null ? [] : linesOf(after));
}

/** The lines of the description and of the schema: JSON would hide those of a description. */
function linesOf({ description, parameters }: ToolForm): readonly string[] {
  const [, ...schema] = toolText({ description: '', parameters }).trimEnd().split('\n').slice(1, -1);
  return [...description.split('\n'), ...schema.map((line) => line.slice(2))];
}
