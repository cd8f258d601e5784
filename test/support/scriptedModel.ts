import type { Completion, LlmClient, LlmRequest, StreamPart, TokenUsage } from '../../core/llm/types.js';

/** One answer of the script: text pieces as they stream, then how it ends. */
export interface ScriptedAnswer {
  readonly chunks: readonly string[];
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
    requests.push(request);
    const answer = answers[next++];
    if (!answer) throw new Error(`The script has ${answers.length} answers, and one more was asked for.`);
    for (const retry of answer.retries ?? []) yield { type: 'retry', ...retry };
    for (const text of answer.chunks) yield { type: 'text', text };
    if (answer.error) throw answer.error;
    if (answer.hangs) await untilAborted(request.signal);
    yield {
      type: 'completion',
      completion: {
        text: answer.chunks.join(''),
        finish_reason: answer.finish_reason ?? 'stop',
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

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
