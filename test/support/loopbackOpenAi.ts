import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { chatCompletion, chatStream } from './loopbackAnswer.js';
import { createRequestCheck } from './loopbackCheck.js';

/** What the server does with one request. Without any field it answers `{}`. */
export interface LoopbackReply {
  /** The answer; as a list, the deltas of a stream (joined when the client asked for no stream). Default `{}`. */
  readonly text?: string | readonly string[];
  readonly finish_reason?: 'stop' | 'length' | 'content_filter' | 'tool_calls';
  /** The model refuses, with these words, instead of answering. */
  readonly refusal?: string;
  /** Non-standard `reasoning_content` that comes before the answer, as DeepSeek, vLLM and llama.cpp send it. */
  readonly reasoning?: string;
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly cached_tokens?: number };
  /** Parts of the wire format that lesser servers lack. */
  readonly omit?: readonly ('usage' | 'id' | 'done' | 'finish_reason' | 'model')[];
  /** Answer with an error instead; `code` and `param` as the provider documents them. */
  readonly error?: { readonly message: string; readonly code?: string | null; readonly type?: string; readonly param?: string | null };
  /** Send an `error` inside the stream, after the text so far. */
  readonly streamError?: { readonly message: string; readonly code?: string | null; readonly type?: string };
  /** Default 200, or 400 with `error`. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The raw body, in place of anything above: HTML, broken JSON, hand-written server-sent events. */
  readonly body?: string | Uint8Array;
  readonly encoding?: 'gzip' | 'deflate' | 'br';
  /** Line ending of server-sent events, default `\n`. */
  readonly newline?: '\n' | '\r\n' | '\r';
  /** Bytes per write, each its own packet: cuts inside characters and lines. */
  readonly slice?: number;
  /** Wait before the headers, in ms. */
  readonly delay_ms?: number;
  /** Wait between the headers and the body, and between the writes, in ms. */
  readonly pause_ms?: number;
  /**
   * `hang`: never answers. `hang-mid-body`: stops for good half way. `close`: cuts the connection before the headers.
   * `close-mid-body`: cuts it half way. `end-mid-body`: ends the body half way as if it were whole.
   */
  readonly fault?: 'hang' | 'hang-mid-body' | 'close' | 'close-mid-body' | 'end-mid-body';
}

export interface LoopbackRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The parsed body, or the text where it is not JSON. */
  readonly body: JsonObject;
  /** Becomes true when the client cuts the connection before the answer has ended. */
  aborted: boolean;
}

/** Replies in order, the last one again and again; or a function of the request and its 0-based number. */
export type LoopbackScript = LoopbackReply | readonly LoopbackReply[] | ((request: LoopbackRequest, index: number) => LoopbackReply);

export interface LoopbackOptions {
  /** Answer 401, as the provider does, to any other key. Default: every key, and none, is welcome. */
  readonly key?: string;
  /** Take unknown request fields, as lesser servers do. Default false. */
  readonly lenient?: boolean;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface LoopbackServer {
  /** Base URL to configure, with `/v1`. */
  readonly url: string;
  /** Every request so far, refused ones included. */
  readonly requests: readonly LoopbackRequest[];
  /** Connections opened so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/**
 * A server on 127.0.0.1 that speaks OpenAI's Chat Completions, streamed and whole, and refuses what the provider refuses:
 * request bodies are checked against the SDK's published types. Faults are scripted per request.
 */
export async function startLoopbackOpenAi(script: LoopbackScript = {}, options: LoopbackOptions = {}): Promise<LoopbackServer> {
  const requests: LoopbackRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const request: LoopbackRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: parse(Buffer.concat(parts).toString('utf8')),
      aborted: false,
    };
    response.on('close', () => {
      request.aborted = !response.writableFinished;
    });
    const index = requests.push(request) - 1;
    await answer(response, request, refuse(request) ?? replyFor(request, index));
  };
  const refuse = (request: LoopbackRequest): LoopbackReply | undefined => {
    if (request.path !== '/v1/chat/completions' || request.method !== 'POST') {
      return { status: 404, error: { message: `Invalid URL (${request.method} ${request.path})`, type: 'invalid_request_error' } };
    }
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`) {
      return { status: 401, error: { message: 'Incorrect API key provided.', code: 'invalid_api_key', type: 'invalid_request_error' } };
    }
    const refusal = options.lenient ? undefined : check(request.body);
    return refusal && { status: 400, error: { ...refusal, type: 'invalid_request_error' } };
  };
  const replyFor = (request: LoopbackRequest, index: number): LoopbackReply => {
    if (typeof script === 'function') return script(request, index);
    if (!Array.isArray(script)) return script as LoopbackReply;
    return script[Math.min(index, script.length - 1)] ?? {};
  };

  const listener = (incoming: IncomingMessage, response: ServerResponse): void => {
    handle(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  };
  const server = options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener);
  server.on(options.tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    connections++;
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A client that goes away is an ordinary event here; what it means is for the test to judge.
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/v1`,
    requests,
    connections: () => connections,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Compiled once: it takes longer than most tests. */
const check = createRequestCheck();

async function answer(response: ServerResponse, request: LoopbackRequest, reply: LoopbackReply): Promise<void> {
  if (reply.delay_ms !== undefined) await wait(reply.delay_ms);
  if (reply.fault === 'hang') return;
  if (reply.fault === 'close') {
    response.socket?.destroy();
    return;
  }
  const streamed = request.body.stream === true && reply.error === undefined;
  const type =
    typeof reply.body === 'string' && reply.body.startsWith('<') ? 'text/html' : streamed ? 'text/event-stream' : 'application/json';
  const bytes = encode(bodyOf(request, reply, streamed), reply.encoding);
  response.writeHead(reply.status ?? (reply.error === undefined ? 200 : 400), {
    'content-type': `${type}; charset=utf-8`,
    'x-request-id': 'req_loopback',
    ...(reply.encoding && { 'content-encoding': reply.encoding }),
    ...(!streamed && reply.fault === undefined && { 'content-length': bytes.length }),
    ...reply.headers,
  });
  const half = reply.fault === undefined ? bytes : bytes.subarray(0, Math.floor(bytes.length / 2));
  await write(response, half, reply);
  if (reply.fault === 'hang-mid-body') return;
  if (reply.fault === 'close-mid-body') {
    // What was written is to arrive before the connection goes.
    await wait(20);
    response.socket?.destroy();
  } else response.end();
}

async function write(response: ServerResponse, bytes: Uint8Array, reply: LoopbackReply): Promise<void> {
  response.flushHeaders();
  if (reply.pause_ms !== undefined) await wait(reply.pause_ms);
  const size = reply.slice ?? Math.max(1, bytes.length);
  for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
    if (!response.write(bytes.subarray(start, start + size))) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    if (reply.slice !== undefined) await (reply.pause_ms === undefined ? turn() : wait(reply.pause_ms));
  }
}

function bodyOf(request: LoopbackRequest, reply: LoopbackReply, streamed: boolean): Buffer {
  if (reply.body !== undefined) return Buffer.from(reply.body as string);
  if (reply.error !== undefined) {
    const { message, code = null, type = 'invalid_request_error', param = null } = reply.error;
    return Buffer.from(JSON.stringify({ error: { message, type, param, code } }));
  }
  return Buffer.from(streamed ? chatStream(request, reply) : JSON.stringify(chatCompletion(request, reply)));
}

function encode(bytes: Buffer, encoding: LoopbackReply['encoding']): Buffer {
  if (encoding === 'gzip') return gzipSync(bytes);
  if (encoding === 'deflate') return deflateSync(bytes);
  return encoding === 'br' ? brotliCompressSync(bytes) : bytes;
}

function parse(text: string): JsonObject {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : { $text: text };
  } catch {
    return { $text: text };
  }
}
