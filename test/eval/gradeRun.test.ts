import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../core/agent/events.js';
import { emptyMetadata, emptyResult } from '../../core/agent/runResult.js';
import { gradeCase, gradeRun, similarity } from '../../core/eval/gradeRun.js';
import type { GradedRun, Outcome } from '../../core/eval/types.js';
import type { Json, JsonObject } from '../../core/json.js';
import { evaluateCondition } from '../../core/routing/evaluateCondition.js';
import { loadPatterns } from '../../core/routing/patterns.js';

function resultOf(fields: Partial<RunResult>, metadata: Partial<RunResult['metadata']> = {}): RunResult {
  return {
    ...emptyResult,
    run_id: '0'.repeat(32),
    success: true,
    status: 'completed',
    error: null,
    reasoning: { steps: [], decision: '', smoothness: 1, confidence: 0.4 },
    metadata: { ...emptyMetadata, agent_name: 'A2', trace_id: '', correlation_id: '', estimated_cost_usd: 0.003, ...metadata },
    ...fields,
  } as RunResult;
}

const answer = resultOf({
  output: { tone: 'casual', audience: 'Manager', scores: [{ style: 7 }], confidence: 'high' },
  text: 'A short answer.',
  tool_calls: [
    { id: '1', name: 'search_files', input: {}, output: [], is_error: false },
    { id: '2', name: 'search_files', input: {}, output: [], is_error: false },
  ] as unknown as RunResult['tool_calls'],
});

const team = resultOf({
  output: {
    teams: [
      { team: 'triage', tasks: { labels: { status: 'failed', output: { priority: 'low' }, error: null } } },
      { team: 'triage', tasks: { labels: { status: 'completed', output: { priority: 'high' }, error: null } } },
      { team: 'reply', tasks: {} },
    ],
    context: { area: 'billing' },
  },
});

function outcomeOf(entry: Json, run: GradedRun = { result: answer }): readonly [Outcome, string] {
  const { expectations } = gradeRun([entry], run);
  return [expectations[0]!.outcome, expectations[0]!.reason];
}

describe('an expectation', () => {
  test.each<[Json, GradedRun | undefined]>([
    [{ output_field: 'tone', operator: 'equals', value: 'casual' }, undefined],
    [{ output_field: 'audience', operator: 'in', value: ['Manager', 'Developer'] }, undefined],
    [{ output_field: 'scores.0.style', operator: 'greater_than', value: 6 }, undefined],
    [{ not: { output_field: 'confidence', operator: 'equals', value: 'low' } }, undefined],
    [{ output_field: 'nothing', operator: 'is_empty' }, undefined],
    [{ status: 'success' }, undefined],
    [{ text: true, operator: 'contains', value: 'short' }, undefined],
    [{ tool: 'search_files', operator: 'equals', value: 2 }, undefined],
    [{ tool: 'write_file', operator: 'equals', value: 0 }, undefined],
    [{ measure: 'cost_usd', operator: 'less_than', value: 0.004 }, undefined],
    [{ measure: 'confidence', operator: 'greater_than', value: 0.3 }, undefined],
    [{ any: [{ output_field: 'tone', operator: 'equals', value: 'formal' }, { status: 'success' }] }, undefined],
    [{ task: 'labels', output_field: 'priority', operator: 'equals', value: 'high' }, { result: team }],
    [{ task: 'labels', status: 'success' }, { result: team }],
    [{ context_field: 'area', operator: 'equals', value: 'billing' }, { result: team }],
    [{ route: true, operator: 'equals', value: ['triage', 'triage', 'reply'] }, { result: team }],
    [
      { output_field: 'tone', operator: 'equals' },
      { result: answer, expected: { tone: 'casual' } },
    ],
    [
      { text: true, operator: 'similar', threshold: 0.9 },
      { result: answer, expected: 'A  short answer!' },
    ],
  ])('%j is met', (entry, run) => {
    expect(outcomeOf(entry, run)).toEqual(['passed', '']);
  });

  test.each<[Json, string, GradedRun | undefined]>([
    [{ output_field: 'tone', operator: 'equals', value: 'formal' }, 'tone is "casual"; expected: equals "formal".', undefined],
    [{ output_field: 'tone.mood', operator: 'exists' }, 'tone.mood is missing; expected: exists.', undefined],
    [{ measure: 'cost_usd', operator: 'less_than', value: 0.002 }, 'cost_usd is 0.003; expected: less than 0.002.', undefined],
    [
      { tool: 'search_files', operator: 'less_than', value: 2 },
      'the number of calls of search_files is 2; expected: less than 2.',
      undefined,
    ],
    [{ not: { output_field: 'tone', operator: 'equals', value: 'casual' } }, 'tone equals "casual", which is not expected.', undefined],
    [
      { text: true, operator: 'similar', value: 'Quite another one' },
      'the text is similar to the example by 0.18; expected: at least 0.8.',
      undefined,
    ],
  ])('%j is not met, and why', (entry, reason, run) => {
    expect(outcomeOf(entry, run)).toEqual(['failed', reason]);
  });

  test('on what is not known is unknown, either way round', () => {
    const result = resultOf({}, { estimated_cost_usd: null });
    const entry = { measure: 'cost_usd', operator: 'less_than', value: 1 };
    expect(outcomeOf(entry, { result })).toEqual(['unknown', 'cost_usd of this run is not known.']);
    expect(outcomeOf({ not: entry }, { result })[0]).toBe('unknown');
    expect(outcomeOf({ any: [entry, { status: 'success' }] }, { result })[0]).toBe('passed');
    expect(outcomeOf([entry, { status: 'failure' }], { result })[0]).toBe('failed');
  });

  test('of a judge looks at its answer; a judge that failed leaves it unknown', () => {
    const entry = { judge: 'AnswerJudge@v1', output_field: 'verdict', operator: 'equals', value: 'faithful' };
    const judges = (result: RunResult) => ({ result: answer, judges: new Map([['AnswerJudge@v1', result]]) });
    expect(outcomeOf(entry, judges(resultOf({ output: { verdict: 'faithful' } })))[0]).toBe('passed');
    expect(outcomeOf(entry, judges(resultOf({ output: { verdict: 'invented' } })))).toEqual([
      'failed',
      'verdict of AnswerJudge@v1 is "invented"; expected: equals "faithful".',
    ]);
    const error = { code: 'output-invalid', message: 'verdict is not one of the values.', details: {}, recoverable: false } as const;
    expect(outcomeOf(entry, judges(resultOf({ status: 'failed', error })))).toEqual([
      'unknown',
      'The judge AnswerJudge@v1 failed: The answer does not fit the schema (output-invalid): verdict is not one of the values.',
    ]);
    expect(outcomeOf(entry)).toEqual(['unknown', 'The judge AnswerJudge@v1 was not asked.']);
  });

  test('with a regular expression runs on the linear engine', async () => {
    const entry = { output_field: 'tone', operator: 'matches', value: '^cas' };
    expect(outcomeOf(entry, { result: answer, patterns: await loadPatterns() })[0]).toBe('passed');
    expect(() => outcomeOf(entry)).toThrow('without patterns');
  });

  test.each<[string, Json, string]>([
    [
      'of an unknown operator',
      { output_field: 'tone', operator: 'roughly', value: 1 },
      'The expectation is malformed: it has to look at one thing, with a known operator.',
    ],
    ['of nothing', {}, 'The expectation is malformed: it has to look at one thing, with a known operator.'],
    ['similar to no text', { text: true, operator: 'similar' }, 'There is no example text that the text could be similar to.'],
    [
      'without a value',
      { output_field: 'tone', operator: 'equals' },
      'tone has nothing to be compared with: there is no "value", and "expected" does not say it.',
    ],
    [
      'of a value that the operator cannot work with',
      { measure: 'cost_usd', operator: 'less_than', value: '1' },
      'less_than cannot work with "1".',
    ],
    [
      'of a pattern of another language',
      { text: true, operator: 'matches', value: '(?i)PASSWORD' },
      'The regular expression "(?i)PASSWORD" is not run: it is not a regular expression (Invalid regular expression: /(?i)PASSWORD/u: Invalid group).',
    ],
  ])('%s gives no verdict, and its contrary neither', async (_name, entry, reason) => {
    const run = { result: answer, patterns: await loadPatterns() };
    const met = { status: 'success' };
    for (const written of [entry, { not: entry }, { any: [{ not: entry }] }, [{ not: [entry] }], { any: [met, entry] }, [met, entry]])
      expect(outcomeOf(written, run)).toEqual(['unknown', reason]);
  });

  test.each<[JsonObject, Outcome]>([
    [{ output_field: 'tone', operator: 'equals', value: 'CASUAL' }, 'passed'],
    [{ output_field: 'tone', operator: 'matches', value: '^CAS' }, 'passed'],
    [{ output_field: 'tone', operator: 'contains', value: 'SUA' }, 'passed'],
    [{ output_field: 'tone', operator: 'in', value: ['FORMAL', 'Casual'] }, 'passed'],
    [{ output_field: 'tone', operator: 'similar', value: 'CASUAL' }, 'passed'],
    [{ output_field: 'tone', operator: 'not_equals', value: 'CASUAL' }, 'failed'],
  ])('that ignores the case: %j', async (entry, outcome) => {
    const run = { result: answer, patterns: await loadPatterns() };
    expect(outcomeOf({ ...entry, ignore_case: true }, run)[0]).toBe(outcome);
    expect(outcomeOf(entry, run)[0]).not.toBe(outcome);
  });

  test('that is nested without end is malformed, and ends', () => {
    let entry: Json = { status: 'success' };
    for (let depth = 0; depth < 20_000; depth++) entry = { not: entry };
    expect(outcomeOf(entry)).toEqual(['unknown', 'The expectation is malformed: it has to look at one thing, with a known operator.']);
  });
});

describe('an expectation of calls', () => {
  const called = (...calls: readonly (readonly [string, Json])[]) => ({
    result: resultOf({
      output: { amount: 1 },
      tool_calls: calls.map(([name, input], index) => ({ id: String(index), name, input, output: null, is_error: false })),
    }),
    expected: { amount: 1 },
  });
  const run = called(
    ['search', { query: 'x' }],
    ['refund', { amount: 250, to: { iban: 'DE1' } }],
    ['search', {}],
    ['refund', { amount: 5 }],
  );
  const cheap = { output_field: 'amount', operator: 'less_than', value: 100 };
  const refund = (fields: JsonObject) => ({ tool: 'refund', ...fields });

  test.each<[Json, Outcome]>([
    [refund({ arguments: [cheap] }), 'passed'],
    [refund({ arguments: [cheap], operator: 'equals', value: 1 }), 'passed'],
    [refund({ arguments: [{ not: cheap }], operator: 'equals', value: 0 }), 'failed'],
    // Of one call, not of several together.
    [refund({ arguments: [cheap, { output_field: 'to.iban', operator: 'exists' }] }), 'failed'],
    [refund({ arguments: [{ any: [{ output_field: 'amount', operator: 'equals', value: 7 }, [cheap]] }] }), 'passed'],
    [{ not: { tool: 'pay', arguments: [cheap] } }, 'passed'],
    [{ tools_in_order: ['search', 'refund', 'refund'] }, 'passed'],
    [{ tools_in_order: ['refund', 'search', 'refund'] }, 'passed'],
    [{ tools_in_order: ['search', 'search', 'refund', 'refund'] }, 'failed'],
    [{ not: { tools_in_order: ['refund', 'search', 'search'] } }, 'passed'],
  ])('%j: %s', (entry, outcome) => {
    expect(outcomeOf(entry, run)[0]).toBe(outcome);
  });

  test('says what the arguments were, and what was called', () => {
    const paid = called(['refund', { amount: 250 }], ['refund', {}]);
    expect(gradeRun([refund({ arguments: [cheap] })], paid).expectations[0]).toEqual({
      pointer: '/0',
      outcome: 'failed',
      reason:
        'the number of calls of refund with such arguments is 0; expected: greater than 0. Call 1: amount is 250; expected: less than 100. Call 2: amount is missing; expected: less than 100.',
    });
    expect(outcomeOf({ not: refund({ arguments: [cheap] }) }, run)[1]).toBe(
      'refund was called with such arguments, which is not expected.',
    );
    expect(outcomeOf({ tools_in_order: ['refund', 'search'] }, paid)[1]).toBe(
      'the tools called are ["refund","refund"]; expected in this order: ["refund","search"].',
    );
  });

  test.each<[Json, string]>([
    [[{ output_field: 'to', operator: 'matches', value: '(?i)x' }], 'The regular expression "(?i)x" is not run'],
    [[{ output_field: 'amount', operator: 'less_than', value: '1' }], 'less_than cannot work with "1".'],
    // There is no example of arguments.
    [[{ output_field: 'amount', operator: 'equals' }], 'amount has nothing to be compared with'],
    [[{ status: 'success' }], 'The expectation is malformed'],
    [[{ task: 'a', output_field: 'amount', operator: 'exists' }], 'The expectation is malformed'],
    [[7], 'The expectation is malformed'],
    ['amount', 'The expectation is malformed'],
  ])('with the conditions %j gives no verdict, whether the tool was called or not', async (conditions, reason) => {
    const patterns = await loadPatterns();
    for (const calls of [run, called()]) {
      const entry = refund({ arguments: conditions });
      for (const written of [entry, { not: entry }, { any: [{ status: 'success' }, entry] }])
        expect(outcomeOf(written, { ...calls, patterns })).toEqual(['unknown', expect.stringContaining(reason)]);
    }
  });
});

describe('a run that says nothing of the agent', () => {
  test.each([
    ['llm', { reason: 'rate-limit' }],
    ['llm', { reason: 'no-key' }],
    ['timeout', {}],
    ['budget-exceeded', {}],
    ['cancelled', {}],
  ] as const)('is unknown: %s %j', (code, details) => {
    const error = { code, message: 'It could not be asked.', details, recoverable: true };
    const graded = gradeRun([{ status: 'success' }, { status: 'failure' }], { result: resultOf({ status: 'failed', error }) });
    expect(graded).toMatchObject({ outcome: 'unknown', cause: expect.stringContaining(': It could not be asked.') });
    expect(graded.expectations.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['unknown', graded.cause],
      ['unknown', graded.cause],
    ]);
  });

  test.each([
    ['output-invalid', {}],
    ['llm', { reason: 'refusal' }],
    ['max-iterations', {}],
  ] as const)('%s is the doing of the agent', (code, details) => {
    const error = { code, message: 'No.', details, recoverable: false };
    const graded = gradeRun([{ status: 'failure' }, { output_field: 'tone', operator: 'exists' }], {
      result: resultOf({ status: 'failed', error, output: { tone: 'x' } }),
    });
    expect(graded.expectations.map(({ outcome }) => outcome)).toEqual(['passed', 'failed']);
  });
});

describe('a task without an answer', () => {
  const ended = (error: JsonObject) => ({
    result: resultOf({ output: { teams: [{ team: 't', tasks: { labels: { status: 'failed', output: null, error } } }] } }),
  });
  const entries = [
    { task: 'labels', output_field: 'x', operator: 'equals', value: 1 },
    { task: 'labels', status: 'success' },
  ];

  test('is why its field is missing', () => {
    const run = ended({ code: 'llm', message: 'I may not.', details: { reason: 'refusal' } });
    const because = 'Task labels failed: The model declined to answer (llm/refusal): I may not.';
    expect(entries.map((entry) => outcomeOf(entry, run))).toEqual([
      ['failed', `labels.x is missing; expected: equals 1. ${because}`],
      ['failed', `the status of labels is "failure"; expected: equals "success". ${because}`],
    ]);
    expect(outcomeOf({ task: 'labels', status: 'failure' }, run)[0]).toBe('passed');
  });

  test('that could not be asked gives no verdict', () => {
    const run = ended({ code: 'llm', message: 'Slow down.', details: { reason: 'rate-limit' } });
    for (const entry of [...entries, ...entries.map((not) => ({ not }))]) expect(outcomeOf(entry, run)[0]).toBe('unknown');
  });
});

describe('a run without an answer', () => {
  const error = { code: 'output-invalid', message: 'tone is missing.', details: {}, recoverable: false } as const;
  const result = resultOf({ status: 'failed', error, output: null });

  test.each<[Json]>([
    [{ measure: 'cost_usd', operator: 'less_than', value: 1 }],
    [{ not: { output_field: 'tone', operator: 'equals', value: 'formal' } }],
    [{ not: { judge: 'AnswerJudge@v1', output_field: 'verdict', operator: 'equals', value: 'invented' } }],
    [{ tool: 'write_file', operator: 'equals', value: 0 }],
  ])('does not pass because %j holds of nothing', (entry) => {
    const graded = gradeRun([entry], { result });
    expect(graded).toMatchObject({ outcome: 'failed', cause: 'The answer does not fit the schema (output-invalid): tone is missing.' });
  });

  test('passes where its failure is expected, and then has no cause', () => {
    expect(gradeRun([{ status: 'failure' }], { result })).not.toHaveProperty('cause');
    expect(gradeRun([{ status: 'failure' }], { result }).outcome).toBe('passed');
    expect(gradeRun([{ any: [{ status: 'failure' }, { output_field: 'tone', operator: 'exists' }] }], { result }).outcome).toBe('passed');
  });
});

test('what routing says of a task, an expectation says of it too', () => {
  const operators = ['equals', 'not_equals', 'contains', 'not_contains', 'greater_than', 'less_than', 'in', 'exists', 'is_empty'];
  const value = fc.oneof(fc.constantFrom('a', 'ab', '', 0, 1, null, true), fc.array(fc.constantFrom('a', 1), { maxLength: 2 }));
  const leaf = fc.record({
    task: fc.constant('labels'),
    output_field: fc.constantFrom('x', 'y', 'x.0'),
    operator: fc.constantFrom(...operators),
    value,
  });
  const { condition } = fc.letrec<{ condition: Json }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.record({ not: tie('condition') }),
      fc.record({ any: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
      fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
    ) as fc.Arbitrary<Json>,
  }));
  const status = fc.constantFrom('completed', 'failed');
  fc.assert(
    fc.property(condition, fc.dictionary(fc.constantFrom('x', 'y'), value), status, (entry, output, ended) => {
      const outcomes = new Map([['labels', { status: ended, output }]]);
      const { matches } = evaluateCondition(entry, { outcomes, context: {} });
      const result = resultOf({ output: { teams: [{ team: 't', tasks: { labels: { status: ended, output } } }], context: {} } as Json });
      const [outcome] = outcomeOf(entry, { result });
      // An eval gives no verdict as soon as a part cannot be judged; a route may not need that part.
      if (outcome !== 'unknown') expect(outcome).toBe(matches ? 'passed' : 'failed');
    }),
    { numRuns: 2000 },
  );
});

describe('a case', () => {
  const repeats = (passes: number, failures: number, unknown: number) =>
    [...Array(passes).fill('passed'), ...Array(failures).fill('failed'), ...Array(unknown).fill('unknown')].map((outcome: Outcome) => ({
      outcome,
      expectations: [],
    }));

  test.each([
    [5, 0, 0, 1, 'passed'],
    [4, 1, 0, 0.8, 'passed'],
    [4, 1, 0, 1, 'failed'],
    [7, 3, 0, 0.7, 'passed'],
    [4, 0, 1, 0.8, 'passed'],
    [3, 0, 2, 0.8, 'unknown'],
    [3, 2, 0, 0.8, 'failed'],
    [0, 0, 3, 1, 'unknown'],
    [0, 0, 0, 1, 'unknown'],
  ] as const)('with %i passed, %i failed and %i unknown at %d is %s', (passed, failed, unknown, rate, outcome) => {
    const graded = gradeCase(repeats(passed, failed, unknown), rate);
    expect(graded).toMatchObject({ outcome, passes: passed, judged: passed + failed });
  });
});

test('similarity is 1 for the same text, symmetric, and from 0 to 1', () => {
  expect(similarity('', ' ')).toBe(1);
  // One accent, written as one character or as two.
  expect(similarity('caf\u00e9', 'cafe\u0301')).toBe(1);
  expect(similarity('kitten', 'sitting')).toBeCloseTo(1 - 3 / 7, 12);
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(similarity(a, a)).toBe(1);
      expect(similarity(a, b)).toBe(similarity(b, a));
      expect(similarity(a, b)).toBeGreaterThanOrEqual(0);
    }),
  );
});
