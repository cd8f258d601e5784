import { Option } from 'commander';
import { type AgentForm, givenSchema, newAgentFiles } from '../../core/scaffold/newAgentFiles.js';
import { type Cli, example, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { readObject } from '../input.js';
import { createFiles, openProjectToFill, projectFlag, requireFreeName } from '../newFiles.js';

interface NewAgentOptions extends GlobalOptions, Omit<AgentForm, 'schema'> {
  readonly schema?: string;
}

export const newAgent: VerbSetup = (command, cli) => {
  command
    .argument('<name>', 'name of the agent: letters, digits, ".", "_", "-"')
    .addOption(
      new Option('--type <type>', 'how the agent runs: one call, a loop with tools, or a plan of steps (default: single_shot)').choices([
        'single_shot',
        'react',
        'orchestrating',
      ]),
    )
    .addOption(
      new Option('--mode <mode>', 'what a single_shot agent does with its fields (default: Chooser)').choices([
        'Chooser',
        'Writer',
        'Extractor',
      ]),
    )
    .option('--schema <file>', 'JSON Schema of its answer, as z.toJSONSchema of Zod prints it: a file, or - for stdin')
    .addHelpText('after', () =>
      example(cli, [
        'new agent TicketRouter',
        'new agent Summary --mode Writer',
        'new agent Helper --type react',
        'new agent Triage --schema triage.schema.json',
      ]),
    )
    .addHelpText('after', '\nIn a folder that is not a project yet, name it with --project to start one there.')
    .action(async (name: string) => {
      const options = readOptions<NewAgentOptions>(cli, command);
      await create(cli, name, options);
    });
};

async function create(cli: Cli, name: string, options: NewAgentOptions): Promise<void> {
  const { type, mode } = options;
  if (mode !== undefined && type !== undefined && type !== 'single_shot')
    throw new UsageError(`--mode is for single_shot agents; a new ${type} agent has none.`);
  if (options.schema !== undefined && type === 'orchestrating')
    throw new UsageError('--schema is for the answer of a model; a plan composes its own.');
  const schema = options.schema === undefined ? undefined : givenSchema(await readObject(options.schema, cli, '--schema'));
  if (options.schema !== undefined && schema === undefined)
    throw new UsageError(
      `--schema ${options.schema}: expected the JSON Schema of an object, with "type": "object" and "properties". An answer is always an object: give a list or a choice a field.`,
    );
  const target = await openProjectToFill(cli, options);
  requireFreeName(target.index, 'agent', name, 'An agent', (taken) => `Next version: \`${cli.name} new version ${taken}\`.`);
  const next = `Try it: ${cli.name} run ${name} --case example${projectFlag(options)}`;
  await createFiles(cli, target, newAgentFiles(target.index, name, { type, mode, schema }), options, next);
}
