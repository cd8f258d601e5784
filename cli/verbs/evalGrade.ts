import type { EvalReport } from '../../core/generated/types.js';
import { coverageOfEval } from '../../core/project/coverage.js';
import { gradeEval, saveEval } from '../../core/project/evals.js';
import type { GlobalOptions, VerbSetup } from '../cli.js';
import { addReportOptions, type ReportOptions, readFormat, showReport } from '../evalWork.js';
import { example } from '../example.js';
import { openEvalProject } from '../openCliProject.js';
import { locateProject } from '../project.js';

export const evalGrade: VerbSetup = (command, cli) => {
  command
    .summary('judge the answers of an eval again, without a call')
    .description('Judge the answers of an eval again, with the expectations that the files have now. Nothing is asked and nothing is paid.')
    .argument('<id>', 'id of the eval, its beginning, or "last"');
  addReportOptions(command)
    .addHelpText('after', () => example(cli, ['eval grade last', 'eval grade last --format markdown']))
    .action(async (id: string) => {
      const options = command.optsWithGlobals<GlobalOptions & ReportOptions>();
      const format = readFormat(cli, options);
      const { root } = locateProject(cli, options);
      const place = openEvalProject(cli, root, {});
      const save = options.saveBaseline && ((report: EvalReport) => saveEval(place, report));
      const report = await gradeEval(place, id);
      const coverage = options.coverage && ((eval_id: string) => coverageOfEval(place, eval_id));
      await showReport(cli, report, { format, output: options.output, isCancelled: false, save, coverage });
    });
};
