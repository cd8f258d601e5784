import { createLlmClient } from '../llm/llmClient.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import { refusedParameters } from '../llm/refusedParameters.js';
import type { LlmClient } from '../llm/types.js';
import type { Ports } from '../ports.js';
import type { Agent } from './types.js';

/** The model client of an agent: its effective llm settings and its own number of tries. */
export function connect(agent: Agent, ports: Ports, providers: readonly LlmProvider[] = []): LlmClient {
  const { llm, config } = agent.resolved;
  return createLlmClient({ ...llm, retry_attempts: config.retry_attempts }, ports, {
    unsupported: refusedParameters(agent.model, llm.options),
    providers,
  });
}
