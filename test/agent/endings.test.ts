import { describe, expect, onTestFinished, test } from 'vitest';
import { runAgent } from '../../core/agent/runAgent.js';
import { couldNotBeAsked } from '../../core/eval/couldNotBeAsked.js';
import type { JsonObject } from '../../core/json.js';
import { openai } from '../llm/conformance/chatWire.js';
import { anthropic } from '../llm/conformance/messagesWire.js';
import type { WireProvider, WireReply } from '../llm/conformance/wire.js';
import { startWireServer } from '../llm/conformance/wireServer.js';
import { testClient } from '../llm/testClient.js';
import { collectRun } from './collectRun.js';
import { sampleProject } from './sampleProject.js';

const usage = { prompt_tokens: 300, completion_tokens: 20, total_tokens: 320, cached_tokens: 0 };
const says = (text: string, more: object = {}): WireReply => ({
  type: 'answer',
  blocks: text === '' ? [] : [{ type: 'text', pieces: [text] }],
  usage,
  ...more,
});
/** An agent that answers in text. */
const inText = { mode: undefined, output_schema: undefined, enums: undefined, defaults: undefined, model_name: 'gpt-5-mini' };
const inSchema = { model_name: 'gpt-5-mini' };

async function run(wire: WireProvider, fields: object, replies: readonly WireReply[]) {
  const server = await startWireServer(wire, replies);
  onTestFinished(() => server.close());
  const { factory, ports } = sampleProject({ provider: wire.name, ...fields });
  const agent = await factory.load('Labels', 'v1');
  const llm = testClient(
    { provider: wire.name, base_url: server.baseUrl, ...wire.settings },
    { variables: { [wire.keyVariable]: 'test-key-4f1d8a7c' } },
  );
  // One clock for the run and its calls: the deadline of a run is a moment of its own clock.
  const clock = { ...ports.clock, monotonic: () => performance.now() };
  const { result } = await collectRun(runAgent({ agent, payload: { title: 'It crashes' }, llm, ports: { ...ports, clock } }));
  return { result, requests: server.requests };
}

describe.each([
  ['an agent with a schema', inSchema, '{"label": "bug", "reason": "it cra'],
  ['an agent that answers in text', inText, 'It is the first hal'],
])('%s', (_, fields, half) => {
  test.each(['model_length', 'content_blocked', ''])('does not take an answer that ended by "%s"', async (word) => {
    const { result } = await run(openai, fields, [says(half, { word })]);
    expect(result).toMatchObject({ status: 'failed', output: null, error: { code: 'llm', details: { reason: 'incomplete' } } });
    expect(result.error?.message).toContain(word);
    // What has come is kept, and an eval passes no verdict on it.
    expect(result.final_response?.content).toEqual([{ type: 'text', text: half }]);
    expect(couldNotBeAsked(result)).toBe(true);
  });

  test.each(['tool_calls', 'function_call'])('does not take what stands beside a call where no tool was offered (%s)', async (word) => {
    const call = { type: 'tool-use', id: 'c1', name: 'search', input: {} } as const;
    const { result } = await run(openai, fields, [
      says('', { blocks: [{ type: 'text', pieces: ['{"label": "bug", "reason": "x"}'] }, call], word }),
    ]);
    expect(result).toMatchObject({ status: 'failed', output: null, error: { code: 'llm', details: { reason: 'incomplete' } } });
    expect(result.error?.message).toContain('called the tool "search"');
  });

  test('fails on an empty answer', async () => {
    const { result } = await run(openai, fields, [says('')]);
    expect(result).toMatchObject({ status: 'failed', output: null });
    expect(couldNotBeAsked(result)).toBe(false);
  });
});

test('an empty text has the reason of an answer that is not complete', async () => {
  const { result } = await run(openai, inText, [says('')]);
  expect(result.error).toMatchObject({ code: 'llm', recoverable: true, details: { reason: 'incomplete', finish_reason: 'stop' } });
});

describe('what was billed', () => {
  test('for a refusal is in the result, with its cost', async () => {
    const { result } = await run(openai, inSchema, [says('No.', { finish: 'refusal' })]);
    expect(result).toMatchObject({ error: { details: { reason: 'refusal' } }, metadata: { token_usage: usage } });
    expect(result.metadata.estimated_cost_usd).toBeGreaterThan(0);
    expect(result.metadata.token_usage_incomplete).toBeUndefined();
  });

  test('for tries before an answer is in the result, too', async () => {
    const replies = [says('', { word: 'error' }), says('{"label": "bug", "reason": "it crashes"}')];
    const { result, requests } = await run(openai, inSchema, replies);
    expect(requests).toHaveLength(2);
    expect(result).toMatchObject({ status: 'completed', metadata: { token_usage: { total_tokens: 640 } } });
  });
});

describe('a turn that Anthropic pauses', () => {
  const paused = (text: string) => says(text, { word: 'pause_turn' });

  test('goes on with what was said', async () => {
    const { result, requests } = await run(anthropic, { model_name: 'claude-fable-5-1' }, [
      paused('{"label": "bug", '),
      says('"reason": "it crashes"}'),
    ]);
    expect(result).toMatchObject({ output: { label: 'bug', reason: 'it crashes' }, metadata: { token_usage: { total_tokens: 640 } } });
    const messages = requests[1]!.body.messages as readonly JsonObject[];
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: '{"label": "bug", ' }] });
  });

  test('again and again is not complete', async () => {
    const { result, requests } = await run(
      anthropic,
      { model_name: 'claude-fable-5-1' },
      Array.from({ length: 12 }, () => paused('x')),
    );
    expect(result.error).toMatchObject({ code: 'llm', details: { reason: 'incomplete', finish_reason: 'pause_turn' } });
    expect(requests.length).toBeLessThan(12);
  });

  test('is not continued with a budget, which has set money aside for one request', async () => {
    const fields = { model_name: 'claude-fable-5-1', budget: { max_cost: 5 } };
    const { result, requests } = await run(anthropic, fields, [paused('{"label": "bug", '), says('"reason": "it crashes"}')]);
    expect(requests).toHaveLength(1);
    expect(result.error?.message).toContain('A call with a budget is not continued.');
  });
});

test('the text at which a model stopped is in the conversation', async () => {
  const { result } = await run(anthropic, { model_name: 'claude-fable-5-1' }, [
    says('{"label": "bug", "reason": "it crashes"}', { finish: 'stop-sequence' }),
  ]);
  expect(result.conversation.at(-1)).toMatchObject({ stop_reason: 'stop', stop_sequence: 'END' });
});

describe('thoughts that a server leaves in the text', () => {
  const thought = 'Hmm, maybe {"label":"feature","reason":"x"}? No.';

  test.each([`${thought}\n</think>\n`, `<think>${thought}</think>`])('are no part of a JSON answer: %s', async (thoughts) => {
    const { result } = await run(openai, inSchema, [says(`${thoughts}{"label": "bug", "reason": "it crashes"}`)]);
    expect(result.output).toEqual({ label: 'bug', reason: 'it crashes' });
    expect(result.final_response?.content).toEqual([
      { type: 'thinking', text: thought },
      { type: 'text', text: '{"label": "bug", "reason": "it crashes"}' },
    ]);
    expect(result.reasoning.steps[0]?.thought).toContain('No.');
  });

  test('are no part of an answer in text', async () => {
    const { result } = await run(openai, inText, [says(`<think>${thought}</think>\n\nIt is a bug.`)]);
    expect(result.final_response?.content.at(-1)).toEqual({ type: 'text', text: 'It is a bug.' });
  });
});
