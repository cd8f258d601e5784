import { isObject, type Json, type JsonObject } from '../../../json.js';
import type { ProviderPart } from '../../types.js';
import type { VendorCompletion, VendorContext, VendorPart } from '../types.js';
import { cutStream } from '../vendorAnswer.js';
import { checkAnswerLength, readEventParts } from '../vendorBody.js';
import { toAnswerError } from '../vendorFailure.js';
import { concluded, textIn } from './messagesAnswer.js';
import { toErrorBody } from './messagesFailure.js';

/**
 * Reads a streamed answer: texts and thoughts as they come, then the completion with everything. A stream that stops before `message_stop`
 * is an error, however much has arrived.
 *
 * @throws LlmError, or the signal's reason
 */
export async function* readMessagesStream(response: Response, context: VendorContext): AsyncGenerator<VendorPart, void, undefined> {
  const state = createState(context);
  yield* readEventParts(response, context, state);
  yield { type: 'completion', completion: state.conclude() };
}

/** A block as it grows: the text of its kind, and all other fields as they were at its start. */
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

  const take = (event: JsonObject): readonly ProviderPart[] => {
    switch (event.type) {
      case 'message_start':
        if (isObject(event.message)) message = event.message;
        return [];
      case 'content_block_start':
        return begin(event);
      case 'content_block_delta':
        return grow(event);
      case 'message_delta':
        // The counts are totals of the answer so far; those it does not repeat keep their first value.
        message = { ...message, ...ownFields(event.delta), usage: { ...ownFields(message.usage), ...givenFields(event.usage) } };
        return [];
      case 'message_stop':
        isOver = true;
        return [];
      case 'error':
        throw toAnswerError(toErrorBody(event), context);
      default:
        // A ping, or an event of a later version of the API.
        return [];
    }
  };
  const begin = ({ index, content_block: start }: JsonObject): readonly ProviderPart[] => {
    if (!isObject(start) || typeof index !== 'number') return [];
    const text = start.type === 'thinking' ? textIn(start.thinking) : textIn(start.text);
    blocks.set(index, { start, text, signature: textIn(start.signature) });
    return partsOf(start, text);
  };
  const grow = ({ index, delta }: JsonObject): readonly ProviderPart[] => {
    const block = typeof index === 'number' ? blocks.get(index) : undefined;
    if (block === undefined || !isObject(delta)) return [];
    const piece = pieceOf(delta);
    size += piece.length;
    checkAnswerLength(size, context);
    if (delta.type === 'signature_delta') {
      block.signature += piece;
      return [];
    }
    block.text += piece;
    return partsOf(block.start, piece);
  };
  const conclude = (): VendorCompletion => {
    if (!isOver || typeof message.stop_reason !== 'string') throw cutStream(context);
    const content = [...blocks].sort(([left], [right]) => left - right).map(([, block]) => closed(block));
    return concluded(message, content, context);
  };
  return { take, isOver: () => isOver, conclude };
}

function pieceOf(delta: JsonObject): string {
  if (delta.type === 'text_delta') return textIn(delta.text);
  if (delta.type === 'thinking_delta') return textIn(delta.thinking);
  if (delta.type === 'signature_delta') return textIn(delta.signature);
  return delta.type === 'input_json_delta' ? textIn(delta.partial_json) : '';
}

function partsOf({ type }: JsonObject, text: string): readonly ProviderPart[] {
  if (text === '') return [];
  if (type === 'text') return [{ type: 'text', text: text }];
  return type === 'thinking' ? [{ type: 'thinking', text }] : [];
}

function closed({ start, text, signature }: OpenBlock): JsonObject {
  if (start.type === 'text') return { ...start, text };
  if (start.type === 'thinking') return { ...start, thinking: text, signature };
  // An input that was not streamed is in the start of its block.
  return start.type === 'tool_use' && text !== '' ? { ...start, input: text } : start;
}

function ownFields(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function givenFields(value: Json | undefined): JsonObject {
  return Object.fromEntries(Object.entries(ownFields(value)).filter(([, count]) => count !== null));
}
