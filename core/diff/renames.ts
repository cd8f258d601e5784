import { groupBy } from '../groupBy.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../json.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import { instanceOf, type SnapshotValue } from '../snapshot/snapshotValue.js';
import type { ResolvedAgent } from '../snapshot/types.js';
import type { ComparedSide } from './comparedSide.js';

type Config = SnapshotValue['agents'][string];
type Rename = (name: string) => string;

/**
 * The side before, with the names that agents and personas in tasks and plans, MCP servers, and steps of plans have after, where they are the same in
 * all but their name, and with the name of the agent that it is compared with.
 */
export function withNewNames(before: ComparedSide, after: ComparedSide): ComparedSide {
  const [old, current] = [before.value, after.value];
  const isOther = old.kind === 'agent' && current.kind === 'agent' && old.name !== current.name && old.agents[current.name] === undefined;
  const renames = new Map([...findRenames(namesOf(before), namesOf(after)), ...(isOther ? [[old.name, current.name] as const] : [])]);
  const renamedServers = findRenames(serversOf(before), serversOf(after));
  const rename: Rename = (name) => renames.get(name) ?? name;
  const renameServer: Rename = (id) => renamedServers.get(id) ?? id;
  const plans = new Map(
    Object.entries(old.agents).map(([key, { execution_plan: plan }]) => [
      rename(key),
      plan && withStepNames(withCalledNames(plan, rename), current.agents[rename(key)]?.execution_plan),
    ]),
  );
  const isRenamed = Object.entries(old.agents).some(([key, { execution_plan }]) => plans.get(rename(key)) !== execution_plan);
  // A copy reads origins that are otherwise read on request.
  if (renames.size + renamedServers.size === 0 && !isRenamed) return before;
  const withNames = <Value extends Config>(config: Value, instance: string): Value => {
    const { client_ids } = config;
    const plan = plans.get(instance);
    return { ...config, ...(client_ids && { client_ids: client_ids.map(renameServer) }), ...(plan && { execution_plan: plan }) };
  };
  const { orchestration, name, agents, llms, servers, key_order = {}, ...others } = old;
  const teams = Object.entries(orchestration?.teams ?? {}).map(([id, team]) => {
    const tasks = team.tasks.map(({ agent, persona_key, ...task }) => ({
      ...task,
      ...(agent !== undefined && { agent: rename(agent) }),
      ...(persona_key !== undefined && { persona_key: rename(persona_key) }),
    }));
    return [id, { ...team, tasks }] as const;
  });
  const prefixes = [...renames].flatMap(([from, to]) => [place('agents', from, to), place('llms', `@${from}`, `@${to}`)]);
  for (const [from, to] of renamedServers) prefixes.push(place('servers', from, to));
  const value: SnapshotValue = {
    ...others,
    name: isOther ? current.name : name,
    agents: Object.fromEntries(Object.entries(agents).map(([key, config]) => [rename(key), withNames(config, rename(key))])),
    llms: withKeys(llms, (key) => (key.startsWith('@') ? `@${rename(key.slice(1))}` : key)),
    servers: withKeys(servers, renameServer),
    key_order: Object.fromEntries(withPointers(Object.entries(key_order), prefixes)),
    ...(orchestration && { orchestration: { ...orchestration, teams: Object.fromEntries(teams) } }),
  };
  const withServers = (resolved: ResolvedAgent): ResolvedAgent => ({
    ...resolved,
    servers: withKeys(resolved.servers, renameServer),
    unlisted: resolved.unlisted.map(renameServer),
    tools: resolved.tools.map((tool) =>
      tool.origin.type === 'mcp' ? { ...tool, origin: { ...tool.origin, client_id: renameServer(tool.origin.client_id) } } : tool,
    ),
  });
  return {
    ...before,
    value,
    origins: new Map(withPointers([...before.origins], prefixes)),
    agents: new Map(
      [...before.agents].map(([key, agent]) => {
        const resolved = withServers(agent.resolved);
        return [rename(key), { ...agent, resolved: { ...resolved, config: withNames(resolved.config, rename(key)) } }];
      }),
    ),
  };
}

function place(part: string, from: string, to: string): readonly [string, string] {
  return [`${pointerOf(part, from)}/`, `${pointerOf(part, to)}/`];
}

function withPointers<Value>(
  entries: readonly (readonly [string, Value])[],
  prefixes: readonly (readonly [string, string])[],
): readonly (readonly [string, Value])[] {
  return entries.map(([pointer, value]) => {
    const [from = '', to = ''] = prefixes.find(([prefix]) => pointer.startsWith(prefix)) ?? [];
    return [to + pointer.slice(from.length), value];
  });
}

function withKeys<Value>(object: { readonly [key: string]: Value }, rename: Rename): { readonly [key: string]: Value } {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [rename(key), value]));
}

function withCalledNames(plan: JsonObject, rename: Rename): JsonObject {
  const steps = listOf(plan.steps);
  const isRenamed = steps.some((step) => isObject(step) && typeof step.agent === 'string' && rename(step.agent) !== step.agent);
  if (!isRenamed) return plan;
  return {
    ...plan,
    steps: steps.map((step) => (isObject(step) && typeof step.agent === 'string' ? { ...step, agent: rename(step.agent) } : step)),
  };
}

/** A plan with the names of the other's steps, where those that have other names are otherwise the same, one by one; else the plan itself. */
function withStepNames(plan: JsonObject, other: JsonObject | undefined): JsonObject {
  const stepsOf = (steps: Json | undefined) =>
    listOf(steps).filter((step): step is JsonObject & { name: string } => isObject(step) && typeof step.name === 'string');
  const named = (steps: Json | undefined) => stepsOf(steps).map(({ name }) => name);
  const [olds, news] = [named(plan.steps), named(other?.steps)];
  const [gone, fresh] = [olds.filter((name) => !news.includes(name)), news.filter((name) => !olds.includes(name))];
  if (gone.length === 0 || gone.length !== fresh.length) return plan;
  const renames = new Map(gone.map((name, index) => [name, fresh[index] as string]));
  const rename: Rename = (name) => renames.get(name) ?? name;
  const inTemplates = (value: Json): Json =>
    mapStrings(value, (text) => text.replace(/(\{\{\s*steps\.)([^.\s}]+)/g, (_path, start: string, name: string) => start + rename(name)));
  const inCondition = (value: Json): Json => mapStrings(value, (text, key) => (key === 'step' ? rename(text) : text));
  const steps = stepsOf(plan.steps).map(({ name, when, repeat, ...step }): JsonObject => {
    const { until, ...limits } = isObject(repeat) ? repeat : {};
    return {
      ...(inTemplates(step) as JsonObject),
      name: rename(name),
      ...(when !== undefined && { when: inCondition(when) }),
      ...(isObject(repeat) && { repeat: { ...limits, ...(until !== undefined && { until: inCondition(until) }) } }),
    };
  });
  const textOf = (all: Json | undefined) => canonicalJson(stepsOf(all).filter(({ name }) => fresh.includes(name)));
  const { output, ...others } = plan;
  return textOf(steps) === textOf(other?.steps) ? { ...others, steps, ...(output !== undefined && { output: inTemplates(output) }) } : plan;
}

function mapStrings(value: Json, map: (text: string, key: string) => string, key = ''): Json {
  if (typeof value === 'string') return map(value, key);
  if (Array.isArray(value)) return value.map((item: Json) => mapStrings(item, map, key));
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([field, part]) => [field, mapStrings(part, map, field)])) : value;
}

/** By the name before: names that one side alone has, for what is the same and unlike anything else. */
function findRenames(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const only = (names: typeof before, others: typeof before) =>
    groupBy(
      [...names].filter(([name]) => !others.has(name)),
      ([, content]) => content,
    );
  const fresh = only(after, before);
  return new Map(
    [...only(before, after)].flatMap(([content, [old, ...more]]) => {
      const [current, ...others] = fresh.get(content) ?? [];
      return old === undefined || current === undefined || more.length + others.length > 0 ? [] : [[old[0], current[0]] as const];
    }),
  );
}

function serversOf({ value }: ComparedSide): ReadonlyMap<string, string> {
  return new Map(Object.entries(value.servers).map(([id, server]) => [id, canonicalJson(server)]));
}

/** The names of agents and personas in tasks and plans, each with all that it is but its names. */
function namesOf({ value, agents }: ComparedSide): ReadonlyMap<string, string> {
  const names = new Map([...agents.keys()].filter((key) => key.includes('@')).map((key) => [key, contentOf(agents, key)]));
  for (const [team, { tasks }] of Object.entries(value.orchestration?.teams ?? {}))
    for (const { name, agent, persona_key } of tasks) {
      const key = agent ?? persona_key ?? '';
      // Tasks may override it, each in its own way.
      names.set(key, `${names.get(key) ?? ''}${name} ${contentOf(agents, instanceOf(team, name))}\n`);
    }
  return names;
}

function contentOf(agents: ComparedSide['agents'], instance: string): string {
  const { config, llm } = agents.get(instance)?.resolved ?? {};
  const { agent_name: _name, version: _version, persona_key: _persona, llm_config_id: _profile, ...fields } = config ?? {};
  const { llm_id: _id, ...connection } = llm ?? {};
  return canonicalJson({ ...fields, connection } as unknown as Json);
}
