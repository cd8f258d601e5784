import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { createModelTable } from '../../core/llm/modelTable.js';
import { estimateCost, mostCost, priceOf } from '../../core/llm/price.js';
import { cachingOf } from '../../core/llm/providers/providerFacts.js';
import type { LlmRequest, Message, ToolDefinition } from '../../core/llm/types.js';
import { worstCase } from '../../core/llm/worstCase.js';
import { azureOpenai, openai } from './conformance/chatWire.js';
import { anthropic } from './conformance/messagesWire.js';
import { openaiResponses } from './conformance/responsesWire.js';
import type { WireProvider, WireReply, WireRequest } from './conformance/wire.js';
import { startWireServer } from './conformance/wireServer.js';
import { testClient } from './testClient.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const ok: WireReply = { type: 'answer', blocks: [{ type: 'text', pieces: ['Yes.'] }] };
const system = 'You answer in German. Today is Monday.';
const ask: LlmRequest = {
  model: 'm',
  messages: [
    { role: 'system', content: system },
    { role: 'user', content: 'task = "x"' },
  ],
  cache: { key: '0123456789abcdef-A2.v1' },
};
const tool: ToolDefinition = { name: 'clock', description: 'The time.', parameters: { type: 'object', properties: {} } };
const other: ToolDefinition = { ...tool, name: 'calendar' };
const mark = { type: 'ephemeral' };

async function sent(wire: WireProvider, request: LlmRequest, options: JsonObject = {}, script: Parameters<typeof startWireServer>[1] = ok) {
  const server = await startWireServer(wire, script);
  closing.push(() => server.close());
  const variables = { [wire.keyVariable]: 'test-key' };
  const settings = { provider: wire.name, base_url: server.baseUrl, ...wire.settings };
  const client = testClient({ ...settings, options: { ...settings.options, ...options } }, { variables });
  const completion = await client.call(request);
  expect(server.refusals).toEqual([]);
  return { body: server.requests.at(-1)!.body, completion };
}

describe('Anthropic', () => {
  test('keeps the system text of a single question, and not the question', async () => {
    const { body } = await sent(anthropic, ask);
    expect(body.system).toEqual([{ type: 'text', text: system, cache_control: mark }]);
    expect(JSON.stringify(body.messages)).not.toContain('cache_control');
  });

  test('keeps the system text up to where it differs', async () => {
    const stable_system = 'You answer in German. '.length;
    const { body } = await sent(anthropic, { ...ask, cache: { key: 'k', stable_system } });
    expect(body.system).toEqual([
      { type: 'text', text: 'You answer in German. ', cache_control: mark },
      { type: 'text', text: 'Today is Monday.' },
    ]);
    expect((await sent(anthropic, { ...ask, cache: { key: 'k', stable_system: 0 } })).body.system).toBe(system);
  });

  test('keeps tools and the last message of a loop, so that the next call reads all of it', async () => {
    const messages: Message[] = [
      ...ask.messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'clock', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', name: 'clock', content: '12:00' }] },
    ];
    const { body } = await sent(anthropic, { ...ask, messages, tools: [other, tool] });
    const [first, last] = body.tools as readonly JsonObject[];
    expect(first).not.toHaveProperty('cache_control');
    expect(last).toMatchObject({ name: 'clock', cache_control: mark });
    const turns = body.messages as readonly { readonly content: readonly JsonObject[] }[];
    expect(turns.map(({ content }) => content.map((block) => block.cache_control))).toEqual([[undefined], [undefined], [mark]]);
  });

  test('takes the lifetime from the options, and marks nothing when they say none', async () => {
    const hour = { type: 'ephemeral', ttl: '1h' };
    const { body } = await sent(anthropic, ask, { cache_control: hour });
    expect(body.system).toEqual([{ type: 'text', text: system, cache_control: hour }]);
    expect(body).not.toHaveProperty('cache_control');
    expect(JSON.stringify((await sent(anthropic, { ...ask, tools: [tool] }, { cache_control: 'none' })).body)).not.toContain(
      'cache_control',
    );
  });

  test('is sent the options as they are with a request that says nothing of a cache', async () => {
    const { cache: _, ...plain } = ask;
    const { body } = await sent(anthropic, plain, { cache_control: mark });
    expect(body).toMatchObject({ system, cache_control: mark });
  });

  test('counts what it wrote to the cache', async () => {
    const usage = { prompt_tokens: 3000, completion_tokens: 20, total_tokens: 3020, cached_tokens: 1000, cache_write_tokens: 1500 };
    expect((await sent(anthropic, ask, {}, { ...ok, usage })).completion.usage).toEqual(usage);
  });

  test.each([
    ['claude-opus-5', 512],
    ['claude-opus-5-5', 4096],
    ['claude-opus-4-6', 4096],
    ['claude-opus-4-8', 1024],
    ['claude-opus-4-1-20250805', 1024],
    ['claude-haiku-4-5', 4096],
    ['claude-sonnet-5', 1024],
    ['claude-sonnet-4-6', 1024],
    ['claude-3-haiku', 2048],
    ['claude-unheard-of', 4096],
  ])('keeps no less than what its guide says of %s', (model, tokens) => {
    expect(cachingOf('anthropic', model)?.minimum).toBe(tokens);
  });
});

describe('OpenAI', () => {
  test.each([openai, openaiResponses, azureOpenai].map((wire) => [wire.title ?? wire.name, wire] as const))(
    '%s is told a key, or the one of the options',
    async (_, wire) => {
      expect((await sent(wire, ask)).body.prompt_cache_key).toBe('0123456789abcdef-A2.v1');
      expect((await sent(wire, ask, { prompt_cache_key: 'mine' })).body.prompt_cache_key).toBe('mine');
      const { cache: _hint, ...plain } = ask;
      expect((await sent(wire, plain)).body).not.toHaveProperty('prompt_cache_key');
    },
  );

  test('a server that does not know the key is asked without it, and nothing is reported', async () => {
    const refusing = ({ body }: WireRequest): WireReply =>
      body.prompt_cache_key === undefined
        ? ok
        : { type: 'failure', kind: 'bad-request', message: 'Unrecognized request argument supplied: prompt_cache_key' };
    for (const wire of [openai, azureOpenai]) {
      const { body, completion } = await sent(wire, ask, {}, refusing);
      expect(body).not.toHaveProperty('prompt_cache_key');
      expect(completion.left_out).toEqual([]);
    }
  });

  test('models before gpt-4o cache nothing, those from GPT-5.6 on are paid for what they write', () => {
    expect(cachingOf('openai', 'gpt-4-turbo')).toBeUndefined();
    expect(cachingOf('openai', 'gpt-4o-mini')).toMatchObject({ minimum: 1024, step: 128 });
    expect(cachingOf('openai', 'ft:gpt-4.1-mini:org::1')?.writeFactor({})).toBe(1);
    expect(cachingOf('azure_openai', 'gpt-5.6-mini')?.writeFactor({})).toBe(1.25);
    expect(cachingOf('openai', 'gpt-6-sol')?.writeFactor({ prompt_cache_options: { mode: 'explicit' } })).toBe(1);
  });
});

test('Gemini caches by itself from 2.5 on', () => {
  expect(cachingOf('gemini', 'gemini-1.5-pro')).toBeUndefined();
  expect(cachingOf('gemini', 'gemini-2.5-flash')?.minimum).toBe(2048);
  expect(cachingOf('gemini', 'gemini-3.8-flash')?.minimum).toBe(4096);
});

describe('a price', () => {
  const model = createModelTable().find('claude-haiku-4-5', 'anthropic');
  const million = { prompt_tokens: 1_000_000, completion_tokens: 0, cached_tokens: 0 };

  test('counts written tokens at what the provider charges for them', () => {
    const price = priceOf({ provider: 'anthropic' }, model, 'claude-haiku-4-5')!;
    expect(price).toMatchObject({ input: 1, cached_input: 0.1, cache_write: 1.25 });
    expect(estimateCost({ ...million, cached_tokens: 400_000, cache_write_tokens: 400_000 }, price)).toBeCloseTo(0.2 + 0.04 + 0.5);
    expect(priceOf({ provider: 'anthropic', options: { cache_control: { type: 'ephemeral', ttl: '1h' } } }, model, '')?.cache_write).toBe(
      2,
    );
    expect(priceOf({ provider: 'anthropic', options: { cache_control: 'none' } }, model, '')).not.toHaveProperty('cache_write');
  });

  test('is the one of the profile where that has one', () => {
    const price = { input: 3, output: 4, cache_write: 3.5 };
    expect(priceOf({ provider: 'anthropic', price }, model, '')).toEqual(price);
    expect(priceOf({ provider: 'openai', price: { input: 3, output: 4 } }, undefined, 'gpt-4.1')).toEqual({ input: 3, output: 4 });
  });

  test('the worst case is never below what a call costs, however its tokens are cached', () => {
    const amount = fc.double({ min: 0, max: 100, noNaN: true });
    const prices = fc.record(
      { input: amount, output: amount, cached_input: amount, cache_write: amount },
      { requiredKeys: ['input', 'output'] },
    );
    const count = fc.nat(1_000_000);
    fc.assert(
      fc.property(prices, count, count, count, count, (price, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens) => {
        const cost = estimateCost({ prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens }, price);
        expect(mostCost({ prompt_tokens, completion_tokens }, price)).toBeGreaterThanOrEqual(cost * (1 - 1e-12));
        const worst = worstCase({ calls: 1, prompt_tokens, max_output_tokens: completion_tokens, model: undefined, price });
        expect(worst.cost).toBeGreaterThanOrEqual(cost * (1 - 1e-12));
      }),
    );
  });
});
