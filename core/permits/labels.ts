import { builtInTools } from '../config/builtInTools.js';
import type { ToolAnnotations, ToolLabels } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import type { FrozenTool } from '../snapshot/agentTools.js';
import { findKnownServer } from './catalogue/findKnownServer.js';

/** What a policy may name of a tool. */
export type Label = 'private' | 'untrusted' | 'sends' | 'changes' | 'destroys' | 'runs_code';

export const labels: readonly Label[] = ['private', 'untrusted', 'sends', 'changes', 'destroys', 'runs_code'];

/** Who says what a tool does; `none`: nobody. */
export type LabelSource = 'user' | 'code' | 'built-in' | 'catalogue' | 'claims' | 'none';

/** What is known of a tool. A label that is absent is not known. */
export interface KnownLabels {
  readonly source: LabelSource;
  readonly has: Readonly<Partial<Record<Label, boolean>>>;
  /** Undefined where it is not known. */
  readonly reads: 'nothing' | 'public' | 'private' | undefined;
  /** It reads or writes files of the machine, so that what it writes another such tool may read. */
  readonly files: boolean;
}

/**
 * What a tool does: as the user says, else its own code, else the catalogue of well-known servers, else what its server claims, else nothing is
 * known.
 *
 * @param server the entry of mcp.json; undefined for a tool that is of no server
 */
export function labelsOf(
  tool: Pick<FrozenTool, 'name' | 'origin' | 'labels' | 'annotations'>,
  server: JsonObject | undefined,
): KnownLabels {
  const { origin, annotations } = tool;
  const files = server !== undefined && findKnownServer(server)?.files === true;
  switch (origin.type) {
    case 'built-in':
      return complete('built-in', builtInLabels(tool.name), readsFiles.has(tool.name));
    case 'skill':
      return tool.labels === undefined ? unlabelled : complete('code', tool.labels, false);
    case 'mcp': {
      if (tool.labels !== undefined) return complete('user', tool.labels, files);
      const listed = server && catalogueLabels(server, origin.name);
      if (listed !== undefined) return complete('catalogue', listed, files);
      return annotations === undefined ? { ...unlabelled, files } : { ...claimsOf(annotations), files };
    }
  }
}

/** What the catalogue says of a tool of a server in mcp.json; undefined if it does not have it. */
export function catalogueLabels(server: JsonObject, tool: string): ToolLabels | undefined {
  const known = findKnownServer(server);
  return known !== undefined && Object.hasOwn(known.tools, tool) ? known.tools[tool] : undefined;
}

export const unlabelled: KnownLabels = Object.freeze({ source: 'none', has: Object.freeze({}), reads: undefined, files: false });

function complete(source: LabelSource, written: ToolLabels, files: boolean): KnownLabels {
  const { reads, untrusted = false, sends = false, changes = false, destroys = false, runs_code = false } = written;
  // What is destroyed is changed too.
  const has = { private: reads === 'private', untrusted, sends, changes: changes || destroys, destroys, runs_code };
  return { source, has, reads: reads ?? 'nothing', files };
}

/** Of the annotations, only what they say without their defaults, which assume the worst. */
function claimsOf({ readOnlyHint, destructiveHint, openWorldHint }: ToolAnnotations): KnownLabels {
  const changes = readOnlyHint === undefined ? undefined : !readOnlyHint;
  const destroys = readOnlyHint === true ? false : destructiveHint;
  const isClosed = openWorldHint === false;
  const has = {
    ...(changes !== undefined && { changes }),
    ...(destroys !== undefined && { destroys }),
    ...(isClosed && { untrusted: false, sends: false }),
  };
  return { source: Object.keys(has).length > 0 ? 'claims' : 'none', has, reads: undefined, files: false };
}

const readsFiles: ReadonlySet<string> = new Set(['search_files', 'search_metadata', 'fetch_document', 'read_file']);
export const readsServers: ReadonlySet<string> = new Set(['list_resources', 'read_resource', 'get_prompt']);
const readsNothing: ReadonlySet<string> = new Set(['calculator', 'current_time']);

/** Exact, since they are ours. */
function builtInLabels(name: string): ToolLabels {
  if (readsFiles.has(name)) return { reads: 'private' };
  if (readsServers.has(name)) return { reads: 'private', untrusted: true, sends: true };
  if (readsNothing.has(name)) return {};
  throw new Error(`The built-in tool ${name} has no labels.`);
}

/** Whether a call of it asks for approval; undefined where only its code knows. */
export function asksApproval({
  name,
  origin,
  needs_approval,
}: Pick<FrozenTool, 'name' | 'origin' | 'needs_approval'>): boolean | undefined {
  if (origin.type === 'mcp') return true;
  if (origin.type === 'built-in') return builtInTools.find((tool) => tool.name === name)?.needs_approval ?? true;
  return needs_approval;
}
