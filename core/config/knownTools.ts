import type { ToolAnnotations, ToolLabels } from '../generated/types.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { builtInTools } from './builtInTools.js';
import { settingsPath } from './paths.js';
import type { ProjectIndex } from './projectIndex.js';
import type { OfferedTool } from './toolChoice.js';
import { annotationsIn, labelsIn } from './toolLabels.js';

/** The data that a server listed for a tool, and the SHA-256 of its canonical JSON. */
export interface ListedTool {
  /** Empty if the server gives none. */
  readonly description: string;
  /** JSON Schema, as the server gives it. */
  readonly parameters: JsonObject;
  readonly hash: string;
}

/** A tool in mcp.lock.json. */
export interface LockedTool extends ListedTool {
  /** What the server listed last, if that differs from what is pinned; null if it no longer lists the tool. */
  readonly changed?: ListedTool | null;
  readonly labels?: ToolLabels;
  readonly annotations?: ToolAnnotations;
}

/** A tool that is known without starting a server. */
export interface KnownTool extends OfferedTool {
  readonly description: string;
  readonly parameters: JsonObject;
  readonly examples?: readonly JsonObject[];
  /** Where a file describes it; null for a built-in tool, and for one that only code registers. */
  readonly source: { readonly file: string; readonly pointer: string } | null;
  /** What it does, as its user or its code says. Absent for a changed tool until the change is accepted. */
  readonly labels?: ToolLabels;
  /** What its server claims it does. Absent like `labels`. */
  readonly annotations?: ToolAnnotations;
  /** Whether each call of a skill needs approval. Absent where neither code nor a declaration says it. */
  readonly needs_approval?: boolean;
  /** Set for an MCP tool. */
  readonly locked?: LockedTool;
}

export interface KnownTools {
  /** Built-in tools, skills, then those of the servers in the order of their ids. */
  readonly tools: readonly KnownTool[];
  /** Ids of servers in mcp.json that are not in the lock: their tools have not been listed yet. */
  readonly unlisted: readonly string[];
  /** Whether the list is complete: the tools of all these servers, and of the module in agentstack.json, are known. */
  readonly isWhole: boolean;
}

type Project = Pick<ProjectIndex, 'settings' | 'registered' | 'ids' | 'value'>;

/** Every tool that an agent with these `client_ids` may choose from. Malformed entries of the lock are left out. */
export function knownTools(project: Project, clientIds: readonly string[]): KnownTools {
  const tools = [...builtIn, ...skills(project)];
  const unlisted: string[] = [];
  for (const id of new Set(clientIds)) {
    if (serverOf(project, id) === undefined) continue;
    const listed = lockedTools(project, id);
    if (listed === undefined) unlisted.push(id);
    else tools.push(...listed);
  }
  const { settings, registered } = project;
  return { tools, unlisted, isWhole: unlisted.length === 0 && (settings.tools === undefined || registered.isModuleLoaded) };
}

/** A server as mcp.json defines it, placeholders as written. */
export function serverOf(project: Project, id: string): JsonObject | undefined {
  const servers = project.value('mcp', 'mcp')?.servers;
  const server = isObject(servers) && Object.hasOwn(servers, id) ? servers[id] : undefined;
  return isObject(server) ? server : undefined;
}

/** The tools of a server as pinned, in the order of the lock; undefined if they have not been listed yet. */
export function lockedTools(project: Project, id: string): readonly (KnownTool & { readonly locked: LockedTool })[] | undefined {
  const file = project.ids('lock').get(lockId);
  const servers = project.value('lock', lockId)?.servers;
  const server = isObject(servers) && Object.hasOwn(servers, id) ? servers[id] : undefined;
  if (file === undefined || !isObject(server) || !isObject(server.tools)) return undefined;
  return Object.entries(server.tools).flatMap(([name, entry]) => {
    if (!isListed(entry)) return [];
    const { description, parameters } = entry;
    const source = { file, pointer: pointerOf('servers', id, 'tools', name) };
    const locked = lockedOf(entry);
    const { labels, annotations } = locked.changed === undefined ? locked : {};
    const does = { ...(labels && { labels }), ...(annotations && { annotations }) };
    return [{ name, description, parameters, ...does, origin: { type: 'mcp', client_id: id, name }, source, locked } as const];
  });
}

/** The revision of MCP that each of these servers spoke last, by its id, where the lock has it. */
export function lockedProtocols(project: Project, ids: readonly string[]): Readonly<Record<string, string>> {
  const servers = project.value('lock', lockId)?.servers;
  const known = ids.flatMap((id) => {
    const server = isObject(servers) && Object.hasOwn(servers, id) ? servers[id] : undefined;
    return isObject(server) && typeof server.protocol === 'string' ? [[id, server.protocol]] : [];
  });
  return Object.fromEntries(known);
}

/** Id of the one file of kind `lock`. */
export const lockId = 'mcp.lock';

/** The end of a message about an unknown tool. */
export const howToAddTools =
  ' Tools of your own come from the module under "tools" in agentstack.json, or from the program that opens the project; "skills" in agentstack.json declares those of a program.';

const builtIn: readonly KnownTool[] = builtInTools.map(({ name, description, parameters, examples }) => ({
  name,
  description,
  parameters,
  examples,
  origin: { type: 'built-in' },
  source: null,
}));

/** The skills that agentstack.json declares or code registers; a field that a declaration leaves out is taken from the code. */
function skills({ settings, registered }: Project): readonly KnownTool[] {
  const inCode = new Map(registered.tools.map((tool) => [tool.name, tool]));
  const declared = Object.entries(settings.skills).map(([name, skill]): KnownTool => {
    const { description, parameters = { type: 'object' }, examples, labels, needs_approval } = { ...inCode.get(name), ...skill };
    return {
      ...skillOf({ name, description, parameters, examples, labels, needs_approval }),
      source: { file: settingsPath, pointer: pointerOf('skills', name) },
    };
  });
  return [...declared, ...registered.tools.filter(({ name }) => !Object.hasOwn(settings.skills, name)).map(skillOf)];
}

function skillOf({
  name,
  description,
  parameters,
  examples,
  labels,
  needs_approval,
}: Pick<KnownTool, 'name' | 'description' | 'parameters'> & {
  readonly examples?: KnownTool['examples'] | undefined;
  readonly labels?: ToolLabels | undefined;
  readonly needs_approval?: boolean | undefined;
}): KnownTool {
  return {
    name,
    description,
    parameters,
    ...(examples && { examples }),
    ...(labels && { labels }),
    ...(needs_approval !== undefined && { needs_approval }),
    origin: { type: 'skill' },
    source: null,
  };
}

function isListed(entry: Json | undefined): entry is JsonObject & ListedTool {
  return isObject(entry) && typeof entry.description === 'string' && isObject(entry.parameters) && typeof entry.hash === 'string';
}

function lockedOf(entry: JsonObject & ListedTool): LockedTool {
  const { description, parameters, hash, changed } = entry as JsonObject & LockedTool;
  const [labels, annotations] = [labelsIn(entry.labels), annotationsIn(entry.annotations)];
  const tool = { description, parameters, hash, ...(labels && { labels }), ...(annotations && { annotations }) };
  if (changed !== null && !isListed(changed as Json | undefined)) return tool;
  return { ...tool, changed: changed as ListedTool | null };
}
