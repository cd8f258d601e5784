import { loopLimits } from '../config/defaults.js';
import { type AgentPromptValidationError, BudgetExceededError, type Issue, LlmError } from '../errors.js';
import type { Completion } from '../llm/types.js';
import type { Repair } from '../prompt/types.js';
import { cut } from '../words.js';

const mostIssues = 20;

/** The feedback for the model on an answer that the output schema refuses. @param again how to answer next, as a sentence */
export function correctionOf({ issues }: AgentPromptValidationError, again: string): string {
  const lines = issues.slice(0, mostIssues).map(({ path, message }) => `- ${path === '' ? 'the answer' : path}: ${message}`);
  return `The answer does not fit the output schema:\n${cut(lines.join('\n'), loopLimits.correction)}\n${again}`;
}

/** The feedback on an answer that was cut off. */
export function shorterWords(again: string): string {
  return `Your reply was cut off at the output limit. Be shorter. ${again}`;
}

/** The failure of an empty answer without tool calls. */
export function emptyAnswer({ finish_reason }: Completion): LlmError {
  const message = 'The answer of the model is empty. Change the prompt, or try another model.';
  return new LlmError('incomplete', message, { recoverable: true, finish_reason });
}

/** The failure of an answer that calls a tool although none was offered: its text is not the whole answer. */
export function strayCall({ blocks = [], finish_reason }: Completion): LlmError | undefined {
  const call = blocks.find(({ type }) => type === 'tool_use');
  if (call?.type !== 'tool_use') return undefined;
  const message = `The model called the tool ${JSON.stringify(call.name)}, but it was offered none. Change the prompt, or give the agent tools (agent_type "react").`;
  return new LlmError('incomplete', message, { recoverable: true, finish_reason });
}

/** The failure of an answer that ended at its output limit, or at the one the budget set. */
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

/** A repair in the form of results; the keyword is its kind. */
export function toIssue({ kind, message, path }: Repair): Issue {
  return { path: path ?? '', keyword: kind, message };
}
