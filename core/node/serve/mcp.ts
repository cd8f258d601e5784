import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { createMcpServer, watchLists } from '../../serve/mcp/createMcpServer.js';
import type { Served } from '../../serve/served.js';
import { longestAnswer } from '../../tools/mcp/limits.js';
import { type Route, readBody, sendJson } from './http/route.js';

/** Where MCP clients connect. */
export const mcpPath = '/mcp';

/** Upper limit of open streams of notifications. */
const mostSubscriptions = 100;

/**
 * MCP over streamable HTTP, in revision 2026-07-28 and in those before it, without sessions: each request is answered by itself. One whose connection
 * breaks off is cancelled, since its answer would reach nobody.
 */
export function createMcpRoute(served: Served): Route {
  let opening: Promise<McpHttpHandler> | undefined;
  let stopWatching: () => void = () => undefined;

  return {
    path: mcpPath,

    async handle(request, response, signal) {
      const parsedBody = request.method === 'POST' ? await readBody(request) : undefined;
      opening ??= open();
      const { fetch } = await opening;
      await send(await fetch(toRequest(request, signal), { parsedBody }), response);
    },

    refuse(response, status, message) {
      sendJson(response, status, { jsonrpc: '2.0', error: { code: status === 400 ? -32600 : -32000, message }, id: null });
    },

    async close() {
      stopWatching();
      await (await opening)?.close();
    },
  };

  async function open(): Promise<McpHttpHandler> {
    const { createMcpHandler } = await import('../../serve/mcp/mcpServerSdk.js');
    const handler = createMcpHandler(({ requestInfo }) => createMcpServer(served, requestInfo?.signal), {
      maxSubscriptions: mostSubscriptions,
      onerror: (error) => served.logger.log('warn', 'mcp message failed', { reason: error.message }),
    });
    stopWatching = watchLists(served, (list) => (list === 'tools' ? handler.notify.toolsChanged() : handler.notify.promptsChanged()));
    return handler;
  }
}

/** Without its body, which has been read. */
function toRequest({ method = 'GET', url = mcpPath, headers }: IncomingMessage, signal: AbortSignal): Request {
  const entries = Object.entries(headers).flatMap(([name, value = []]) => [value].flat().map((text): [string, string] => [name, text]));
  return new Request(new URL(url, 'http://localhost'), { method, headers: entries, signal });
}

async function send({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  const reader = body?.getReader();
  response.once('close', () => void reader?.cancel().catch(() => undefined));
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    if (!response.write(part.value) && !response.destroyed) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}

/**
 * Serves one client over stdin and stdout, until it closes stdin, sends a line that is too long to be kept, stdout breaks, or the server is to end.
 * Runs under way are ended and waited for.
 */
export async function serveStdio(served: Served, streams: { readonly stdin: Readable; readonly stdout: Writable }): Promise<void> {
  const sdk = await import('../../serve/mcp/mcpServerSdk.js');
  const { stdin, stdout } = streams;
  const gone = new AbortController();
  const signal = AbortSignal.any([served.signal, gone.signal]);
  const leave = () => gone.abort();
  stdin.once('end', leave).once('close', leave).once('error', leave);
  stdout.once('error', leave).once('close', leave);
  const create = async () => {
    const server = await createMcpServer({ ...served, signal });
    const stopWatching = watchLists(served, (list) => (list === 'tools' ? server.sendToolListChanged() : server.sendPromptListChanged()));
    server.onclose = stopWatching;
    return server;
  };
  const transport = new sdk.StdioServerTransport(stdin, stdout, { maxBufferSize: longestAnswer });
  const connection = sdk.serveStdio(create, { transport });
  // The SDK reads no more then, and would leave the client waiting.
  const closed = transport.onclose;
  transport.onclose = () => {
    closed?.();
    leave();
  };
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await served.settled();
  await connection.close();
}
