import { chooseAgentTools, stepsNaming, wantsTools } from '../config/agentToolChoice.js';
import { howToAddTools, type KnownTool, knownTools, lockedProtocols, lockedTools, lockId, serverOf } from '../config/knownTools.js';
import { settingsPath } from '../config/paths.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { namesOf, type ToolChoice, type ToolOrigin } from '../config/toolChoice.js';
import type { ToolAnnotations, ToolLabels } from '../generated/types.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import type { EffectiveAgent, LayerProblem, Origin } from './effective.js';
import { readLayer } from './projectReader.js';
import { differenceWords, skillDifferences } from './skillDifferences.js';

/** A tool frozen with an agent. */
export interface FrozenTool {
  /** What the model calls it. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: JsonObject;
  readonly examples?: readonly JsonObject[];
  /** What it does, as its user or its code says. Like `annotations` in a snapshot only if that has a policy. */
  readonly labels?: ToolLabels;
  /** What its server claims it does. */
  readonly annotations?: ToolAnnotations;
  /** Whether each call of a skill needs approval, as its code or its declaration says. Like `labels`. */
  readonly needs_approval?: boolean;
  readonly origin: ToolOrigin;
  /** Where a file describes it; null for a built-in tool. */
  readonly source: { readonly file: string; readonly pointer: string } | null;
}

/** The tools an agent may call, as far as files declare them. Deeply frozen. */
export interface AgentTools {
  /** The MCP servers of its `client_ids` as mcp.json defines them, placeholders as written, each with its pinned `tools` if the lock has them. */
  readonly servers: JsonObject;
  readonly tools: readonly FrozenTool[];
  /** Servers whose tools have not been listed yet: a run uses the tools they list at that time. */
  readonly unlisted: readonly string[];
  /** The revision of MCP that each server spoke last, by its id, where the lock has it. Part of no snapshot: it changes no answer. */
  readonly protocols: Readonly<Record<string, string>>;
  /** Names of all existing built-in tools and skills, in the order in which prompts list them; empty for an agent that uses no tools. */
  readonly offered: readonly string[];
  /** Paths of the files read; null for a file that was not needed or does not exist. */
  readonly tool_files: { readonly mcp: string | null; readonly lock: string | null };
}

const noTools: AgentTools = Object.freeze({
  servers: Object.freeze({}),
  tools: Object.freeze([]),
  unlisted: Object.freeze([]),
  protocols: Object.freeze({}),
  offered: Object.freeze([]),
  tool_files: Object.freeze({ mcp: null, lock: null }),
});

/**
 * The servers and tools of an effective agent that reasons in a loop or follows a plan; any other has none. Errors in mcp.json and its lock
 * that concern the agent's servers are reported, as are plan steps that name a skill that does not exist.
 *
 * @param hasPolicy whether `servers`, and with it a snapshot, says what tools do
 */
export function agentTools(
  config: EffectiveAgent,
  project: ProjectIndex,
  originAt: (path: readonly (string | number)[]) => Origin,
  report: (problem: LayerProblem) => void,
  hasPolicy: boolean,
): AgentTools {
  const { client_ids = [] } = config;
  if (!wantsTools(config)) return noTools;
  if (client_ids.length > 0) readServers(client_ids, project, originAt, report);
  const { tools, unlisted, isWhole } = knownTools(project, client_ids);
  const choice = chooseAgentTools(tools, config);
  // The tools of a server that has not been listed yet are known only in the run.
  if (config.agent_type === 'orchestrating' && isWhole) findUnknownSkills(config, tools, choice, originAt, report);
  findBrokenSkills(project, choice, report);
  const servers = client_ids.flatMap((id) => {
    const server = serverOf(project, id);
    return server === undefined ? [] : [[id, withPinned(server, id, project, hasPolicy)] as const];
  });
  return {
    servers: frozenCopy(Object.fromEntries(servers)) as JsonObject,
    tools: Object.freeze(
      choice.chosen.map(({ name, tool: { description, parameters, examples, labels, annotations, needs_approval, origin, source } }) =>
        Object.freeze({
          name,
          description,
          parameters: frozenCopy(parameters) as JsonObject,
          ...(examples && examples.length > 0 && { examples: frozenCopy(examples) as readonly JsonObject[] }),
          ...(labels && { labels: frozenCopy(labels as JsonObject) as ToolLabels }),
          ...(annotations && { annotations: frozenCopy(annotations as JsonObject) as ToolAnnotations }),
          ...(needs_approval !== undefined && { needs_approval }),
          origin: Object.freeze(origin),
          source: source && Object.freeze(source),
        }),
      ),
    ),
    unlisted: Object.freeze(unlisted),
    protocols: Object.freeze(lockedProtocols(project, client_ids)),
    offered: Object.freeze(ownNames(tools)),
    tool_files: client_ids.length > 0 ? filesOf(project) : noTools.tool_files,
  };
}

/** A skill keeps its own place in the order, even if it replaces a built-in tool. */
function ownNames(tools: readonly KnownTool[]): readonly string[] {
  const skills = tools.filter(({ origin }) => origin.type !== 'mcp').map(({ name }) => name);
  return skills.filter((name, index) => skills.lastIndexOf(name) === index);
}

function filesOf(project: ProjectIndex): AgentTools['tool_files'] {
  return Object.freeze({ mcp: project.ids('mcp').get('mcp') ?? null, lock: project.ids('lock').get(lockId) ?? null });
}

function withPinned(server: JsonObject, id: string, project: ProjectIndex, hasPolicy: boolean): JsonObject {
  const pinned = lockedTools(project, id);
  if (pinned === undefined) return server;
  const tools = pinned.map(({ name, description, parameters, labels, annotations }) => [
    name,
    { description, parameters, ...(hasPolicy && labels && { labels }), ...(hasPolicy && annotations && { annotations }) },
  ]);
  return { ...server, tools: Object.fromEntries(tools) as JsonObject };
}

/** Checks what the files say about the named servers; other servers of the same files concern other agents. */
function readServers(
  ids: readonly string[],
  project: ProjectIndex,
  originAt: (path: readonly (string | number)[]) => Origin,
  report: (problem: LayerProblem) => void,
): void {
  const concerns = ({ pointer }: LayerProblem) =>
    !pointer.startsWith('/servers/') || ids.some((id) => `${pointer}/`.startsWith(`${pointerOf('servers', id)}/`));
  const file = readLayer(project, 'mcp', 'mcp', (problem) => concerns(problem) && report(problem));
  // A server's own descriptions of its tools are in the lock already, and the user cannot move them elsewhere.
  readLayer(project, 'lock', lockId, (problem) => problem.code !== 'secret-in-plain-text' && concerns(problem) && report(problem));
  if (file === undefined && project.ids('mcp').has('mcp')) return;
  const servers = isObject(file?.value.servers) ? Object.keys(file.value.servers) : [];
  for (const [index, id] of ids.entries()) {
    if (servers.includes(id)) continue;
    const { file: place, pointer } = originAt(['client_ids', index]);
    const nearest = nearestNames(id, servers);
    const hint = nearest.length > 0 ? didYouMean(nearest) : ' Its servers are in mcp.json.';
    report({
      code: 'unknown-mcp-server',
      message: `There is no MCP server ${JSON.stringify(id)}.${hint}`,
      file: place,
      pointer,
      data: { id, nearest },
    });
  }
}

/** Faults of tools in code: in the module of agentstack.json, and declarations that differ from the code. */
function findBrokenSkills(
  { settings, registered }: ProjectIndex,
  { chosen, unknown }: ToolChoice<KnownTool>,
  report: (problem: LayerProblem) => void,
): void {
  const { moduleProblem = unknown.enabled_tools.length > 0 ? registered.moduleUnseen : undefined } = registered;
  if (moduleProblem !== undefined) report({ code: 'tools-module', message: moduleProblem, file: settingsPath, pointer: '/tools' });
  const names = new Set(chosen.flatMap(({ tool }) => (tool.origin.type === 'skill' ? [tool.name] : [])));
  for (const difference of skillDifferences(settings.skills, registered)) {
    if (!names.has(difference.name)) continue;
    report({ code: 'skill-differs', message: differenceWords(difference), file: settingsPath, pointer: difference.pointer });
  }
}

/** With the message of the rule unknown-skill, if it is one of those. */
function findUnknownSkills(
  { execution_plan }: EffectiveAgent,
  tools: readonly KnownTool[],
  choice: ToolChoice<KnownTool>,
  originAt: (path: readonly (string | number)[]) => Origin,
  report: (problem: LayerProblem) => void,
): void {
  const names = new Set(tools.flatMap((tool) => namesOf({ name: tool.name, tool })));
  for (const { name, index } of stepsNaming(execution_plan, 'skill')) {
    if (!choice.unknown.enabled_tools.includes(name)) continue;
    const { file, pointer } = originAt(['execution_plan', 'steps', index, 'skill']);
    const nearest = nearestNames(name, names);
    const hint = nearest.length > 0 ? didYouMean(nearest) : howToAddTools;
    const message = names.has(name)
      ? `The plan calls the skill ${JSON.stringify(name)}, which enabled_tools or exclude_components of this agent do not allow. Add it to enabled_tools, or take it out of exclude_components.`
      : `There is no skill ${JSON.stringify(name)}: no built-in tool, no declared skill.${hint}`;
    report({ code: 'unknown-skill', message, file, pointer, data: { name, nearest } });
  }
}

/** A deeply frozen copy, because an index may still hold the original. At most as deep as a config file. */
export function frozenCopy(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, frozenCopy(member)])));
}
