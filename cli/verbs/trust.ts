import { readProjectSettings } from '../../core/config/readProjectSettings.js';
import { createNodeEnvironment } from '../../core/node/nodePorts.js';
import { openTrustStore, type Trust } from '../../core/node/trustStore.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { example, type GlobalOptions, readOptions, type VerbSetup } from '../cli.js';
import { locateProject } from '../project.js';

export const trust = remember('trusted', [
  'Remember that you trust the project: commands may run its code, which is the module that agentstack.json names under "tools".',
  'The note is in your own settings, outside of the project. Scripts and CI say so with --trust or AGENT_STACK_TRUST=1.',
]);

export const untrust = remember('untrusted', [
  'Remember that you do not trust the project: commands leave its code alone, and do not ask.',
  'The note is in your own settings, outside of the project.',
]);

function remember(said: Trust, [description = '', after]: readonly string[]): VerbSetup {
  return (command, cli) => {
    command
      .description(description)
      .argument('[dir]', 'folder of the project (default: the nearest one upwards)')
      .addHelpText('after', () => example(cli, [command.name(), `${command.name()} ../my-agents`]))
      .addHelpText('after', `\n${after}`)
      .action(async (dir: string | undefined) => {
        const options = readOptions<GlobalOptions>(cli, command);
        const { root, files } = locateProject(cli, dir === undefined ? options : { ...options, project: dir });
        const store = openTrustStore(createNodeEnvironment(cli.env));
        store.set(root, said);
        const { tools } = await readProjectSettings(files);
        if (options.json) cli.terminal.print(toSafeJson({ project: root, trust: said, tools: tools ?? null }));
        else cli.terminal.note(visibleText(words(said, root, tools)));
      });
  };
}

function words(said: Trust, root: string, module: string | undefined): string {
  const code = module ?? 'code, of which it has none yet';
  return said === 'trusted' ? `${root} is trusted: commands may run its ${code}.` : `${root} is not trusted: no command runs its ${code}.`;
}
