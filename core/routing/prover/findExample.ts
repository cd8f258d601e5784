import { buildCounterexample, type Counterexample } from './counterexample.js';
import type { ConditionModel } from './routingModel.js';
import { type Constraint, type Effort, type Outcome, search } from './search.js';

export type ExampleSearch =
  | {
      readonly outcome: 'found';
      readonly example: Counterexample;
      /** Whether a task has to fail, or the context has to be a certain one. */
      readonly needs: { readonly failure: boolean; readonly context: boolean };
    }
  | { readonly outcome: 'none' | 'unknown' };

/**
 * A case that satisfies all constraints: one that needs nothing special, if there is one.
 * @param isConfirmed whether runs would really treat it so
 */
export function findExample(
  { tasks, variables }: Pick<ConditionModel, 'tasks' | 'variables'>,
  constraints: readonly Constraint[],
  effort: Effort,
  isConfirmed: (example: Counterexample) => boolean,
): ExampleSearch {
  const hasContext = variables.some(({ task }) => task < 0);
  let example: Counterexample | undefined;
  let last: Outcome = 'none';
  for (const failure of tasks.length > 0 ? [false, true] : [false]) {
    for (const context of hasContext ? [false, true] : [false]) {
      last = search(constraints, variables, tasks.length, effort, {
        completedOnly: !failure,
        anyContext: !context,
        accept(assignment) {
          const built = buildCounterexample(assignment, tasks, variables);
          if (built === undefined || !isConfirmed(built)) return false;
          example = built;
          return true;
        },
      });
      if (last === 'found' && example !== undefined) return { outcome: 'found', example, needs: { failure, context } };
    }
  }
  return { outcome: last === 'none' ? 'none' : 'unknown' };
}
