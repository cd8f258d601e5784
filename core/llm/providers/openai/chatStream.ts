import { LlmError } from '../../../errors.js';
import { isObject, type Json, type JsonObject } from '../../../json.js';
import type { Clock } from '../../../ports.js';
import { createEventParser, type ServerSentEvent } from '../../serverSentEvents.js';
import type { AssistantBlock, ProviderPart, TokenUsage } from '../../types.js';
import { endsSoon, isJson } from '../streamEnd.js';
import { type AnswerContext, concluded, firstChoice, longestAnswer, parseAnswer, textOf, toCompletion, usageOf } from './chatAnswer.js';
import { toAnswerError, toNetworkError } from './chatFailure.js';
import type { ChatDialect } from './chatRequest.js';
import { createChunkTemplate } from './chunkTemplate.js';
import { thoughtIn } from './reasoning.js';
import { createToolCalls } from './toolCalls.js';

/**
 * Reads a streamed answer: its text as it comes, then the completion. A stream that stops before its end (`[DONE]` and a
 * `finish_reason`; one of them is enough from a server that is not exact) is an error, however much text has come.
 *
 * @throws LlmError, or the signal's reason
 */
export async function* readChatStream(
  response: Response,
  dialect: ChatDialect,
  context: AnswerContext,
  clock: Clock,
  signal: AbortSignal | undefined,
): AsyncGenerator<ProviderPart, void, undefined> {
  const read = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((error: unknown) => {
      signal?.throwIfAborted();
      throw toNetworkError(error, context);
    });
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null || /^(application\/json|text\/html)\b/i.test(type)) {
    // A server that does not stream answers whole, one that is none with a page or with nothing (status 204).
    const completion = toCompletion(await read(response.text()), context);
    for (const block of completion.blocks ?? []) if (block.type === 'thinking') yield { type: 'thinking', text: block.text };
    yield { type: 'texts', texts: [completion.text] };
    yield { type: 'completion', completion };
    return;
  }
  const state = createState(dialect, context);
  const parser = createEventParser();
  // Node's and our own bodies can be iterated; a web stream that cannot is made so by its reader.
  const chunks = (response.body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let isEnded = false;
  try {
    while (!state.isDone && !isEnded) {
      const step = await read(chunks.next());
      isEnded = step.done === true;
      const { parts, failure } = state.take(step.done ? parser.end() : parser.push(step.value), isEnded);
      for (const part of parts) yield part;
      if (failure !== undefined) throw failure;
    }
    if (!isEnded) isEnded = await endsSoon(chunks, clock);
  } finally {
    if (!isEnded) void chunks.return?.();
  }
  yield { type: 'completion', completion: state.conclude() };
}

function createState(dialect: ChatDialect, context: AnswerContext) {
  let text = '';
  /** Each stretch of thought, and the place in the text before which it came. */
  const thoughts: { readonly at: number; text: string }[] = [];
  const calls = createToolCalls(context.toolId);
  let refusal = '';
  let finish: Json | undefined;
  let usage: TokenUsage | undefined;
  let latest: JsonObject = {};
  let isDone = false;
  /** Characters so far beside the text. */
  let hidden = 0;
  const template = createChunkTemplate();
  /** What has come since it was taken last. */
  let parts: ProviderPart[] = [];
  let texts: string[] | undefined;

  /**
   * What events add. What the end of the stream left unfinished (`isRest`) may be half an event and then counts
   * as nothing. What goes wrong is returned, not thrown: the parts before it have come.
   */
  const take = (events: readonly ServerSentEvent[], isRest: boolean): Taken => {
    parts = [];
    texts = undefined;
    try {
      for (const event of events) {
        takeOne(event, isRest);
        if (isDone) break;
      }
    } catch (failure) {
      return { parts, failure };
    }
    return { parts };
  };
  const takeOne = ({ event, data }: ServerSentEvent, isRest: boolean): void => {
    if (data === '[DONE]') {
      isDone = true;
      return;
    }
    if (data.trim() === '' || (isRest && !isJson(data))) return;
    const known = event === 'message' ? template.textOf(data) : undefined;
    if (known !== undefined) {
      addText(known);
      return;
    }
    const chunk = parseAnswer(data, context);
    template.learn(data, chunk);
    if (event === 'error') throw toAnswerError(chunk.error ?? chunk, context);
    if (chunk.error !== undefined && chunk.error !== null) throw toAnswerError(chunk.error, context);
    if (typeof chunk.model === 'string') latest = chunk;
    usage = usageOf(chunk.usage) ?? usage;
    const choice = firstChoice(chunk);
    if (choice === undefined) return;
    finish = choice.finish_reason ?? finish;
    const { delta } = choice;
    if (!isObject(delta)) return;
    if (typeof delta.refusal === 'string') refusal += delta.refusal;
    hidden += calls.take(delta, 'delta');
    checkLength();
    addThought(thoughtIn(delta));
    addText(textOf(delta.content));
  };
  const addText = (piece: string): void => {
    if (piece === '') return;
    text += piece;
    checkLength();
    if (texts === undefined) {
      texts = [];
      parts.push({ type: 'texts', texts });
    }
    texts.push(piece);
  };
  const addThought = (piece: string): void => {
    if (piece === '') return;
    hidden += piece.length;
    checkLength();
    const last = thoughts.at(-1);
    if (last?.at === text.length) last.text += piece;
    else thoughts.push({ at: text.length, text: piece });
    parts.push({ type: 'thinking', text: piece });
    texts = undefined;
  };
  const checkLength = (): void => {
    if (text.length + hidden <= longestAnswer) return;
    throw new LlmError('server', `The answer of ${context.server} is longer than ${longestAnswer} characters.`);
  };
  const blocks = (): AssistantBlock[] => {
    const all: AssistantBlock[] = [];
    const addUpTo = (start: number, end: number) => {
      if (start < end) all.push({ type: 'text', text: text.slice(start, end) });
    };
    let start = 0;
    for (const { at, text: thought } of thoughts) {
      addUpTo(start, at);
      all.push({ type: 'thinking', text: thought });
      start = at;
    }
    addUpTo(start, text.length);
    return [...all, ...calls.blocks()];
  };
  const conclude = () => {
    const isWhole = dialect.isExact ? isDone && finish !== undefined : isDone || finish !== undefined;
    if (!isWhole)
      throw new LlmError('network', `The stream of ${context.server} stopped before the answer was complete.`, { recoverable: true });
    return concluded({ text, blocks: blocks(), refusal, finish, answer: latest, usage }, context);
  };
  return {
    get isDone() {
      return isDone;
    },
    take,
    conclude,
  };
}

interface Taken {
  readonly parts: readonly ProviderPart[];
  readonly failure?: unknown;
}
