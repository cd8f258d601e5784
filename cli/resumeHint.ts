import type { RunResult } from '../core/agent/events.js';
import { hasStopped, isUnanswered } from '../core/run/runSummary.js';
import type { Cli } from './cli.js';

/**
 * Says how to continue a run that did not reach its end.
 *
 * @param engine that of the run, where it is not the embedded one
 */
export function noteResume(cli: Cli, result: RunResult, isKept: boolean, engine?: string | undefined): void {
  const { run_id, status, metadata } = result;
  if (!isKept || metadata.snapshot_hash === null) return;
  const { note, err } = cli.terminal;
  const resume = `${cli.name} runs resume ${run_id}${engine === 'dbos' ? ' --engine dbos' : ''}`;
  if (isUnanswered(result)) note(`resume with  ${err.bold(`${resume} --unfinished repeat`)}  or  ${err.bold(`--unfinished skip`)}`);
  else if (status === 'cancelled' || hasStopped(result)) note(`resume with  ${err.bold(resume)}`);
}
