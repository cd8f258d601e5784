import { LlmError } from '../errors.js';
import type { Completion, LlmRequest } from '../llm/types.js';
import type { EventBody } from './events.js';
import type { Turn } from './runAgent.js';

/**
 * One model call of a run: yields what comes as it comes, and returns the whole answer.
 *
 * @param read turns a piece of text into the events that show it
 * @throws LlmError, or the signal's reason
 */
export async function* askModel(
  { request, record, signal }: Turn,
  call: LlmRequest,
  read: (text: string) => readonly EventBody[] = asChunk,
): AsyncGenerator<EventBody, Completion, undefined> {
  let completion: Completion | undefined;
  if (request.delivery === 'call') {
    completion = await request.llm.call(call);
    signal.throwIfAborted();
    for (const block of completion.blocks ?? []) {
      if (block.type !== 'thinking' || block.text === '') continue;
      record.trace.thinking(block.text);
      yield { type: 'thinking', text: block.text };
    }
    record.text(completion.text);
    if (completion.text !== '') yield* read(completion.text);
  } else {
    for await (const part of request.llm.stream(call)) {
      if (part.type === 'text') {
        record.text(part.text);
        for (const event of read(part.text)) yield event;
      } else if (part.type === 'retry') {
        yield { type: 'retry', attempt: part.attempt, wait_ms: part.wait_ms, reason: part.reason };
      } else if (part.type === 'thinking') {
        record.trace.thinking(part.text);
        yield { type: 'thinking', text: part.text };
      } else completion = part.completion;
    }
  }
  signal.throwIfAborted();
  if (!completion) throw new LlmError('server', 'The provider ended its stream without a completion.');
  const { finish_reason, usage, attempts, latency_ms, model } = completion;
  record.log('debug', 'model answered', {
    step: record.trace.step,
    model,
    finish_reason,
    attempts,
    latency_ms,
    total_tokens: usage?.total_tokens,
  });
  return completion;
}

function asChunk(text: string): readonly EventBody[] {
  return [{ type: 'chunk', text }];
}
