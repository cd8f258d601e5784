/**
 * Built-in defaults: the lowest layer of every effective config. The same numbers stand as `default` in `schemas/`, where a hover
 * shows them; a test holds the two together.
 */
const common = {
  tool_protocol: 'native',
  max_iterations: 10,
  timeout_ms: 30_000,
  retry_attempts: 3,
  include_history: false,
  tracing: { enabled: true, sample_rate: 1 },
} as const;

const byAgentType = {
  single_shot: { agent_type: 'single_shot', ...common, temperature: 0 },
  react: { agent_type: 'react', ...common, temperature: 0.7, max_output_tokens: 4096 },
  orchestrating: { agent_type: 'orchestrating', ...common },
} as const;

export type KnownAgentType = keyof typeof byAgentType;

export const defaultAgentType: KnownAgentType = 'single_shot';

/** What holds for an agent of this type when no layer says otherwise. Temperature has no unit; times are in ms. */
export function agentDefaults(agentType: KnownAgentType): (typeof byAgentType)[KnownAgentType] {
  return byAgentType[agentType];
}

/** What holds for an llm profile; `retry_attempts` is the agent's. */
export const llmDefaults = { request_timeout_ms: 60_000 } as const;

/** The provider of a `model_name` that comes without one. */
export const defaultProvider = 'openai';

/** The last fallback of a `react` agent's system text. */
export const fallbackSystemText = 'You are a helpful assistant.';

/** What holds for an orchestration when no layer says otherwise: whether it may run, team executions of a run, and how often one team may be on the way from the entry to now. */
export const orchestrationDefaults = { enabled: true, max_total_teams: 30, max_recursion_depth: 5 } as const;
