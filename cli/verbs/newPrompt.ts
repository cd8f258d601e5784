import { newPromptFile } from '../../core/scaffold/newFile.js';
import type { GlobalOptions, VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { createFiles, openProjectToFill, requireFreeName } from '../newFiles.js';

export const newPrompt: VerbSetup = (command, cli) => {
  command
    .argument('<name>', 'name of the prompt: letters, digits, ".", "_", "-"')
    .addHelpText('after', () => example(cli, ['new prompt issue_triage']))
    .addHelpText('after', "\nA prompt is a template that takes the place of an agent's system_text.")
    .action(async (name: string) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      if (options.json) cli.expectJson();
      const target = await openProjectToFill(cli, options);
      requireFreeName(target.index, 'prompt', name, 'A prompt');
      const next = `Use it in an agent: "prompts": { "system_prompt": "${name}@v1" }`;
      await createFiles(cli, target, [newPromptFile(target.index, name)], options, next);
    });
};
