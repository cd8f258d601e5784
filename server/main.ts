import { connect as openSocket, type Socket } from 'node:net';
import { type Connection, createConnection, IPCMessageReader, IPCMessageWriter } from 'vscode-languageserver/node';
import { createLogger } from './logger.js';
import { startServer } from './startServer.js';

/** The server cannot reach its client over the requested channel. The message says why and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The safe fixes of the editor, for the command line. */
export async function fixFiles(...request: Parameters<FixFiles>): ReturnType<FixFiles> {
  return (await import('./fixFiles.js')).fixFiles(...request);
}

/** What the editor offers for a finding, for the command line. */
export async function openFixTitles(...request: Parameters<OpenFixTitles>): ReturnType<OpenFixTitles> {
  return (await import('./fixFiles.js')).openFixTitles(...request);
}

export type { FixedFile } from './fixFiles.js';

type OpenFixTitles = typeof import('./fixFiles.js').openFixTitles;

type FixFiles = typeof import('./fixFiles.js').fixFiles;

/**
 * Starts the language server on Node and returns when it listens. It ends the process after `exit`, or once the client is gone.
 *
 * @param args what follows the command's name: `--stdio` (default), `--node-ipc`, `--socket=PORT` or `--pipe=NAME`
 * @throws StartError
 */
export async function main(args: readonly string[]): Promise<void> {
  const connection = await openConnection(args);
  const logger = createLogger(connection.console);
  const report = (error: unknown) => logger.log('error', 'The server failed outside of any request', { error });
  // Errors past every boundary are logged: an editor without a server is worse than a request without a response.
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
  startServer(connection, {
    logger,
    async createHost(options) {
      const { createNodeHost } = await import('./nodeHost.js');
      return createNodeHost(options);
    },
  });
}

async function openConnection(args: readonly string[]): Promise<Connection> {
  if (args.includes('--node-ipc')) {
    if (process.send === undefined)
      throw new StartError('--node-ipc is for a Node process that starts this one with a channel. Use --stdio.');
    process.once('disconnect', () => process.exit(1));
    return createConnection(new IPCMessageReader(process), new IPCMessageWriter(process));
  }
  const port = optionOf(args, '--socket');
  const pipe = optionOf(args, '--pipe');
  if (port === undefined && pipe === undefined) return createConnection(process.stdin, process.stdout);
  if (pipe === undefined && !isPort(port))
    throw new StartError(`--socket takes a port from 1 to 65535, not ${JSON.stringify(port ?? '')}.`);
  const socket = pipe === undefined ? openSocket(Number(port), '127.0.0.1') : openSocket(pipe);
  await connected(socket);
  return createConnection(socket, socket);
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', ({ message }) =>
      reject(new StartError(`No client can be reached: ${message}. Start the client first; it listens, the server connects.`)),
    );
  });
}

function isPort(text: string | undefined): boolean {
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) && Number(text) < 65_536;
}

/** `--socket=6009` and `--socket 6009` are equivalent. */
function optionOf(args: readonly string[], name: string): string | undefined {
  const at = args.findIndex((argument) => argument === name || argument.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const argument = args[at] as string;
  return argument === name ? args[at + 1] : argument.slice(name.length + 1);
}
