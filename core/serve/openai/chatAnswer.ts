import type { AgentEvent, RunResult } from '../../agent/events.js';
import { answerOf } from '../../agent/runResult.js';
import type { JsonObject } from '../../json.js';
import { type Exposed, namesOfExposed } from '../exposed.js';

/** Common fields of all parts of an answer. */
export interface AnswerHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** As in the request. */
  readonly model: string;
}

/** The answer for the client: the agent's text, or its output as JSON. */
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

/** A chunk of a streamed answer: its role, some text, or its end. */
export function chatChunk(
  head: AnswerHead,
  delta: { readonly role?: 'assistant'; readonly content?: string },
  finish_reason: 'stop' | null = null,
): JsonObject {
  return { ...headOf(head, 'chat.completion.chunk'), choices: [{ index: 0, delta, logprobs: null, finish_reason }] };
}

/** The last chunk, for clients that requested the usage. */
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

/** The answer to `GET /v1/models`: everything that can run, by the names that requests may use. */
export function modelList(exposed: readonly Exposed[], created: number): JsonObject {
  const usable = exposed.filter(({ refusal }) => refusal === undefined);
  const names = new Set([...namesOfExposed(usable), ...usable.filter(({ kind }) => kind === 'agent').map(({ id }) => id)]);
  return { object: 'list', data: [...names].sort().map((id) => modelEntry(id, created)) };
}

export function modelEntry(id: string, created: number): JsonObject {
  return { id, object: 'model', created, owned_by: 'agent-stack' };
}

/**
 * The text of a run that can be streamed: that of an agent with one model call whose text is its answer. Text of others may turn out to be a
 * thought, or be corrected later.
 */
export class LiveText {
  readonly #isLive: boolean;
  #sent = '';

  /** @param isLive whether the answer is the text of one model call */
  constructor(isLive: boolean) {
    this.#isLive = isLive;
  }

  /** The text of an event to send; empty for none. */
  take(event: AgentEvent): string {
    if (!this.#isLive || event.type !== 'chunk') return '';
    this.#sent += event.text;
    return event.text;
  }

  /** The unsent part of the final answer; undefined if the answer does not begin with the sent text. */
  remaining(answer: string): string | undefined {
    return answer.startsWith(this.#sent) ? answer.slice(this.#sent.length) : undefined;
  }
}
