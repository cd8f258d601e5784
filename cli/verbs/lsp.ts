import { Option } from 'commander';
import { main, StartError } from '../../server/main.js';
import { example, UsageError, type VerbSetup } from '../cli.js';

export const lsp: VerbSetup = (command, cli) => {
  command
    .option('--stdio', 'talk over stdin and stdout (default)')
    .option('--socket <port>', 'connect to a port of this machine')
    .option('--pipe <name>', 'connect to a named pipe or socket file')
    .option('--node-ipc', 'talk over the channel of a Node parent process')
    // Language clients pass it along; the connection reads it from the command line by itself.
    .addOption(new Option('--clientProcessId <pid>', 'end with this process').hideHelp())
    .addHelpText('after', () => example(cli, ['lsp --stdio', 'lsp --socket 6009']))
    .addHelpText('after', '\nSpeaks the Language Server Protocol until the editor sends exit or ends.')
    .action(async ({ socket, pipe, nodeIpc }: { socket?: string; pipe?: string; nodeIpc?: boolean }) => {
      if (socket !== undefined) await start(['--socket', socket]);
      else if (pipe !== undefined) await start(['--pipe', pipe]);
      else await start([nodeIpc === true ? '--node-ipc' : '--stdio']);
    });
};

async function start(args: readonly string[]): Promise<void> {
  try {
    await main(args);
  } catch (error) {
    throw error instanceof StartError ? new UsageError(error.message) : error;
  }
}
