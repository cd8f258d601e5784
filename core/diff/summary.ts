import { sumWorstCases } from '../llm/worstCase.js';
import { isJudged } from './behaviour.js';
import type { DiffSummary, SubjectDiff, VerdictCounts } from './types.js';

/** Whether runs of a subject may differ: a tracing that is turned off changes none, another task or another default of the context does. */
export function hasEffect({ state, broken, causes, prompts, costs, contract, permissions, routes, verdicts }: SubjectDiff): boolean {
  const isNamedOtherwise = state === 'added' || state === 'removed' || state === 'moved';
  const isAskedAgain = verdicts !== null && verdicts.carried < verdicts.total;
  const parts = [prompts, contract, permissions, routes];
  const isUntold = causes.some(({ pointers, count }) => count > pointers.length || !pointers.every(isJudged));
  return isUntold || isNamedOtherwise || broken !== null || costs !== null || isAskedAgain || parts.some(({ length }) => length > 0);
}

/** The line on top, in numbers. */
export function summaryOf(subjects: readonly SubjectDiff[]): DiffSummary {
  const count = (matches: (subject: SubjectDiff) => boolean) =>
    new Set(subjects.filter(matches).map(({ kind, name, version }) => JSON.stringify([kind, name, version]))).size;
  const changes = subjects.flatMap(({ costs }) => {
    const [before, after] = [costs?.maximum_before?.limit, costs?.maximum_after?.limit];
    return typeof before === 'number' && typeof after === 'number' ? [after - before] : [];
  });
  return {
    agents: count((subject) => subject.kind === 'agent' && hasEffect(subject)),
    orchestrations: count((subject) => subject.kind === 'orchestration' && hasEffect(subject)),
    widened: count(({ permissions }) => permissions.some(({ direction }) => direction === 'widened')),
    breaking: count(({ contract }) => contract.some(({ effect }) => effect === 'breaking')),
    routes: count(({ routes }) => routes.some(({ change }) => change !== 'unknown')),
    broken: count(({ broken }) => broken !== null),
    max_cost_change: changes.length === 0 ? null : Math.max(...changes),
    verdicts: sumVerdicts(subjects.flatMap(({ verdicts }) => verdicts ?? [])),
  };
}

function sumVerdicts(counts: readonly VerdictCounts[]): VerdictCounts | null {
  if (counts.length === 0) return null;
  const sum = (of: (each: VerdictCounts) => number) => counts.reduce((total, each) => total + of(each), 0);
  return {
    total: sum(({ total }) => total),
    carried: sum(({ carried }) => carried),
    changed: sum(({ changed }) => changed),
    test_changed: sum(({ test_changed }) => test_changed),
    new: sum((each) => each.new),
    stale: sum(({ stale }) => stale),
    worst_case: sumWorstCases(counts.map(({ worst_case }) => ({ worst: worst_case, times: 1 }))),
  };
}
