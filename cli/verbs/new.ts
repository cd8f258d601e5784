import { newPersonaFile, newPromptFile } from '../../core/scaffold/newFile.js';
import { example, type GlobalOptions, readOptions, type VerbSetup } from '../cli.js';
import { createFiles, openProjectToFill, requireFreeName } from '../newFiles.js';
import { newAgent } from './newAgent.js';
import { newCase } from './newCase.js';
import { newCases } from './newCases.js';
import { newLlm } from './newLlm.js';
import { newOrchestration } from './newOrchestration.js';
import { newVersion } from './newVersion.js';

const kinds: readonly { readonly name: string; readonly summary: string; readonly setup: VerbSetup }[] = [
  { name: 'agent', summary: 'create an agent that is valid from the start', setup: newAgent },
  { name: 'version', summary: 'copy the newest version of an agent to the next', setup: newVersion },
  { name: 'orchestration', summary: 'create an orchestration of existing agents', setup: newOrchestration },
  {
    name: 'persona',
    summary: 'create a persona',
    setup: newNamed(
      'persona',
      'technical_editor',
      'A persona has fields that several agents share.',
      newPersonaFile,
      (name) => `"persona_key": "${name}"`,
    ),
  },
  {
    name: 'prompt',
    summary: 'create a prompt',
    setup: newNamed(
      'prompt',
      'issue_triage',
      "A prompt is a template that takes the place of an agent's system_text.",
      newPromptFile,
      (name) => `"prompts": { "system_prompt": "${name}@v1" }`,
    ),
  },
  { name: 'llm', summary: 'create an llm profile', setup: newLlm },
  { name: 'case', summary: 'create a case of an agent or orchestration', setup: newCase },
  { name: 'cases', summary: 'create a data set from a table', setup: newCases },
];

export const newVerb: VerbSetup = (command, cli) => {
  command.addHelpText('after', () =>
    example(cli, ['new agent TicketRouter', 'new llm openai --provider openai', 'new case A2 short', 'new version A2']),
  );
  for (const { name, summary, setup } of kinds) {
    const description = `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
    setup(command.command(name).summary(summary).description(description), cli);
  }
};

/** A persona or a prompt: a file that agents name. */
function newNamed(
  kind: 'persona' | 'prompt',
  sample: string,
  purpose: string,
  create: typeof newPersonaFile,
  use: (name: string) => string,
) {
  const setup: VerbSetup = (command, cli) => {
    command
      .argument('<name>', `name of the ${kind}: letters, digits, ".", "_", "-"`)
      .addHelpText('after', () => example(cli, [`new ${kind} ${sample}`]))
      .addHelpText('after', `\n${purpose}`)
      .action(async (name: string) => {
        const options = readOptions<GlobalOptions>(cli, command);
        const target = await openProjectToFill(cli, options);
        requireFreeName(target.index, kind, name, `A ${kind}`);
        await createFiles(cli, target, [create(target.index, name)], options, `Use it in an agent: ${use(name)}`);
      });
  };
  return setup;
}
