import type { JsonObject } from '../../core/json.js';
import type { AssistantBlock, Completion, LlmClient, LlmRequest, StreamPart, TokenUsage } from '../../core/llm/types.js';

/** One answer of the script: thoughts and text pieces as they stream, tools it asks for, then how it ends. */
export interface ScriptedAnswer {
  readonly chunks: readonly string[];
  /** Come before the text. */
  readonly thoughts?: readonly string[];
  /** Ids default to `use_{number of the answer}_{number of the call}`. */
  readonly calls?: readonly { readonly name: string; readonly input?: JsonObject; readonly input_text?: string; readonly id?: string }[];
  readonly finish_reason?: Completion['finish_reason'];
  readonly usage?: TokenUsage | undefined;
  /** Yielded before the first chunk. */
  readonly retries?: readonly { attempt: number; wait_ms: number; reason: string }[];
  /** Thrown after the chunks instead of completing. */
  readonly error?: unknown;
  /** Never ends after its chunks, until the signal aborts. */
  readonly hangs?: boolean;
}

/** An LlmClient that answers from a script, in order, and keeps the requests it got. */
export function scriptedModel(...answers: readonly ScriptedAnswer[]): LlmClient & { readonly requests: LlmRequest[] } {
  const requests: LlmRequest[] = [];
  let next = 0;

  async function* stream(request: LlmRequest): AsyncGenerator<StreamPart, void, undefined> {
    // As it is now: the loop goes on with the same list of messages.
    requests.push({ ...request, messages: [...request.messages] });
    request.signal?.throwIfAborted();
    const answer = answers[next++];
    if (!answer) throw new Error(`The script has ${answers.length} answers, and one more was asked for.`);
    for (const retry of answer.retries ?? []) yield { type: 'retry', ...retry };
    for (const text of answer.thoughts ?? []) yield { type: 'thinking', text };
    for (const text of answer.chunks) yield { type: 'text', text };
    if (answer.error) throw answer.error;
    if (answer.hangs) await untilAborted(request.signal);
    yield {
      type: 'completion',
      completion: {
        text: answer.chunks.join(''),
        ...((answer.calls || answer.thoughts) && { blocks: blocksOf(answer, next) }),
        finish_reason: answer.finish_reason ?? (answer.calls ? 'tool_use' : 'stop'),
        usage: 'usage' in answer ? answer.usage : { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cached_tokens: 0 },
        model: request.model,
        id: 'scripted-1',
        left_out: [],
        simulated: false,
        attempts: 1 + (answer.retries?.length ?? 0),
        latency_ms: 1,
      },
    };
  }

  return {
    requests,
    stream,
    async call(request) {
      for await (const part of stream(request)) if (part.type === 'completion') return part.completion;
      throw new Error('The script ended without a completion.');
    },
  };
}

function blocksOf({ thoughts = [], chunks, calls = [] }: ScriptedAnswer, number: number): AssistantBlock[] {
  const blocks: AssistantBlock[] = [];
  if (thoughts.length > 0) blocks.push({ type: 'thinking', text: thoughts.join(''), signature: `signature-${number}` });
  if (chunks.length > 0) blocks.push({ type: 'text', text: chunks.join('') });
  calls.forEach(({ name, input = {}, input_text, id }, index) => {
    blocks.push({ type: 'tool_use', id: id ?? `use_${number}_${index + 1}`, name, input, ...(input_text !== undefined && { input_text }) });
  });
  return blocks;
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
