import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import { chooseRoute } from '../../core/routing/chooseRoute.js';
import { evaluateCondition, type TaskOutcome, usesPatterns } from '../../core/routing/evaluateCondition.js';
import { loadPatterns } from '../../core/routing/patterns.js';

const outcomes = new Map<string, TaskOutcome>([
  ['review', { status: 'completed', output: { verdict: 'minor', scores: { style: 4, facts: [9, 7] }, note: null } }],
  ['draft', { status: 'failed', output: { text: 'half' } }],
  ['check', { status: 'cancelled' }],
]);
const context: JsonObject = { round: 2, user: { tier: 'free' } };
const evaluate = (condition: Json) => evaluateCondition(condition, { outcomes, context });
const matches = (condition: Json) => evaluate(condition).matches;

describe('evaluateCondition', () => {
  test('success is completed, failure is anything else', () => {
    expect(matches({ task: 'review', status: 'success' })).toBe(true);
    expect(matches({ task: 'review', status: 'failure' })).toBe(false);
    for (const task of ['draft', 'check']) {
      expect(matches({ task, status: 'failure' })).toBe(true);
      expect(matches({ task, status: 'success' })).toBe(false);
    }
  });

  test('a task that never ran has failed, and the trace says that it did not run', () => {
    expect(evaluate({ task: 'late', status: 'failure' })).toEqual({ matches: true, notes: ['"late" has not run.'] });
  });

  test('paths lead through objects and into lists, in outputs and in the context', () => {
    expect(matches({ task: 'review', output_field: 'scores.style', operator: 'greater_than', value: 3 })).toBe(true);
    expect(matches({ task: 'review', output_field: 'scores.facts.1', operator: 'equals', value: 7 })).toBe(true);
    expect(matches({ context_field: 'user.tier', operator: 'equals', value: 'free' })).toBe(true);
    expect(matches({ context_field: 'constructor', operator: 'exists' })).toBe(false);
    expect(matches({ context_field: 'user.tier.length', operator: 'exists' })).toBe(false);
  });

  test('steps of a plan are tasks under another name', () => {
    expect(matches({ step: 'review', output_field: 'verdict', operator: 'equals', value: 'minor' })).toBe(true);
    expect(matches({ step: 'draft', status: 'failure' })).toBe(true);
  });

  test('a task that did not complete has no fields, whatever it left', () => {
    expect(evaluate({ task: 'draft', output_field: 'text', operator: 'exists' })).toEqual({
      matches: false,
      notes: ['The output of "draft" has no field "text".'],
    });
    expect(matches({ task: 'draft', output_field: 'text', operator: 'not_equals', value: 'half' })).toBe(true);
  });

  test('lists need all, any needs one, not turns around', () => {
    const yes = { task: 'review', status: 'success' };
    const no = { task: 'draft', status: 'success' };
    expect([matches([yes, yes]), matches([yes, no]), matches({ any: [no, yes] }), matches({ any: [no, no] })]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(matches({ not: [yes, { any: [no, { not: yes }] }] })).toBe(true);
  });

  test('the trace notes what was missing or could not be compared, up to the part that decided', () => {
    const missing = { context_field: 'nobody', operator: 'equals', value: 1 };
    const mistyped = { context_field: 'user', operator: 'greater_than', value: 1 };
    expect(evaluate({ any: [missing, mistyped] }).notes).toEqual([
      'The context has no field "nobody".',
      'greater_than does not take "user", which is of type object.',
    ]);
    expect(evaluate([missing, mistyped]).notes).toEqual(['The context has no field "nobody".']);
    expect(evaluate({ context_field: 'round', operator: 'greater_than', value: '1' }).notes).toEqual([
      'greater_than cannot work with a value of type string.',
    ]);
    expect(evaluate({ context_field: 'round', operator: 'equals', value: 2 }).notes).toEqual([]);
  });

  test('matches runs on the engine it is given, and is a mistake without one', async () => {
    const condition = { context_field: 'user.tier', operator: 'matches', value: '^f' };
    expect(usesPatterns({ not: [{ any: [condition] }] })).toBe(true);
    expect(usesPatterns({ context_field: 'round', operator: 'exists' })).toBe(false);
    expect(() => matches(condition)).toThrow('patterns');
    const patterns = await loadPatterns();
    expect(evaluateCondition(condition, { outcomes, context, patterns }).matches).toBe(true);
    const refused = evaluateCondition({ ...condition, value: '(?=f)' }, { outcomes, context, patterns });
    expect(refused.matches).toBe(false);
    expect(refused.notes).toEqual([expect.stringContaining('"(?=f)" is not run')]);
  });

  test('what is not a condition never matches, however deep', () => {
    for (const wrong of [
      null,
      3,
      'x',
      {},
      { task: 'review' },
      { task: 3, status: 'success' },
      { context_field: 'round', operator: 'like' },
    ]) {
      expect(evaluate(wrong as Json)).toEqual({ matches: false, notes: ['The condition at "" is malformed.'] });
    }
    let deep: Json = { task: 'review', status: 'success' };
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(matches(deep)).toBe(false);
  });
});

describe('chooseRoute', () => {
  const minor = { task: 'review', output_field: 'verdict', operator: 'equals', value: 'minor' } as const;
  const missing = { context_field: 'nobody', operator: 'exists' } as const;

  test('the first rule that matches wins', () => {
    const rules = [
      { condition: missing, next_team: 'a' },
      { condition: minor, next_team: 'b', context_updates: { round: 3 } },
      { condition: minor, next_team: 'c' },
    ];
    expect(chooseRoute({ rules, default: 'd' }, { outcomes, context })).toEqual({
      type: 'team',
      next_team: 'b',
      rule: 1,
      context_updates: { round: 3 },
      notes: ['The context has no field "nobody".'],
    });
  });

  test('null ends the run, from a rule or by default', () => {
    const end = { type: 'end', next_team: null, context_updates: null };
    expect(chooseRoute({ rules: [{ condition: minor, next_team: null }] }, { outcomes, context })).toEqual({ ...end, rule: 0, notes: [] });
    expect(chooseRoute({ default: null }, { outcomes, context })).toEqual({ ...end, rule: null, notes: [] });
  });

  test('without a match the default is taken, without a default there is no route', () => {
    const rules = [{ condition: missing, next_team: 'a' }];
    const notes = ['The context has no field "nobody".'];
    expect(chooseRoute({ rules, default: 'd' }, { outcomes, context })).toMatchObject({ type: 'team', next_team: 'd', rule: null, notes });
    expect(chooseRoute({ rules }, { outcomes, context })).toEqual({ type: 'no-route', notes });
  });
});
