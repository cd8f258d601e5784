import { isObject, type Json, type JsonObject } from '../../../json.js';
import type { ProviderCompletion, ProviderPart } from '../../types.js';
import type { VendorContext } from '../types.js';
import { cutStream } from '../vendorAnswer.js';
import { checkAnswerLength, readEventParts } from '../vendorBody.js';
import { toAnswerError } from '../vendorFailure.js';
import { betweenThoughts, concluded, isAnswer } from './responsesAnswer.js';

/**
 * Reads a streamed response: its text and what is shown of its thoughts as they come, then the completion. A stream that stops before the
 * response has ended is an error, however much has come.
 *
 * @throws LlmError, or the signal's reason
 */
export async function* readResponsesStream(response: Response, context: VendorContext): AsyncGenerator<ProviderPart, void, undefined> {
  const state = createState(context);
  yield* readEventParts(response, context, state);
  yield { type: 'completion', completion: state.conclude() };
}

function createState(context: VendorContext) {
  /** Whole items by their place in the output. */
  const items = new Map<number, Json>();
  /** Thoughts that have begun: the next part of one is a new paragraph. */
  const thoughts = new Set<Json | undefined>();
  /** Places of messages that are no part of the answer. */
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
        return shown(spoken.has(index) ? 'thinking' : 'text', piece);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        thoughts.add(item_id);
        return shown('thinking', piece);
      case 'response.reasoning_summary_part.added':
        return thoughts.has(item_id) ? shown('thinking', betweenThoughts) : [];
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
        // Arguments of calls come whole with their item; what else there is says how far the response has come.
        return [];
    }
  };
  const conclude = (): ProviderCompletion => {
    if (ended === undefined) throw cutStream(context);
    const streamed = [...items].sort(([left], [right]) => left - right).map(([, item]) => item);
    const whole = Array.isArray(ended.output) ? (ended.output as readonly Json[]) : [];
    return concluded(ended, streamed.length > 0 ? streamed : whole, context);
  };
  return { take, isOver: () => ended !== undefined, conclude };
}

function shown(type: 'text' | 'thinking', text: string): readonly ProviderPart[] {
  return text === '' ? [] : [{ type, text }];
}
