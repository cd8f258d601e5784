import type { LlmRequest, Message } from '../llm/types.js';
import type { Turn } from './turn.js';

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
    ...fields,
  };
}
