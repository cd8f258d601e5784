import type { EffectiveAgent } from '../../core/snapshot/effective.js';

/** An effective config: what the test says over what layering would have filled in. */
export function agentConfig(fields: Partial<EffectiveAgent> = {}): EffectiveAgent {
  return {
    agent_name: 'Tester',
    version: 'v1',
    agent_type: 'single_shot',
    provider: 'openai',
    tool_protocol: 'native',
    max_iterations: 10,
    timeout_ms: 30_000,
    retry_attempts: 3,
    include_history: false,
    tracing: { enabled: true, sample_rate: 1 },
    ...fields,
  };
}
