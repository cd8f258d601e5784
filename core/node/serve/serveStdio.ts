import type { Readable, Writable } from 'node:stream';
import { createMcpServer } from '../../serve/mcp/createMcpServer.js';
import type { Served } from '../../serve/served.js';

/** Serves one client over stdin and stdout, until it closes stdin, stdout breaks, or the server is to end. Runs under way are ended and waited for. */
export async function serveStdio(served: Served, streams: { readonly stdin: Readable; readonly stdout: Writable }): Promise<void> {
  const { StdioServerTransport } = await import('../../serve/mcp/mcpServerSdk.js');
  const { stdin, stdout } = streams;
  const gone = new AbortController();
  const signal = AbortSignal.any([served.signal, gone.signal]);
  const server = await createMcpServer({ ...served, signal });
  const leave = () => gone.abort();
  stdin.once('end', leave).once('close', leave).once('error', leave);
  stdout.once('error', leave).once('close', leave);
  await server.connect(new StdioServerTransport(stdin, stdout));
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await served.settled();
  await server.close();
}
