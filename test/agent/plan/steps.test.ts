import { describe, expect, test } from 'vitest';
import { typesOf } from '../collectRun.js';
import { good, planRun, says } from './planRun.js';

describe('a plan', () => {
  test('calls a skill, an agent and the model in order, and each sees what came before', async () => {
    const { events, result, model, others, seen } = await planRun({
      plan: {
        steps: [
          { name: 'search', skill: 'find', input: { q: '{{input.title}}' } },
          { name: 'labels', agent: 'Labels@v1', input: { title: '{{steps.search.output}}' } },
          { name: 'reply', llm: 'Answer the {{steps.labels.output.label}} {{input.title}}.' },
        ],
        output: { label: '{{steps.labels.output.label}}', text: '{{steps.reply.output}}' },
      },
      tools: [{ name: 'find' }],
      models: { Labels: [says(good)] },
      answers: [says('Thank you.')],
    });
    expect(result.error).toBe(null);
    expect(result.output).toEqual({ label: 'bug', text: 'Thank you.' });
    expect(seen.calls).toEqual([{ name: 'find', input: { q: 'It crashes' } }]);
    expect(others.get('Labels')!.requests[0]!.messages[1]!.content).toContain('title = "find of {');
    expect(model.requests[0]!.messages).toEqual([
      { role: 'system', content: 'You help.\n\nAgent: Plan, version v1' },
      { role: 'user', content: 'Answer the bug It crashes.' },
    ]);
    expect(model.requests[0]).not.toHaveProperty('response_format');
    expect(typesOf(events)).toBe(
      'run_start step_start tool_call tool_result step_end step_start chunk chunk step_end step_start chunk chunk step_end final',
    );
    expect(result.reasoning.steps.map(({ thought, action }) => [thought, action?.tool])).toEqual([
      ['Step "search": call the skill find.', 'find'],
      ['Step "labels": run the agent Labels@v1.', 'Labels@v1'],
      ['Step "reply": ask the model.', 'llm'],
    ]);
    expect(result.metadata).toMatchObject({
      iterations: 2,
      tools_used: ['find'],
      token_usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
    });
    expect(result.metadata.estimated_cost_usd).toBeGreaterThan(0);
    expect(result.reasoning.decision).toBe('Called find (1 call), Labels@v1 (1 call) and llm (1 call); came to the end of its plan.');
    expect(seen.opened).toBe(seen.closed);
  });
});
