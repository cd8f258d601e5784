import { describe, expect, test } from 'vitest';
import { compareCosts } from '../../core/diff/costs.js';
import { type Files, sideOf, sidesOf } from './sides.js';

const agent = {
  agent_name: 'A',
  version: 'v1',
  mode: 'Writer',
  system_text: 'You write.',
  purpose_text: 'Write well.',
  llm_config_id: 'm',
  max_output_tokens: 1000,
  output_schema: { type: 'object', properties: { text: { type: 'string', maxLength: 100 } } },
};
const llm = { llm_id: 'm', provider: 'openai', model_name: 'gpt-4.1-mini', price: { input: 1, output: 2 } };
const files: Files = { 'agents/A/v1': agent, 'llms/m': llm };
const payloads = [{ task: 'a' }, { task: 'a much longer task than the other' }];

describe('what a change costs', () => {
  test('is null where nothing is another figure', async () => {
    for (const change of [
      {},
      { 'agents/A/v1': { ...agent, description: 'for people' } },
      { 'agents/A/v1': { ...agent, temperature: 0.3 } },
    ])
      expect(await compareCosts(...(await sidesOf(files, change as Files)), { payloads })).toBeNull();
  });

  test('is the maximum, the typical cost and the tokens of the longest case', async () => {
    const [before, after] = await sidesOf(files, { 'llms/m': { ...llm, price: { input: 2, output: 2 } } });
    const costs = await compareCosts(before, after, { payloads });
    expect(costs?.prompt_tokens_before).toBe(costs?.prompt_tokens_after);
    expect(costs?.maximum_before).toMatchObject({ calls: 1, completion_tokens: 1000, unknown: null });
    expect((costs?.maximum_after?.cost ?? 0) - (costs?.maximum_before?.cost ?? 0)).toBeCloseTo(
      (costs?.maximum_before?.prompt_tokens ?? 0) / 1e6,
      9,
    );
    expect(costs?.typical_before).toMatchObject({ basis: 'schema', runs: 0 });
    expect(costs?.prefixes).toEqual([]);
    const short = await compareCosts(before, after, { payloads: payloads.slice(0, 1) });
    expect(short?.prompt_tokens_before).toBeLessThan(costs?.prompt_tokens_before ?? 0);
  });

  test('counts without input where no case fits both sides', async () => {
    const [before, after] = await sidesOf(files, { 'agents/A/v1': { ...agent, input_keys: ['other'], system_text: 'You write a lot.' } });
    const costs = await compareCosts(before, after, { payloads });
    expect(costs).toMatchObject({ typical_before: null, typical_after: null });
    expect((costs?.prompt_tokens_after ?? 0) - (costs?.prompt_tokens_before ?? 0)).toBe(2);
  });

  test('is null for a figure that is not known, with its reason', async () => {
    const { price: _, ...unpriced } = llm;
    const costs = await compareCosts(...(await sidesOf(files, { 'llms/m': { ...unpriced, model_name: 'nobody-knows' } })), { payloads });
    expect(costs?.maximum_before?.cost).toBeGreaterThan(0);
    expect(costs?.maximum_after).toMatchObject({ cost: null, unknown: 'price' });
    expect(costs?.typical_after).toBeNull();
  });

  test('says how much of the beginning a cache keeps', async () => {
    const long = 'word '.repeat(2000);
    const plain = (system_text: string) => ({ agent_name: 'A', version: 'v1', llm_config_id: 'm', max_output_tokens: 10, system_text });
    const base: Files = { ...files, 'agents/A/v1': plain(`${long}\nNow {{input.task}}.`) };
    const [before, after] = await sidesOf(base, { 'agents/A/v1': plain(`Now {{input.task}}.\n${long}`) });
    const costs = await compareCosts(before, after);
    expect(costs?.prefixes).toMatchObject([{ instance: 'A', stable_tokens_after: 2, cached_tokens_after: 0 }]);
    expect(costs?.prefixes[0]?.cached_tokens_before).toBeGreaterThan(2000);
    const back = await compareCosts(
      await sideOf('before', { ...base, 'agents/A/v1': plain(`Now {{input.task}}.\n${long}`) }),
      await sideOf('after', base),
    );
    expect(back?.prefixes[0]?.stable_tokens_before).toBe(2);
  });

  test('bounds an orchestration by its limits, and by the routes that are proven', async () => {
    const task = { name: 't', agent: 'A@v1', input: { task: 'x' } };
    const flow = (max_total_teams: number) => ({
      name: 'flow',
      entry_team: 'one',
      max_total_teams,
      teams: { one: { tasks: [task], routing: { default: 'one' } } },
    });
    const base: Files = { ...files, 'orchestrations/flow': { ...flow(2), max_recursion_depth: 9 } };
    const sides = await sidesOf(base, { 'orchestrations/flow': { ...flow(4), max_recursion_depth: 9 } }, 'flow');
    const costs = await compareCosts(...sides);
    expect([costs?.maximum_before?.calls, costs?.maximum_after?.calls]).toEqual([2, 4]);
    expect(costs).toMatchObject({ prompt_tokens_before: null, typical_after: null });
  });

  test('leaves out routes that no answer takes, as check does', async () => {
    const chooser = {
      ...agent,
      mode: 'Chooser',
      output_schema: { type: 'object', required: ['x'], properties: { x: { type: 'string', enum: ['a', 'b'] } } },
    };
    const flow = (first: readonly string[]) => ({
      name: 'flow',
      entry_team: 'one',
      max_total_teams: 5,
      teams: {
        one: {
          tasks: [{ name: 't', agent: 'A@v1', input: { task: 'x' } }],
          routing: {
            rules: [
              { condition: { task: 't', output_field: 'x', operator: 'in', value: first }, next_team: null },
              { condition: { task: 't', output_field: 'x', operator: 'equals', value: 'a' }, next_team: 'one' },
            ],
            default: null,
          },
        },
      },
    });
    const base: Files = { ...files, 'agents/A/v1': chooser, 'orchestrations/flow': flow(['a', 'b']) };
    const costs = await compareCosts(...(await sidesOf(base, { 'orchestrations/flow': flow(['b']) }, 'flow')));
    expect([costs?.maximum_before?.calls, costs?.maximum_after?.calls]).toEqual([1, 5]);
  });
});
