import { BudgetExceededError, LlmError } from '../errors.js';
import type { Completion } from '../llm/types.js';

/** The failure of an answer that says nothing, without calling a tool. */
export function emptyAnswer({ finish_reason }: Completion): LlmError {
  const message = 'The answer of the model is empty. Change the prompt, or try another model.';
  return new LlmError('incomplete', message, { recoverable: true, finish_reason });
}

/** The failure of an answer that ended at its output limit: the budget's, where that set it. */
export function cutOff({ budget_limit }: Completion, cause?: unknown): LlmError | BudgetExceededError {
  if (budget_limit === undefined) {
    const message = 'The answer was cut off because it reached the output limit. Raise max_output_tokens, or ask for less.';
    return new LlmError('length', message, { cause });
  }
  return new BudgetExceededError(
    `The answer was cut off at ${budget_limit} tokens, since the budget could not pay for more. Raise budget.max_cost, or ask for less.`,
    { cause },
  );
}
