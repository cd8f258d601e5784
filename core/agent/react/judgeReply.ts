import { AgentPromptValidationError, type AgentStackError } from '../../errors.js';
import type { JsonObject } from '../../json.js';
import type { Completion } from '../../llm/types.js';
import type { AgentPrompt } from '../../prompt/agentPrompt.js';
import type { ParsedOutput } from '../../prompt/types.js';
import { correctionOf, shorterWords } from '../correction.js';
import { cutOff } from '../cutOff.js';
import type { Protocol, Reply } from './protocol.js';

/** What becomes of a reply that calls no tool. `correction` is told to the model, `error` ends the run when no better answer comes. */
export type JudgedReply =
  | { readonly type: 'accepted'; readonly output: JsonObject | null; readonly repairs: ParsedOutput['repairs'] }
  | { readonly type: 'refused'; readonly error: AgentStackError; readonly correction: string }
  | { readonly type: 'unreadable'; readonly correction: string };

/** Judges an answer by the output schema; without one, any text is an answer, unless it was cut off. */
export function judgeReply(prompt: AgentPrompt, protocol: Protocol, { answer, fault }: Reply, completion: Completion): JudgedReply {
  const { text, finish_reason } = completion;
  const isCut = finish_reason === 'length';
  if (prompt.output_schema === undefined) {
    if (isCut) return tooLong(protocol, completion);
    return answer === undefined ? { type: 'unreadable', correction: fault ?? '' } : { type: 'accepted', output: null, repairs: [] };
  }
  try {
    // A reply that cannot be read may still be the answer itself.
    return { type: 'accepted', ...prompt.parseAndValidate({ text: answer ?? text, finish_reason }) };
  } catch (error) {
    if (!(error instanceof AgentPromptValidationError)) throw error;
    if (isCut) return tooLong(protocol, completion, error);
    if (fault !== undefined) return { type: 'unreadable', correction: fault };
    return { type: 'refused', error, correction: correctionOf(error, protocol.again) };
  }
}

function tooLong(protocol: Protocol, completion: Completion, cause?: unknown): JudgedReply {
  return { type: 'refused', error: cutOff(completion, cause), correction: shorterWords(protocol.again) };
}
