import type { ConfigFile } from '../../core/config/configFile.js';
import { type KnownTool, knownTools } from '../../core/config/knownTools.js';
import { chooseTools, namesOf } from '../../core/config/toolChoice.js';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { findSetting, layersOf } from '../../core/rules/facts/layers.js';
import { matchesTool } from '../../core/tools/allowedTools.js';
import type { Path } from '../jsonTree.js';
import type { Project } from '../workspace.js';

/** Whether the value at a path names a tool: an entry of a list of tools, the skill of a step, or what an expectation asks of the calls. */
export function isToolName(path: Path): boolean {
  const [list, last] = [path.at(-2), path.at(-1)];
  if (isPolicy(path))
    return last === 'from' || last === 'to' || (typeof last === 'number' && (list === 'only_after_approval' || list === 'may_not'));
  if (path.includes('expect')) return last === 'tool' || (typeof last === 'number' && list === 'tools_in_order');
  if (typeof last === 'number') return list === 'enabled_tools' || list === 'exclude_components';
  return last === 'skill' && path.includes('execution_plan');
}

/** Whether a path leads into the policy of system.json or an environment. */
export function isPolicy(path: Path): boolean {
  return path[0] === 'policy';
}

/** The path of the object with the fields of an agent, from a path into one of its lists of tools. */
export function toolOwner(path: Path): Path {
  const plan = path.indexOf('execution_plan');
  return plan >= 0 ? path.slice(0, plan) : path.slice(0, -2);
}

/** A tool and its names. The first is the one that models use. */
export interface NamedTool {
  readonly names: readonly string[];
  readonly tool: KnownTool;
}

/**
 * The tools that the lists of an agent or of a layer below may name: those of its servers, built-in tools and skills.
 *
 * @param ids `client_ids` beside the list; undefined if it is missing
 */
export function toolsFor(project: Project, ids: readonly string[] | undefined): readonly NamedTool[] {
  const { tools } = knownTools(project.index, ids ?? serverIds(project));
  const { chosen } = chooseTools(tools, { enabled_tools: tools.map(({ name }) => name) });
  return chosen.map((candidate) => ({ names: namesOf(candidate), tool: candidate.tool }));
}

/** The tools that a name at a path refers to; several where several servers have it. */
export function toolsNamed(file: ConfigFile, value: JsonObject, path: Path, name: string, project: Project): readonly KnownTool[] {
  if (isPolicy(path)) return knownTools(project.index, serverIds(project)).tools.filter((tool) => matchesTool(name, tool));
  const ids = clientIds(file, value, toolOwner(path), project);
  return toolsFor(project, ids).flatMap(({ names, tool }) => (names.includes(name) ? [tool] : []));
}

/** The servers of an agent from all its layers; of other files, those beside the list. */
function clientIds(file: ConfigFile, value: JsonObject, owner: Path, project: Project): readonly string[] | undefined {
  const stack = owner.length === 0 ? layersOf({ ...file, value }, project.ruleContext) : undefined;
  if (stack !== undefined) return textsIn(findSetting(stack, 'client_ids')?.value) ?? [];
  let around: Json | undefined = value;
  for (const segment of owner) {
    around = typeof around === 'object' && around !== null && Object.hasOwn(around, segment) ? (around as JsonObject)[segment] : undefined;
  }
  return isObject(around) ? textsIn(around.client_ids) : undefined;
}

/** A layer below agents does not know their servers. */
function serverIds({ index }: Project): readonly string[] {
  const servers = index.value('mcp', 'mcp')?.servers;
  return isObject(servers) ? Object.keys(servers) : [];
}

export function textsIn(value: Json | undefined): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}
