import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../../../json.js';
import { parseJson } from '../../../jsonText/parseJson.js';
import { positionsIn } from '../../../jsonText/textPositions.js';

/** One protocol behind a path of the server. */
export interface Route {
  /** `/v1`: the path itself and everything below it. */
  readonly path: string;
  /** Answers a request whose caller may call. `signal` aborts when the connection closes before the answer, or the server is to end. */
  handle(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void>;
  /** Answers in the protocol's own form that a request is refused, or that it failed. */
  refuse(response: ServerResponse, status: number, message: string): void;
  /** Ends everything kept between requests. */
  close?(): Promise<void>;
}

/** Sends a JSON answer, if nothing has been sent yet. */
export function sendJson(response: ServerResponse, status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(text);
}

/** Larger bodies are refused: no model takes that much. */
export const mostBytes = 4 * 1024 * 1024;

/** Up to this size, the rest of a body that is refused is read and dropped: a client that is still sending would not see the answer. */
const mostDropped = 4 * mostBytes;

/** Why the body of a request cannot be used, and how to fix it. */
export class BodyProblem extends Error {
  override readonly name = 'BodyProblem';
  readonly status: 400 | 413 | 415;

  constructor(status: BodyProblem['status'], message: string) {
    super(message);
    this.status = status;
  }
}

/** The JSON value of a request's body. @throws BodyProblem */
export async function readBody(request: IncomingMessage): Promise<Json> {
  const { 'content-encoding': encoding, 'content-length': length } = request.headers;
  if (encoding !== undefined && encoding !== 'identity')
    throw new BodyProblem(415, `The body is compressed (${encoding.slice(0, 20)}). Send it without Content-Encoding.`);
  if (Number(length) > mostDropped) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostDropped) throw tooLarge();
    if (size <= mostBytes) chunks.push(chunk);
  }
  if (size > mostBytes) throw tooLarge();
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new BodyProblem(400, 'The body is not UTF-8 text. Send JSON in UTF-8.');
  }
  const { value, syntax } = parseJson(text);
  if (value !== undefined) return value;
  // Only the place: a description would repeat a part of the text, which may hold a secret.
  const { line, column } = positionsIn(text)(syntax[0]?.range.start ?? 0);
  throw new BodyProblem(400, `The body is not valid JSON, line ${line}, column ${column}. Send a JSON object.`);
}

function tooLarge(): BodyProblem {
  return new BodyProblem(413, `The body is larger than ${mostBytes / 1024 / 1024} MB. Send less.`);
}
