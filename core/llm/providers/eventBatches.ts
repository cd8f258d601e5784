import type { Clock } from '../../ports.js';
import { createEventParser, type ServerSentEvent } from '../serverSentEvents.js';
import { toNetworkError } from './openai/chatFailure.js';
import type { VendorContext } from './vendorConnection.js';

export interface EventBatch {
  /** Those that came together. */
  readonly events: readonly ServerSentEvent[];
  /** What the end of the stream left unfinished; it may be half an event. */
  readonly isRest: boolean;
}

/** How long the end of the connection is awaited after the end of the answer, in ms, so that it can be used again. */
const patience = 50;

/**
 * The events of a streamed answer until `isOver`, or to the end of the body. Leaving the loop cuts the connection.
 *
 * @throws LlmError `network` when the connection breaks, or the signal's reason
 */
export async function* readEventBatches(
  response: Response,
  context: VendorContext,
  clock: Clock,
  isOver: () => boolean,
): AsyncGenerator<EventBatch, void, undefined> {
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
    while (!isOver() && !isEnded) {
      const step = await read(chunks.next());
      isEnded = step.done === true;
      yield { events: step.done ? parser.end() : parser.push(step.value), isRest: isEnded };
    }
    if (!isEnded) isEnded = await endsSoon(chunks, clock);
  } finally {
    if (!isEnded) void chunks.return?.().catch(() => undefined);
  }
}

function endsSoon(chunks: AsyncIterator<Uint8Array>, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const giveUp = clock.after(patience, () => resolve(false));
    const end = (isEnd: boolean) => {
      giveUp();
      resolve(isEnd);
    };
    chunks.next().then(
      ({ done }) => end(done === true),
      () => end(true),
    );
  });
}
