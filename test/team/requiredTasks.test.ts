import { describe, expect, test } from 'vitest';
import { LlmError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import { collectRun } from '../agent/collectRun.js';
import { teamRun } from '../support/teams.js';

const away = { chunks: [], error: new LlmError('server', 'The model is away.') };

/** How a run ends in which these tasks fail, `team/task`, each time they are done. */
async function end(teams: JsonObject, failing: readonly string[], answers: { readonly [instance: string]: readonly JsonObject[] } = {}) {
  const script = Object.fromEntries(failing.map((instance) => [instance, Array.from({ length: 5 }, () => away)]));
  const { result } = await collectRun(teamRun({ teams }, { script: { ...script, ...answers } }));
  return result;
}

const one = (tasks: readonly JsonObject[]): JsonObject => ({ a: { tasks, routing: { default: null } } });

describe('a run is partial', () => {
  test('where two tasks of four fail, the last included', async () => {
    const tasks = [{ name: 'read' }, { name: 'plan' }, { name: 'write' }, { name: 'check' }];
    const result = await end(one(tasks), ['a/plan', 'a/check']);
    expect(result).toMatchObject({ status: 'partial', success: false });
    expect(result.error).toEqual({
      code: 'llm',
      message:
        '2 required tasks did not complete: "plan" of team "a", "check" of team "a". The first failed with: The model is away. A task that the run can do without says "required": false.',
      details: {
        reason: 'server',
        tasks: [
          { team: 'a', task: 'plan', code: 'llm' },
          { team: 'a', task: 'check', code: 'llm' },
        ],
      },
      recoverable: false,
    });
    expect(result.reasoning.decision).toBe('Ran 1 team (a) with 4 tasks, 2 of them not completed; is partial.');
    expect(result.output).toMatchObject({ teams: [{ tasks: { read: { status: 'completed' }, plan: { status: 'failed' } } }] });
  });

  test.each<[string, JsonObject]>([
    ['its output is read by another task', { second: { input: { n: '{{tasks.x.output.n}}' }, required: false } }],
    ['all outputs are read', { second: { input: { all: '{{tasks}}' }, required: false } }],
    ['a condition compares its output', { condition: { not: { any: [{ task: 'x', output_field: 'n', operator: 'equals', value: 1 }] } } }],
    [
      'context_updates read its output',
      { condition: { task: 'second', status: 'success' }, context_updates: { n: '{{tasks.second.output.n}}' }, failing: 'second' },
    ],
    ['it says that it is required', { x: { required: true } }],
  ])('by a task of an earlier team where %s', async (_, { x, second, condition, context_updates }) => {
    const rule = { condition: condition ?? { task: 'x', status: 'failure' }, next_team: 'b', ...(context_updates && { context_updates }) };
    const teams = {
      a: {
        tasks: [
          { name: 'x', ...(x as JsonObject) },
          { name: 'second', ...(second as JsonObject) },
        ],
        routing: { rules: [rule], default: 'b' },
      },
      b: { tasks: [{ name: 'y' }], routing: { default: null } },
    };
    const failing = context_updates ? 'a/second' : 'a/x';
    expect((await end(teams, [failing])).status).toBe('partial');
  });
});

describe('a run is completed', () => {
  test('where only tasks fail that it does not require', async () => {
    const result = await end(one([{ name: 'write' }, { name: 'notify', required: false }]), ['a/notify']);
    expect(result).toMatchObject({ status: 'completed', success: true, error: null });
    expect(result.reasoning.decision).toBe('Ran 1 team (a) with 2 tasks, 1 of them not completed.');
  });

  test('where a task of an earlier team fails whose output nothing reads', async () => {
    const rules = [{ condition: { task: 'x', status: 'failure' }, next_team: 'b' }];
    const teams = {
      a: { tasks: [{ name: 'x' }], routing: { rules, default: null } },
      b: { tasks: [{ name: 'y' }], routing: { default: null } },
    };
    expect((await end(teams, ['a/x'])).status).toBe('completed');
  });

  test('where a required task that failed completes when its team runs again', async () => {
    const rules = [{ condition: { task: 'x', output_field: 'n', operator: 'equals', value: 1 }, next_team: null }];
    const teams = { a: { tasks: [{ name: 'x' }], routing: { rules, default: 'a' } } };
    const { result } = await collectRun(teamRun({ teams }, { script: { 'a/x': [away, { n: 1 }] } }));
    expect(result).toMatchObject({ status: 'completed', error: null });
  });
});
