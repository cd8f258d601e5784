import type { Json } from '../json.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import type { FrozenTeam } from '../snapshot/snapshotValue.js';
import type { ComparedSide } from './comparedSide.js';
import { serversOf } from './grants.js';

/** Fields of agents that are judged by what they lead to: requests, rights and contracts. */
const judgedFields: readonly string[] = [
  ...['agent_name', 'version', 'persona_key', 'llm_config_id', 'prompts', 'template', 'few_shot_examples'],
  ...['system_text', 'purpose_text', 'user_text', 'default_system_prompt', 'client_ids', 'enabled_tools', 'exclude_components', 'enums'],
];

/** Whether the parts tell all that a difference at this place of a snapshot does to a run: what is judged, and what is only recorded. */
export function isJudged(pointer: string): boolean {
  const [, section, _instance, field = ''] = pointer.split('/');
  return section === 'agents' ? field === 'tracing' || judgedFields.includes(field) : section === 'name' || section === 'version';
}

/**
 * Whether two sides of which no part differs are only written differently: with other names, texts in other places, or conditions in other words. A
 * field that no part judges makes a difference.
 *
 * @param isDescribed whether somebody is sent the description of the subject
 */
export function isSameBehaviour(before: ComparedSide, after: ComparedSide, isDescribed: boolean): boolean {
  return behaviourOf(before, isDescribed) === behaviourOf(after, isDescribed);
}

function behaviourOf(side: ComparedSide, isDescribed: boolean): string {
  const { orchestration, kind, name, models = {} } = side.value;
  const agents = [...side.agents].map(([instance, agent]) => {
    const { config, llm, tools } = agent.resolved;
    const ignored = [...judgedFields, ...(isDescribed ? [] : ['description'])];
    const fields = Object.fromEntries(Object.entries(config).filter(([field]) => !ignored.includes(field)));
    const { llm_id: _id, ...connection } = llm;
    const servers = [...serversOf({ side, instance, agent })].map(([id, { tools: _pinned, type: _said, ...server }]) => [id, server]);
    const used = tools.map(({ source: _source, ...tool }) => tool);
    // The agent that is compared may have another name.
    const key = kind === 'agent' && instance === name ? '' : instance;
    return [key, { ...fields, connection, servers: Object.fromEntries(servers), tools: used }] as const;
  });
  const teams = Object.entries(orchestration?.teams ?? {}).map(([id, team]) => [id, { ...team, routing: routingOf(team) }] as const);
  const behaviour = { kind, models, agents: Object.fromEntries(agents), ...orchestration, teams: Object.fromEntries(teams) };
  // A snapshot is JSON by construction.
  return canonicalJson(behaviour as unknown as Json);
}

/** Rules are judged by where they lead, but for what they write into the context: that has to be the same for all rules with one destination. */
function routingOf({ routing }: FrozenTeam): unknown {
  const updates = new Map<string | null | undefined, string>();
  for (const { next_team, context_updates = {} } of [...(routing.rules ?? []), { next_team: routing.default }]) {
    const update = canonicalJson(context_updates as unknown as Json);
    if ((updates.get(next_team) ?? update) !== update) return routing;
    updates.set(next_team, update);
  }
  return Object.fromEntries([...updates].filter(([, update]) => update !== '{}').map(([to, update]) => [String(to), update]));
}
