import type { AgentTarget } from '../config/agentReference.js';
import { identifyFile } from '../config/paths.js';
import { isObject, type JsonObject, pointerOf } from '../json.js';
import { frozenCopy } from './agentTools.js';
import { type ResolveTogether, resolveCalled } from './calledAgents.js';
import { checkEnvironment } from './checkEnvironment.js';
import { checkFragment } from './checkFragment.js';
import { environmentId } from './collectFragments.js';
import { createProblemList, type LayerProblem, type Origin } from './effective.js';
import { type SettledTask, type SettledTeam, settleIn, settleTeams } from './frozenTeams.js';
import type { Path } from './layering.js';
import { type OrchestrationLimits, orchestrationLimits } from './orchestrationLimits.js';
import { leafOrigins, type OriginSource } from './origins.js';
import { readLayer } from './projectReader.js';
import { resolveAgent } from './resolveAgent.js';
import { type FrozenOrchestration, instanceOf } from './snapshotValue.js';
import type { ResolvedAgent } from './types.js';

export interface ResolveOrchestrationRequest extends ResolveTogether {
  /** Project path of the orchestration and its value without `$schema` and `$ignore`. */
  readonly file: { readonly path: string; readonly value: JsonObject };
}

export interface ResolvedOrchestration {
  /** Project path. */
  readonly file: string;
  readonly name: string;
  readonly frozen: FrozenOrchestration;
  /** By instance: those of tasks in file order, then those that plans call. A task whose agent does not exist has no entry. */
  readonly agents: ReadonlyMap<string, ResolvedAgent>;
  /** Includes those of the agents, each once. Empty if the orchestration can run. */
  readonly problems: readonly LayerProblem[];
  /** Files read, each once. */
  readonly files: readonly string[];
  readonly environment_name: string;
  /** Leaf pointer in `frozen` to its origin. */
  readonly origins: ReadonlyMap<string, Origin>;
  readonly source: OriginSource;
  /** Agents that exist and are used, but were not passed in: read them and resolve again. Must be empty before freezing. */
  readonly unread: readonly AgentTarget[];
}

/**
 * An orchestration as it will run: limits layered, `${VAR}` expanded, references resolved to `name@version`, and each of its agents with all
 * layers. Pure and synchronous. Never throws for the content of files or overrides: errors are in `problems`, and unusable values are left out.
 */
export function resolveOrchestration(request: ResolveOrchestrationRequest): ResolvedOrchestration {
  const { file, project, variables, overrides, agents: sources } = request;
  const environmentName = request.environment_name ?? project.settings.environment;
  const problems = createProblemList();
  const { report } = problems;

  checkEnvironment(request, report);
  for (const problem of checkFragment('orchestration', file.value, file.path, file.path)) report(problem);
  const system = readLayer(project, 'system', 'system', report);
  const environment = readLayer(project, 'system', environmentId(environmentName), report);
  const limits = orchestrationLimits({ system, environment, orchestration: file });
  if (!limits.enabled) report(disabled(limits, file.path));
  const teams = settleTeams({ file, project, variables, report });
  const { context } = file.value;
  const start = isObject(context) ? settleIn(context, '/context', { file, project, variables, report }) : {};

  const together = {
    project,
    variables,
    agents: sources,
    ...(overrides && { overrides }),
    ...environmentOf(request),
  };
  const unread = new Map<string, AgentTarget>();
  const agents = new Map<string, ResolvedAgent>();
  const asWritten = new Map<string, ResolvedAgent>();
  for (const { part, tasks } of teams) {
    for (const task of tasks) {
      const source = task.target && sources.get(task.target.id);
      if (task.target && source === undefined) unread.set(task.target.id, task.target);
      else if (source !== undefined || task.frozen.persona_key !== undefined)
        agents.set(instanceOf(part.id, task.frozen.name), resolveTask(task, file.path, together, asWritten));
    }
  }
  const { called, unread: alsoUnread } = resolveCalled(agents.values(), together);
  for (const [id, agent] of called) agents.set(id, agent);
  for (const agent of new Set(agents.values())) for (const problem of agent.problems) report(problem);

  const frozen: FrozenOrchestration = Object.freeze({
    entry_team: String(file.value.entry_team ?? ''),
    max_total_teams: limits.max_total_teams,
    max_recursion_depth: limits.max_recursion_depth,
    ...inputOf(file.value),
    context: start as JsonObject,
    teams: Object.freeze(Object.fromEntries(teams.map((team) => [team.part.id, team.frozen]))),
  });
  const layerFiles = [system?.path, environment?.path, file.path].filter((path) => path !== undefined);
  const source = sourceOf(file, limits, teams);
  let origins: ReadonlyMap<string, Origin> | undefined;
  return Object.freeze({
    file: file.path,
    name: identifyFile(file.path, project.settings)?.name ?? '',
    frozen,
    agents,
    problems: problems.all(),
    files: Object.freeze([...new Set([...layerFiles, ...[...agents.values()].flatMap((agent) => agent.files)])]),
    environment_name: environmentName,
    get origins() {
      origins ??= leafOrigins(frozen, source);
      return origins;
    },
    source,
    unread: Object.freeze([...unread.values(), ...alsoUnread.filter(({ id }) => !unread.has(id))]),
  });
}

/** What the input of a run must be. Of a file that breaks its schema, what is not of its form is left out. */
function inputOf({ input_keys, input_schema }: JsonObject): Pick<FrozenOrchestration, 'input_keys' | 'input_schema'> {
  return {
    ...(Array.isArray(input_keys) && { input_keys: Object.freeze(input_keys.filter((key) => typeof key === 'string')) }),
    ...(isObject(input_schema) && { input_schema: frozenCopy(input_schema) as JsonObject }),
  };
}

function environmentOf({ environment_name }: ResolveOrchestrationRequest): { environment_name?: string } {
  return environment_name === undefined ? {} : { environment_name };
}

/** The agent of a task. Tasks that use an agent file unchanged share one: `asWritten` holds those by `name@version`. */
function resolveTask(
  { part, frozen, target }: SettledTask,
  path: string,
  { agents, ...together }: ResolveTogether,
  asWritten: Map<string, ResolvedAgent>,
): ResolvedAgent {
  const task = { path, pointer: part.pointer, value: part.value };
  if (target === undefined) return resolveAgent({ ...together, agent_name: frozen.name, version: String(frozen.persona_key), task });
  const file = agents.get(target.id);
  const isAsWritten = part.value.config === undefined && part.value.agent_type === undefined && part.value.persona_key === undefined;
  const before = isAsWritten ? asWritten.get(target.id) : undefined;
  if (before !== undefined) return before;
  const { name: agent_name, version } = target;
  const resolved = resolveAgent({ ...together, agent_name, version, file, ...(!isAsWritten && { task }) });
  if (isAsWritten) asWritten.set(target.id, resolved);
  return resolved;
}

function disabled({ originOf }: OrchestrationLimits, path: string): LayerProblem {
  const { file, pointer } = originOf('enabled');
  return {
    code: 'limit-invalid',
    message: `Orchestrations may not run here: ${file ?? 'a layer'} says so, and ${path} is one. Set orchestration.enabled to true there, or choose another environment.`,
    file,
    pointer,
    data: { orchestration: path },
  };
}

/** Everything but the limits is written in one place of the orchestration's own file. */
function sourceOf(
  { path: file, value }: ResolveOrchestrationRequest['file'],
  { originOf }: OrchestrationLimits,
  teams: readonly SettledTeam[],
): OriginSource {
  const byId = new Map(teams.map((team) => [team.part.id, team]));
  const originAt = (path: Path): Origin => {
    const [field, team, part, index, ...rest] = path;
    if (field === 'max_total_teams' || field === 'max_recursion_depth') return originOf(field);
    if (field === 'context' && value.context === undefined) return { file: null, pointer: '/context', layer: 'default' };
    const teamPart = typeof team === 'string' ? byId.get(team)?.part.value : undefined;
    if ((part === 'name' || part === 'routing') && teamPart?.[part] === undefined)
      return { file: null, pointer: pointerOf(...path), layer: 'default' };
    // An entry that is not a task is left out, and the following ones move up.
    const task = part === 'tasks' && typeof team === 'string' ? byId.get(team)?.tasks[Number(index)] : undefined;
    const pointer = task === undefined ? pointerOf(...path) : task.part.pointer + pointerOf(...rest);
    return { file, pointer, layer: 'orchestration' };
  };
  return { originAt };
}
