import { features } from './features/index.js';
import { LanguageServer } from './languageServer.js';
import { Connection } from './wire/connection.js';
import { StreamTransport } from './wire/streamTransport.js';
import type { Transport } from './wire/transport.js';

/**
 * Starts the language server and returns when it listens. It ends the process after `exit`, or when the client is gone.
 *
 * @param args what stands after the command's name: `--stdio` (default), `--node-ipc`, `--socket=PORT` or `--pipe=NAME`
 */
export async function main(args: readonly string[]): Promise<void> {
  const connection = new Connection(await openTransport(args));
  const server = new LanguageServer({ connection, features, exit: (code) => process.exit(code) });
  // Whatever slips through every boundary is logged: an editor without a server is worse than one request without an answer.
  process.on('uncaughtException', (error) => server.report('The server failed outside of any request', error));
  process.on('unhandledRejection', (error) => server.report('The server failed outside of any request', error));
  server.listen();
}

async function openTransport(args: readonly string[]): Promise<Transport> {
  if (args.includes('--node-ipc')) {
    const { IpcTransport } = await import('./wire/ipcTransport.js');
    return new IpcTransport();
  }
  const socket = optionOf(args, '--socket');
  const pipe = optionOf(args, '--pipe');
  if (socket === undefined && pipe === undefined) {
    return new StreamTransport(process.stdin, process.stdout);
  }
  const { connect } = await import('node:net');
  const stream = pipe === undefined ? connect(Number(socket), '127.0.0.1') : connect(pipe);
  await new Promise<void>((resolve, reject) => {
    stream.once('connect', () => resolve());
    stream.once('error', reject);
  });
  return new StreamTransport(stream, stream);
}

/** `--socket=6009` and `--socket 6009` are the same. */
function optionOf(args: readonly string[], name: string): string | undefined {
  const at = args.findIndex((argument) => argument === name || argument.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const argument = args[at] as string;
  return argument === name ? args[at + 1] : argument.slice(name.length + 1);
}
