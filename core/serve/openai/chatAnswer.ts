import { answerOf } from '../../agent/answerOf.js';
import type { RunResult } from '../../agent/events.js';
import type { JsonObject } from '../../json.js';

/** What all parts of an answer have in common. */
export interface AnswerHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** As the request names it. */
  readonly model: string;
}

/** The text that a client gets: the text of the agent, or its output as JSON. */
export function answerText(result: RunResult): string {
  const answer = answerOf(result);
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

/** A whole answer. */
export function chatCompletion(head: AnswerHead, result: RunResult): JsonObject {
  const message = { role: 'assistant', content: answerText(result), refusal: null };
  return {
    ...headOf(head, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: usageOf(result),
  };
}

/** A piece of a streamed answer: its role, some text, or its end. */
export function chatChunk(
  head: AnswerHead,
  delta: { readonly role?: 'assistant'; readonly content?: string },
  finish_reason: 'stop' | null = null,
): JsonObject {
  return { ...headOf(head, 'chat.completion.chunk'), choices: [{ index: 0, delta, logprobs: null, finish_reason }] };
}

/** The last piece, for clients that asked for the usage. */
export function usageChunk(head: AnswerHead, result: RunResult): JsonObject {
  return { ...headOf(head, 'chat.completion.chunk'), choices: [], usage: usageOf(result) };
}

function headOf({ id, created, model }: AnswerHead, object: string): JsonObject {
  return { id, object, created, model };
}

function usageOf({ metadata }: RunResult): JsonObject {
  const { prompt_tokens, completion_tokens, total_tokens, cached_tokens } = metadata.token_usage;
  return { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details: { cached_tokens } };
}
