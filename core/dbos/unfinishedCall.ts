import type { UnfinishedStep } from '../durable.js';
import { UnfinishedStepError } from '../errors.js';

/** Why a run stops at a call that a worker began before it died, and how to go on. */
export function unfinishedCall(call: UnfinishedStep, runId: string): UnfinishedStepError {
  const { tool, team, task } = call;
  const where = team === undefined ? '' : ` (team ${team}, task ${task ?? '?'})`;
  return new UnfinishedStepError(
    `A call of ${tool}${where} was begun by a worker that ended before the call did, and it is unknown whether it happened. It may do harm to make it twice, so the run stops here. ` +
      `Look whether it happened, then: npx agent-stack runs resume ${runId} --engine dbos --unfinished repeat (or skip).`,
    call,
  );
}
