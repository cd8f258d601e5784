import { Option } from 'commander';
import { unlessRefused } from '../../core/agent/load/refused.js';
import { readPastRuns } from '../../core/project/readPastRuns.js';
import { describePrompt } from '../../core/prompt/describePrompt.js';
import { checkPayload } from '../../core/prompt/payloadCheck.js';
import { promptPage } from '../../core/prompt/promptPage.js';
import { toSafeJson } from '../../core/visibleText.js';
import { addCallOptions, type CallOptions, prepareCall } from '../agentCall.js';
import { example, type VerbSetup } from '../cli.js';

interface ComposeOptions extends CallOptions {
  readonly format?: 'text' | 'json' | 'curl';
}

export const compose: VerbSetup = (command, cli) => {
  addCallOptions(command)
    .addOption(new Option('--format <format>', 'output format (default: text)').choices(['text', 'json', 'curl']))
    .addHelpText('after', () =>
      example(cli, [
        'compose A2 --case parser',
        'compose A2@v1 --set task="Write a parser" --set purpose= --set context=',
        'compose A2 --input - --json < payload.json',
        'compose A2 --case parser --llm openai --format curl | sh',
      ]),
    )
    .addHelpText('after', '\nExit codes: 0 composed, 2 the config, the input or the command cannot be used.')
    .action(async (spec: string) => {
      const options = command.optsWithGlobals<ComposeOptions>();
      const format = options.format ?? (options.json ? 'json' : 'text');
      if (format === 'json') cli.expectJson();
      const { project, loaded, payload, holdsSecret } = await prepareCall(cli, spec, options);
      const { agent } = unlessRefused(loaded);
      checkPayload(agent.prompt, payload);
      if (holdsSecret) cli.terminal.note('The input holds what looks like a secret; it is shown as "*".');
      if (format === 'curl') {
        cli.terminal.print(await (await import('../curl.js')).toCurl(agent, payload, project.ports));
        return;
      }
      const past = await readPastRuns(project.ports.files, { ...agent.resolved.config, model_name: agent.prompt.model_name });
      const described = await describePrompt(agent, payload, past);
      if (format === 'json') cli.terminal.print(toSafeJson(described));
      else cli.terminal.print(promptPage(described, agent.resolved.llm.provider, cli.terminal.out));
    });
};
