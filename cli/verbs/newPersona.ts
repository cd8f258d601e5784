import { newPersonaFile } from '../../core/scaffold/newFile.js';
import type { GlobalOptions, VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { createFiles, openProjectToFill, requireFreeName } from '../newFiles.js';

export const newPersona: VerbSetup = (command, cli) => {
  command
    .argument('<name>', 'name of the persona: letters, digits, ".", "_", "-"')
    .addHelpText('after', () => example(cli, ['new persona technical_editor']))
    .addHelpText('after', '\nA persona has fields that several agents share.')
    .action(async (name: string) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      if (options.json) cli.expectJson();
      const target = await openProjectToFill(cli, options);
      requireFreeName(target.index, 'persona', name, 'A persona');
      await createFiles(cli, target, [newPersonaFile(target.index, name)], options, `Use it in an agent: "persona_key": "${name}"`);
    });
};
