import { builtInTools } from '../config/builtInTools.js';
import type { JsonObject } from '../json.js';
import type { FrozenTool } from '../snapshot/agentTools.js';

/** What a tool does, complete: a label that is left out is false, and without `reads` it reads nothing from outside of the call. */
export interface ToolLabels {
  /** `private`: what only some may see, such as files, mail or a database. `public`: what anybody may read. */
  readonly reads?: 'public' | 'private';
  /** Its answers may contain what a stranger wrote, such as web pages, incoming mail and issues. */
  readonly untrusted?: boolean;
  /** What it is given leaves the machine or the organisation; the address of a page that it fetches does too. */
  readonly sends?: boolean;
  /** It changes something outside of the run. */
  readonly changes?: boolean;
  /** It deletes or overwrites what cannot be restored. */
  readonly destroys?: boolean;
  /** It runs code or commands that its input contains. */
  readonly runs_code?: boolean;
}

/** What a server says of a tool in the annotations of MCP. Claims: a server may say anything. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

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

/** A tool with all that files and code say of what it does. */
export type LabelledTool = Pick<FrozenTool, 'name' | 'origin'> & {
  /** The user's word, or that of the tool's own code. */
  readonly labels?: ToolLabels;
  readonly annotations?: ToolAnnotations;
};

/** What a shipped catalogue knows of a server. */
export interface KnownServer {
  readonly files?: true;
  readonly tools: Readonly<Record<string, ToolLabels>>;
}

export type FindKnownServer = (server: JsonObject) => KnownServer | undefined;

/**
 * What a tool does: as the user says, else its own code, else the catalogue of well-known servers, else what its server claims, else nothing is
 * known.
 *
 * @param server the entry of mcp.json; undefined for a tool that is of no server
 */
export function labelsOf(tool: LabelledTool, server: JsonObject | undefined, findKnownServer: FindKnownServer): KnownLabels {
  const { origin, annotations } = tool;
  const known = server && findKnownServer(server);
  const files = known?.files === true;
  switch (origin.type) {
    case 'built-in':
      return complete('built-in', builtInLabels(tool.name), readsFiles.has(tool.name));
    case 'skill':
      return tool.labels === undefined ? unlabelled : complete('code', tool.labels, false);
    case 'mcp': {
      if (tool.labels !== undefined) return complete('user', tool.labels, files);
      const listed = known !== undefined && Object.hasOwn(known.tools, origin.name) ? known.tools[origin.name] : undefined;
      if (listed !== undefined) return complete('catalogue', listed, files);
      return annotations === undefined ? { ...unlabelled, files } : { ...claimsOf(annotations), files };
    }
  }
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
const readsServers: ReadonlySet<string> = new Set(['list_resources', 'read_resource', 'get_prompt']);
const readsNothing: ReadonlySet<string> = new Set(['calculator', 'current_time']);

/** Exact, since they are ours. */
function builtInLabels(name: string): ToolLabels {
  if (readsFiles.has(name)) return { reads: 'private' };
  if (readsServers.has(name)) return { reads: 'private', untrusted: true, sends: true };
  if (readsNothing.has(name)) return {};
  throw new Error(`The built-in tool ${name} has no labels.`);
}

/** Whether a call of it asks for approval; undefined where only its code knows. */
export function asksApproval({ name, origin, needs_approval }: Pick<FrozenTool, 'name' | 'origin'> & { readonly needs_approval?: boolean }):
  | boolean
  | undefined {
  if (origin.type === 'mcp') return true;
  if (origin.type === 'built-in') return builtInTools.find((tool) => tool.name === name)?.needs_approval ?? true;
  return needs_approval;
}
