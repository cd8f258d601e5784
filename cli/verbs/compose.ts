import { Option } from 'commander';
import { type Agent, checkPayload } from '../../core/agent/agentFactory.js';
import { describePrompt, type PromptDescription } from '../../core/prompt/describePrompt.js';
import { addCallOptions, type CallOptions, prepareCall } from '../agentCall.js';
import type { Cli, VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { toVisibleJson, visibleLines } from '../../core/visibleText.js';

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
      const { project, agent_name, version, overrides, payload } = await prepareCall(cli, spec, options);
      const agent = await project.factory.load(agent_name, version, overrides);
      checkPayload(agent.prompt, payload);
      if (format === 'curl') {
        cli.terminal.print(await (await import('../curl.js')).toCurl(agent, payload, project.ports));
        return;
      }
      const described = await describePrompt(agent.prompt, agent.snapshot, payload);
      if (format === 'json') cli.terminal.print(JSON.stringify(described, null, 2));
      else printText(cli, agent, described);
    });
};

function printText({ terminal }: Cli, agent: Agent, { messages, response_format, tokens }: PromptDescription): void {
  const { bold, dim } = terminal.out;
  for (const { role, content } of messages) terminal.print(`${bold(`[${role}]`)}\n${visibleLines(content)}\n`);
  if (response_format) {
    const { name, strict, schema } = response_format.json_schema;
    terminal.print(`${bold('[response format]')} ${dim(`json_schema ${name}, strict: ${strict}`)}`);
    terminal.print(`${toVisibleJson(schema)}\n`);
  }
  const each = messages.map(({ role }, index) => `${role} ${tokens.messages[index]}`).join(', ');
  terminal.print(`${bold('tokens  ')} ${tokens.total}${tokens.estimated ? ' (estimated)' : ''}: ${each}, and what frames them`);
  terminal.print(`${bold('model   ')} ${agent.prompt.model_name} (${agent.resolved.llm.provider})`);
  terminal.print(`${bold('snapshot')} ${agent.snapshot.hash}`);
}
