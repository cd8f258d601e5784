import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpServer } from '../../serve/mcp/createMcpServer.js';
import type { Served } from '../../serve/served.js';
import { longestAnswer } from '../../tools/mcp/limits.js';
import { type Route, readBody, sendJson } from './http/route.js';

/** Where MCP clients connect. */
export const mcpPath = '/mcp';

/** Upper limit of concurrent clients. Of those without a call in progress, the one idle for longest makes room for a new one. */
const mostSessions = 100;

/**
 * The signal of the request that is being handled: it aborts when its connection closes before the answer. The SDK passes none to handlers, since a
 * client of its own could take up a stream that broke off; ours keep no streams.
 */
const requestSignal = new AsyncLocalStorage<AbortSignal>();

interface Session {
  readonly server: Server;
  readonly transport: StreamableHTTPServerTransport;
  /** Messages of the client that are not answered yet. Its open stream of notifications does not count. */
  underWay: number;
}

/** MCP over streamable HTTP: a session for each client. A request whose connection breaks off is cancelled, since its answer would reach nobody. */
export function createMcpRoute(served: Served): Route {
  /** By id, the one idle for longest first. */
  const sessions = new Map<string, Session>();

  return {
    path: mcpPath,

    async handle(request, response, signal) {
      const { isInitializeRequest } = await import('../../serve/mcp/mcpServerSdk.js');
      const id = request.headers['mcp-session-id'];
      const body = request.method === 'POST' ? await readBody(request) : undefined;
      const earlier = typeof id === 'string' ? sessions.get(id) : undefined;
      if (earlier !== undefined && typeof id === 'string') {
        sessions.delete(id);
        sessions.set(id, earlier);
        await pass(earlier, request, response, { signal, body });
        return;
      }
      if (id !== undefined) {
        this.refuse(response, 404, 'There is no such session any more. Begin a new one with initialize.');
        return;
      }
      if (!isInitializeRequest(body)) {
        this.refuse(response, 400, 'The first message of a session is initialize; later ones bring the header Mcp-Session-Id.');
        return;
      }
      if (!makeRoom()) {
        response.setHeader('retry-after', '10');
        this.refuse(response, 503, `All ${mostSessions} sessions have a call under way. Try again later.`);
        return;
      }
      const session = await open();
      await pass(session, request, response, { signal, body });
      // A request that the SDK refused did not begin a session.
      if (session.transport.sessionId === undefined) await session.server.close();
    },

    refuse(response, status, message) {
      sendJson(response, status, { jsonrpc: '2.0', error: { code: status === 400 ? -32600 : -32000, message }, id: null });
    },

    async close() {
      await Promise.all([...sessions.values()].map(({ server }) => server.close()));
      sessions.clear();
    },
  };

  /** False if every session is busy. */
  function makeRoom(): boolean {
    for (const [oldest, { server, underWay }] of sessions) {
      if (sessions.size < mostSessions) break;
      if (underWay > 0) continue;
      sessions.delete(oldest);
      void server.close();
    }
    return sessions.size < mostSessions;
  }

  async function open(): Promise<Session> {
    const { StreamableHTTPServerTransport } = await import('../../serve/mcp/mcpServerSdk.js');
    const server = await createMcpServer(served, () => requestSignal.getStore());
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized(id) {
        sessions.set(id, session);
      },
      onsessionclosed(id) {
        sessions.delete(id);
      },
    });
    const session: Session = { server, transport, underWay: 0 };
    // The SDK's own types disagree on optional fields.
    await server.connect(transport as Parameters<Server['connect']>[0]);
    return session;
  }
}

interface Passed {
  readonly signal: AbortSignal;
  readonly body: unknown;
}

async function pass(session: Session, request: IncomingMessage, response: ServerResponse, { signal, body }: Passed): Promise<void> {
  if (request.method === 'POST') {
    session.underWay += 1;
    // The answer ends after `handleRequest` has returned.
    response.once('close', () => {
      session.underWay -= 1;
    });
  }
  await requestSignal.run(signal, () => session.transport.handleRequest(request, response, body));
}

/**
 * Serves one client over stdin and stdout, until it closes stdin, sends a line that is too long to be kept, stdout breaks, or the server is to end.
 * Runs under way are ended and waited for.
 */
export async function serveStdio(served: Served, streams: { readonly stdin: Readable; readonly stdout: Writable }): Promise<void> {
  const { StdioServerTransport } = await import('../../serve/mcp/mcpServerSdk.js');
  const { stdin, stdout } = streams;
  const gone = new AbortController();
  const signal = AbortSignal.any([served.signal, gone.signal]);
  const server = await createMcpServer({ ...served, signal });
  const leave = () => gone.abort();
  stdin.once('end', leave).once('close', leave).once('error', leave);
  stdout.once('error', leave).once('close', leave);
  await server.connect(new StdioServerTransport(stdin, stdout, { maxBufferSize: longestAnswer }));
  // The SDK reads no more then, and would leave the client waiting.
  const closed = server.onclose;
  server.onclose = () => {
    closed?.();
    leave();
  };
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await served.settled();
  await server.close();
}
