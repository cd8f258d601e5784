import type { Truth, Variable } from './variables.js';

/** A condition over numbered tasks and variables. */
export type Formula =
  | { readonly type: 'field'; readonly variable: number; readonly atom: number }
  | { readonly type: 'status'; readonly task: number; readonly success: boolean }
  | { readonly type: 'all' | 'any'; readonly parts: readonly Formula[] }
  | { readonly type: 'not'; readonly part: Formula }
  /** Asks about something unknown. */
  | { readonly type: 'unknown' };

/** The choices so far; -1 where nothing is chosen. */
export interface Assignment {
  /** By task: 0 completed, 1 not. */
  readonly status: number[];
  /** By variable: index of its class. Meaningless if its task did not complete. */
  readonly choice: number[];
}

/** Whether the formula holds for every further choice (1), never does (0), or that is open (2). */
export function evaluate(formula: Formula, variables: readonly Variable[], assignment: Assignment): Truth {
  switch (formula.type) {
    case 'field': {
      const { task, whenMissing, classes } = variables[formula.variable] as Variable;
      const status = task < 0 ? 0 : assignment.status[task];
      if (status === 1) return whenMissing[formula.atom] as Truth;
      const choice = assignment.choice[formula.variable] as number;
      return status !== 0 || choice < 0 ? 2 : (classes[choice]?.truth[formula.atom] ?? 2);
    }
    case 'status': {
      const status = assignment.status[formula.task] as number;
      return status < 0 ? 2 : (status === 0) === formula.success ? 1 : 0;
    }
    case 'not': {
      const truth = evaluate(formula.part, variables, assignment);
      return truth === 2 ? 2 : truth === 1 ? 0 : 1;
    }
    case 'unknown':
      return 2;
    default: {
      // The value that decides a list: a part that does not hold, or a part of `any` that does.
      const deciding = formula.type === 'any' ? 1 : 0;
      let isOpen = false;
      for (const part of formula.parts) {
        const truth = evaluate(part, variables, assignment);
        if (truth === deciding) return deciding;
        isOpen ||= truth === 2;
      }
      return isOpen ? 2 : deciding === 1 ? 0 : 1;
    }
  }
}

/** What to choose next to decide an open formula; undefined if everything is chosen. */
export function findOpen(
  formula: Formula,
  variables: readonly Variable[],
  assignment: Assignment,
  mayChoose: (variable: Variable) => boolean,
): { readonly task: number } | { readonly variable: number } | undefined {
  switch (formula.type) {
    case 'field': {
      const variable = variables[formula.variable] as Variable;
      if (variable.task >= 0 && (assignment.status[variable.task] as number) < 0) return { task: variable.task };
      if (variable.task >= 0 && assignment.status[variable.task] === 1) return undefined;
      return (assignment.choice[formula.variable] as number) < 0 && mayChoose(variable) ? { variable: formula.variable } : undefined;
    }
    case 'status':
      return (assignment.status[formula.task] as number) < 0 ? { task: formula.task } : undefined;
    case 'not':
      return findOpen(formula.part, variables, assignment, mayChoose);
    case 'unknown':
      return undefined;
    default:
      for (const part of formula.parts) {
        const open = evaluate(part, variables, assignment) === 2 ? findOpen(part, variables, assignment, mayChoose) : undefined;
        if (open !== undefined) return open;
      }
      return undefined;
  }
}
