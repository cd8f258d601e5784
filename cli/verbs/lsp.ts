import { main } from '../../server/main.js';
import type { VerbSetup } from '../cli.js';
import { example } from '../example.js';

export const lsp: VerbSetup = (command, cli) => {
  command
    .option('--stdio', 'talk over stdin and stdout (default)')
    .option('--socket <port>', 'connect to a port of this machine')
    .option('--pipe <name>', 'connect to a named pipe or socket file')
    .option('--node-ipc', 'talk over the channel of a Node parent process')
    .addHelpText('after', () => example(cli, ['lsp --stdio', 'lsp --socket 6009']))
    .addHelpText('after', '\nSpeaks the Language Server Protocol until the editor says exit or is gone.')
    .action(async ({ socket, pipe, nodeIpc }: { socket?: string; pipe?: string; nodeIpc?: boolean }) => {
      if (socket !== undefined) await main(['--socket', socket]);
      else if (pipe !== undefined) await main(['--pipe', pipe]);
      else await main([nodeIpc === true ? '--node-ipc' : '--stdio']);
    });
};
