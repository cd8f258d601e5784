import type { PlanStep } from '../../generated/types.js';
import type { Evaluation } from '../../routing/evaluateCondition.js';

/** Describes an execution of a step before it begins. */
export function thoughtOf(
  { name, skill, agent, repeat }: PlanStep,
  { round, attempt, tries }: { readonly round: number; readonly attempt: number; readonly tries: number } = {
    round: 1,
    attempt: 1,
    tries: 1,
  },
): string {
  const action = skill !== undefined ? `call the skill ${skill}` : agent !== undefined ? `run the agent ${agent}` : 'ask the model';
  const counts = [
    ...(repeat && repeat.max > 1 ? [`run ${round} of at most ${repeat.max}`] : []),
    ...(attempt > 1 ? [`try ${attempt} of ${tries}`] : []),
  ];
  return `Step ${JSON.stringify(name)}: ${action}${counts.length > 0 ? ` (${counts.join(', ')})` : ''}.`;
}

export function skipped(notes: readonly string[]): string {
  return ['Skipped: its "when" does not hold.', ...notes].join(' ');
}

export function failed(message: string): string {
  return `Failed: ${message}`;
}

/** The outcome of the condition that ends the repetitions. */
export function untilOf({ repeat }: PlanStep, judged: Evaluation | undefined, round: number): readonly string[] {
  if (!repeat || !judged) return [];
  const verdict = judged.matches
    ? 'Its "until" holds.'
    : round < repeat.max
      ? 'Its "until" does not hold yet: it runs again.'
      : `Its "until" does not hold after ${round} ${round === 1 ? 'run' : 'runs'}, the most it may have: the plan goes on.`;
  return [[verdict, ...judged.notes].join(' ')];
}
