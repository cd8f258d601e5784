import { describe, expect, onTestFinished, test } from 'vitest';
import { runAgent } from '../../core/agent/runAgent.js';
import type { JsonObject } from '../../core/json.js';
import { openai } from '../llm/conformance/chatWire.js';
import { anthropic } from '../llm/conformance/messagesWire.js';
import { openaiResponses } from '../llm/conformance/responsesWire.js';
import type { WireProvider, WireReply } from '../llm/conformance/wire.js';
import { startWireServer } from '../llm/conformance/wireServer.js';
import { testClient } from '../llm/testClient.js';
import { scriptedTools } from '../support/scriptedTools.js';
import { collectRun } from './collectRun.js';
import { sampleProject } from './sampleProject.js';

const said = '{"label": "bug", "reason": "it crashes"}';
const long = 'Every rule counts. '.repeat(600);
const reply = (blocks: readonly object[], usage: object): WireReply =>
  ({ type: 'answer', blocks, usage: { completion_tokens: 20, total_tokens: 3020, cached_tokens: 0, ...usage } }) as unknown as WireReply;

async function served(wire: WireProvider, fields: JsonObject, script: readonly WireReply[]) {
  const server = await startWireServer(wire, script);
  onTestFinished(() => server.close());
  const { factory, ports } = sampleProject({ provider: wire.name, system_text: long, ...fields });
  const agent = await factory.load('Labels', 'v1');
  const settings = { provider: wire.name, base_url: server.baseUrl, ...wire.settings };
  const llm = testClient(settings, { variables: { [wire.keyVariable]: 'test-key-4f1d8a7c' } });
  const { openTools } = scriptedTools({ name: 'search' });
  const { events, result } = await collectRun(runAgent({ agent, payload: { title: 'It crashes' }, llm, ports, openTools }));
  expect(server.refusals).toEqual([]);
  return { events, result, agent, bodies: server.requests.map(({ body }) => body) };
}

describe('a run', () => {
  test('says what was predicted of the cache and what was billed, and pays for what was written', async () => {
    const usage = { prompt_tokens: 3000, cached_tokens: 1000, cache_write_tokens: 1500 };
    const { result, agent, bodies } = await served(anthropic, { model_name: 'claude-opus-5' }, [
      reply([{ type: 'text', pieces: [said] }], usage),
    ]);
    expect(bodies[0]?.system).toMatchObject([{ type: 'text', cache_control: { type: 'ephemeral' } }]);
    const { token_usage, predicted_cached_tokens = 0, estimated_cost_usd } = result.metadata;
    expect(token_usage).toMatchObject(usage);
    expect(predicted_cached_tokens).toBeGreaterThan(2700);
    expect(predicted_cached_tokens).toBeLessThan(3000);
    const { input = 0, output = 0, cached_input = 0, cache_write = 0 } = agent.price ?? {};
    expect(cache_write).toBe(input * 1.25);
    expect(estimated_cost_usd).toBeCloseTo((500 * input + 1000 * cached_input + 1500 * cache_write + 20 * output) / 1e6);
  });

  test('names its requests by its snapshot, so that all of its runs share a cache', async () => {
    const { bodies, agent, result } = await served(openai, { model_name: 'gpt-4.1' }, [
      reply([{ type: 'text', pieces: [said] }], { prompt_tokens: 3000 }),
    ]);
    expect(bodies[0]?.prompt_cache_key).toBe(`${agent.snapshot.hash.slice(0, 32)}-Labels.v1`);
    expect((result.metadata.predicted_cached_tokens ?? 0) % 128).toBe(0);
  });

  test('predicts nothing of a prompt that is too short to be kept', async () => {
    const { result } = await served(openai, { model_name: 'gpt-4.1', system_text: 'You label.' }, [
      reply([{ type: 'text', pieces: [said] }], { prompt_tokens: 300 }),
    ]);
    expect(result.metadata).not.toHaveProperty('predicted_cached_tokens');
  });

  test('of a loop over the Responses API sends thoughts back with their marks, which are in no event and no result', async () => {
    const signature = 'rs_1 gAAAAABoISQ24OyVRYbk';
    const { bodies, result, events } = await served(openaiResponses, { model_name: 'gpt-5.4-mini', agent_type: 'react' }, [
      reply(
        [
          { type: 'thinking', pieces: ['I add.'], signature },
          { type: 'tool-use', id: 'call_9', name: 'search', input: { q: 'crash' } },
        ],
        { prompt_tokens: 3000, reasoning_tokens: 12 },
      ),
      reply([{ type: 'text', pieces: [said] }], { prompt_tokens: 3100 }),
    ]);
    expect(result).toMatchObject({ status: 'completed', output: { label: 'bug' } });
    expect(bodies[1]?.input).toEqual(
      expect.arrayContaining([
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'I add.' }], encrypted_content: 'gAAAAABoISQ24OyVRYbk' },
        expect.objectContaining({ type: 'function_call_output', call_id: 'call_9' }),
      ]),
    );
    expect(bodies.every((body) => body.api === undefined && body.store === false)).toBe(true);
    expect(result.metadata.token_usage.reasoning_tokens).toBe(12);
    expect(JSON.stringify([events, result])).not.toContain('gAAAA');
  });
});
