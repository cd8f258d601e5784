import { Argument } from 'commander';
import { checkProject } from '../../core/check/checkProject.js';
import { type FileState, fileStates } from '../../core/check/fileStates.js';
import type { Kind } from '../../core/kinds.js';
import { createNodeClock } from '../../core/node/nodePorts.js';
import { toSafeJson } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { type Cli, example, type GlobalOptions, readOptions, type VerbSetup } from '../cli.js';
import { openCliProject } from '../openCliProject.js';
import { environmentOption } from '../optionValues.js';
import { locateProject } from '../project.js';
import { fileList } from '../reports/fileList.js';

interface ListOptions extends GlobalOptions {
  readonly environment?: string;
}

/** As they are shown, with the words for them. */
const kindWords: readonly { readonly word: string; readonly kind: Kind }[] = [
  { word: 'agents', kind: 'agent' },
  { word: 'orchestrations', kind: 'orchestration' },
  { word: 'personas', kind: 'persona' },
  { word: 'prompts', kind: 'prompt' },
  { word: 'llms', kind: 'llm' },
  { word: 'payloads', kind: 'payload' },
  { word: 'baselines', kind: 'baseline' },
  { word: 'servers', kind: 'mcp' },
  { word: 'lock', kind: 'lock' },
  { word: 'environments', kind: 'system' },
  { word: 'settings', kind: 'settings' },
];

export const list: VerbSetup = (command, cli) => {
  command
    .addArgument(new Argument('[kind]', 'files of this kind only').choices(kindWords.map(({ word }) => word)))
    .option(...environmentOption)
    .addHelpText('after', () => example(cli, ['list', 'list agents', 'list --json']))
    .addHelpText('after', '\n`check` says what the errors and warnings are. Exit codes: 0 listed, 2 could not be listed.')
    .action(async (kind: string | undefined) => {
      const options = readOptions<ListOptions>(cli, command);
      await listFiles(cli, kind, options);
    });
};

async function listFiles(cli: Cli, wanted: string | undefined, options: ListOptions): Promise<void> {
  const { terminal } = cli;
  const project = locateProject(cli, options);
  const index = await openCliProject(cli, project.root, {}).index();
  const { environment } = options;
  const { findings } = await checkProject({
    files: project.files,
    index,
    variables: project.variables,
    environment,
    onIndex: environment === undefined ? undefined : () => checkEnvironment(index, environment),
    clock: createNodeClock(),
    onProgress: ({ checked, total }) => terminal.progress(`checked ${checked} of ${plural(total, 'file')}`),
  });
  const states = fileStates(index, findings);
  const groups = kindWords
    .filter(({ word }) => wanted === undefined || word === wanted)
    .map(({ word, kind }) => ({ word, files: states.filter((state) => state.kind === kind) }))
    .filter(({ files }) => files.length > 0);
  const files = groups.flatMap((group): readonly FileState[] => group.files);
  if (options.json) {
    terminal.print(toSafeJson({ files }));
    return;
  }
  if (files.length === 0) terminal.note(wanted === undefined ? 'This project has no config files.' : `This project has no ${wanted}.`);
  else terminal.print(fileList(groups, terminal, project.shownPath));
}
