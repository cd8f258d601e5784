import { AsyncLocalStorage } from 'node:async_hooks';
import type { DurableSteps, StepOptions, UnfinishedAnswer, UnfinishedStep } from '../durable.js';
import type { KnownSecrets } from '../ports.js';
import { skippedCall } from '../run/journal/unfinishedCall.js';
import { type RecordedError, toError } from '../run/recordLines.js';
import { coverAll } from '../secrets/coverValue.js';
import { DBOS, DBOSWorkflowConflictError } from './dbosSdk.js';
import { type Flow, isLoss } from './flow.js';
import { unfinishedCall } from './unfinishedCall.js';
import { errorWithoutSecrets, withoutSecrets } from './withoutSecrets.js';

export interface DbosStepsOptions {
  readonly flow: Flow;
  /** Puts what the database says into words. */
  readonly toFailure: (error: unknown) => unknown;
  /** Takes the answer of a person about a call that an earlier worker began. */
  readonly takeAnswer: (step: string) => Promise<UnfinishedAnswer | undefined>;
  /** Keeps a call that a person has to decide about. */
  readonly keepUnfinished: (step: string, call: UnfinishedStep) => Promise<void>;
  readonly knownSecrets?: KnownSecrets | undefined;
}

/** What the library keeps of a step. A failure is kept too: the library numbers steps, so a later worker must go the same way. */
type Kept = { readonly value?: unknown } | { readonly error: RecordedError } | { readonly skipped: true };

/** A step that the cancelling of the run cut off. The library keeps nothing of an error of this class, so the step is done when the run goes on. */
class CutOffError extends DBOSWorkflowConflictError {}

/**
 * The steps of one flow, kept by the library: each is committed in a transaction that holds the flow's row and checks that it is still owned by
 * this very execution of it. So a worker that was taken for dead and wakes up cannot commit a step: its flow stops there.
 *
 * Values are kept without secrets, and that is how they are handed on: another worker that goes on works with what was kept, and must come to the same.
 *
 * To be made inside the flow. Steps are numbered in the order they begin.
 */
export function createDbosSteps({ flow, toFailure, takeAnswer, keepUnfinished, knownSecrets }: DbosStepsOptions): DurableSteps {
  const inFlow = AsyncLocalStorage.snapshot();

  /** As the library keeps it. An error of the library itself ends the flow here, and no step is begun after that. */
  async function keep<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    flow.throwIfStopped();
    try {
      return await inFlow(() => DBOS.runStep(work, { name }));
    } catch (error) {
      if (error instanceof CutOffError) throw error;
      flow.stop(isLoss(error) ? error : toFailure(error));
      throw flow.stopReason;
    }
  }

  async function step<Value>(name: string, work: () => Promise<Value>, { once, isComposite }: StepOptions): Promise<Value> {
    // The library does not put steps into each other: those inside are kept.
    if (isComposite) return withoutSecrets(await work(), knownSecrets);
    // A step before this one may be cut off: what comes after it then may be another one when the run goes on.
    flow.signal.throwIfAborted();
    const begunBy = once && (await keep(`${name}/begun`, async () => flow.execution));
    let done: { readonly value: Value } | { readonly error: unknown } | undefined;
    const kept = await keep<Kept>(name, async () => {
      if (once && begunBy !== flow.execution) {
        const call = coverAll({ ...once.describe(), step: name }, knownSecrets);
        const answer = await takeAnswer(name);
        if (answer === undefined) {
          await keepUnfinished(name, call);
          throw flow.stop(unfinishedCall(call, flow.run_id));
        }
        if (answer === 'skip') return { skipped: true };
      }
      try {
        const value = withoutSecrets(await work(), knownSecrets);
        done = { value };
        return { value };
      } catch (error) {
        // What was thrown may be of the stopping itself.
        if (flow.isStopped) throw flow.stop(error);
        const { thrown, recorded } = errorWithoutSecrets(error, knownSecrets);
        done = { error: thrown };
        if (flow.signal.aborted) throw new CutOffError(flow.id);
        return { error: recorded };
      }
    }).catch((error: unknown) => {
      if (!(error instanceof CutOffError)) throw error;
    });
    // As it came where nothing had to be covered: what was thrown may say more than is kept of it.
    if (done) return outcomeOf(done);
    if (!kept) throw new Error(`The step ${name} has no outcome.`);
    if ('skipped' in kept) throw skippedCall(name);
    if ('error' in kept) throw toError(kept.error);
    // What was kept is what `work` gave, through JSON.
    return kept.value as Value;
  }

  const under = (prefix: string): DurableSteps => ({
    step: (name, work, options = {}) => step(prefix + name, work, options),
    scope: (name) => under(`${prefix}${name}/`),
  });
  return under('');
}

function outcomeOf<Value>(done: { readonly value: Value } | { readonly error: unknown }): Value {
  if ('error' in done) throw done.error;
  return done.value;
}
