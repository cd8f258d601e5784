import type { LoadedIndex } from '../../core/config/loadProjectIndex.js';
import { agentNames } from '../../core/names.js';
import type { Project } from '../../core/project/types.js';
import { newOrchestrationFiles, sampleCase, type TeamAgent } from '../../core/scaffold/newOrchestrationFiles.js';
import { collect } from '../agentCall.js';
import { readAgentInput } from '../agentInput.js';
import { type Cli, example, type GlobalOptions, readOptions, type VerbSetup } from '../cli.js';
import { createFiles, openProjectToFill, projectFlag, requireFreeName } from '../newFiles.js';
import { openCliProject } from '../openCliProject.js';

interface NewOrchestrationOptions extends GlobalOptions {
  readonly agent?: readonly string[];
}

export const newOrchestration: VerbSetup = (command, cli) => {
  command
    .argument('<name>', 'name of the orchestration: letters, digits, ".", "_", "-"')
    .option('--agent <agent>', 'agent of a team, NAME or NAME@VERSION; repeatable, in their order (default: the first agent)', collect)
    .addHelpText('after', () => example(cli, ['new orchestration intake', 'new orchestration intake --agent IssueLabels --agent A2']))
    .addHelpText(
      'after',
      '\nEach team has one agent; its inputs come from that of the orchestration. In a project without agents, one is created too.',
    )
    .action(async (name: string) => {
      const options = readOptions<NewOrchestrationOptions>(cli, command);
      await create(cli, name, options);
    });
};

async function create(cli: Cli, name: string, options: NewOrchestrationOptions): Promise<void> {
  const target = await openProjectToFill(cli, options);
  requireFreeName(target.index, 'orchestration', name, 'An orchestration');
  const opened = openCliProject(cli, target.project.root, { code: 'never' });
  const agents = await readAgents(opened, await opened.index(), options.agent);
  const next = `Try it: ${cli.name} orchestrate ${name} --case ${sampleCase}${projectFlag(options)}`;
  await createFiles(cli, target, newOrchestrationFiles(target.index, name, agents), options, next);
}

/** Those that are named, else the first. */
async function readAgents(project: Project, index: LoadedIndex, named: readonly string[] | undefined): Promise<readonly TeamAgent[]> {
  const agents: TeamAgent[] = [];
  for (const spec of named ?? [...agentNames(index)].slice(0, 1)) agents.push(await readAgentInput(project, index, spec));
  return agents;
}
