import { isObject, type Json, type JsonObject } from '../../../json.js';
import { createToolIds } from '../../toolCalls.js';
import type { AssistantBlock, ProviderCompletion, ProviderPart, TokenUsage } from '../../types.js';
import { readServerEvents } from '../serverEvents.js';
import type { VendorContext } from '../types.js';
import { cutStream, strangeAnswer } from '../vendorAnswer.js';
import { checkAnswerLength, readBytes } from '../vendorBody.js';
import { toAnswerError } from '../vendorFailure.js';
import { concluded, contentText, firstChoice, refusalIn, unreadIn, usageOf } from './chatAnswer.js';
import type { ChatDialect } from './chatRequest.js';
import { thoughtIn } from './reasoning.js';
import { createToolCalls } from './toolCalls.js';

/** What ends the stream of a server that follows the format. */
const lastEvent = '[DONE]';

/**
 * Reads a streamed answer: its text as it comes, then the completion. A stream that stops before its end (`[DONE]` and a
 * `finish_reason`; one of them is enough from a server that is not exact) is an error, however much text has arrived.
 *
 * @throws LlmError, or the signal's reason
 */
export async function* readChatStream(
  response: Response,
  context: VendorContext,
  { isExact }: ChatDialect,
): AsyncGenerator<ProviderPart, void, undefined> {
  const answer = createStreamedAnswer(context);
  let isDone = false;
  reading: for await (const events of readServerEvents(readBytes(response, context))) {
    for (const { event, data } of events) {
      if (data.trim() === '') continue;
      isDone = data === lastEvent;
      const chunk = isDone ? undefined : parseChunk(data);
      if (chunk === undefined) break reading;
      const error = errorIn(chunk, event);
      if (error !== undefined) throw toAnswerError(error, context);
      for (const part of answer.take(chunk)) yield part;
    }
  }
  context.request.signal?.throwIfAborted();
  const isWhole = isExact ? isDone && answer.hasFinished() : isDone || answer.hasFinished();
  if (!isWhole) throw cutStream(context);
  yield { type: 'completion', completion: answer.conclude() };
}

/** Undefined where it is not JSON, which ends the stream: it was almost always cut off there. */
function parseChunk(data: string): Json | undefined {
  try {
    return JSON.parse(data) as Json;
  } catch {
    return undefined;
  }
}

/** An error that a server sends within a stream, as an event of that name or in place of a chunk. */
function errorIn(chunk: Json, event: string | undefined): Json | undefined {
  const error = isObject(chunk) ? chunk.error : undefined;
  return event === 'error' ? (error ?? chunk) : error || undefined;
}

interface StreamedAnswer {
  /** What a chunk adds to text and thoughts. @throws LlmError when it is not a chunk, or the answer grows too long */
  take(chunk: Json): readonly ProviderPart[];
  /** Whether a chunk has said why the model stopped. */
  hasFinished(): boolean;
  /** @throws LlmError when the model refused or a filter cut the answer off */
  conclude(): ProviderCompletion;
}

function createStreamedAnswer(context: VendorContext): StreamedAnswer {
  const saidBlocks: Extract<AssistantBlock, { type: 'text' | 'thinking' }>[] = [];
  const calls = createToolCalls(createToolIds(context.request.messages));
  let refusal = '';
  let unread: string | undefined;
  let finish: Json | undefined;
  let usage: TokenUsage | undefined;
  let latest: JsonObject = {};
  let length = 0;

  const take = (chunk: Json): readonly ProviderPart[] => {
    if (!isObject(chunk)) throw strangeAnswer('expected a JSON object', context);
    if (typeof chunk.model === 'string') latest = chunk;
    usage = usageOf(chunk.usage) ?? usage;
    const choice = firstChoice(chunk);
    finish = choice?.finish_reason ?? finish;
    const delta = choice?.delta;
    if (!isObject(delta)) return [];
    refusal += refusalIn(delta);
    unread ??= unreadIn(delta);
    length += calls.take(delta, 'delta');
    const parts: ProviderPart[] = [];
    add(parts, 'thinking', thoughtIn(delta));
    add(parts, 'text', contentText(delta.content));
    return parts;
  };
  /** Consecutive pieces of one kind form one block. */
  const add = (parts: ProviderPart[], type: 'text' | 'thinking', piece: string): void => {
    length += piece.length;
    checkAnswerLength(length, context);
    if (piece === '') return;
    const last = saidBlocks.at(-1);
    if (last?.type === type) saidBlocks[saidBlocks.length - 1] = { type, text: last.text + piece };
    else saidBlocks.push({ type, text: piece });
    parts.push({ type, text: piece });
  };
  return {
    take,
    hasFinished: () => finish !== undefined,
    conclude: () => concluded({ blocks: [...saidBlocks, ...calls.blocks()], refusal, unread, finish, answer: latest, usage }, context),
  };
}
