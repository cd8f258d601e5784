import type { Clock } from '../../../ports.js';
import type { ServerSentEvent } from '../../serverSentEvents.js';
import type { ProviderPart } from '../../types.js';
import { readEventBatches } from '../eventBatches.js';
import { parseAnswer } from '../vendorAnswer.js';
import type { VendorContext } from '../vendorConnection.js';
import { createGeminiAnswer, type GeminiAnswer } from './geminiAnswer.js';

/**
 * Reads a streamed answer: texts and thoughts as they come, then the completion with everything. The format has no event for its end: it is
 * whole when the body has ended and a chunk has said why the model stopped.
 *
 * @throws LlmError, or the signal's reason
 */
export async function* readGeminiStream(
  response: Response,
  context: VendorContext,
  clock: Clock,
): AsyncGenerator<ProviderPart, void, undefined> {
  const answer = createGeminiAnswer(context);
  for await (const { events, isRest } of readEventBatches(response, context, clock, () => false)) {
    const { parts, failure } = takeAll(answer, events, isRest, context);
    yield* parts;
    if (failure !== undefined) throw failure;
  }
  yield { type: 'completion', completion: answer.conclude('stream') };
}

/** What goes wrong is returned, not thrown: the texts before it have come. */
function takeAll(
  answer: GeminiAnswer,
  events: readonly ServerSentEvent[],
  isRest: boolean,
  context: VendorContext,
): { readonly parts: readonly ProviderPart[]; readonly failure?: unknown } {
  const parts: ProviderPart[] = [];
  try {
    for (const { data } of events) {
      // What the end of the stream left unfinished may be half an event, and then counts as nothing.
      if (data.trim() === '' || (isRest && !isJson(data))) continue;
      parts.push(...answer.take(parseAnswer(data, context)));
    }
  } catch (failure) {
    return { parts, failure };
  }
  return { parts };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
