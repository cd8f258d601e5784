import type { IncomingMessage, ServerResponse } from 'node:http';

/** One protocol behind a path of the server. */
export interface Route {
  /** `/v1`: the path itself and everything below it. */
  readonly path: string;
  /** Answers a request whose caller may call. `signal` aborts when the connection closes before the answer, or the server is to end. */
  handle(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void>;
  /** Answers in the protocol's own form that a request is refused, or that it failed. */
  refuse(response: ServerResponse, status: number, message: string): void;
  /** Ends what is kept between requests. */
  close?(): Promise<void>;
}

/** A JSON answer, where nothing was sent yet. */
export function sendJson(response: ServerResponse, status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(text);
}
