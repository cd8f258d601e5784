import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { operators } from '../../core/generated/operators.js';
import { type Json, valueAt } from '../../core/json.js';
import { evaluateCondition } from '../../core/routing/evaluateCondition.js';
import { similar } from '../../core/routing/operators/similar.js';
import { loadPatterns } from '../../core/routing/patterns.js';

interface Group {
  readonly operator: string;
  readonly cases: readonly { readonly field?: Json; readonly value?: Json; readonly matches: boolean }[];
}

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Json;
const groups = read('../fixtures/routing/operators.json') as unknown as readonly Group[];
const patterns = await loadPatterns();

describe('operators', () => {
  test('are those of the schema, each with cases', () => {
    const definitions = read('../../schemas/definitions.schema.json') as unknown as {
      definitions: { operator: { enum: string[] } };
    };
    const names = operators.map(({ name }) => name);
    expect(names).toEqual(definitions.definitions.operator.enum);
    expect(new Set(groups.map(({ operator }) => operator))).toEqual(new Set(names));
  });

  test('that compare texts are those beside which the schema takes ignore_case', () => {
    const definitions = read('../../schemas/definitions.schema.json');
    const pointer = '/definitions/expectation_term/else/dependencies/ignore_case/properties/operator/enum';
    expect(valueAt(definitions, pointer)).toEqual(
      [...operators, similar].filter(({ comparesTexts }) => comparesTexts).map(({ name }) => name),
    );
  });

  for (const { operator, cases } of groups) {
    test.each(cases)(`$field ${operator} $value: $matches`, ({ matches, ...one }) => {
      const condition = { context_field: 'f', operator, ...('value' in one && { value: one.value as Json }) };
      const context = 'field' in one ? { f: one.field as Json } : {};
      expect(evaluateCondition(condition, { outcomes: new Map(), context, patterns }).matches).toBe(matches);
    });
  }

  test('a missing field matches not_equals, is_empty and the absence of exists, and no other', () => {
    const value: { readonly [operator: string]: Json } = { in: ['a'], greater_than: 1, less_than: 1 };
    const matching = operators.filter(({ name }) => {
      const condition = { context_field: 'f', operator: name, value: value[name] ?? 'a' };
      return evaluateCondition(condition, { outcomes: new Map(), context: {}, patterns }).matches;
    });
    expect(matching.map(({ name }) => name)).toEqual(['not_equals', 'is_empty']);
    const absent = { not: { context_field: 'f', operator: 'exists' } };
    expect(evaluateCondition(absent, { outcomes: new Map(), context: {} }).matches).toBe(true);
  });
});
