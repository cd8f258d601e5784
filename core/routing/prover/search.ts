import { type Assignment, evaluate, type Formula, findOpen } from './formula.js';
import type { Variable } from './variables.js';

export interface Constraint {
  readonly formula: Formula;
  readonly wanted: 0 | 1;
  /** Comparisons in the formula: the maximum cost of examining it. */
  readonly size: number;
}

/** `none` is proven: nothing satisfies all constraints. `unknown`: something might. */
export type Outcome = 'found' | 'none' | 'unknown';

export interface SearchOptions {
  /** Every task completes. */
  readonly completedOnly?: boolean;
  /** Only solutions that hold in every context. */
  readonly anyContext?: boolean;
  /** Examines a solution; false means it is only a possibility, and the search continues. Default: accepts every solution. */
  readonly accept?: (assignment: Assignment) => boolean;
}

/** Work left for all searches of a proof, in comparisons examined. */
export interface Effort {
  left: number;
}

/**
 * Looks for statuses and values that satisfy all constraints: tries the classes of one variable after the other, and gives a
 * branch up as soon as a constraint is broken. Complete, unless the effort runs out.
 */
export function search(
  constraints: readonly Constraint[],
  variables: readonly Variable[],
  tasks: number,
  effort: Effort,
  { completedOnly = false, anyContext = false, accept = () => true }: SearchOptions = {},
): Outcome {
  const assignment: Assignment = {
    status: new Array<number>(tasks).fill(completedOnly ? 0 : -1),
    choice: new Array<number>(variables.length).fill(-1),
  };
  const mayChoose = ({ task }: Variable) => task >= 0 || !anyContext;

  const explore = (wishes: readonly Constraint[]): Outcome => {
    let next: ReturnType<typeof findOpen>;
    // A satisfied constraint stays satisfied by every later choice.
    const open: Constraint[] = [];
    for (const wish of wishes) {
      const { formula, wanted, size } = wish;
      effort.left -= size;
      if (effort.left < 0) return 'unknown';
      const truth = evaluate(formula, variables, assignment);
      if (truth === wanted) continue;
      if (truth !== 2) return 'none';
      next ??= findOpen(formula, variables, assignment, mayChoose);
      open.push(wish);
    }
    if (next === undefined) return open.length === 0 && accept(assignment) ? 'found' : 'unknown';
    if ('task' in next) return tryAll(open, assignment.status, next.task, 2);
    return tryAll(open, assignment.choice, next.variable, (variables[next.variable] as Variable).classes.length);
  };
  const tryAll = (wishes: readonly Constraint[], choices: number[], index: number, count: number): Outcome => {
    let best: Outcome = 'none';
    for (let choice = 0; choice < count; choice++) {
      choices[index] = choice;
      const outcome = explore(wishes);
      if (outcome === 'unknown') best = 'unknown';
      if (outcome === 'found' || effort.left < 0) {
        best = outcome;
        break;
      }
    }
    choices[index] = -1;
    return best;
  };
  return explore(constraints);
}
