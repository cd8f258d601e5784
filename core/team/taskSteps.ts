import type { DurableSteps } from '../durable.js';
import { StorageError, UnfinishedStepError } from '../errors.js';

/** The steps of one task. */
export interface TaskSteps {
  readonly steps: DurableSteps;
  /**
   * The first failure of keeping itself, which an agent's run turns into a failed result as it does with any: the task is not done then, and
   * the caller must be told.
   */
  failure(): StorageError | UnfinishedStepError | undefined;
}

/** Steps that name their team and task when a person has to be asked about one. */
export function taskSteps(steps: DurableSteps, place: { readonly team: string; readonly task: string }): TaskSteps {
  let failure: StorageError | UnfinishedStepError | undefined;
  const placed = (inner: DurableSteps): DurableSteps => ({
    async step(name, work, options = {}) {
      const { once } = options;
      try {
        return await inner.step(name, work, { ...options, ...(once && { once: { describe: () => ({ ...once.describe(), ...place }) } }) });
      } catch (error) {
        if (error instanceof UnfinishedStepError || error instanceof StorageError) failure ??= error;
        throw error;
      }
    },
    scope: (name) => placed(inner.scope(name)),
  });
  return { steps: placed(steps), failure: () => failure };
}
