import type { EvalReport } from '../../core/eval/report/evalReport.js';
import { coverageOfEval } from '../../core/node/coverageOfCases.js';
import { resumeEval, saveEval } from '../../core/node/projectEvals.js';
import { approveTools, readAllowedTools } from '../allowTools.js';
import type { GlobalOptions, VerbSetup } from '../cli.js';
import { addReportOptions, addWorkOptions, followEval, type ReportOptions, readFormat, showReport, type WorkOptions } from '../evalWork.js';
import { example } from '../example.js';
import { openCliProject } from '../openCliProject.js';
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
      const project = openCliProject(cli, root, {});
      const place = { root, project, environment: undefined };
      const save = options.saveBaseline && ((found: EvalReport) => saveEval(place, found));
      const { report, isCancelled } = await followEval(cli, project, options.concurrency, (work) =>
        resumeEval(place, id, { ...work, approve: approveTools(readAllowedTools(options.allowTools)) }),
      );
      const coverage = options.coverage && ((eval_id: string) => coverageOfEval({ root, project, environment: undefined }, eval_id));
      await showReport(cli, report, { format, output: options.output, isCancelled, save, coverage });
    });
};
