import { dayOf } from '../../core/day.js';
import { endsWithin, reportModels } from '../../core/inventory/modelReport.js';
import { createNodeClock } from '../../core/node/nodePorts.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { type Cli, type ExitCode, example, exitCodes, type GlobalOptions, readOptions, type VerbSetup } from '../cli.js';
import { loadRepositoryIndex } from '../openCliProject.js';
import { asOfOption, toCount } from '../optionValues.js';
import { locateRepository } from '../project.js';
import { modelLines } from '../reports/modelLines.js';

interface ModelsOptions extends GlobalOptions {
  readonly ending?: boolean;
  readonly asOf?: string;
  readonly failWithin?: number;
  readonly environment?: string;
}

export const models: VerbSetup = (command, cli) => {
  command
    .option('--ending', 'list only models that have ended, will end, or may end')
    .option(...asOfOption)
    .option('--fail-within <days>', 'exit 1 when a model has ended or ends within this many days', toCount(0))
    .option('--env, --environment <name>', 'environment to look at (default: every one)')
    .addHelpText('after', () =>
      example(cli, ['models', 'models --ending', 'models --ending --as-of 2027-01-14', 'models --ending --fail-within 30 --json']),
    )
    .addHelpText('after', '\nExit codes: 0 listed, 1 a model ends within --fail-within, 2 could not be listed.')
    .action(async () => cli.exit(await listModels(cli, readOptions<ModelsOptions>(cli, command))));
};

async function listModels(cli: Cli, options: ModelsOptions): Promise<ExitCode> {
  const { terminal } = cli;
  const { ending, environment, failWithin } = options;
  const project = locateRepository(cli, options);
  const index = await loadRepositoryIndex(cli, project, { code: 'never' });
  if (environment !== undefined) checkEnvironment(index, environment);
  const asOf = options.asOf ?? dayOf(createNodeClock().now());
  const whole = await reportModels({ files: project.files, index, variables: project.variables, environment }, asOf);
  const report = ending ? { ...whole, models: whole.models.filter(({ state }) => state !== 'current') } : whole;
  if (options.json) terminal.print(toSafeJson(report));
  else terminal.print(modelLines(report, { total: whole.models.length, styles: terminal.out, pathOf: project.shownPath }));
  for (const path of report.unread) terminal.note(`Not read, so a model in it is not listed: ${visibleText(project.shownPath(path))}`);
  if (failWithin === undefined) return exitCodes.ok;
  const verdicts = report.models.map((entry) => endsWithin(entry, failWithin));
  const unknown = verdicts.filter((verdict) => verdict === undefined).length;
  if (unknown > 0) terminal.note(`It is not known whether ${plural(unknown, 'model')} ${unknown === 1 ? 'ends' : 'end'} by then.`);
  return verdicts.includes(true) ? exitCodes.failed : exitCodes.ok;
}
