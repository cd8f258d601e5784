import { LlmError } from '../../errors.js';
import type { JsonObject } from '../../json.js';
import type { ProviderPart } from '../types.js';
import { readServerEvents } from './serverEvents.js';
import type { VendorContext } from './types.js';
import { parseAnswer } from './vendorAnswer.js';
import { toNetworkError } from './vendorFailure.js';

/** Most characters of one answer; a longer one is the server's fault. */
const longestAnswer = 64 * 1024 * 1024;

/** @throws LlmError when an answer of this many characters is too long */
export function checkAnswerLength(length: number, { server }: VendorContext): void {
  if (length > longestAnswer) throw new LlmError('server', `The answer of ${server} is longer than ${longestAnswer} characters.`);
}

/** The whole body as text. @throws LlmError, or the signal's reason */
export async function readText(response: Response, context: VendorContext): Promise<string> {
  const text = await response.text().catch((error: unknown) => {
    throw toReadError(error, context);
  });
  checkAnswerLength(text.length, context);
  return text;
}

/** The bytes of the body as they arrive. Leaving the loop drops the rest. @throws LlmError `network`, or the signal's reason */
export async function* readBytes(response: Response, context: VendorContext): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (response.body !== null) yield* response.body;
  } catch (error) {
    throw toReadError(error, context);
  }
}

/** Assembles an answer from the events of a stream. */
export interface EventReader {
  /** What an event adds. @throws LlmError when it is an error, or the answer grows too long */
  take(event: JsonObject): readonly ProviderPart[];
  /** Whether the answer is complete, so that no more events are read. */
  isOver(): boolean;
}

/** The parts of a streamed answer, until the reader has all of it or the body ends. @throws LlmError, or the signal's reason */
export async function* readEventParts(
  response: Response,
  context: VendorContext,
  reader: EventReader,
): AsyncGenerator<ProviderPart, void, undefined> {
  for await (const events of readServerEvents(readBytes(response, context))) {
    for (const { data } of events) {
      if (data.trim() !== '') for (const part of reader.take(parseAnswer(data, context))) yield part;
      if (reader.isOver()) return;
    }
  }
}

function toReadError(error: unknown, context: VendorContext): unknown {
  const { signal } = context.request;
  return signal?.aborted ? signal.reason : toNetworkError(error, context);
}
