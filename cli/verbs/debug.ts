import { resolve } from 'node:path';
import { AgentDebugSession } from '../../core/debug/debugSession.js';
import { isObject } from '../../core/json.js';
import { approveTools } from '../allowTools.js';
import { type Cli, example, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { openCliProject } from '../openCliProject.js';
import { locateProject } from '../project.js';
import { readRecordedCall } from '../recordedCall.js';

interface DebugOptions extends GlobalOptions {
  readonly dap?: true;
}

export const debug: VerbSetup = (command, cli) => {
  command
    .option('--dap', 'speak the Debug Adapter Protocol over stdin and stdout')
    .addHelpText('after', () => example(cli, ['debug --dap']))
    .addHelpText(
      'after',
      '\nFor editors: breakpoints in agents and orchestrations, stops before each call. At a terminal use `run --break`.',
    )
    .action(async () => {
      const { dap } = readOptions<DebugOptions>(cli, command);
      if (dap !== true) throw new UsageError('`debug` speaks to editors: add --dap. At a terminal use `run --break before-call`.');
      await serve(cli);
    });
};

function serve(cli: Cli): Promise<void> {
  const session = new AgentDebugSession({
    async open(folder, allowTools = []) {
      const { root, toProjectPath } = locateProject(cli, folder === undefined ? {} : { project: folder });
      return {
        project: openCliProject(cli, root, {}),
        toProjectPath,
        toPath: (file) => resolve(root, file),
        approve: approveTools(allowTools, undefined, (names) => `add "allowTools": ${JSON.stringify(names)} to the launch`),
      };
    },
    recordedCall: (file) => readRecordedCall(cli, file),
  });
  session.start(cli.stdin, cli.stdout);
  return new Promise((done) => {
    const end = () => {
      // A client may leave its end open.
      cli.stdin.destroy();
      done();
    };
    cli.stdin.on('end', end);
    cli.stdin.on('close', end);
    session.onDidSendMessage((message) => {
      if (isObject(message) && message.type === 'response' && message.command === 'disconnect') end();
    });
  });
}
