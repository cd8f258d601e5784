import type { Json } from '../json.js';
import { isEqual } from '../jsonText/jsonCompare.js';
import { type Routed, tasksNamedIn } from '../routing/prover/compareRouting.js';
import type { Counterexample } from '../routing/prover/counterexample.js';
import type { TaskContract } from '../routing/prover/routingModel.js';
import type { RouteExample } from './types.js';

/** Whether nothing that decides about a team's routes differs. */
export function isSameRouting(before: Routed | undefined, after: Routed | undefined): boolean {
  if (before === undefined || after === undefined || !isEqual(rulesOf(before), rulesOf(after))) return false;
  const read = tasksNamedIn(after.rules.map(({ condition }) => condition));
  return [...read].every((task) => {
    const [was, is] = [before.contracts.get(task), after.contracts.get(task)];
    const parts = (contract: TaskContract | undefined): Json => [contract?.output_schema ?? null, contract?.defaults ?? null];
    return before.tasks.includes(task) === after.tasks.includes(task) && isEqual(parts(was), parts(is));
  });
}

export function rulesOf({ rules, fallback }: Routed): Json {
  return [rules.map(({ condition, next }) => [condition, next]), fallback === undefined ? [] : fallback];
}

export function exampleOf({ outcomes, context }: Counterexample): RouteExample {
  const outputs = [...outcomes].flatMap(([task, { status, output }]) => (status === 'completed' ? [[task, output ?? null] as const] : []));
  const failed = [...outcomes].flatMap(([task, { status }]) => (status === 'completed' ? [] : [task]));
  return {
    outputs: Object.fromEntries(outputs),
    ...(failed.length > 0 && { failed }),
    ...(Object.keys(context).length > 0 && { context }),
  };
}
