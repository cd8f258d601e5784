import { LlmError } from '../errors.js';
import { createUtf8Decoder } from './utf8Decoder.js';

export interface ServerSentEvent {
  /** `message` when the server named none. */
  readonly event: string;
  readonly data: string;
}

export interface EventParser {
  /** The events that are complete with these bytes. @throws LlmError `server` when one event grows past the limit */
  push(bytes: Uint8Array): readonly ServerSentEvent[];
  /** What was begun when the stream ended, if it holds data: some servers leave out the last empty line. */
  end(): readonly ServerSentEvent[];
}

/**
 * A parser for `text/event-stream` (WHATWG HTML, 9.2.6): lines end in LF, CR or CRLF, several `data` lines are one text,
 * comments and unknown fields are skipped, a BOM is ignored; characters and lines may be cut anywhere between chunks.
 *
 * @param longest most characters of one event, default 64 Mi
 */
export function createEventParser(longest = 64 * 1024 * 1024): EventParser {
  const decoder = createUtf8Decoder();
  /** The line whose end has not come yet. */
  let line = '';
  let data: string | undefined;
  let event = '';
  let size = 0;
  let skipsLineFeed = false;
  let events: ServerSentEvent[] = [];

  const feed = (decoded: string): void => {
    let text = decoded;
    if (text === '') return;
    if (skipsLineFeed && text.startsWith('\n')) text = text.slice(1);
    skipsLineFeed = decoded.endsWith('\r');
    if (text.includes('\r')) text = text.replaceAll(/\r\n?/g, '\n');

    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const rest = text.slice(start, end);
      take(line === '' ? rest : line + rest);
      line = '';
      start = end + 1;
    }
    line += text.slice(start);
    if (size + line.length > longest) throw new LlmError('server', `An event of the stream is longer than ${longest} characters.`);
  };
  const take = (whole: string): void => {
    if (whole === '') {
      dispatch();
      return;
    }
    const colon = whole.indexOf(':');
    const field = colon === -1 ? whole : whole.slice(0, colon);
    const value = colon === -1 ? '' : whole.slice(whole[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      data = data === undefined ? value : `${data}\n${value}`;
      size += value.length;
    } else if (field === 'event') event = value;
  };
  const dispatch = (): void => {
    if (data !== undefined) events.push({ event: event === '' ? 'message' : event, data });
    data = undefined;
    event = '';
    size = 0;
  };
  const taken = (): readonly ServerSentEvent[] => {
    const complete = events;
    events = [];
    return complete;
  };

  return {
    push: (bytes) => {
      feed(decoder.decode(bytes));
      return taken();
    },
    end: () => {
      feed(decoder.end());
      take(line);
      line = '';
      dispatch();
      return taken();
    },
  };
}
