import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../../../ports.js';
import { coverText } from '../../../secrets/coverValue.js';
import type { Served } from '../../../serve/served.js';
import { checkCaller } from './checkCaller.js';
import { BodyProblem, type Route, sendJson } from './route.js';

export interface HttpOptions {
  /** Address or name to listen on. */
  readonly host: string;
  /** 0 lets the system choose a free one. */
  readonly port: number;
  readonly token: string;
  /** Host names besides localhost and addresses under which the server may be reached. */
  readonly allowHosts: readonly string[];
  readonly routes: readonly Route[];
}

export interface RunningHttp {
  /** `http://127.0.0.1:4747`, without a path. */
  readonly origin: string;
  /** Ends every run, closes every connection and frees the port. */
  stop(): Promise<void>;
}

/** Why the server cannot listen; `code` is the system's. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Starts an HTTP server for programs of this machine. @throws ListenError */
export async function startHttp({ signal, logger, knownSecrets, settled }: Served, options: HttpOptions): Promise<RunningHttp> {
  const { host, port, token, allowHosts, routes } = options;
  const policy = { token, hosts: new Set([host, ...allowHosts].map((name) => name.toLowerCase())) };
  const busy = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const work = answer(request, response).catch((error: unknown) => fail(error, response, logger));
    busy.add(work);
    void work.finally(() => busy.delete(work));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const route = routes.find((candidate) => path === candidate.path || path.startsWith(`${candidate.path}/`));
    const refused = checkCaller(request.headers, policy);
    const refuse = (status: number, message: string) => {
      // The rest of an unauthorized request is not read.
      response.setHeader('connection', 'close');
      const covered = coverText(message, knownSecrets);
      if (route === undefined) sendJson(response, status, { error: { message: covered } });
      else route.refuse(response, status, covered);
    };
    if (refused !== undefined) {
      if (refused.status === 401) response.setHeader('www-authenticate', 'Bearer realm="agent-stack"');
      refuse(refused.status, refused.message);
      return;
    }
    if (route === undefined) {
      refuse(404, `Nothing is served at this path. There is ${routes.map((one) => one.path).join(', ')}.`);
      return;
    }
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    try {
      await route.handle(request, response, AbortSignal.any([signal, gone.signal]));
    } catch (error) {
      if (!(error instanceof BodyProblem)) throw error;
      refuse(error.status, error.message);
    }
  }

  await listen();
  const { address, family, port: actual } = server.address() as AddressInfo;
  return {
    origin: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`,
    async stop() {
      server.close();
      server.closeIdleConnections();
      await Promise.all(routes.map((route) => route.close?.()));
      // Requests in progress have been signalled to end, and tell their clients.
      await Promise.all([settled(), Promise.race([Promise.allSettled(busy), new Promise((resolve) => setTimeout(resolve, 2000).unref())])]);
      const closed = server.listening ? once(server, 'close') : undefined;
      server.closeAllConnections();
      await closed;
    },
  };

  async function listen(): Promise<void> {
    try {
      server.listen(port, host);
      await once(server, 'listening');
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      throw new ListenError(code, listenWords(code, options));
    }
  }
}

function listenWords(code: string, { host, port }: HttpOptions): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use by another program. End that one, or choose another port with --port; --port 0 takes any that is free.`;
    case 'EACCES':
      return `The system does not let this user listen on port ${port}. Choose one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine. Leave --host out for 127.0.0.1.`;
    default:
      return `The server cannot listen on ${host}, port ${port} (${code}).`;
  }
}

function fail(error: unknown, response: ServerResponse, logger: Logger): void {
  logger.log('error', 'request failed', { reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  if (response.headersSent) response.destroy();
  else sendJson(response, 500, { error: { message: 'This is a fault of Agent Stack. The log of the server has the rest.' } });
}
