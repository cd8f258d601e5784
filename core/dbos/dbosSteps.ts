import { AsyncLocalStorage } from 'node:async_hooks';
import { type DurableSteps, type StepOptions, scopedSteps, type UnfinishedAnswer, type UnfinishedStep } from '../durable.js';
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
  /** Waits until this worker certainly owns the flow. @throws if it does not */
  readonly claim: () => Promise<void>;
  /** Converts errors of the database to messages. */
  readonly toFailure: (error: unknown) => unknown;
  /** Takes a person's answer about a call that an earlier worker started. */
  readonly takeAnswer: (step: string) => Promise<UnfinishedAnswer | undefined>;
  /** Stores a call that a person has to decide about. */
  readonly keepUnfinished: (step: string, call: UnfinishedStep) => Promise<void>;
  readonly knownSecrets?: KnownSecrets | undefined;
}

/** The stored outcome of a step. A failure is stored too, since the library numbers steps and a later worker must take the same path. */
type Kept = { readonly value?: unknown } | { readonly error: RecordedError } | { readonly skipped: true };

/** A step that was cut off when the run was cancelled. The library stores nothing for an error of this class, so a resumed run does the step. */
class CutOffError extends DBOSWorkflowConflictError {}

/**
 * The steps of one flow, stored by the library: each is committed in a transaction that holds the flow's row and checks that this execution still
 * owns it. So a worker that was considered dead and wakes up cannot commit a step: its flow stops there. Nor does it begin one: a step may cost
 * money, so the flow is claimed first.
 *
 * Values are stored and returned without secrets: another worker that resumes works with the stored value, and must get the same result.
 *
 * To be created inside the flow. Steps are numbered in the order they start.
 */
export function createDbosSteps({ flow, claim, toFailure, takeAnswer, keepUnfinished, knownSecrets }: DbosStepsOptions): DurableSteps {
  const inFlow = AsyncLocalStorage.snapshot();

  /** Stores a step by the library. An error of the library ends the flow here, and no further step is started. */
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

  /** Claims the flow inside a step, before its work. @throws CutOffError, or the reason why the flow has stopped */
  async function claimForStep(): Promise<void> {
    try {
      await claim();
    } catch (error) {
      if (flow.signal.aborted && !flow.isStopped) throw new CutOffError(flow.id);
      throw flow.stop(isLoss(error) ? error : toFailure(error));
    }
  }

  async function step<Value>(name: string, work: () => Promise<Value>, { once, isComposite }: StepOptions): Promise<Value> {
    // The library does not nest steps, so inner ones are not stored.
    if (isComposite) return withoutSecrets(await work(), knownSecrets);
    // If an earlier step was cut off, later steps may differ when the run is resumed.
    flow.signal.throwIfAborted();
    const begin = async () => {
      await claimForStep();
      return flow.execution;
    };
    const begunBy = once && (await keep(`${name}/begun`, begin).catch(ignoreCutOff));
    flow.signal.throwIfAborted();
    let done: { readonly value: Value } | { readonly error: unknown } | undefined;
    const kept = await keep<Kept>(name, async () => {
      await claimForStep();
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
        // The stop itself may have caused the error.
        if (flow.isStopped) throw flow.stop(error);
        const { thrown, recorded } = errorWithoutSecrets(error, knownSecrets);
        done = { error: thrown };
        if (flow.signal.aborted) throw new CutOffError(flow.id);
        return { error: recorded };
      }
    }).catch(ignoreCutOff);
    // The original if nothing had to be masked: it may contain more than the stored form.
    if (done) return outcomeOf(done);
    if (!kept) {
      flow.signal.throwIfAborted();
      throw new Error(`The step ${name} has no outcome.`);
    }
    if ('skipped' in kept) throw skippedCall(name);
    if ('error' in kept) throw toError(kept.error);
    // The stored value is the result of `work`, as JSON.
    return kept.value as Value;
  }

  return scopedSteps((name, work, options = {}) => step(name, work, options));
}

function ignoreCutOff(error: unknown): undefined {
  if (!(error instanceof CutOffError)) throw error;
}

function outcomeOf<Value>(done: { readonly value: Value } | { readonly error: unknown }): Value {
  if ('error' in done) throw done.error;
  return done.value;
}
