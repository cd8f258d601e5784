import type { UnfinishedStep } from '../../durable.js';
import { StepSkippedError, UnfinishedStepError } from '../../errors.js';

/** Stops a run at a call that was begun and must not be repeated without asking. */
export function unfinishedCall(call: UnfinishedStep): UnfinishedStepError {
  const { tool, team, task } = call;
  const where = team === undefined ? '' : ` (team ${team}, task ${task ?? '?'})`;
  return new UnfinishedStepError(
    `A call of ${tool}${where} was begun before the run was interrupted, and it is unknown whether it happened. To make it twice may do harm, so the ` +
      'run stops here. Check whether it happened, then resume the run and say whether to repeat the call or to skip it.',
    call,
  );
}

/** The outcome of a call that a person decided to skip. @param step its full name */
export function skippedCall(step: string): StepSkippedError {
  return new StepSkippedError(
    `The call (${step}) was begun before the run was interrupted, and it was decided not to make it again: whether it happened is not known.`,
  );
}
