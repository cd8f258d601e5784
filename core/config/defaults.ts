import { agentFields, type FieldForm, llmFields, orchestrationLimitFields } from '../generated/fields.js';
import type { Json, JsonObject } from '../json.js';

/** Built-in defaults, the lowest layer of every effective config: those of the schemas, and for agents those that depend on the agent type. */
const { provider, agent_type, ...common } = defaultsOf(agentFields);

const byAgentType = {
  single_shot: { temperature: 0 },
  react: { temperature: 0.7, max_output_tokens: 4096 },
  orchestrating: {},
} as const;

export type KnownAgentType = keyof typeof byAgentType;

export const defaultAgentType: KnownAgentType = agent_type;

/** The defaults for an agent of this type, if no layer overrides them. Temperature has no unit; times are in ms. */
export function agentDefaults(agentType: KnownAgentType): JsonObject {
  return { agent_type: agentType, ...common, ...byAgentType[agentType] };
}

/** The defaults for an llm profile; fields shared with agents have the agents' defaults. */
export const llmDefaults = { request_timeout_ms: llmFields.request_timeout_ms.default } as const;

/** The provider of a `model_name` without a provider. */
export const defaultProvider = provider;

/** The last fallback of a `react` agent's system text. */
export const fallbackSystemText = 'You are a helpful assistant.';

/** The defaults for an orchestration, if no layer overrides them. */
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

/** Limits of agent loops that no config can change. */
export const loopLimits = {
  /** Characters (UTF-16 units) of all tool results of one turn that are shown to the model; longer ones are cut, with a note where. */
  observation: 32_000,
  /** Characters of the error description when an answer is requested again. */
  correction: 4_000,
  /** Calls of one turn that are carried out; the others are answered with an error. */
  callsPerTurn: 32,
  /** Unreadable replies in a row before the run ends with `parse`. */
  unreadable: 3,
  /** Turns in a row that bring nothing new (same calls with same results, or the same refused answer) before the run ends with `max-iterations`. */
  stale: 5,
  /** How deep agents may call each other by their plans: the agent itself is at 0. A deeper call ends with `recursion-limit`. */
  nesting: 8,
} as const;
