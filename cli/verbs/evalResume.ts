import type { EvalReport } from '../../core/generated/types.js';
import { coverageOfEval } from '../../core/project/coverage.js';
import { resumeEval, saveEval } from '../../core/project/evals.js';
import { approveTools, readAllowedTools } from '../allowTools.js';
import { example, type GlobalOptions, type VerbSetup } from '../cli.js';
import { addReportOptions, addWorkOptions, followEval, type ReportOptions, readFormat, showReport, type WorkOptions } from '../evalWork.js';
import { openEvalProject } from '../openCliProject.js';
import { locateProject } from '../project.js';

export const evalResume: VerbSetup = (command, cli) => {
  command
    .summary('go on with an eval whose process ended, or that was cancelled')
    .description(
      'Go on with an eval whose process ended, or that was cancelled. Answers that are there are not asked for again; what could not be asked is.',
    )
    .argument('<id>', 'id of the eval, its beginning, or "last"');
  addReportOptions(addWorkOptions(command))
    .addHelpText('after', () => example(cli, ['eval resume last']))
    .action(async (id: string) => {
      const options = command.optsWithGlobals<GlobalOptions & WorkOptions & ReportOptions>();
      const format = readFormat(cli, options);
      const { root } = locateProject(cli, options);
      const place = openEvalProject(cli, root, {});
      const save = options.saveBaseline && ((report: EvalReport) => saveEval(place, report));
      const { report, isCancelled } = await followEval(cli, place.project, options.concurrency, (work) =>
        resumeEval(place, id, { ...work, approve: approveTools(readAllowedTools(options.allowTools)) }),
      );
      const coverage = options.coverage && ((eval_id: string) => coverageOfEval(place, eval_id));
      await showReport(cli, report, { format, output: options.output, isVerbose: options.verbose, isCancelled, save, coverage });
    });
};
