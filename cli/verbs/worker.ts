import { InvalidArgumentError } from 'commander';
import type { WorkerLimits } from '../../core/dbos/dbosEngine.js';
import { findProject } from '../../core/node/findProject.js';
import { approveTools } from '../allowTools.js';
import { type Cli, example, exitCodes, type GlobalOptions, UsageError, type VerbSetup } from '../cli.js';
import { addEngineOptions, type EngineOptions, openCliEngine } from '../dbosEngine.js';
import { toCount, toMilliseconds } from '../optionValues.js';
import { locateProject } from '../project.js';

interface WorkerVerbOptions extends GlobalOptions, EngineOptions {
  readonly concurrency?: number;
  readonly rate?: WorkerLimits['rate'];
  readonly patience: number;
}

export const worker: VerbSetup = (command, cli) => {
  addEngineOptions(command)
    .option('--concurrency <n>', 'concurrent runs in each worker; the last worker that sets it decides for all (initially 10)', toCount(1))
    .option(
      '--rate <runs/seconds>',
      'begin at most so many runs in so many seconds, all workers together, e.g. 100/60; none: no limit',
      toRate,
    )
    .option(
      '--patience <ms>',
      'time that runs in progress have to finish when the worker is stopped, before others take them over',
      toMilliseconds,
      30_000,
    )
    .addHelpText('after', () =>
      example(cli, [
        'worker --engine dbos --database-url postgres://me@localhost/agents',
        'worker --engine dbos --concurrency 20 --rate 100/60',
        'orchestrate issue_intake --case outage --engine dbos',
      ]),
    )
    .addHelpText(
      'after',
      '\nWorkers read no config: runs bring their frozen one. They look up secret://NAME in their own environment, and start MCP servers themselves.\n' +
        'Ctrl+C or SIGTERM: begins nothing more and finishes what is at work; again: leaves it to other workers at once.\n' +
        'Exit codes: 0 ended when asked to, 2 it could not start. See docs/scaling.md.',
    )
    .action(async () => {
      const options = command.optsWithGlobals<WorkerVerbOptions>();
      if (options.engine !== 'dbos')
        throw new UsageError(
          'Workers are for the distributed engine: add --engine dbos. Without it runs need no worker: orchestrate NAME.',
        );
      const engine = await openCliEngine(cli, folderOf(cli, options), options);
      if (engine === undefined) throw new Error('There is no engine although the command asks for one.');
      const { terminal } = cli;
      const { concurrency, rate, patience } = options;
      const stop = new StopRequests();
      try {
        for (;;) {
          const started = await engine.startWorker({
            approve: approveTools,
            ...(concurrency !== undefined && { concurrency }),
            ...(rate !== undefined && { rate }),
          });
          terminal.note(`Worker ${terminal.err.bold(started.id)} is ready.`);
          stop.follow((times) => {
            const size = started.size();
            if (times === 1 && size > 0)
              terminal.note(terminal.err.yellow(`Finishing what is at work (${size}) ... (again to leave it to other workers at once)`));
            void started.stop(times === 1 ? patience : 0);
          });
          if ((await started.ended) === 'stopped') break;
          terminal.note(
            terminal.err.yellow('This worker was not heard from for too long, and others have taken over its runs. It starts again.'),
          );
        }
      } finally {
        stop.release();
        await engine.flush();
      }
      cli.exit(exitCodes.ok);
    });
};

/** Interrupts, counted: the first asks to finish, the second to leave. */
class StopRequests {
  #count = 0;
  #onRequest: ((times: number) => void) | undefined;
  readonly #handler = () => {
    this.#count += 1;
    this.#onRequest?.(this.#count);
  };

  constructor() {
    process.on('SIGINT', this.#handler);
    process.on('SIGTERM', this.#handler);
  }

  /** Calls back at once when there was a request already. */
  follow(onRequest: (times: number) => void): void {
    this.#onRequest = onRequest;
    if (this.#count > 0) onRequest(this.#count);
  }

  release(): void {
    process.off('SIGINT', this.#handler);
    process.off('SIGTERM', this.#handler);
  }
}

/** Where built-in tools read files and MCP servers start: the project, where there is one. */
function folderOf(cli: Cli, options: GlobalOptions): string {
  return options.project !== undefined || findProject(cli.cwd) !== undefined ? locateProject(cli, options).root : cli.cwd;
}

function toRate(value: string): NonNullable<WorkerLimits['rate']> {
  if (value === 'none') return 'none';
  const [, runs, seconds] = /^([1-9]\d{0,6})\/([1-9]\d{0,5})$/.exec(value) ?? [];
  if (runs === undefined || seconds === undefined)
    throw new InvalidArgumentError('Expected runs/seconds, two whole numbers above 0 such as 100/60, or none.');
  return { runs: Number(runs), seconds: Number(seconds) };
}
