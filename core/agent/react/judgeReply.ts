import { AgentPromptValidationError, type AgentStackError, LlmError } from '../../errors.js';
import type { JsonObject } from '../../json.js';
import type { Completion } from '../../llm/types.js';
import type { AgentPrompt } from '../../prompt/agentPrompt.js';
import type { ParsedOutput } from '../../prompt/types.js';
import type { Protocol, Reply } from './protocol.js';

/** What becomes of a reply that calls no tool. `correction` is told to the model, `error` ends the run when no better answer comes. */
export type JudgedReply =
  | { readonly type: 'accepted'; readonly output: JsonObject | null; readonly repairs: ParsedOutput['repairs'] }
  | { readonly type: 'refused'; readonly error: AgentStackError; readonly correction: string }
  | { readonly type: 'unreadable'; readonly correction: string };

const mostIssues = 20;

/** Judges an answer by the output schema; without one, any text is an answer, unless it was cut off. */
export function judgeReply(
  prompt: AgentPrompt,
  protocol: Protocol,
  { answer, fault }: Reply,
  { text, finish_reason }: Completion,
): JudgedReply {
  const isCut = finish_reason === 'length';
  if (prompt.output_schema === undefined) {
    if (isCut) return cutOff(protocol);
    return answer === undefined ? { type: 'unreadable', correction: fault ?? '' } : { type: 'accepted', output: null, repairs: [] };
  }
  try {
    // A reply that cannot be read may still be the answer itself.
    return { type: 'accepted', ...prompt.parseAndValidate({ text: answer ?? text, finish_reason }) };
  } catch (error) {
    if (!(error instanceof AgentPromptValidationError)) throw error;
    if (isCut) return cutOff(protocol, error);
    if (fault !== undefined) return { type: 'unreadable', correction: fault };
    const lines = error.issues.slice(0, mostIssues).map(({ path, message }) => `- ${path === '' ? 'the answer' : path}: ${message}`);
    return { type: 'refused', error, correction: `The answer does not fit the output schema:\n${lines.join('\n')}\n${protocol.again}` };
  }
}

function cutOff(protocol: Protocol, cause?: unknown): JudgedReply {
  const advice = 'Raise max_output_tokens, or ask for less.';
  return {
    type: 'refused',
    error: new LlmError('length', `The answer was cut off because it reached the output limit. ${advice}`, { cause }),
    correction: `Your reply was cut off at the output limit. Be shorter. ${protocol.again}`,
  };
}
