import type { ConfigFile } from '../../config/configFile.js';
import { comparisonsIn, type TaskPart } from '../../config/orchestrationParts.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import type { ConditionFault } from '../../routing/prover/conditionFaults.js';
import { proveRouting } from '../../routing/prover/proveRouting.js';
import { fitsSimply } from '../../schema/simpleSchema.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { type Contract, contractsOf, textContract } from './routingProofs.js';

/** The conditions of a plan, and the contracts of the agents that they refer to. */
interface PlanConditions {
  readonly conditions: readonly { readonly value: Json; readonly pointer: string }[];
  readonly contracts: ReadonlyMap<string, Contract>;
  readonly hasPatterns: boolean;
}

const conditionsOf = forLastFile((file: ConfigFile, context: RuleContext): PlanConditions | undefined => {
  const steps = stepsIn(file.value);
  const conditions = steps.flatMap(({ value: { when, repeat }, pointer }) => [
    ...(when === undefined ? [] : [{ value: when, pointer: `${pointer}/when` }]),
    ...(isObject(repeat) && repeat.until !== undefined ? [{ value: repeat.until, pointer: `${pointer}/repeat/until` }] : []),
  ]);
  // A comparison with a `${VAR}` is decided only in a run.
  if (conditions.length === 0 || JSON.stringify(conditions).includes('${')) return undefined;
  const tests = conditions.flatMap(({ value, pointer }) => comparisonsIn(value, pointer));
  const named = new Set(tests.flatMap(({ value, task }) => (value.output_field === undefined || task === undefined ? [] : [task.name])));
  return {
    conditions,
    contracts: stepContracts(file, steps, named, context),
    hasPatterns: tests.some(({ value }) => value.operator === 'matches'),
  };
});

interface StepPart {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** The contracts of the named steps of a plan: agents by their schemas, prompts a text. The output of a skill is not described. */
export function stepContracts(
  file: ConfigFile,
  steps: readonly StepPart[],
  named: ReadonlySet<string>,
  context: RuleContext,
): ReadonlyMap<string, Contract> {
  // A step runs an agent as in its file: a plan overrides nothing.
  const tasks = steps.map(
    ({ value: { name, agent }, pointer }): TaskPart => ({
      team: '',
      name: typeof name === 'string' ? name : undefined,
      value: agent === undefined ? {} : { agent },
      pointer,
    }),
  );
  const contracts = new Map(contractsOf(file, tasks, named, context));
  const times = new Map<string | undefined, number>();
  for (const { name } of tasks) times.set(name, (times.get(name) ?? 0) + 1);
  for (const { value, pointer } of steps) {
    const { name, llm } = value;
    if (typeof name !== 'string' || typeof llm !== 'string' || !named.has(name)) continue;
    if (times.get(name) === 1) contracts.set(name, { ...textContract, file: file.path, pointer: `${pointer}/llm` });
  }
  return contracts;
}

/** The faults in the conditions of a file's own plan, with pointers from its root. */
export const planFaultsOf = forLastFile((file: ConfigFile, context: RuleContext) => {
  const plan = conditionsOf(file, context);
  if (plan === undefined) return [];
  const { conditions, contracts } = plan;
  // For the prover, a plan is a team whose rules are its conditions.
  const team = {
    tasks: stepsIn(file.value).map(({ value: { name = null } }) => ({ name })),
    routing: { rules: conditions.map(({ value }) => ({ condition: value, next_team: null })), default: null },
  };
  const { faults } = proveRouting(team, contracts, { schemas: context.schemas, patterns: context.patterns });
  return faults.flatMap((fault): { fault: ConditionFault; pointer: string; contracts: ReadonlyMap<string, Contract> }[] => {
    const [, index = '', rest = ''] = /^\/routing\/rules\/(\d+)\/condition(.*)$/s.exec(fault.pointer) ?? [];
    const condition = conditions[Number(index)];
    return condition === undefined ? [] : [{ fault, pointer: condition.pointer + rest, contracts }];
  });
});

/** Like `needsProverTools`. */
export function planNeedsProverTools(file: ConfigFile, context: RuleContext): boolean {
  const plan = conditionsOf(file, context);
  if (plan === undefined) return false;
  return plan.hasPatterns || [...plan.contracts.values()].some(({ output_schema }) => fitsSimply(output_schema, null) === undefined);
}

function stepsIn(value: Json | undefined): readonly StepPart[] {
  const plan = isObject(value) ? value.execution_plan : undefined;
  if (!isObject(plan) || !Array.isArray(plan.steps)) return [];
  return (plan.steps as readonly Json[]).flatMap((step, index) =>
    isObject(step) ? [{ value: step, pointer: `/execution_plan/steps/${index}` }] : [],
  );
}
