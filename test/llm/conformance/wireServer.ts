import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { isObject, type Json, type JsonObject } from '../../../core/json.js';
import { startLoopbackHttp } from '../../support/loopbackHttp.js';
import type { WireProvider, WireReply, WireRequest } from './wire.js';

export interface WireServer {
  readonly baseUrl: string;
  readonly requests: readonly WireRequest[];
  /** What requests were refused for; a test that sends none of those ends with an empty list. */
  readonly refusals: readonly string[];
  close(): Promise<void>;
}

export interface WireServerOptions {
  /** Bytes per write, so that lines and characters are cut. Default: everything at once. */
  readonly slice?: number;
}

/** Answers the n-th request with the n-th reply, the last one again and again, in the provider's wire format. */
export async function startWireServer(
  wire: WireProvider,
  script: WireReply | readonly WireReply[] | ((request: WireRequest, index: number) => WireReply),
  { slice }: WireServerOptions = {},
): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const refusals: string[] = [];
  const replyTo = (request: WireRequest, index: number): WireReply => {
    if (typeof script === 'function') return script(request, index);
    const replies: readonly WireReply[] = Array.isArray(script) ? (script as readonly WireReply[]) : [script as WireReply];
    return replies[Math.min(index, replies.length - 1)]!;
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = incoming;
    const request: WireRequest = { method, path, headers, body: await bodyOf(incoming), aborted: false };
    response.on('close', () => {
      request.aborted = !response.writableFinished;
    });
    const index = requests.push(request) - 1;
    const refusal = wire.refuse(request);
    if (refusal !== undefined) refusals.push(refusal);
    const reply: WireReply = refusal === undefined ? replyTo(request, index) : { type: 'failure', kind: 'bad-request', message: refusal };
    const fault = reply.type === 'answer' ? reply.fault : undefined;
    if (fault === 'hang') return;
    if (fault === 'close') {
      response.destroy();
      return;
    }
    const { status, headers: sent, body } = wire.write(request, reply);
    const bytes = Buffer.from(body);
    response.writeHead(status, { ...sent, ...(reply.type === 'failure' && waitOf(reply.retry_after)) });
    response.flushHeaders();
    const end = fault === undefined ? bytes.length : Math.floor(bytes.length / 2);
    const size = slice ?? Math.max(1, end);
    for (let start = 0; start < end && !response.destroyed; start += size) {
      response.write(bytes.subarray(start, Math.min(end, start + size)));
      if (slice !== undefined) await turn();
    }
    if (fault === 'hang-mid-body') return;
    // What was written is to arrive before the connection goes.
    if (fault === 'close-mid-body') await wait(20);
    if (fault === 'close-mid-body') response.destroy();
    else response.end();
  };
  const http = await startLoopbackHttp((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      refusals.push(`The wire format failed: ${String(error)}`);
      response.destroy();
    });
  });
  return { baseUrl: wire.baseUrl(http.origin), requests, refusals, close: () => http.close() };
}

function waitOf(seconds: number | undefined): Readonly<Record<string, string>> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}

async function bodyOf(incoming: IncomingMessage): Promise<JsonObject> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const body = JSON.parse(Buffer.concat(parts).toString('utf8') || '{}') as Json;
  return isObject(body) ? body : { $body: body };
}
