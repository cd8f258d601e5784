import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import { proveRouting } from '../../core/routing/prover/proveRouting.js';
import { isTrue, type Scenario, scenarios, valuesOf } from './oracle.js';
import { closed, comparison, constant, narrowSchema, scalar, wideSchema } from './smallSchemas.js';

const contextValues: readonly (Json | undefined)[] = [
  undefined,
  ...[null, true, false, -1, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 9, '', 'z', {}, { b: 'a' }, { b: 'q' }, [], ['z']],
  ...['a', 'b', 'c', 'az', 'bz', 'cz', 'abz', 'acz', 'bcz', 'abcz'],
  ...[['a'], ['b'], ['c'], ['a', 'b'], ['a', 'c'], ['b', 'c'], ['a', 'b', 'c']],
];
const contexts = contextValues.map((value): JsonObject => (value === undefined ? {} : { m: value }));

/** Conditions on two tasks and, where asked for, one field of the context. */
function anyCondition(withContext: boolean): fc.Arbitrary<Json> {
  const task = fc.constantFrom('one', 'two');
  const field = fc
    .tuple(task, fc.constantFrom('x', 'y', 'z', 'z.b'), comparison)
    .map(([name, path, rest]): Json => ({ task: name, output_field: path, ...rest }));
  const status = fc.tuple(task, fc.constantFrom('success', 'failure')).map(([name, how]): Json => ({ task: name, status: how }));
  const context = comparison.map((rest): Json => ({ context_field: 'm', ...rest }));
  const leaf = fc.oneof(
    { weight: 5, arbitrary: field },
    { weight: 2, arbitrary: status },
    ...(withContext ? [{ weight: 3, arbitrary: context }] : []),
  );
  return fc.letrec<{ condition: Json }>((tie) => {
    const parts = fc.array(tie('condition'), { minLength: 1, maxLength: 3 });
    return {
      condition: fc.oneof(
        { depthSize: 'small', maxDepth: 3 },
        { weight: 4, arbitrary: leaf },
        parts,
        parts.map((any): Json => ({ any })),
        tie('condition').map((not): Json => ({ not })),
      ),
    };
  }).condition;
}

function check(
  schemas: { readonly one: JsonObject; readonly two: JsonObject },
  conditions: readonly Json[],
  universe: readonly Scenario[],
) {
  const team = {
    tasks: [{ name: 'one' }, { name: 'two' }],
    routing: { rules: conditions.map((condition) => ({ condition, next_team: null })) },
  };
  const contracts = new Map(Object.entries(schemas).map(([name, output_schema]) => [name, { output_schema }]));
  const { rules, coverage } = proveRouting(team, contracts);

  const taken = conditions.map(() => false);
  const satisfied = conditions.map(() => false);
  let gap: Scenario | undefined;
  let calmGap: Scenario | undefined;
  for (const scenario of universe) {
    const truths = conditions.map((condition) => isTrue(condition, scenario));
    for (const [index, truth] of truths.entries()) satisfied[index] ||= truth;
    const winner = truths.indexOf(true);
    if (winner >= 0) taken[winner] = true;
    else {
      gap ??= scenario;
      if (scenario.outputs.one !== undefined && scenario.outputs.two !== undefined) calmGap ??= scenario;
    }
  }
  const verdicts = conditions.map((_, index) => (taken[index] ? 'possible' : satisfied[index] ? 'shadowed' : 'never'));
  expect(rules.map(({ verdict }) => verdict)).toEqual(verdicts);
  for (const [index, rule] of rules.entries()) {
    if (rule.verdict !== 'shadowed') continue;
    const takes = (one: number, scenario: Scenario) => isTrue(conditions[one] as Json, scenario);
    const isCovered = (by: readonly number[]) =>
      universe.every((scenario) => !takes(index, scenario) || by.some((one) => takes(one, scenario)));
    expect(isCovered(rule.by)).toBe(true);
    for (const one of rule.by) expect(rule.by.length > 1 && isCovered(rule.by.filter((other) => other !== one))).toBe(false);
  }

  expect(coverage.verdict).toBe(gap === undefined ? 'exhaustive' : 'gap');
  if (coverage.verdict !== 'gap') return;
  expect(coverage.needs.failure).toBe(calmGap === undefined);
  const { outcomes, context } = coverage.counterexample;
  const outputs = Object.fromEntries(
    [...outcomes].map(([name, { status, output }]) => [name, status === 'completed' ? (output as JsonObject) : undefined]),
  );
  for (const condition of conditions) expect(isTrue(condition, { outputs, context })).toBe(false);
  for (const [name, output] of Object.entries(outputs)) {
    if (output === undefined) continue;
    const sorted = (value: Json) => JSON.stringify(value, ['b', 'x', 'y', 'z']);
    expect(valuesOf(schemas[name as 'one']).map(sorted)).toContain(sorted(output));
  }
  if (!coverage.needs.context) {
    for (const other of contexts) for (const condition of conditions) expect(isTrue(condition, { outputs, context: other })).toBe(false);
  }
}

describe('the prover and an oracle that tries everything', () => {
  test('agree on random routings of two tasks', () =>
    fc.assert(
      fc.property(wideSchema, narrowSchema, fc.array(anyCondition(false), { minLength: 1, maxLength: 5 }), (one, two, conditions) => {
        check({ one, two }, conditions, scenarios({ one, two }, [{}]));
      }),
      { numRuns: 200, seed: 20261122 },
    ));

  test('agree where conditions look at the context too, whatever it holds', () =>
    fc.assert(
      fc.property(scalar, fc.array(anyCondition(true), { minLength: 1, maxLength: 5 }), (x, conditions) => {
        const schemas = { one: closed({ x }, ['x']), two: closed({ x: { enum: ['a', 'b'] } }, []) };
        check(schemas, conditions, scenarios(schemas, contexts));
      }),
      { numRuns: 200, seed: 20261122 },
    ));

  test('agree on which values a field never has', () =>
    fc.assert(
      fc.property(scalar, fc.array(constant, { minLength: 1, maxLength: 4 }), (x, values) => {
        const one = closed({ x }, []);
        const rules = values.map((value) => ({
          condition: { task: 'one', output_field: 'x', operator: 'equals', value },
          next_team: null,
        }));
        const { faults } = proveRouting({ tasks: [{ name: 'one' }], routing: { rules } }, new Map([['one', { output_schema: one }]]));
        const impossible = values.flatMap((value, index) =>
          valuesOf(x).includes(value) ? [] : [`/routing/rules/${index}/condition/value`],
        );
        expect(faults.map(({ pointer }) => pointer)).toEqual(impossible);
        expect(faults.every(({ type }) => type === 'value-impossible')).toBe(true);
      }),
      { numRuns: 200, seed: 20261122 },
    ));
});
