import type { DurableSteps } from '../durable.js';
import { LlmError, type LlmFailureReason } from '../errors.js';
import type { AssistantBlock, Completion, LlmRequest, StreamPart, TokenUsage } from '../llm/types.js';
import { findNotJson } from '../prompt/plainJson.js';
import { streamed } from './eventQueue.js';

/** The stored outcome of a model call: its answer or its failure, since a run may continue after a failure too. */
type Kept = { readonly completion: Completion } | { readonly failure: KeptFailure };

interface KeptFailure extends Pick<LlmError, 'message' | 'attempts' | 'recoverable'> {
  readonly reason: LlmFailureReason;
  readonly status?: number | undefined;
  readonly retryAfter?: number | undefined;
  readonly finish_reason?: string | undefined;
  readonly usage?: TokenUsage | undefined;
}

/**
 * A model call as a durable step. Parts are yielded as they arrive; a stored answer is one chunk, and no model is called. The completion is the same
 * in every process.
 *
 * @throws LlmError, also a stored one; the signal's reason; as `DurableSteps.step`
 */
export async function* durableCall(
  steps: DurableSteps,
  name: string,
  call: LlmRequest,
  send: (call: LlmRequest) => AsyncIterable<StreamPart>,
): AsyncGenerator<StreamPart, void, undefined> {
  let isSent = false;
  let failure: LlmError | undefined;
  const kept = yield* streamed<StreamPart, Kept>(
    (emit, signal) =>
      steps.step(name, async () => {
        isSent = true;
        try {
          const completion = await readParts(send({ ...call, signal }), emit);
          // An aborted stream may end without an error.
          signal.throwIfAborted();
          return { completion: storableCompletion(completion) };
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof LlmError)) throw error;
          failure = error;
          return { failure: toKept(error) };
        }
      }),
    call.signal,
  );
  if ('failure' in kept) throw failure ?? toError(kept.failure);
  if (!isSent) yield* partsOf(kept.completion);
  yield { type: 'completion', completion: kept.completion };
}

/** The visible parts of an answer that was not streamed. */
export function* partsOf({ blocks = [], text }: Completion): Generator<StreamPart, void, undefined> {
  for (const block of blocks) if (block.type === 'thinking' && block.text !== '') yield { type: 'thinking', text: block.text };
  if (text !== '') yield { type: 'text', text };
}

async function readParts(parts: AsyncIterable<StreamPart>, emit: (part: StreamPart) => void): Promise<Completion> {
  let completion: Completion | undefined;
  for await (const part of parts) {
    if (part.type === 'completion') completion = part.completion;
    else emit(part);
  }
  if (completion) return completion;
  throw new LlmError('server', 'The provider ended its stream without a completion.');
}

function toKept({ reason, message, status, retryAfter, finish_reason, usage, attempts, recoverable }: LlmError): KeptFailure {
  return { reason, message, status, retryAfter, finish_reason, usage, attempts, recoverable };
}

function toError({ reason, message, attempts, ...fields }: KeptFailure): LlmError {
  const error = new LlmError(reason, message, fields);
  error.attempts = attempts;
  return error;
}

/** Input that cannot be serialized again (nested too deep, an infinite number) counts as not a JSON object, since it is lost. */
export function storableBlock(block: AssistantBlock): AssistantBlock {
  if (block.type !== 'tool_use') return block;
  const fault = findNotJson(block.input);
  return fault ? { ...block, input: {}, input_text: `[an input of which ${fault.pointer.slice(0, 100)} ${fault.problem}]` } : block;
}

/** The same answer after a round trip through JSON, except for undefined members. */
function storableCompletion(completion: Completion): Completion {
  return completion.blocks ? { ...completion, blocks: completion.blocks.map(storableBlock) } : completion;
}
