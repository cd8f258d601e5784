import { Argument } from 'commander';
import { type FileState, fileStates } from '../../core/check/fileStates.js';
import { dayOf } from '../../core/day.js';
import { checkRepository, type RepositoryReport } from '../../core/inventory/checkRepository.js';
import type { Kind } from '../../core/kinds.js';
import { createNodeClock } from '../../core/node/nodePorts.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { type Cli, example, type GlobalOptions, readOptions, type VerbSetup } from '../cli.js';
import { loadRepositoryIndex } from '../openCliProject.js';
import { environmentOption } from '../optionValues.js';
import { locateRepository } from '../project.js';
import { fileList } from '../reports/fileList.js';
import { inventoryLines } from '../reports/inventoryLines.js';

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
  const project = locateRepository(cli, options);
  const index = await loadRepositoryIndex(cli, project, {});
  const { environment } = options;
  const clock = createNodeClock();
  const report = await checkRepository({
    files: project.files,
    index,
    variables: project.variables,
    environment,
    onIndex: environment === undefined ? undefined : () => checkEnvironment(index, environment),
    clock,
    asOf: dayOf(clock.now()),
    onProgress: ({ checked, total }) => terminal.progress(`checked ${checked} of ${plural(total, 'file')}`),
  });
  const states = fileStates(index, report.findings);
  const groups = kindWords
    .filter(({ word }) => wanted === undefined || word === wanted)
    .map(({ word, kind }) => ({ word, files: states.filter((state) => state.kind === kind) }))
    .filter(({ files }) => files.length > 0);
  const files = groups.flatMap((group): readonly FileState[] => group.files);
  const others = wanted === undefined ? toolStates(report) : [];
  if (options.json) {
    terminal.print(toSafeJson({ files, ...(wanted === undefined && { other_tools: others.map(({ id: _id, ...state }) => state) }) }));
    return;
  }
  const inventory = wanted === undefined ? inventoryLines(report.inventory, terminal) : '';
  const all = [...groups, ...(others.length > 0 ? [{ word: 'other tools', files: others }] : [])];
  if (all.length === 0) {
    const where = project.isBare ? 'This folder' : 'This project';
    terminal.note(
      wanted === undefined ? `${where} has no config files, nor files of other tools that are known.` : `${where} has no ${wanted}.`,
    );
  } else terminal.print(fileList(all, terminal, project.shownPath));
  if (inventory !== '') terminal.print(inventory);
  if (report.inventory.unseen !== undefined) terminal.note(visibleText(report.inventory.unseen));
}

/** The files of other tools, each with what it holds and what check finds in it. */
function toolStates({ inventory, findings }: RepositoryReport) {
  return inventory.files.map(({ path, tool, facts }) => {
    const countOf = (severity: string) => findings.filter((finding) => finding.file === path && finding.severity === severity).length;
    const [errors, warnings] = [countOf('error'), countOf('warning')];
    const state = errors > 0 ? 'errors' : warnings > 0 ? 'warnings' : 'ok';
    const namesOf = (facts: readonly { readonly name: string }[] = []) => facts.map(({ name }) => name);
    return {
      id: `${tool} ${path.split('/').at(-1)}`,
      tool,
      file: path,
      state,
      errors,
      warnings,
      servers: namesOf(facts.servers),
      agents: namesOf(facts.agents),
      permissions: facts.permissions?.length ?? 0,
    } as const;
  });
}
