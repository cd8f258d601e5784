import { describe, expect, test } from 'vitest';
import { typesOf } from '../collectRun.js';
import { good, type ReactCase, reactRun, says } from './reactRun.js';

const textRun = ({ agent, ...rest }: ReactCase) => reactRun({ ...rest, agent: { tool_protocol: 'text', ...agent } });
const action = 'Thought: I look.\nAction: search\nAction Input: {"q": "x"}';

describe('the text protocol', () => {
  test('asks without tools and response format, stops at observations, and answers them as text', async () => {
    const { events, result, model } = await textRun({
      answers: [says(action), says(`Thought: I know.\nFinal Answer: ${good}`)],
      tools: [{ name: 'search', call: () => 'found 2' }],
    });
    expect(model.requests[0]).toMatchObject({ stop: ['\nObservation:'] });
    expect(model.requests[0]?.tools).toBeUndefined();
    expect(model.requests[0]?.response_format).toBeUndefined();
    expect(model.requests[0]?.messages[0]?.content).toContain('search');
    expect(model.requests[1]?.messages.slice(2)).toEqual([
      { role: 'assistant', content: action },
      { role: 'user', content: 'Observation: found 2' },
    ]);
    expect(typesOf(events)).toMatch(
      /^run_start step_start thinking tool_call tool_result step_end step_start thinking (chunk )+step_end final$/,
    );
    expect(result).toMatchObject({ success: true, output: { label: 'bug' }, text: good, metadata: { repairs: [] } });
    expect(result.reasoning.steps).toMatchObject([
      { step: 1, thought: 'I look.', action: { tool: 'search', input: { q: 'x' }, output: 'found 2' }, observation: 'found 2' },
      { step: 2, thought: 'I know.' },
    ]);
  });

  test.each([
    `<think>${action}</think>\nFinal Answer: ${good}`,
    `${action}\n</think>\nFinal Answer: ${good}`,
    `Final Answer: {"label": "feature", "reason": "x"}\n</think>\n\nFinal Answer: ${good}`,
  ])('carries out nothing that stands in thoughts: %j', async (reply) => {
    const calls: unknown[] = [];
    const { result } = await textRun({ answers: [says(reply)], tools: [{ name: 'search', call: (input) => String(calls.push(input)) }] });
    expect(calls).toEqual([]);
    expect(result).toMatchObject({ success: true, output: { label: 'bug' } });
  });

  test.each<[answer: string, output: unknown]>([
    ['{"card": {"id": 7}}', { card: { id: 7 } }],
    ['Card 7 is blocked.', null],
    ['[7]', null],
    ['{"card": 7', null],
    // It would be another number.
    ['{"card": 2512292042121000001}', null],
  ])('without a schema, an answer that is an object is parsed: %s', async (answer, output) => {
    const { result } = await textRun({
      agent: { output_schema: null, mode: null, defaults: null },
      answers: [says(`Final Answer: ${answer}`)],
    });
    expect(result).toMatchObject({ success: true, output, text: answer });
  });

  test('gives results the same form as the native protocol', async () => {
    const { result } = await textRun({
      answers: [says(action), says(`Final Answer: ${good}`)],
      tools: [{ name: 'search', call: () => 'found 2' }],
    });
    expect(result.conversation.slice(2)).toMatchObject([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'I look.' },
          { type: 'tool_use', id: 'call_1_1', name: 'search', input: { q: 'x' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1_1', content: 'found 2' }] },
      { role: 'assistant', content: [{ type: 'text', text: good }] },
    ]);
  });

  test('streams the answer alone as chunks, wherever the pieces break', async () => {
    const reply = `Thought: I know.\n**Final Answer:**\n${good}`;
    const { events } = await textRun({ answers: [{ chunks: [...reply] }] });
    const shown = (type: string) => events.flatMap((event) => (event.type === type && 'text' in event ? [event.text] : [])).join('');
    expect(shown('thinking').trim()).toBe('I know.');
    expect(shown('chunk')).toBe(good);
  });

  test('does not send the model what it made up', async () => {
    const { model, seen } = await textRun({
      answers: [says(`${action}\nObservation: found 9\nFinal Answer: {"label": "feature", "reason": "9"}`), says(`Final Answer: ${good}`)],
      tools: [{ name: 'search', call: () => 'found 2' }],
    });
    expect(seen.calls).toHaveLength(1);
    expect(model.requests[1]?.messages[2]?.content).toBe(action);
  });

  test('carries out several actions and numbers what they gave', async () => {
    const { model } = await textRun({
      answers: [says(`${action}\nAction: list`), says(`Final Answer: ${good}`)],
      tools: [
        { name: 'search', call: () => 'found 2' },
        { name: 'list', parameters: { type: 'object' }, call: () => 'a, b' },
      ],
    });
    expect(model.requests[1]?.messages.at(-1)?.content).toBe('Observation 1 (search): found 2\nObservation 2 (list): a, b');
  });

  test('takes a bare text as the one text a tool wants', async () => {
    const { seen } = await textRun({
      answers: [says('Action: search\nAction Input: "weather in Paris"'), says(`Final Answer: ${good}`)],
      tools: [{ name: 'search' }],
    });
    expect(seen.calls).toEqual([{ name: 'search', input: { q: 'weather in Paris' } }]);
  });

  test('corrects a reply without labels, three in a row being the end', async () => {
    const { result, model } = await textRun({ answers: [says('Hello!'), says('How are you?'), says('Fine.')] });
    expect(result.error?.code).toBe('parse');
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('neither an action nor a final answer');
    const spoke = await textRun({ answers: [says('Hello!'), says('How?'), says(`Final Answer: ${good}`)] });
    expect(spoke.result).toMatchObject({ success: true, metadata: { iterations: 3 } });
  });

  test('takes a bare object that fits the schema for the answer', async () => {
    const { result, events } = await textRun({ answers: [says(good)] });
    expect(result).toMatchObject({ success: true, output: { label: 'bug' } });
    expect(events.some((event) => event.type === 'chunk' && event.text === good)).toBe(true);
  });

  test('says how to answer again when the schema refuses', async () => {
    const { model, result } = await textRun({ answers: [says('Final Answer: {"label": "wish"}'), says(`Final Answer: ${good}`)] });
    expect(result.success).toBe(true);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('Write "Final Answer:" and the whole answer again.');
  });

  test('shows thoughts of a model that thinks on its own too', async () => {
    const { result } = await textRun({ answers: [{ thoughts: ['Hm.'], chunks: [`Final Answer: ${good}`] }] });
    expect(result.text).toBe(good);
    expect(result.conversation.at(-1)?.content).toEqual([
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: good },
    ]);
    expect(result.reasoning.steps[0]?.thought).toBe('Hm.');
  });
});
