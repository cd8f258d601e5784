import { Option } from 'commander';
import type { UnfinishedAnswer } from '../../core/durable.js';
import { readRun } from '../../core/run/readRuns.js';
import { approveTools, readAllowedTools } from '../allowTools.js';
import { askPolicy } from '../askYes.js';
import { example, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { addEngineOptions, type EngineOptions, openCliEngine } from '../dbosEngine.js';
import { findRun } from '../findRun.js';
import { exitCodeOf, followRun, machineView } from '../followRun.js';
import { openCliProject } from '../openCliProject.js';
import { allowToolsOption, eventsOption } from '../optionValues.js';
import { locateProject } from '../project.js';
import { noteResume } from '../resumeHint.js';
import { checkMachineOptions } from '../runRequest.js';
import { createRunView } from '../runView.js';
import { breakOption, createTerminalStops, type StopOptions, stepOption } from '../stopAtCalls.js';
import { createTeamView } from '../teamView.js';
import { askUnfinished } from '../unfinished.js';

interface ResumeOptions extends GlobalOptions, EngineOptions, StopOptions {
  readonly unfinished?: UnfinishedAnswer;
  readonly events?: 'jsonl';
  readonly allowTools?: string | true;
  readonly allowPartial?: true;
}

export const runsResume: VerbSetup = (command, cli) => {
  addEngineOptions(command)
    .summary('resume a run whose process ended, or that was cancelled')
    .description(
      'Continue a run whose process ended, or that was cancelled. What was finished is taken from the journal and not done again. The run reads its frozen config, not the files of today.',
    )
    .argument('<id>', 'id of the run, its beginning, or "last"')
    .addOption(
      new Option(
        '--unfinished <answer>',
        'for calls that were in progress and are not idempotent: make them again, or treat them as failed',
      ).choices(['repeat', 'skip']),
    )
    .addOption(breakOption())
    .addOption(stepOption())
    .addOption(eventsOption())
    .option(...allowToolsOption('the run'))
    .option('--allow-partial', 'exit with 0 even if a required task of an orchestration did not complete')
    .addHelpText('after', () => example(cli, ['runs resume last', 'runs resume 0193f1c2 --unfinished skip']))
    .addHelpText(
      'after',
      '\nWithout --unfinished a person at the terminal is asked; elsewhere the run stops at such a call and stays as it is.\n' +
        'Exit codes: 0 completed, 1 failed or partial, 2 it cannot be resumed, 130 cancelled.',
    )
    .action(async (id: string) => {
      const options = readOptions<ResumeOptions>(cli, command);
      checkMachineOptions(options);
      const { root, files } = locateProject(cli, options);
      const engine = await openCliEngine(cli, root, options);
      if (engine && options.allowTools !== undefined)
        throw new UsageError('--allow-tools: the tools that a run on workers may call are set when it is submitted. Leave it out.');
      if (engine && (options.break !== undefined || options.step))
        throw new UsageError('--break and --step stop a run in this process. A run on workers cannot stop: leave them out.');
      // One that was handed in elsewhere has no folder here yet.
      const run_id = engine && isRunId(id) ? id : await findRun(files, id);
      const { run } = await readRun(files, run_id);
      if (!engine && run.engine === 'dbos')
        throw new UsageError(`The run ${run_id} was handed to workers: add --engine dbos and --database-url.`);
      const project = openCliProject(cli, root, {});
      const people = engine || run.kind === 'orchestration' ? createTeamView : createRunView;
      const onUnfinished = askUnfinished(cli, options.unfinished);
      const stops = createTerminalStops(cli, options);
      try {
        const result = await followRun(cli, project, machineView(cli, options) ?? people(cli.terminal), (signal) =>
          (engine ?? project).resume(run_id, {
            signal: stops ? AbortSignal.any([signal, stops.signal]) : signal,
            approve: approveTools(readAllowedTools(options.allowTools), askPolicy(cli)),
            ...(onUnfinished && { askUnfinished: onUnfinished }),
            ...(stops && { gate: stops.gate }),
          }),
        );
        noteResume(cli, result, true, options.engine);
        cli.exit(exitCodeOf(result, options));
      } finally {
        stops?.close();
      }
    });
};

/** A whole id, as runs are given. */
function isRunId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}
