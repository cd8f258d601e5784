import { agentFields, type FieldForm, llmFields, orchestrationLimitFields } from '../generated/fields.js';
import type { Json, JsonObject } from '../json.js';

/** Built-in defaults, the lowest layer of every effective config: those of the schemas, and of agents those that depend on the agent type. */
const { provider, agent_type, ...common } = defaultsOf(agentFields);

const byAgentType = {
  single_shot: { temperature: 0 },
  react: { temperature: 0.7, max_output_tokens: 4096 },
  orchestrating: {},
} as const;

export type KnownAgentType = keyof typeof byAgentType;

export const defaultAgentType: KnownAgentType = agent_type;

/** What holds for an agent of this type when no layer says otherwise. Temperature has no unit; times are in ms. */
export function agentDefaults(agentType: KnownAgentType): JsonObject {
  return { agent_type: agentType, ...common, ...byAgentType[agentType] };
}

/** What holds for an llm profile; what agents have too is theirs. */
export const llmDefaults = { request_timeout_ms: llmFields.request_timeout_ms.default } as const;

/** The provider of a `model_name` that comes without one. */
export const defaultProvider = provider;

/** The last fallback of a `react` agent's system text. */
export const fallbackSystemText = 'You are a helpful assistant.';

/** What holds for an orchestration when no layer says otherwise. */
export const orchestrationDefaults = defaultsOf(orchestrationLimitFields);

type Defaults<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends { default: Json } ? Name : never]: Fields[Name] extends { default: infer Value }
    ? Value
    : never;
};

function defaultsOf<Fields extends { readonly [name: string]: FieldForm }>(fields: Fields): Defaults<Fields> {
  const entries = Object.entries(fields).flatMap(([name, form]) => (form.default === undefined ? [] : [[name, form.default]]));
  return Object.fromEntries(entries) as Defaults<Fields>;
}

/** Limits of the loops of agents that no config changes. */
export const loopLimits = {
  /** Characters (UTF-16 units) of all tool results of one turn that are shown to the model; longer ones are cut, and say where. */
  observation: 32_000,
  /** Characters of what is wrong with an answer that is asked for again. */
  correction: 4_000,
  /** Calls of one turn that are carried out; the rest is answered with an error. */
  callsPerTurn: 32,
  /** Replies in a row that cannot be read before the run ends with `parse`. */
  unreadable: 3,
  /** Turns in a row that bring nothing new (same calls with same results, or the same refused answer) before the run ends with `max-iterations`. */
  stale: 5,
  /** How deep agents may call each other by their plans: the agent itself is at 0. A call beyond ends with `recursion-limit`. */
  nesting: 8,
} as const;
