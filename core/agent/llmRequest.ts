import type { CacheHint, LlmRequest, Message } from '../llm/types.js';
import { proveStablePrefix } from '../prompt/stablePrefix.js';
import type { Turn } from './turn.js';
import type { Agent } from './types.js';

/** The model call of a turn, with what the agent's config says about it. */
export function llmRequest(
  { request, record, signal, deadline }: Turn,
  messages: readonly Message[],
  fields: Partial<LlmRequest>,
): LlmRequest {
  const { model_name, temperature, top_p, max_output_tokens } = request.agent.prompt;
  const end = deadline();
  return {
    model: model_name,
    messages,
    signal,
    logger: record.logger,
    ...(end !== undefined && { deadline: end }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(max_output_tokens !== undefined && { max_tokens: max_output_tokens }),
    cache: cacheHint(request.agent),
    ...fields,
  };
}

const hints = new WeakMap<Agent, CacheHint>();

/** The key follows from the snapshot: what is frozen with it decides how the agent's requests begin. */
function cacheHint(agent: Agent): CacheHint {
  const known = hints.get(agent);
  if (known !== undefined) return known;
  const { prompt, snapshot, resolved } = agent;
  const { agent_name, version, input_schema } = resolved.config;
  const { stable_system } = proveStablePrefix(prompt.shape(), ['system'], input_schema);
  const name = `${agent_name}.${version}`.replace(/[^a-zA-Z0-9_.-]/g, '_');
  const hint = { key: `${snapshot.hash.slice(0, 32)}-${name}`.slice(0, 64), ...(stable_system !== undefined && { stable_system }) };
  hints.set(agent, hint);
  return hint;
}
