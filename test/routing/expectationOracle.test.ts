import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import { loadPatterns } from '../../core/routing/patterns.js';
import { createChoiceContext } from '../../core/routing/prover/choiceContext.js';
import { type ExpectationScope, proveExpectations, runContract } from '../../core/routing/prover/proveExpectations.js';
import { provenParts, readExpectation } from '../../core/routing/readExpectation.js';
import { runs } from '../support/effort.js';
import { isTrue, type Scenario, valuesOf } from './oracle.js';
import { closed, comparison, scalar, wideSchema } from './smallSchemas.js';

const texts = ['', 'z', 'a', 'b', 'c', 'az', 'bz', 'cz', 'abz', 'acz', 'bcz', 'abcz'];
const counts = [0, 1, 2, 3, 4];
const costs = Array.from({ length: 17 }, (_, index) => index / 4);

/** What an expectation of an agent says, for the oracle. */
function asCondition(entry: Json): Json {
  if (Array.isArray(entry)) return entry.map((part: Json) => asCondition(part));
  const { any, not, judge, tool, measure, text, status, output_field, operator, value = null } = entry as JsonObject;
  if (any !== undefined) return { any: (any as Json[]).map(asCondition) };
  if (not !== undefined) return { not: asCondition(not) };
  if (status !== undefined) return { task: 'answer', status };
  const rest = { operator: operator ?? null, value };
  if (judge !== undefined) return { task: 'judge', output_field: output_field ?? null, ...rest };
  if (tool !== undefined) return { context_field: 'calls', ...rest };
  if (measure !== undefined) return { context_field: 'cost', ...rest };
  return text === undefined
    ? { task: 'answer', output_field: output_field ?? null, ...rest }
    : { task: 'text', output_field: 'text', ...rest };
}

/** Every run that there may be, as far as these parts of it go. */
function runsOf(schemas: { readonly answer: JsonObject; readonly judge: JsonObject }, asked: ReadonlySet<string>): readonly Scenario[] {
  const each = <Value>(part: string, values: readonly Value[]) => (asked.has(part) ? values : values.slice(0, 1));
  const answers = [undefined, ...(valuesOf(schemas.answer) as readonly JsonObject[])];
  return answers.flatMap((answer) =>
    each('judge', answer === undefined ? [undefined] : (valuesOf(schemas.judge) as readonly JsonObject[])).flatMap((judge) =>
      each('text', answer === undefined ? [undefined] : texts).flatMap((text) =>
        each('tool', counts).flatMap((calls) =>
          each('measure', costs).map((cost): Scenario => {
            return { outputs: { answer, judge, text: text === undefined ? undefined : { text } }, context: { calls, cost } };
          }),
        ),
      ),
    ),
  );
}

const partNames = ['judge', 'tool', 'measure', 'text'] as const;
const numbers = fc.tuple(fc.constantFrom('greater_than', 'less_than', 'equals', 'not_equals'), fc.constantFrom(-0.5, 0, 0.5, 1, 2, 3));
const words = fc.tuple(
  fc.constantFrom('equals', 'not_equals', 'contains', 'not_contains', 'is_empty', 'exists'),
  fc.constantFrom('a', 'b', 'c', ''),
);
const leaf: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom('x', 'y', 'z', 'z.b', 'y.0', 'y.1'), comparison)
      .map(([path, rest]): Json => ({ output_field: path, ...rest })),
  },
  { weight: 2, arbitrary: fc.constantFrom('success', 'failure').map((status): Json => ({ status })) },
  { weight: 2, arbitrary: comparison.map((rest): Json => ({ judge: 'J', output_field: 'v', ...rest })) },
  { weight: 1, arbitrary: numbers.map(([operator, value]): Json => ({ tool: 'search', operator, value })) },
  { weight: 1, arbitrary: numbers.map(([operator, value]): Json => ({ measure: 'cost_usd', operator, value })) },
  { weight: 1, arbitrary: words.map(([operator, value]): Json => ({ text: true, operator, value })) },
);
const entry = fc.letrec<{ entry: Json }>((tie) => {
  const parts = fc.array(tie('entry'), { minLength: 1, maxLength: 3 });
  return {
    entry: fc.oneof(
      { depthSize: 'small', maxDepth: 2 },
      { weight: 5, arbitrary: leaf },
      parts,
      parts.map((any): Json => ({ any })),
      tie('entry').map((not): Json => ({ not })),
    ),
  };
}).entry;

function scopeOf(schemas: { readonly answer: JsonObject; readonly judge: JsonObject }): ExpectationScope {
  const { answer, judge, text, run } = provenParts;
  return {
    contracts: new Map([
      [answer, { output_schema: schemas.answer }],
      [judge('J'), { output_schema: schemas.judge }],
      [text, { output_schema: closed({ text: { type: 'string' } }, ['text']) }],
      [run, runContract(['search'], [])],
    ]),
    mayBePartial: false,
    contextOf: (schema) => createChoiceContext(schema, {}),
    effort: { left: 1_000_000 },
  };
}

describe('what is called impossible, and an oracle that tries every run', () => {
  test('agree on random expectations of an answer, its judge, its tools and its cost', () => {
    const numRuns = runs(100, 400);
    let impossible = 0;
    fc.assert(
      fc.property(wideSchema, scalar, fc.array(entry, { minLength: 1, maxLength: 4 }), (answer, v, entries) => {
        const schemas = { answer, judge: closed({ v }, ['v']) };
        const conditions = entries.map(asCondition);
        const text = JSON.stringify(entries);
        const universe = runsOf(schemas, new Set(partNames.filter((name) => text.includes(`"${name}"`))));
        // A run without an answer passes only where its end is looked at.
        const passing = universe.filter(({ outputs }) => outputs.answer !== undefined || text.includes('"status"'));
        const isPossible = (some: readonly number[]) =>
          passing.some((run) => some.every((index) => isTrue(conditions[index] as Json, run)));
        const { conflict } = proveExpectations(
          entries.map((one, index) => readExpectation(one, `/expect/${index}`)),
          scopeOf(schemas),
        );

        const all = entries.map((_, index) => index);
        expect(conflict.length > 0).toBe(!isPossible(all));
        if (conflict.length === 0) return;
        impossible += 1;
        expect(isPossible(conflict)).toBe(false);
        for (const one of conflict) expect(isPossible(conflict.filter((other) => other !== one))).toBe(true);
      }),
      { numRuns, seed: 20261122 },
    );
    // Both answers came up often enough to mean something.
    expect(impossible).toBeGreaterThan(numRuns / 10);
    expect(impossible).toBeLessThan(numRuns * 0.9);
  });

  test('agree on which values the field of an answer never has', () =>
    fc.assert(
      fc.property(scalar, fc.array(fc.constantFrom<Json>('a', 'b', 'c', '', null, 1, true, 2), { minLength: 1 }), (x, values) => {
        const answer = closed({ x }, ['x']);
        const entries = values.map((value): Json => ({ output_field: 'x', operator: 'equals', value }));
        const { faults } = proveExpectations(
          entries.map((one, index) => readExpectation(one, `/expect/${index}`)),
          scopeOf({ answer, judge: closed({}, []) }),
        );
        const never = values.flatMap((value, index) => (valuesOf(x).includes(value) ? [] : [`/expect/${index}/value`]));
        expect(faults.map(({ fault }) => fault.pointer)).toEqual(never);
      }),
      { numRuns: runs(60, 200), seed: 20261122 },
    ));
});

test('patterns that no text matches together are called so only where none of the short texts does', async () => {
  const patterns = await loadPatterns();
  const all = [
    '^a',
    '^ab',
    '^b',
    '^a+',
    '^(a|b)',
    '^a|^b',
    'b$',
    '^a?b',
    '^ab*1',
    '^\\d',
    '^a.',
    '^a-',
    '^[ab]',
    'ab',
    '^a{2}b',
    '^$',
    '^',
  ];
  const universe = ['', ...'ab1-'].flatMap((one) => ['', ...'ab1-'].flatMap((two) => ['', ...'ab1-'].map((three) => one + two + three)));
  const matches = (pattern: string, value: string) => {
    const compiled = patterns(pattern);
    return compiled.ok && compiled.test(value);
  };
  let impossible = 0;
  for (const pattern of all) {
    const contracts = new Map([[provenParts.answer, { output_schema: closed({ x: { type: 'string', pattern } }, ['x']) }]]);
    for (const other of all) {
      for (const isNegated of [false, true]) {
        const leaf = { output_field: 'x', operator: 'matches', value: other };
        const read = [readExpectation(isNegated ? { not: leaf } : leaf, '')];
        const contextOf = (schema: JsonObject) => createChoiceContext(schema, { patterns });
        const { conflict } = proveExpectations(read, { contracts, contextOf, mayBePartial: false, effort: { left: 1_000_000 } });
        if (conflict.length === 0) continue;
        impossible += 1;
        expect(universe.filter((text) => matches(pattern, text) && matches(other, text) !== isNegated)).toEqual([]);
      }
    }
  }
  expect(impossible).toBeGreaterThan(20);
});
