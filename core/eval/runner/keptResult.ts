import type { RunResult } from '../../agent/events.js';

/** A result with what grading reads alone: the conversation and what tools returned would be most of it. */
export function keptResult(result: RunResult): RunResult {
  const { reasoning } = result;
  return {
    ...result,
    conversation: [],
    final_response: null,
    tool_uses_in_final_turn: [],
    source_documents: [],
    tool_calls: result.tool_calls.map((call) => ({ ...call, output: null })),
    reasoning: { ...reasoning, steps: reasoning.steps.map(({ step, thought, timestamp }) => ({ step, thought, timestamp })) },
  };
}
