import type { RunError } from '../agent/events.js';
import { type Expression, readCondition } from '../routing/readCondition.js';
import type { FrozenOrchestration, FrozenTeam } from '../snapshot/snapshotValue.js';
import { plural } from '../words.js';
import type { TeamExecution } from './orchestrationResult.js';
import { tasksNamedIn } from './teamTemplates.js';

/** A required task that did not complete. */
export interface UnmetTask {
  readonly team: string;
  readonly task: string;
  readonly error: RunError | null;
}

/**
 * The required tasks of an orchestration that did not complete, in the order of the run. Of a team that ran several times the last execution
 * counts. A task can say itself whether it is `required`; by default it is where its output is read, and in the team that ended the run.
 */
export function findUnmetTasks(
  { teams }: FrozenOrchestration,
  executions: readonly Pick<TeamExecution, 'team' | 'results'>[],
): readonly UnmetTask[] {
  return executions.flatMap(({ team, results }, index) => {
    const frozen = Object.hasOwn(teams, team) ? teams[team] : undefined;
    const runsAgain = executions.findLastIndex((other) => other.team === team) > index;
    if (!frozen || runsAgain) return [];
    const endsRun = index === executions.length - 1;
    const read = endsRun ? undefined : tasksRead(frozen);
    return frozen.tasks
      .filter(({ name, required }) => required ?? read?.has(name) ?? true)
      .filter(({ name }) => results.get(name)?.status !== 'completed')
      .map(({ name }) => ({ team, task: name, error: results.get(name)?.error ?? null }));
  });
}

/** Most tasks to name in a message; of the others the number is given. */
const mostNamed = 5;

/** The error of a `partial` run; null where no task is missing. It has the code of the first, so that failures counted by code show one cause. */
export function partialError(unmet: readonly UnmetTask[]): RunError | null {
  const [first] = unmet;
  if (first === undefined) return null;
  const { error } = first;
  const namedTasks = unmet.slice(0, mostNamed).map(({ team, task }) => `"${task}" of team "${team}"`);
  if (unmet.length > mostNamed) namedTasks.push(`${unmet.length - mostNamed} more`);
  const tasks = unmet.length === 1 ? 'A required task' : plural(unmet.length, 'required task');
  const reason = typeof error?.details?.reason === 'string' ? { reason: error.details.reason } : {};
  return {
    code: error?.code ?? 'cancelled',
    message: `${tasks} did not complete: ${namedTasks.join(', ')}. The first failed with: ${error?.message ?? 'no reason.'} A task that the run can do without says "required": false.`,
    details: { ...reason, tasks: unmet.map(({ team, task, error }) => ({ team, task, code: error?.code ?? 'cancelled' })) },
    recoverable: error?.recoverable ?? true,
  };
}

/** The tasks whose output is read by the input of another task, a condition or `context_updates`. */
function tasksRead({ tasks, routing }: FrozenTeam): ReadonlySet<string> {
  const namedTasks = [
    ...tasks.flatMap(({ input }) => (input === undefined ? [] : tasksNamedIn(input))),
    ...(routing.rules ?? []).flatMap(({ condition, context_updates }) => [
      ...tasksCompared(readCondition(condition)),
      ...tasksNamedIn(context_updates ?? {}),
    ]),
  ];
  return new Set(namedTasks.includes(null) ? tasks.map(({ name }) => name) : namedTasks.filter((name) => name !== null));
}

/** The tasks whose output fields a condition compares. A condition on a status reads no output. */
function tasksCompared(expression: Expression): readonly string[] {
  switch (expression.type) {
    case 'field':
      return expression.task === undefined ? [] : [expression.task];
    case 'all':
    case 'any':
      return expression.parts.flatMap(tasksCompared);
    case 'not':
      return tasksCompared(expression.part);
    case 'status':
    case 'malformed':
      return [];
  }
}
