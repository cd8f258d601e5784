import type { Agent } from '../agent/agentFactory.js';
import { decisionOf } from '../agent/decision.js';
import type { RunContext, RunError, RunResult } from '../agent/events.js';

/** A result with nothing in it but that it failed. */
export const emptyResult = {
  success: false,
  status: 'failed',
  output: null,
  text: '',
  conversation: [],
  final_response: null,
  tool_uses_in_final_turn: [],
  source_documents: [],
} as const satisfies Partial<RunResult>;

/** The result of a task whose agent was never asked. */
export function refusedResult(agent: Agent, error: RunError, run_id: string, context: RunContext): RunResult {
  const { config, llm } = agent.resolved;
  return {
    ...emptyResult,
    run_id,
    error,
    reasoning: {
      steps: [],
      decision: decisionOf({ status: 'failed', error: error.code, turns: 0, tools: new Map(), rejected: 0 }),
      confidence: 0,
    },
    metadata: {
      agent_name: config.agent_name,
      agent_version: config.version,
      provider: llm.provider,
      model_name: config.model_name ?? null,
      execution_time_ms: 0,
      iterations: 0,
      tools_used: [],
      token_usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cached_tokens: 0 },
      estimated_cost_usd: 0,
      snapshot_hash: agent.snapshot.hash,
      snapshot_path: null,
      trace_id: context.trace_id,
      correlation_id: context.correlation_id,
      repairs: [],
      simulated: false,
      left_out: [],
    },
  };
}
