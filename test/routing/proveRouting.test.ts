import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import { loadPatterns } from '../../core/routing/patterns.js';
import type { ProverTools } from '../../core/routing/prover/choiceContext.js';
import { proveRouting } from '../../core/routing/prover/proveRouting.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';

const field = (output_field: string, operator: string, value?: Json): JsonObject => ({
  task: 'review',
  output_field,
  operator,
  ...(value !== undefined && { value }),
});
const open = (properties: JsonObject): JsonObject => ({ type: 'object', properties, required: Object.keys(properties) });

/** One task, `review`; a routing without default. */
function prove(output_schema: JsonObject | undefined, conditions: readonly Json[], tools: ProverTools = {}, defaults?: JsonObject) {
  const team = { tasks: [{ name: 'review' }], routing: { rules: conditions.map((condition) => ({ condition, next_team: null })) } };
  return proveRouting(team, new Map([['review', { output_schema, defaults }]]), tools);
}

const verdictsOf = (...args: Parameters<typeof prove>) => prove(...args).rules.map((rule) => ('by' in rule ? rule.by : rule.verdict));
const faultsOf = (...args: Parameters<typeof prove>) => prove(...args).faults;
const success = { task: 'review', status: 'success' };
const failure = { task: 'review', status: 'failure' };

describe('a rule that can never match', () => {
  const schema = open({ verdict: { enum: ['pass', 'fail', 'unsure'] }, score: { type: 'integer', minimum: 0, maximum: 10 } });

  test('names the one earlier rule that takes all', () => {
    const rules = [field('score', 'greater_than', 5), field('verdict', 'in', ['pass', 'fail']), field('verdict', 'equals', 'fail')];
    expect(verdictsOf(schema, rules)).toEqual(['possible', 'possible', [1]]);
  });

  test('names several when it takes them all', () => {
    const rules = [
      field('score', 'less_than', 5),
      failure,
      field('score', 'greater_than', 7),
      field('verdict', 'equals', 'pass'),
      field('score', 'in', [5, 6, 7]),
      success,
    ];
    expect(verdictsOf(schema, rules)).toEqual(['possible', 'possible', 'possible', 'possible', 'possible', [0, 2, 4]]);
  });

  test('a rule that contradicts itself is not blamed on others', () => {
    expect(verdictsOf(schema, [success, [field('verdict', 'equals', 'pass'), field('verdict', 'equals', 'fail')]])).toEqual([
      'possible',
      'never',
    ]);
    expect(verdictsOf(schema, [[failure, field('verdict', 'exists')]])).toEqual(['never']);
  });

  test('the same field of the context is one value everywhere', () => {
    const mode = (value: Json) => ({ context_field: 'mode', operator: 'equals', value });
    expect(verdictsOf(schema, [mode('a'), mode('b'), { any: [mode('b'), mode('a')] }])).toEqual(['possible', 'possible', [0, 1]]);
    expect(verdictsOf(schema, [[mode('a'), mode('b')]])).toEqual(['never']);
    const inner = { context_field: 'mode.kind', operator: 'exists' };
    expect(verdictsOf(schema, [[mode('a'), inner]])).toEqual(['never']);
  });

  test('what depends on open texts is judged as far as it can be', () => {
    const text = open({ text: { type: 'string' } });
    expect(verdictsOf(text, [field('text', 'equals', 'a'), field('text', 'equals', 'b'), field('text', 'in', ['a', 'b'])])).toEqual([
      'possible',
      'possible',
      [0, 1],
    ]);
    expect(verdictsOf(text, [field('text', 'contains', 'b'), field('text', 'contains', 'abc'), field('text', 'contains', 'c')])).toEqual([
      'possible',
      [0],
      'possible',
    ]);
    expect(verdictsOf(text, [field('text', 'contains', 'a'), field('text', 'not_contains', 'a'), success])).toEqual([
      'possible',
      'possible',
      [0, 1],
    ]);
  });

  test('patterns are undecided without an engine, and run on listed values with one', async () => {
    const patterns = await loadPatterns();
    const conditions = [field('verdict', 'matches', '^(pass|fail)$'), field('verdict', 'equals', 'fail')];
    expect(verdictsOf(schema, conditions)).toEqual(['possible', 'possible']);
    expect(verdictsOf(schema, conditions, { patterns })).toEqual(['possible', [0]]);
    const text = open({ text: { type: 'string' } });
    expect(verdictsOf(text, [field('text', 'matches', '^a'), [field('text', 'matches', '^a'), success]], { patterns })).toEqual([
      'possible',
      [0],
    ]);
    expect(verdictsOf(text, [field('text', 'matches', '^a'), field('text', 'matches', '^ab')], { patterns })).toEqual(['possible', [0]]);
    expect(verdictsOf(text, [field('text', 'matches', '^a'), field('text', 'matches', 'b$')], { patterns })).toEqual([
      'possible',
      'possible',
    ]);
  });

  test('fields inside each other are one question', () => {
    const nested = open({ a: { type: ['object', 'null'], properties: { b: { enum: [1, 2] } }, additionalProperties: false } });
    const rules = [field('a', 'is_empty'), field('a.b', 'equals', 1), field('a.b', 'equals', 2), success];
    expect(verdictsOf(nested, rules)).toEqual(['possible', 'possible', 'possible', [0, 1, 2]]);
  });

  test('references and alternatives inside the schema are followed', () => {
    const referring = {
      ...open({ verdict: { $ref: '#/definitions/verdict' }, size: { anyOf: [{ const: 's' }, { enum: ['m', 'l'] }] } }),
      definitions: { verdict: { enum: ['pass', 'fail'] } },
    };
    const rules = [field('verdict', 'equals', 'pass'), field('verdict', 'equals', 'fail'), success];
    expect(verdictsOf(referring, rules)).toEqual(['possible', 'possible', [0, 1]]);
    expect(verdictsOf(referring, [field('size', 'in', ['s', 'm', 'l']), success])).toEqual(['possible', [0]]);
  });

  test('a schema that holds itself is answered', () => {
    const tree: JsonObject = { type: 'object', properties: { next: { $ref: '#' }, tag: { enum: ['a'] } }, required: ['next'] };
    expect(verdictsOf(tree, [field('next.next.tag', 'equals', 'a'), field('next', 'is_empty')])).toHaveLength(2);
    expect(verdictsOf({ $ref: '#' }, [field('a', 'exists')])).toEqual(['possible']);
  });
});

describe('what no rule takes', () => {
  const schema = open({ verdict: { enum: ['pass', 'fail', 'unsure'] }, text: { type: 'string', minLength: 3 } });

  test('is shown as an output the schema allows', () => {
    const { coverage } = prove(schema, [field('verdict', 'equals', 'pass'), field('verdict', 'equals', 'fail')]);
    expect(coverage).toEqual({
      verdict: 'gap',
      needs: { failure: false, context: false },
      counterexample: {
        outcomes: new Map([['review', { status: 'completed', output: { verdict: 'unsure', text: expect.stringMatching(/^.{3,}$/) } }]]),
        context: {},
        fields: [{ task: 'review', path: 'verdict', value: 'unsure' }],
      },
    });
  });

  test('may be nothing but a failure', () => {
    const every = field('verdict', 'in', ['pass', 'fail', 'unsure']);
    expect(prove(schema, [every]).coverage).toMatchObject({ verdict: 'gap', needs: { failure: true, context: false } });
    expect(prove(schema, [every, failure]).coverage).toEqual({ verdict: 'exhaustive' });
  });

  test('may need a certain context', () => {
    const { coverage } = prove(schema, [{ context_field: 'round', operator: 'less_than', value: 3 }]);
    expect(coverage).toMatchObject({ verdict: 'gap', needs: { failure: false, context: true } });
  });

  test('is a missing field, unless a default fills it', () => {
    const optional = { type: 'object', properties: { verdict: { enum: ['pass'] } } };
    const rules = [field('verdict', 'equals', 'pass'), failure];
    expect(prove(optional, rules).coverage).toMatchObject({
      counterexample: { fields: [{ task: 'review', path: 'verdict', value: undefined }] },
    });
    expect(prove(optional, rules, {}, { verdict: 'pass' }).coverage).toEqual({ verdict: 'exhaustive' });
  });

  test('is another text where texts are open', () => {
    const { coverage } = prove(schema, [field('text', 'equals', 'abc'), field('text', 'contains', 'other'), failure]);
    expect(coverage.verdict).toBe('gap');
  });

  test('is unknown where the schema says more than can be checked, and found with a compiler', async () => {
    const strict = open({ code: { type: 'string', pattern: '^[a-z]+$' } });
    const rules = [field('code', 'equals', 'none'), failure];
    expect(prove(strict, rules).coverage).toEqual({ verdict: 'unknown' });
    const schemas = await loadSchemaCompiler();
    expect(prove(strict, rules, { schemas }).coverage).toMatchObject({ verdict: 'gap' });
    const dependent = { ...open({ a: { enum: [1, 2] } }), not: { properties: { a: { const: 2 } } } };
    expect(prove(dependent, [field('a', 'equals', 1), failure], { schemas }).coverage).toEqual({ verdict: 'unknown' });
  });

  test('is not asked where there is a default', () => {
    const team = { tasks: [{ name: 'review' }], routing: { rules: [], default: null } };
    expect(proveRouting(team, new Map()).coverage).toEqual({ verdict: 'default' });
  });
});

describe('comparisons that cannot be meant', () => {
  const at = '/routing/rules/0/condition';
  const schema = open({
    verdict: { enum: ['pass', 'fail'] },
    score: { type: 'integer', minimum: 0, maximum: 10 },
    tags: { type: 'array', items: { enum: ['x', 'y'] } },
    done: { type: 'boolean' },
    inner: open({ deep: { type: ['string', 'null'] } }),
    free: true,
  });

  test('a value that the field never has', () => {
    const impossible = (value: Json, allowed?: readonly Json[], pointer = `${at}/value`) => [
      { type: 'value-impossible', pointer, value, allowed },
    ];
    expect(faultsOf(schema, [field('verdict', 'equals', 'passed')])).toEqual(impossible('passed', ['pass', 'fail']));
    expect(faultsOf(schema, [field('verdict', 'not_equals', 'passed')])).toEqual(impossible('passed', ['pass', 'fail']));
    expect(faultsOf(schema, [field('verdict', 'in', ['pass', 'maybe'])])).toEqual(impossible('maybe', ['pass', 'fail'], `${at}/value/1`));
    expect(faultsOf(schema, [field('tags', 'contains', 'z')])).toEqual(impossible('z', ['x', 'y']));
    expect(faultsOf(schema, [field('tags', 'not_contains', 'z')])).toEqual(impossible('z', ['x', 'y']));
    expect(faultsOf(schema, [field('verdict', 'contains', 'z')])).toEqual(impossible('z', ['pass', 'fail']));
    expect(faultsOf(schema, [field('score', 'greater_than', 10)])).toEqual(impossible(10));
    expect(faultsOf(schema, [field('score', 'equals', '5')])).toEqual(impossible('5'));
    expect(faultsOf(schema, [field('score', 'equals', 5.5)])).toEqual(impossible(5.5));
    expect(faultsOf(schema, [field('done', 'equals', 'true')])).toEqual(impossible('true', [true, false]));
  });

  test('a field the schema lacks, with what it has there', () => {
    const known = ['verdict', 'score', 'tags', 'done', 'inner', 'free'];
    expect(faultsOf(schema, [field('verdct', 'exists')])).toEqual([
      { type: 'field-unknown', pointer: `${at}/output_field`, path: 'verdct', missing: 'verdct', depth: 0, known },
    ]);
    expect(faultsOf(schema, [field('inner.shallow', 'exists')])).toMatchObject([
      { type: 'field-unknown', missing: 'shallow', known: ['deep'] },
    ]);
    expect(faultsOf(schema, [field('verdict.x', 'exists')])).toMatchObject([{ type: 'field-unknown', missing: 'x', known: [] }]);
    expect(faultsOf(schema, [field('constructor', 'exists')])).toHaveLength(1);
    expect(faultsOf({ ...schema, additionalProperties: true }, [field('verdct', 'exists')])).toEqual([]);
    expect(faultsOf({ type: 'object' }, [field('verdct', 'exists')])).toEqual([]);
    expect(faultsOf(undefined, [field('verdct', 'equals', 1)])).toEqual([]);
  });

  test('an operator its type lacks', () => {
    const lacks = (operator: string, ...types: string[]) => [{ type: 'operator-type', pointer: `${at}/operator`, operator, types }];
    expect(faultsOf(schema, [field('verdict', 'greater_than', 1)])).toEqual(lacks('greater_than', 'string'));
    expect(faultsOf(schema, [field('done', 'contains', 'x')])).toEqual(lacks('contains', 'boolean'));
    expect(faultsOf(schema, [field('score', 'is_empty')])).toEqual(lacks('is_empty', 'number'));
    expect(faultsOf({ ...schema, required: [] }, [field('score', 'is_empty')])).toEqual([]);
  });

  test('a value its operator cannot work with', () => {
    const fault = { type: 'value-type', pointer: `${at}/value` };
    expect(faultsOf(schema, [field('score', 'greater_than', '3')])).toMatchObject([{ ...fault, expects: ['number'] }]);
    expect(faultsOf(schema, [field('verdict', 'in', 'pass')])).toMatchObject([{ ...fault, expects: ['array'] }]);
    expect(faultsOf(schema, [{ context_field: 'a', operator: 'matches', value: 3 }])).toMatchObject([{ ...fault, expects: ['string'] }]);
    expect(faultsOf(schema, [field('verdict', 'equals')])).toMatchObject([{ type: 'value-type', pointer: at, value: undefined }]);
  });

  test('a task the team lacks', () => {
    expect(faultsOf(schema, [{ any: [{ task: 'reveiw', status: 'success' }] }])).toEqual([
      { type: 'task-unknown', pointer: `${at}/any/0`, task: 'reveiw', known: ['review'] },
    ]);
  });

  test('nothing is said about what may well be', () => {
    const fine = [
      field('verdict', 'matches', '^p'),
      field('free', 'contains', 'x'),
      field('free.any.thing', 'greater_than', 3),
      field('inner.deep', 'equals', 'whatever'),
      field('inner.deep', 'is_empty'),
      field('tags.0', 'equals', 'x'),
      field('score', 'less_than', 1),
    ];
    expect(faultsOf(schema, fine)).toEqual([]);
  });
});

describe('any input', () => {
  test('what is not a team is answered with silence', () => {
    for (const team of [
      null,
      3,
      [],
      {},
      { routing: 3 },
      { routing: { rules: 3 } },
      { tasks: [3, {}], routing: { rules: [3, {}, { condition: 3 }] } },
    ]) {
      const { faults, rules, coverage } = proveRouting(team as Json, new Map());
      expect(faults).toEqual([]);
      expect(rules.every(({ verdict }) => verdict === 'possible')).toBe(true);
      expect(coverage.verdict).not.toBe('exhaustive');
    }
  });

  test('fields may have any name', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"enum":[1,2]}},"required":["__proto__"]}') as JsonObject;
    const { rules, coverage } = prove(schema, [field('__proto__', 'equals', 1), field('__proto__', 'equals', 1), failure]);
    expect(rules[1]).toMatchObject({ verdict: 'shadowed', by: [0] });
    const output = coverage.verdict === 'gap' ? coverage.counterexample.outcomes.get('review')?.output : undefined;
    expect(JSON.stringify(output)).toBe('{"__proto__":2}');
  });

  test('an enum of a hundred thousand values and three hundred rules are decided in time', () => {
    const values = Array.from({ length: 100_000 }, (_, index) => `v${index}`);
    const schema = open({ verdict: { enum: values } });
    const conditions = Array.from({ length: 300 }, (_, index) => field('verdict', 'equals', `v${index % 299}`));
    const start = process.cpuUsage();
    const { rules, coverage } = prove(schema, conditions);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5_000);
    expect(coverage).toMatchObject({ verdict: 'gap', counterexample: { fields: [{ value: 'v299' }] } });
    expect(rules.slice(0, 299).every(({ verdict }) => verdict === 'possible')).toBe(true);
    expect(rules[299]).toMatchObject({ verdict: 'shadowed', by: [0] });
  });

  test('a question too large to decide stays open', () => {
    const names = Array.from({ length: 40 }, (_, index) => `f${index}`);
    const schema = open(Object.fromEntries(names.map((name) => [name, { type: 'boolean' }])));
    // No two neighbours are equal, all around a ring of odd length: impossible, and hard to see.
    const ring = names.slice(1);
    const clash = ring.flatMap((name, index) => {
      const next = ring[(index + 7) % ring.length] as string;
      return [true, false].map((value) => [field(name, 'equals', value), field(next, 'equals', value)]);
    });
    const start = process.cpuUsage();
    const { coverage, rules } = prove(schema, [...clash, failure]);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(10_000);
    expect(['exhaustive', 'unknown']).toContain(coverage.verdict);
    expect(rules).toHaveLength(clash.length + 1);
  });
});
