import type { JsonObject } from '../../json.js';
import type { Clock } from '../../ports.js';
import { createEventParser, type ServerSentEvent } from '../serverSentEvents.js';
import type { ProviderPart } from '../types.js';
import { toNetworkError } from './openai/chatFailure.js';
import { endsSoon, isJson } from './streamEnd.js';
import { parseAnswer } from './vendorAnswer.js';
import type { VendorContext } from './vendorConnection.js';

export interface EventReader {
  /** What an event adds. @throws LlmError when it is an error, or the answer grows too long */
  take(event: JsonObject): readonly ProviderPart[];
  /** Whether the answer is complete, so that nothing more is read. */
  isOver(): boolean;
}

/**
 * The parts of a streamed answer, until the reader has all or the body ends. Leaving the loop cuts the connection.
 *
 * @throws LlmError (`network` when the connection breaks), or the signal's reason
 */
export async function* readEventParts(
  response: Response,
  context: VendorContext,
  clock: Clock,
  reader: EventReader,
): AsyncGenerator<ProviderPart, void, undefined> {
  const read = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((error: unknown) => {
      context.request.signal?.throwIfAborted();
      throw toNetworkError(error, context);
    });
  const parser = createEventParser();
  // Node's and our own bodies can be iterated; a web stream that cannot is made so by its reader.
  const chunks = (response.body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let isEnded = false;
  try {
    while (!reader.isOver() && !isEnded) {
      const step = await read(chunks.next());
      isEnded = step.done === true;
      // What the end of the stream left unfinished may be half an event, and then counts as nothing.
      const events = step.done ? parser.end().filter(({ data }) => isJson(data)) : parser.push(step.value);
      const { parts, failure } = takeAll(events, context, reader);
      yield* parts;
      if (failure !== undefined) throw failure;
    }
    if (!isEnded) isEnded = await endsSoon(chunks, clock);
  } finally {
    if (!isEnded) void chunks.return?.().catch(() => undefined);
  }
}

/** What goes wrong is returned, not thrown: the parts before it have come. */
function takeAll(
  events: readonly ServerSentEvent[],
  context: VendorContext,
  reader: EventReader,
): { readonly parts: readonly ProviderPart[]; readonly failure?: unknown } {
  const parts: ProviderPart[] = [];
  try {
    for (const { data } of events) {
      if (reader.isOver()) break;
      if (data.trim() !== '') parts.push(...reader.take(parseAnswer(data, context)));
    }
  } catch (failure) {
    return { parts, failure };
  }
  return { parts };
}
