import { stepsNaming } from '../config/agentToolChoice.js';
import { namesOf } from '../config/toolChoice.js';
import { isObject, type JsonObject, pointerOf } from '../json.js';
import { createOriginLookup } from '../prompt/promptText.js';
import type { TeamGraph } from '../routing/teamGraph.js';
import type { FrozenTool } from '../snapshot/agentTools.js';
import { calledBy } from '../snapshot/calledAgents.js';
import { type FrozenOrchestration, instanceOf } from '../snapshot/snapshotValue.js';
import type { ResolvedAgent } from '../snapshot/types.js';
import { asksApproval, type KnownLabels, labelsOf, readsServers, unlabelled } from './labels.js';

/** What an agent is, as far as its permissions go. A snapshot has it, and so have the files. */
export interface PermittedAgent extends Pick<ResolvedAgent, 'config' | 'tools' | 'servers' | 'unlisted' | 'origins'> {
  /** It does not exist or cannot be read, so that it may do anything. */
  readonly isMissing?: true;
}

/** An agent or orchestration with all agents that its runs may use. */
export interface PermitSubject {
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  /** Of an agent. */
  readonly version?: string;
  /** By instance, as in a snapshot: the agent itself under its name, tasks under `{team}/{task}`, called agents under `{name}@{version}`. */
  readonly agents: ReadonlyMap<string, PermittedAgent>;
  /** Of an orchestration, with the routes that may be taken. */
  readonly teams?: { readonly frozen: FrozenOrchestration; readonly graph: Pick<TeamGraph, 'entry' | 'edges'> };
}

/** An agent with those that its plan calls, by `name@version`. */
export function agentSubject(agent: PermittedAgent, called: ReadonlyMap<string, PermittedAgent>): PermitSubject {
  const { agent_name: name, version } = agent.config;
  return { kind: 'agent', name, version, agents: withMissing(new Map([[name, agent], ...called]), []) };
}

/** @param graph the routes that may be taken: those that are proven never to be are left out */
export function orchestrationSubject(
  name: string,
  frozen: FrozenOrchestration,
  agents: ReadonlyMap<string, PermittedAgent>,
  graph: Pick<TeamGraph, 'entry' | 'edges'>,
): PermitSubject {
  const tasks = Object.entries(frozen.teams).flatMap(([team, each]) => each.tasks.map((task) => instanceOf(team, task.name)));
  return { kind: 'orchestration', name, agents: withMissing(agents, tasks), teams: { frozen, graph } };
}

/** An agent that is used, and of which nothing is known, stands for whatever it may be. */
function withMissing(agents: ReadonlyMap<string, PermittedAgent>, tasks: readonly string[]): ReadonlyMap<string, PermittedAgent> {
  const used = [...tasks, ...[...agents.values()].flatMap(calledBy)];
  const missing = used.filter((instance) => !agents.has(instance));
  if (missing.length === 0) return agents;
  // Of the fields that an agent always has, only those that are asked for here.
  const stub = (agent_name: string) =>
    ({
      config: { agent_name, agent_type: 'react' },
      tools: [],
      servers: {},
      unlisted: [],
      origins: new Map(),
      isMissing: true,
    }) as unknown as PermittedAgent;
  return new Map([...agents, ...missing.map((instance) => [instance, stub(instance)] as const)]);
}

export interface Place {
  readonly file: string;
  readonly pointer: string;
}

/** A tool that an agent of a subject may call. */
export interface SubjectTool extends Pick<FrozenTool, 'name' | 'origin'> {
  readonly instance: string;
  readonly agent_name: string;
  /** `server/tool`; for a tool of no server its name. */
  readonly id: string;
  readonly labels: KnownLabels;
  /** Whether each call asks for approval; undefined where only its code knows. */
  readonly asks: boolean | undefined;
  /** The servers whose data it reads, where they are not its own. */
  readonly servers?: readonly string[];
  /** Why this entry stands for tools that only a run knows. `undeclared`: a name that no file and no loaded code describes. */
  readonly open?: 'unlisted' | 'variable' | 'missing' | 'undeclared';
  /** What gives it to the agent. */
  readonly place: Place | undefined;
}

/** `mail/send`; for a tool that is of no server, its name. */
export function toolId({ name, origin }: Pick<FrozenTool, 'name' | 'origin'>): string {
  return origin.type === 'mcp' ? `${origin.client_id}/${origin.name}` : name;
}

/** Every name by which a config may refer to a tool. */
export function namesIn({ name, origin }: Pick<FrozenTool, 'name' | 'origin'>): readonly string[] {
  return namesOf({ name, tool: { name: origin.type === 'mcp' ? origin.name : name, origin } });
}

/** The pointer in an agent's config of what brings a tool: the entry that names it, else its server. Undefined where no field does. */
export function toolPointer({ config }: Pick<PermittedAgent, 'config'>, tool: Pick<FrozenTool, 'name' | 'origin'>): string | undefined {
  const { enabled_tools, client_ids = [], execution_plan, agent_type } = config;
  const names = namesIn(tool);
  if (agent_type === 'orchestrating') {
    const step = stepsNaming(execution_plan, 'skill').find(({ name }) => names.includes(name));
    return step && pointerOf('execution_plan', 'steps', step.index, 'skill');
  }
  const index = enabled_tools?.findIndex((entry) => names.includes(entry)) ?? -1;
  if (index >= 0) return pointerOf('enabled_tools', index);
  const server = tool.origin.type === 'mcp' ? client_ids.indexOf(tool.origin.client_id) : -1;
  return server < 0 ? undefined : pointerOf('client_ids', server);
}

const toolsOfAgents = new WeakMap<PermittedAgent, Map<string, readonly SubjectTool[]>>();

/** The tools of an agent, worked out once: its subject is looked at alone and among all others. */
export function toolsOf(instance: string, agent: PermittedAgent): readonly SubjectTool[] {
  const byInstance = toolsOfAgents.get(agent) ?? new Map<string, readonly SubjectTool[]>();
  toolsOfAgents.set(agent, byInstance);
  const tools = byInstance.get(instance) ?? findTools(instance, agent);
  byInstance.set(instance, tools);
  return tools;
}

/** The tools of an agent, then one entry for each server whose tools only a run knows, and for each name with a variable in it. */
function findTools(instance: string, agent: PermittedAgent): readonly SubjectTool[] {
  const { config, tools, servers, unlisted, origins } = agent;
  const find = createOriginLookup(origins);
  const placeAt = (pointer: string | undefined): Place | undefined => {
    if (pointer === undefined) return undefined;
    const { file, pointer: at } = find(pointer);
    return file === null ? undefined : { file, pointer: at };
  };
  const common = { instance, agent_name: config.agent_name };
  const listed = tools.map((tool): SubjectTool => {
    const { name, origin, source } = tool;
    const server = origin.type === 'mcp' ? serverIn(servers, origin.client_id) : undefined;
    const labels = labelsOf(tool, server);
    const place = placeAt(toolPointer(agent, tool)) ?? source ?? undefined;
    const reads = origin.type === 'built-in' && readsServers.has(name) ? { servers: Object.keys(servers) } : {};
    return { ...common, name, origin, id: toolId(tool), labels, asks: asksApproval(tool), place, ...reads };
  });
  const open = (id: string, why: NonNullable<SubjectTool['open']>, pointer: string): SubjectTool => ({
    ...common,
    name: id,
    id,
    origin: why === 'undeclared' ? { type: 'skill' } : { type: 'mcp', client_id: id.replace(/\/\*$/, ''), name: '*' },
    labels: unlabelled,
    // Tools of servers ask.
    asks: why === 'unlisted' || pointer.startsWith('/client_ids/') ? true : undefined,
    open: why,
    place: placeAt(pointer),
  });
  const { client_ids = [], enabled_tools, agent_type } = config;
  if (agent.isMissing) return [open(instance, 'missing', '')];
  if (agent_type !== 'react' && agent_type !== 'orchestrating') return listed;
  // A name that is known may be that of another tool too.
  const mayHaveMore = agent_type === 'orchestrating' || enabled_tools === undefined || enabled_tools.length > 0;
  const names = new Set(listed.flatMap(namesIn));
  const gone = client_ids.filter((id) => !Object.hasOwn(servers, id) && !id.includes('${'));
  const undeclared = (name: string, pointer: string) =>
    unlisted.length + gone.length > 0 || names.has(name) || name.includes('${') ? [] : [open(name, 'undeclared', pointer)];
  return [
    ...listed,
    ...gone.map((id) => open(id, 'missing', pointerOf('client_ids', client_ids.indexOf(id)))),
    ...(agent_type === 'react' ? (enabled_tools ?? []).flatMap((name, index) => undeclared(name, pointerOf('enabled_tools', index))) : []),
    ...(agent_type === 'orchestrating'
      ? stepsNaming(config.execution_plan, 'skill').flatMap(({ name, index }) =>
          undeclared(name, pointerOf('execution_plan', 'steps', index, 'skill')),
        )
      : []),
    ...(mayHaveMore ? unlisted.map((id) => open(`${id}/*`, 'unlisted', pointerOf('client_ids', client_ids.indexOf(id)))) : []),
    ...(['client_ids', 'enabled_tools'] as const).flatMap((field) =>
      (config[field] ?? []).flatMap((entry, index) => (entry.includes('${') ? [open(entry, 'variable', pointerOf(field, index))] : [])),
    ),
  ];
}

function serverIn(servers: JsonObject, id: string): JsonObject | undefined {
  const server = Object.hasOwn(servers, id) ? servers[id] : undefined;
  return isObject(server) ? server : undefined;
}
