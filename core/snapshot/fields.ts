import { agentFields, type FieldForm, llmFields, orchestrationLimitFields } from '../generated/fields.js';
import { isObject, type Json } from '../json.js';

/** What a fragment may hold: fields of an agent, of an llm profile, or the built-in defaults. */
export type FragmentKind = 'default' | 'agent' | 'llm';

/** Which fields a fragment of each kind contributes; fields not listed here are left out. */
export type FieldTable = { readonly [kind in FragmentKind]: ReadonlyMap<string, FieldForm> };

/** Whether a layer may give this value: its type is right; limits are not checked. */
export function fits({ type, enum: allowed, items }: FieldForm, value: Json): boolean {
  const itemFits = (item: Json) => items === undefined || fits(items, item);
  switch (type) {
    case 'string':
      return typeof value === 'string' && (allowed === undefined || allowed.includes(value));
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value) && value.every(itemFits);
    case 'object':
      return isObject(value) && Object.values(value).every(itemFits);
  }
}

const ofAgents = Object.entries<FieldForm>(agentFields);
/** A profile's system prompt is a fallback for an agent's; fields that profiles share with agents are layered under the agent. */
const isOfAgent = (name: string) => name === 'default_system_prompt' || Object.hasOwn(agentFields, name);
const ofProfiles = Object.entries<FieldForm>(llmFields);
const ofConnections = new Map(ofProfiles.filter(([name]) => !isOfAgent(name)));

/** Fields of the effective agent. */
export const agentTable: FieldTable = {
  default: new Map(ofAgents),
  agent: new Map(ofAgents),
  llm: new Map(ofProfiles.filter(([name]) => isOfAgent(name))),
};

/** Fields that the effective llm profile takes from the agent, which may have overridden them. */
export const takenFromAgent: readonly string[] = ['provider', 'retry_attempts'];

/** Fields of the effective llm profile, except its id and those it takes from the agent. */
export const llmTable: FieldTable = { default: ofConnections, agent: new Map(), llm: ofConnections };

const ofLimits = new Map(Object.entries<FieldForm>(orchestrationLimitFields));
/** Limits of orchestrations. */
export const limitTable: FieldTable = { default: ofLimits, agent: ofLimits, llm: new Map() };

/** Fields of the effective agent that are neither in its layers nor its identity, by the field they come after. */
const added: { readonly [before: string]: readonly string[] } = {
  prompts: ['template', 'few_shot_examples'],
  max_output_tokens: ['default_system_prompt'],
};

/** The order in which an effective agent lists its fields: that of the schema. */
export const agentFieldOrder: readonly string[] = [
  'agent_name',
  'version',
  ...ofAgents.flatMap(([name]) => [name, ...(added[name] ?? [])]),
];

export const llmFieldOrder: readonly string[] = [
  'llm_id',
  ...ofProfiles.map(([name]) => name).filter((name) => takenFromAgent.includes(name) || ofConnections.has(name)),
];
