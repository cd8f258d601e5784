import { isObject, type Json, listOf, pointerOf } from '../json.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import { instanceOf, type SnapshotValue } from '../snapshot/snapshotValue.js';
import type { ComparedSide } from './comparedSide.js';

/** What tasks and plans of the side before call an agent or persona, and what those of the side after call it: the same in all but its name. */
type Renames = ReadonlyMap<string, string>;

/** The side before, with agents and personas under the names that they have after. */
export function withNewNames(before: ComparedSide, after: ComparedSide): ComparedSide {
  const renames = findRenames(before, after);
  if (renames.size === 0) return before;
  const rename = (name: string) => renames.get(name) ?? name;
  const { orchestration, agents, ...others } = before.value;
  const configs = Object.entries(agents).map(([instance, config]) => [rename(instance), withSteps(config, rename)] as const);
  const teams = Object.entries(orchestration?.teams ?? {}).map(([id, team]) => {
    const tasks = team.tasks.map(({ agent, persona_key, ...task }) => ({
      ...task,
      ...(agent !== undefined && { agent: rename(agent) }),
      ...(persona_key !== undefined && { persona_key: rename(persona_key) }),
    }));
    return [id, { ...team, tasks }] as const;
  });
  const value: SnapshotValue = {
    ...others,
    agents: Object.fromEntries(configs),
    ...(orchestration && { orchestration: { ...orchestration, teams: Object.fromEntries(teams) } }),
  };
  const prefixes = [...renames].map(([from, to]) => [pointerOf('agents', from), pointerOf('agents', to)] as const);
  const origins = [...before.origins].map(([pointer, origin]) => {
    const [from = '', to = ''] = prefixes.find(([prefix]) => pointer.startsWith(`${prefix}/`)) ?? [];
    return [to + pointer.slice(from.length), origin] as const;
  });
  return {
    ...before,
    value,
    origins: new Map(origins),
    agents: new Map(
      [...before.agents].map(([instance, agent]) => {
        const { resolved } = agent;
        return [rename(instance), { ...agent, resolved: { ...resolved, config: withSteps(resolved.config, rename) } }];
      }),
    ),
  };
}

function withSteps<Config extends SnapshotValue['agents'][string]>(config: Config, rename: (name: string) => string): Config {
  const { execution_plan: plan } = config;
  if (!isObject(plan)) return config;
  const steps = listOf(plan.steps).map((step) =>
    isObject(step) && typeof step.agent === 'string' ? { ...step, agent: rename(step.agent) } : step,
  );
  return { ...config, execution_plan: { ...plan, steps } };
}

/** Names that one side alone has, for what is the same and unlike anything else. */
function findRenames(before: ComparedSide, after: ComparedSide): Renames {
  const [old, current] = [namesOf(before), namesOf(after)];
  const gone = [...old].filter(([name]) => !current.has(name));
  const fresh = [...current].filter(([name]) => !old.has(name));
  const renames = gone.flatMap(([name, content]) => {
    const same = (names: typeof gone) => names.filter(([, other]) => other === content).map(([other]) => other);
    const [to, ...more] = same(fresh);
    return to === undefined || more.length > 0 || same(gone).length > 1 ? [] : [[name, to] as const];
  });
  return new Map(renames);
}

/** The names of agents and personas in tasks and plans, each with all that it is but its names. */
function namesOf({ value, agents }: ComparedSide): ReadonlyMap<string, string> {
  const names = new Map([...agents.keys()].filter((key) => key.includes('@')).map((key) => [key, contentOf(agents, key)]));
  for (const [team, { tasks }] of Object.entries(value.orchestration?.teams ?? {}))
    for (const { name, agent, persona_key } of tasks) {
      const key = agent ?? persona_key ?? '';
      // What several tasks override differently is the sum of them.
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
