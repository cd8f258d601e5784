import type { MessageReader, MessageWriter } from 'vscode-jsonrpc';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { features } from './features/index.js';
import { LanguageServer } from './languageServer.js';

/**
 * Starts the language server and returns when it listens. It ends the process after `exit`, or when the client is gone.
 *
 * @param args what stands after the command's name: `--stdio` (default), `--node-ipc`, `--socket=PORT` or `--pipe=NAME`
 */
export async function main(args: readonly string[]): Promise<void> {
  const { reader, writer } = await openTransport(args);
  let replied: () => void = () => undefined;
  const firstReply = new Promise<void>((resolve) => {
    replied = resolve;
  });
  const connection = createMessageConnection(
    reader,
    withFirstWrite(writer, () => replied()),
  );
  const server = new LanguageServer({ connection, firstReply, features, exit: (code) => process.exit(code) });
  // Whatever slips through every boundary is logged: an editor without a server is worse than one request without an answer.
  process.on('uncaughtException', (error) => server.report('The server failed outside of any request', error));
  process.on('unhandledRejection', (error) => server.report('The server failed outside of any request', error));
  server.listen();
}

/** Calls back when the first message is on its way. */
function withFirstWrite(writer: MessageWriter, onWritten: () => void): MessageWriter {
  return {
    onError: writer.onError.bind(writer),
    onClose: writer.onClose.bind(writer),
    end: () => writer.end(),
    dispose: () => writer.dispose(),
    async write(message) {
      await writer.write(message);
      onWritten();
    },
  };
}

interface Transport {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
}

async function openTransport(args: readonly string[]): Promise<Transport> {
  if (args.includes('--node-ipc')) {
    const { IPCMessageReader, IPCMessageWriter } = await import('vscode-jsonrpc/node');
    return { reader: new IPCMessageReader(process), writer: new IPCMessageWriter(process) };
  }
  const socket = optionOf(args, '--socket');
  const pipe = optionOf(args, '--pipe');
  if (socket === undefined && pipe === undefined) {
    return { reader: new StreamMessageReader(process.stdin), writer: new StreamMessageWriter(process.stdout) };
  }
  const { connect } = await import('node:net');
  const stream = pipe === undefined ? connect(Number(socket), '127.0.0.1') : connect(pipe);
  await new Promise<void>((resolve, reject) => {
    stream.once('connect', () => resolve());
    stream.once('error', reject);
  });
  return { reader: new StreamMessageReader(stream), writer: new StreamMessageWriter(stream) };
}

/** `--socket=6009` and `--socket 6009` are the same. */
function optionOf(args: readonly string[], name: string): string | undefined {
  const at = args.findIndex((argument) => argument === name || argument.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const argument = args[at] as string;
  return argument === name ? args[at + 1] : argument.slice(name.length + 1);
}
