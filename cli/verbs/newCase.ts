import { newCaseFile } from '../../core/scaffold/newCaseFile.js';
import { readAgentInput } from '../agentInput.js';
import type { Cli, GlobalOptions, VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { createFiles, projectFlag, requireLegalName } from '../newFiles.js';
import { openCliProject } from '../openCliProject.js';
import { locateProject } from '../project.js';
import { UsageError } from '../usageError.js';

export const newCase: VerbSetup = (command, cli) => {
  command
    .argument('<agent>', 'NAME, for its newest version, or NAME@VERSION')
    .argument('<case>', 'name of the case: letters, digits, ".", "_", "-"')
    .addHelpText('after', () => example(cli, ['new case A2 short_question']))
    .addHelpText('after', '\nA case is a sample input, payloads/AGENT/CASE.json, for run --case. Fill in its values.')
    .action(async (agent: string, name: string) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      if (options.json) cli.expectJson();
      await create(cli, agent, name, options);
    });
};

async function create(cli: Cli, spec: string, name: string, options: GlobalOptions): Promise<void> {
  const project = locateProject(cli, options);
  const opened = openCliProject(cli, project.root, {});
  const index = await opened.index();
  requireLegalName(name);
  const { agent_name, input } = await readAgentInput(opened, index, spec);
  for (const [id, path] of index.ids('payload')) {
    if (id.toLowerCase() === `${agent_name}/${name}`.toLowerCase())
      throw new UsageError(`There is a case ${id} already (${path}). Choose another name.`);
  }
  const next = `Try it: ${cli.name} run ${spec} --case ${name}${projectFlag(options)}`;
  await createFiles(cli, { project, index }, [newCaseFile(index, agent_name, name, { input })], options, next);
}
