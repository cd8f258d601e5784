import { isObject, type Json, type JsonObject } from '../../../json.js';
import type { ProviderCompletion, ProviderPart } from '../../types.js';
import type { VendorContext } from '../types.js';
import { cutStream } from '../vendorAnswer.js';
import { checkAnswerLength, readEventParts } from '../vendorBody.js';
import { toAnswerError } from '../vendorFailure.js';
import { betweenThoughts, concluded, isAnswer } from './responsesAnswer.js';

/**
 * Reads a streamed response: its text and visible thoughts as they come, then the completion. A stream that stops before the
 * response has ended is an error, however much has arrived.
 *
 * @throws LlmError, or the signal's reason
 */
export async function* readResponsesStream(response: Response, context: VendorContext): AsyncGenerator<ProviderPart, void, undefined> {
  const state = createState(context);
  yield* readEventParts(response, context, state);
  yield { type: 'completion', completion: state.conclude() };
}

function createState(context: VendorContext) {
  /** Complete items by their index in the output. */
  const items = new Map<number, Json>();
  /** Thoughts that have started: the next part of one is a new paragraph. */
  const thoughts = new Set<Json | undefined>();
  /** Indexes of messages that are not part of the answer. */
  const spoken = new Set<Json | undefined>();
  let ended: JsonObject | undefined;
  let size = 0;

  const take = (event: JsonObject): readonly ProviderPart[] => {
    const { type, delta, item, item_id, output_index: index } = event;
    const piece = typeof delta === 'string' ? delta : '';
    size += piece.length;
    checkAnswerLength(size, context);
    switch (type) {
      case 'response.output_text.delta':
        return partsOf(spoken.has(index) ? 'thinking' : 'text', piece);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        thoughts.add(item_id);
        return partsOf('thinking', piece);
      case 'response.reasoning_summary_part.added':
        return thoughts.has(item_id) ? partsOf('thinking', betweenThoughts) : [];
      case 'response.output_item.added':
        if (isObject(item) && item.type === 'message' && !isAnswer(item)) spoken.add(index);
        return [];
      case 'response.output_item.done':
        if (typeof index === 'number' && item !== undefined) items.set(index, item);
        return [];
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        if (isObject(event.response)) ended = event.response;
        return [];
      case 'error':
        throw toAnswerError(isObject(event.error) ? event.error : event, context);
      default:
        // Call arguments come whole with their item; the other events report progress.
        return [];
    }
  };
  const conclude = (): ProviderCompletion => {
    if (ended === undefined) throw cutStream(context);
    const streamed = [...items].sort(([left], [right]) => left - right).map(([, item]) => item);
    const allItems = Array.isArray(ended.output) ? (ended.output as readonly Json[]) : [];
    return concluded(ended, streamed.length > 0 ? streamed : allItems, context);
  };
  return { take, isOver: () => ended !== undefined, conclude };
}

function partsOf(type: 'text' | 'thinking', text: string): readonly ProviderPart[] {
  return text === '' ? [] : [{ type, text }];
}
