import { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadLeftOut } from '../../loadLeftOut.js';
import { type AcpServed, createAcpAgent } from '../../serve/acp/createAcpAgent.js';
import { longestAnswer } from '../../tools/mcp/limits.js';

/**
 * Serves one ACP client over stdin and stdout, until it closes stdin, sends a line that is too long to be kept, stdout breaks, or the server is to
 * end. Turns under way are cancelled and waited for.
 *
 * @throws StorageError if the SDK was left out, as in the editor's package
 */
export async function serveAcp(
  served: AcpServed,
  { stdin, stdout }: { readonly stdin: Readable; readonly stdout: Writable },
): Promise<void> {
  const { ndJsonStream } = await loadLeftOut('the Agent Client Protocol', () => import('../../serve/acp/acpSdk.js'));
  const gone = new AbortController();
  const signal = AbortSignal.any([served.signal, gone.signal]);
  const app = await createAcpAgent({ ...served, signal });
  const input = Readable.toWeb(stdin) as ReadableStream<Uint8Array>;
  const connection = app.connect(ndJsonStream(Writable.toWeb(stdout), input, { maxMessageBytes: longestAnswer }));
  void connection.closed.then(() => gone.abort());
  stdout.on('error', () => gone.abort());
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await served.settled();
  // The SDK writes the answers to cancelled turns after their runs have ended.
  await nextTurn();
  connection.close();
}
