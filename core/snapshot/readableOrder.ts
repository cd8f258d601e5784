import { isObject, type Json, type JsonObject } from '../json.js';
import { agentFieldOrder, llmFieldOrder } from './fields.js';
import { restoreKeyOrder } from './keyOrder.js';
import { instanceOf } from './snapshotValue.js';

/**
 * A snapshot's value in readable order: its identity first, fields in the order of the documentation, teams and tasks before the agents that run
 * them, teams in the order a run may reach them, user-defined keys as written. Everything else is ordered by name, so that two snapshots can
 * be compared, one just created and one read from a file. Without `key_order`, since the order itself now shows it.
 */
export function readableOrder(value: JsonObject): JsonObject {
  const { key_order: _, ...shown } = restoreKeyOrder(byName(value) as JsonObject);
  const orchestration = isObject(shown.orchestration) ? orchestrationOrder(shown.orchestration) : undefined;
  const agents = isObject(shown.agents)
    ? ordered(
        members(shown.agents, (agent) => ordered(agent, agentFieldOrder)),
        instancesOf(orchestration),
      )
    : undefined;
  const llms = isObject(shown.llms) ? members(shown.llms, (llm) => ordered(llm, llmFieldOrder)) : undefined;
  return ordered({ ...shown, ...(orchestration && { orchestration }), ...(agents && { agents }), ...(llms && { llms }) }, parts);
}

const parts = ['format', 'kind', 'name', 'version', 'environment', 'orchestration', 'agents', 'llms', 'servers', 'skills', 'models'];

function orchestrationOrder(value: JsonObject): JsonObject {
  const teams = isObject(value.teams) ? ordered(members(value.teams, teamOrder), alongRoutes(value.entry_team, value.teams)) : undefined;
  return ordered({ ...value, ...(teams && { teams }) }, [
    'entry_team',
    'max_total_teams',
    'max_recursion_depth',
    'input_keys',
    'input_schema',
    'context',
    'teams',
  ]);
}

/** Teams in the order a run may reach them: the entry, then the targets of its routes, and so on. */
function alongRoutes(entry: Json | undefined, teams: JsonObject): readonly string[] {
  const reached = new Set(typeof entry === 'string' ? [entry] : []);
  // The set grows during the iteration.
  for (const name of reached) {
    const team = Object.hasOwn(teams, name) ? teams[name] : undefined;
    const routing = isObject(team) && isObject(team.routing) ? team.routing : {};
    const rules = Array.isArray(routing.rules) ? (routing.rules as readonly Json[]) : [];
    for (const next of [...rules.map((rule) => (isObject(rule) ? rule.next_team : undefined)), routing.default])
      if (typeof next === 'string') reached.add(next);
  }
  return [...reached];
}

function teamOrder(team: JsonObject): JsonObject {
  const tasks = listOf(team.tasks, ['name', 'agent', 'persona_key', 'input', 'depends_on']);
  const routing = isObject(team.routing)
    ? ordered({ ...team.routing, ...listIn('rules', team.routing, ['condition', 'next_team', 'context_updates']) }, ['rules', 'default'])
    : undefined;
  return ordered({ ...team, ...(tasks && { tasks }), ...(routing && { routing }) }, ['name', 'max_recursion_depth', 'tasks', 'routing']);
}

function listIn(name: string, owner: JsonObject, order: readonly string[]): JsonObject {
  const list = listOf(owner[name], order);
  return list === undefined ? {} : { [name]: list };
}

function listOf(value: Json | undefined, order: readonly string[]): readonly Json[] | undefined {
  return Array.isArray(value) ? value.map((item: Json) => (isObject(item) ? ordered(item, order) : item)) : undefined;
}

/** The agents of tasks, in the order of teams and tasks. */
function instancesOf(orchestration: JsonObject | undefined): readonly string[] {
  const teams = isObject(orchestration?.teams) ? Object.entries(orchestration.teams) : [];
  return teams.flatMap(([team, value]) => {
    const tasks = isObject(value) && Array.isArray(value.tasks) ? (value.tasks as readonly Json[]) : [];
    return tasks.flatMap((task) => (isObject(task) ? [instanceOf(team, String(task.name))] : []));
  });
}

function members(value: JsonObject, change: (member: JsonObject) => JsonObject): JsonObject {
  return fromEntries(Object.entries(value).map(([name, member]) => [name, isObject(member) ? change(member) : member]));
}

/** Members named in `order` first, the others in their own order. */
function ordered(value: JsonObject, order: readonly string[]): JsonObject {
  const first = order.filter((name) => Object.hasOwn(value, name));
  const placed = new Set(first);
  const keys = [...first, ...Object.keys(value).filter((name) => !placed.has(name))];
  return fromEntries(keys.map((name) => [name, value[name] as Json]));
}

function byName(value: Json): Json {
  if (Array.isArray(value)) return value.map(byName);
  if (!isObject(value)) return value;
  return fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, byName(value[name] as Json)]),
  );
}

/** Defines its members, so that `__proto__` is a key like any other. */
function fromEntries(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}
