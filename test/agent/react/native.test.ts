import { describe, expect, test } from 'vitest';
import { typesOf } from '../collectRun.js';
import { asks, good, reactRun, says } from './reactRun.js';

describe('a run that calls tools', () => {
  test('thinks, calls, reads and answers', async () => {
    const { events, result, model, seen } = await reactRun({
      answers: [
        { thoughts: ['I should ', 'look.'], chunks: ['Let me look.'], calls: [{ name: 'search', input: { q: 'crash' } }] },
        says(good),
      ],
      tools: [{ name: 'search', call: () => ({ content: 'found 2', value: { hits: 2 } }) }],
    });
    expect(typesOf(events)).toBe(
      'run_start step_start thinking thinking chunk tool_call tool_result step_end step_start chunk chunk step_end final',
    );
    expect(result).toMatchObject({
      success: true,
      output: { label: 'bug', reason: 'it crashes' },
      text: good,
      tool_uses_in_final_turn: [{ type: 'tool_use', id: 'use_1_1', name: 'search', input: { q: 'crash' } }],
      tool_calls: [{ id: 'use_1_1', name: 'search', input: { q: 'crash' }, output: { hits: 2 }, is_error: false }],
      metadata: { iterations: 2, tools_used: ['search'], token_usage: { total_tokens: 30 } },
    });
    expect(result.reasoning.steps).toEqual([
      {
        step: 1,
        thought: 'I should look.\n\nLet me look.',
        action: { tool: 'search', input: { q: 'crash' }, output: { hits: 2 } },
        observation: 'found 2',
        timestamp: expect.any(String),
      },
      { step: 2, thought: '', timestamp: expect.any(String) },
    ]);
    expect(result.conversation.slice(2)).toMatchObject([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'I should look.' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'use_1_1', name: 'search', input: { q: 'crash' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'use_1_1', content: 'found 2' }] },
      { role: 'assistant', content: [{ type: 'text', text: good }] },
    ]);
    expect(seen).toMatchObject({ opened: 1, closed: 1, calls: [{ name: 'search', input: { q: 'crash' } }] });
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['search']);
    expect(model.requests[0]?.response_format).toBeDefined();
  });

  test('logs what it thought and saw at debug', async () => {
    const { ports } = await reactRun({
      answers: [asks('search'), says(good)],
      tools: [{ name: 'search', call: () => ({ content: 'found 2', value: 2 }) }],
    });
    const steps = ports.lines.filter(({ message }) => message === 'reasoning step');
    expect(steps).toMatchObject([
      { level: 'debug', fields: { step: 1, tool: 'search', observation: 'found 2' } },
      { level: 'debug', fields: { step: 2 } },
    ]);
  });

  test('gives the provider its thoughts back as they came, and shows their marks nowhere else', async () => {
    const { events, result, model } = await reactRun({
      answers: [{ thoughts: ['Hm.'], chunks: [], calls: [{ name: 'search', input: { q: 'a' } }] }, says(good)],
      tools: [{ name: 'search' }],
    });
    expect(model.requests[1]?.messages[2]).toMatchObject({
      content: [{ type: 'thinking', text: 'Hm.', signature: 'signature-1' }, { type: 'tool_use' }],
    });
    expect(JSON.stringify([events, result])).not.toContain('signature');
  });

  test('answers all calls of a turn in one message, in their order', async () => {
    const { model, result, events } = await reactRun({
      answers: [
        {
          chunks: [],
          calls: [
            { name: 'a', input: { q: '1' } },
            { name: 'b', input: { q: '2' } },
          ],
        },
        says(good),
      ],
      tools: [{ name: 'a' }, { name: 'b' }],
    });
    expect(model.requests[1]?.messages).toHaveLength(4);
    expect(model.requests[1]?.messages[3]).toMatchObject({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'use_1_1', name: 'a', content: 'a of {"q":"1"}' },
        { type: 'tool_result', tool_use_id: 'use_1_2', name: 'b', content: 'b of {"q":"2"}' },
      ],
    });
    expect(result.reasoning.steps.map(({ step, action }) => [step, action?.tool])).toEqual([
      [1, 'a'],
      [1, 'b'],
      [2, undefined],
    ]);
    expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({
      tool_results: [{ name: 'a', is_error: false }, { name: 'b' }],
    });
  });

  test('asked for at once, yields thoughts and text whole', async () => {
    const { events, result } = await reactRun({
      answers: [{ thoughts: ['Hm.'], chunks: ['One', ' moment'], calls: [{ name: 'a', input: { q: '' } }] }, says(good)],
      tools: [{ name: 'a' }],
      options: { delivery: 'call' },
    });
    expect(typesOf(events)).toBe('run_start step_start thinking chunk tool_call tool_result step_end step_start chunk step_end final');
    expect(result.reasoning.steps[0]?.thought).toBe('Hm.\n\nOne moment');
  });

  test('without an output_schema answers with text alone', async () => {
    const { result } = await reactRun({ answers: [says('It is a bug.')], agent: { output_schema: null } });
    expect(result).toMatchObject({
      success: true,
      output: null,
      text: 'It is a bug.',
      error: null,
      reasoning: { decision: 'Answered at once.', confidence: 1 },
    });
  });

  test('runs without tools when none are opened', async () => {
    const { result, model } = await reactRun({
      answers: [says(good)],
      options: { openTools: async () => ({ tools: [], close: async () => undefined }) },
    });
    expect(result.success).toBe(true);
    expect(model.requests[0]?.tools).toBeUndefined();
  });
});

describe('an answer that the schema refuses', () => {
  test('is asked for again with the issues, and the loop goes on', async () => {
    const { result, model, events } = await reactRun({ answers: [says('{"label": "wish"}'), says(good)] });
    expect(result).toMatchObject({ success: true, output: { label: 'bug' }, metadata: { iterations: 2 } });
    const correction = model.requests[1]?.messages.at(-1)?.content;
    expect(correction).toMatch(/^The answer does not fit the output schema:\n- \/label: .*bug.*\nGive the whole answer again\.$/s);
    expect(events.find(({ type }) => type === 'step_end')).toMatchObject({ observation: correction });
    expect(result.reasoning.steps[0]).toMatchObject({ step: 1, observation: correction });
    expect(result.reasoning.confidence).toBeLessThan(0.9);
  });

  test('to the last ends with output-invalid', async () => {
    const wrong = [1, 2, 3].map((number) => says(`{"label": "wish ${number}"}`));
    const { result, model } = await reactRun({ answers: wrong, agent: { max_iterations: 3 } });
    expect(result.error?.code).toBe('output-invalid');
    expect(result.text).toBe('{"label": "wish 3"}');
    expect(model.requests[2]?.messages.at(-1)?.content).toContain('One turn is left');
  });

  test('because it was cut off is asked for again, shorter', async () => {
    const cut = says('{"label": "bu', { finish_reason: 'length' });
    const { result, model } = await reactRun({ answers: [cut, says(good)] });
    expect(result.success).toBe(true);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('cut off');
    const ended = await reactRun({ answers: [cut], agent: { max_iterations: 1 } });
    expect(ended.result.error).toMatchObject({ code: 'llm', details: { reason: 'length' } });
  });
});

describe('a model that gets nowhere', () => {
  test('is stopped at max_iterations, with all it did', async () => {
    const { result, model } = await reactRun({
      answers: [asks('a', { q: '1' }), asks('a', { q: '2' }), asks('a', { q: '3' })],
      tools: [{ name: 'a' }],
      agent: { max_iterations: 3 },
    });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'max-iterations' }, output: null, metadata: { iterations: 3 } });
    expect(result.reasoning.steps).toHaveLength(3);
    expect(result.tool_uses_in_final_turn).toMatchObject([{ name: 'a', input: { q: '3' } }]);
    expect(JSON.stringify(model.requests[2]?.messages.at(-1))).toContain('One turn is left');
  });

  test('because it makes one call over and over is told once, then stopped', async () => {
    const { result, model } = await reactRun({
      answers: Array.from({ length: 10 }, () => asks('a', { q: 'same' })),
      tools: [{ name: 'a' }],
      agent: { max_iterations: 20 },
    });
    expect(result.error?.code).toBe('max-iterations');
    expect(result.error?.message).toContain('circle');
    expect(model.requests).toHaveLength(6);
    const told = model.requests.at(-1)!.messages.filter((message) => JSON.stringify(message).includes('exactly this before'));
    expect(told).toHaveLength(1);
  });

  test('may ask again for what changes', async () => {
    let state = 0;
    const { result } = await reactRun({
      answers: [...Array.from({ length: 7 }, () => asks('poll')), says(good)],
      tools: [{ name: 'poll', call: () => `state ${state++}` }],
    });
    expect(result.success).toBe(true);
    expect(result.reasoning.confidence).toBeLessThan(0.5);
  });

  test('because it repeats a refused answer is stopped', async () => {
    const { result, model } = await reactRun({
      answers: Array.from({ length: 12 }, () => says('{"label": "wish"}')),
      agent: { max_iterations: 12 },
    });
    expect(result.error?.code).toBe('output-invalid');
    expect(model.requests).toHaveLength(6);
  });

  test('because it says nothing three times in a row ends with parse', async () => {
    const { result, model } = await reactRun({ answers: [says(''), says(' '), says('\n')] });
    expect(result.error).toMatchObject({ code: 'parse', recoverable: true });
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('empty');
    const spoke = await reactRun({ answers: [says(''), says(''), says(good)] });
    expect(spoke.result.success).toBe(true);
  });
});
