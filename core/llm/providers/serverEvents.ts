import { createParser } from 'eventsource-parser';
import { LlmError } from '../../errors.js';

export interface ServerEvent {
  /** Undefined where the server sends none. */
  readonly event?: string | undefined;
  readonly data: string;
}

/**
 * The events of a `text/event-stream` body, in the groups they arrived in. The last event may lack its empty line, which some servers leave out.
 *
 * @param longest most characters of one event, default 64 Mi
 * @throws LlmError `server` when one event grows longer, or what reading the body throws
 */
export async function* readServerEvents(
  body: AsyncIterable<Uint8Array>,
  longest = 64 * 1024 * 1024,
): AsyncGenerator<readonly ServerEvent[]> {
  let events: ServerEvent[] = [];
  const parser = createParser({
    maxBufferSize: longest,
    onEvent: (event) => void events.push(event),
    onError: ({ type }) => {
      if (type !== 'max-buffer-size-exceeded') return;
      throw new LlmError('server', `An event of the stream is longer than ${longest} characters.`);
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (events.length === 0) continue;
    yield events;
    events = [];
  }
  parser.feed(`${decoder.decode()}\n\n`);
  if (events.length > 0) yield events;
}
