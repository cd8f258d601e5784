import { LlmError } from '../../../errors.js';
import { isObject, type Json, type JsonObject } from '../../../json.js';
import type { Clock } from '../../../ports.js';
import type { ServerSentEvent } from '../../serverSentEvents.js';
import type { ProviderCompletion, ProviderPart } from '../../types.js';
import { readEventBatches } from '../eventBatches.js';
import { toAnswerError } from '../openai/chatFailure.js';
import { cutStream, parseAnswer } from '../vendorAnswer.js';
import { longestAnswer, type VendorContext } from '../vendorConnection.js';
import { concluded, textIn } from './messagesAnswer.js';
import { toErrorBody } from './messagesFailure.js';

/**
 * Reads a streamed answer: texts and thoughts as they come, then the completion with everything. A stream that stops before `message_stop`
 * is an error, however much has come.
 *
 * @throws LlmError, or the signal's reason
 */
export async function* readMessagesStream(
  response: Response,
  context: VendorContext,
  clock: Clock,
): AsyncGenerator<ProviderPart, void, undefined> {
  const state = createState(context);
  for await (const { events, isRest } of readEventBatches(response, context, clock, () => state.isOver)) {
    const { parts, failure } = state.take(events, isRest);
    yield* parts;
    if (failure !== undefined) throw failure;
  }
  yield { type: 'completion', completion: state.conclude() };
}

/** A block while it grows: the text of its kind, and everything else as it was begun. */
interface OpenBlock {
  readonly start: JsonObject;
  text: string;
  signature: string;
}

function createState(context: VendorContext) {
  const blocks = new Map<number, OpenBlock>();
  let message: JsonObject = {};
  let size = 0;
  let isOver = false;

  /**
   * What events add, in their order. What the end of the stream left unfinished (`isRest`) may be half an event and then counts as nothing.
   * What goes wrong is returned, not thrown: the texts before it have come.
   */
  const take = (events: readonly ServerSentEvent[], isRest: boolean): { readonly parts: readonly ProviderPart[]; failure?: unknown } => {
    const parts: ProviderPart[] = [];
    try {
      for (const { data } of events) {
        if (isOver) break;
        if (data.trim() === '' || (isRest && !isJson(data))) continue;
        const part = takeOne(parseAnswer(data, context));
        if (part !== undefined) parts.push(part);
      }
    } catch (failure) {
      return { parts, failure };
    }
    return { parts };
  };
  const takeOne = (event: JsonObject): ProviderPart | undefined => {
    switch (event.type) {
      case 'message_start':
        if (isObject(event.message)) message = event.message;
        return undefined;
      case 'content_block_start':
        return begin(event);
      case 'content_block_delta':
        return grow(event);
      case 'message_delta':
        // The counts are those of the whole answer so far; those it does not repeat are the first ones.
        message = { ...message, ...ownFields(event.delta), usage: { ...ownFields(message.usage), ...givenFields(event.usage) } };
        return undefined;
      case 'message_stop':
        isOver = true;
        return undefined;
      case 'error':
        throw toAnswerError(toErrorBody(event), context);
      default:
        // A ping, or what a later version of the API adds.
        return undefined;
    }
  };
  const begin = ({ index, content_block: start }: JsonObject): ProviderPart | undefined => {
    if (!isObject(start) || typeof index !== 'number') return undefined;
    const text = start.type === 'thinking' ? textIn(start.thinking) : textIn(start.text);
    blocks.set(index, { start, text, signature: textIn(start.signature) });
    return shown(start, text);
  };
  const grow = ({ index, delta }: JsonObject): ProviderPart | undefined => {
    const block = typeof index === 'number' ? blocks.get(index) : undefined;
    if (block === undefined || !isObject(delta)) return undefined;
    if (delta.type === 'signature_delta') {
      block.signature += textIn(delta.signature);
      return undefined;
    }
    const piece = pieceOf(delta);
    block.text += piece;
    size += piece.length;
    if (size > longestAnswer) throw new LlmError('server', `The answer of ${context.server} is longer than ${longestAnswer} characters.`);
    return shown(block.start, piece);
  };
  const conclude = (): ProviderCompletion => {
    if (!isOver || typeof message.stop_reason !== 'string') throw cutStream(context);
    const content = [...blocks].sort(([left], [right]) => left - right).map(([, block]) => closed(block));
    return concluded(message, content, context);
  };
  return {
    get isOver() {
      return isOver;
    },
    take,
    conclude,
  };
}

function pieceOf(delta: JsonObject): string {
  if (delta.type === 'text_delta') return textIn(delta.text);
  if (delta.type === 'thinking_delta') return textIn(delta.thinking);
  return delta.type === 'input_json_delta' ? textIn(delta.partial_json) : '';
}

function shown({ type }: JsonObject, text: string): ProviderPart | undefined {
  if (text === '') return undefined;
  if (type === 'text') return { type: 'texts', texts: [text] };
  return type === 'thinking' ? { type: 'thinking', text } : undefined;
}

function closed({ start, text, signature }: OpenBlock): JsonObject {
  if (start.type === 'text') return { ...start, text };
  if (start.type === 'thinking') return { ...start, thinking: text, signature };
  // An input that was not streamed stands in the beginning.
  return start.type === 'tool_use' && text !== '' ? { ...start, input: text } : start;
}

function ownFields(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function givenFields(value: Json | undefined): JsonObject {
  return Object.fromEntries(Object.entries(ownFields(value)).filter(([, count]) => count !== null));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
