import { features } from './features/index.js';
import { LanguageServer } from './languageServer.js';
import { Connection } from './wire/connection.js';
import { StreamTransport } from './wire/streamTransport.js';
import type { Transport } from './wire/transport.js';

/** The server cannot reach its client in the way it was asked to. The message says why and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * Starts the language server and returns when it listens. It ends the process after `exit`, or when the client is gone.
 *
 * @param args what stands after the command's name: `--stdio` (default), `--node-ipc`, `--socket=PORT` or `--pipe=NAME`
 * @throws StartError
 */
export async function main(args: readonly string[]): Promise<void> {
  const connection = new Connection(await openTransport(args));
  const server = new LanguageServer({
    connection,
    features,
    exit: (code) => process.exit(code),
  });
  // Whatever slips through every boundary is logged: an editor without a server is worse than one request without an answer.
  process.on('uncaughtException', (error) => server.report('The server failed outside of any request', error));
  process.on('unhandledRejection', (error) => server.report('The server failed outside of any request', error));
  server.listen();
}

async function openTransport(args: readonly string[]): Promise<Transport> {
  if (args.includes('--node-ipc')) {
    if (process.send === undefined)
      throw new StartError('--node-ipc is for a Node process that starts this one with a channel. Use --stdio.');
    const { IpcTransport } = await import('./wire/ipcTransport.js');
    return new IpcTransport();
  }
  const socket = optionOf(args, '--socket');
  const pipe = optionOf(args, '--pipe');
  if (socket === undefined && pipe === undefined) {
    return new StreamTransport(process.stdin, process.stdout);
  }
  if (pipe === undefined && !isPort(socket))
    throw new StartError(`--socket takes a port from 1 to 65535, not ${JSON.stringify(socket ?? '')}.`);
  const { connect } = await import('node:net');
  const stream = pipe === undefined ? connect(Number(socket), '127.0.0.1') : connect(pipe);
  await new Promise<void>((resolve, reject) => {
    stream.once('connect', () => resolve());
    stream.once('error', ({ message }) =>
      reject(new StartError(`No client can be reached: ${message}. Start the client first; it listens, the server connects.`)),
    );
  });
  return new StreamTransport(stream, stream);
}

function isPort(text: string | undefined): boolean {
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) && Number(text) < 65_536;
}

/** `--socket=6009` and `--socket 6009` are the same. */
function optionOf(args: readonly string[], name: string): string | undefined {
  const at = args.findIndex((argument) => argument === name || argument.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const argument = args[at] as string;
  return argument === name ? args[at + 1] : argument.slice(name.length + 1);
}
