import type { UnfinishedStep } from '../durable.js';
import { UnfinishedStepError } from '../errors.js';

/** Why a run stops at a call that a worker started before it died, and how to continue. */
export function unfinishedCall(call: UnfinishedStep, runId: string): UnfinishedStepError {
  const { tool, team, task } = call;
  const where = team === undefined ? '' : ` (team ${team}, task ${task ?? '?'})`;
  return new UnfinishedStepError(
    `A call of ${tool}${where} was started by a worker that died before the call ended, so it is unknown whether it happened. Repeating it may do harm, so the run stops here. ` +
      `Check whether it happened, then: npx agent-stack runs resume ${runId} --engine dbos --unfinished repeat (or skip).`,
    call,
  );
}
