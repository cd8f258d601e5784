import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { LlmError, type LlmFailureReason } from '../../../core/errors.js';
import type { AssistantBlock, LlmRequest, LlmSettings, Message, StreamPart, TokenUsage, ToolDefinition } from '../../../core/llm/types.js';
import { runs } from '../../support/effort.js';
import { startLoopbackHttp } from '../../support/loopbackHttp.js';
import { type TestClient, testClient } from '../testClient.js';
import { allBlocks, answers, blocksOf, canonical, conversations, normalized } from './conversation.js';
import { wireProviders } from './providers.js';
import type { Heard, WireAnswer, WireBlock, WireFailureKind, WireFinish, WireProvider, WireReply } from './wire.js';
import { startWireServer, type WireServer, type WireServerOptions } from './wireServer.js';

// What providers of all wire formats have in common. A provider that fails a test here is at fault, or its entry in
// providers.ts lacks a word for a feature (`lacks`), with a reason in its documentation.

const key = 'test-key-4f1d8a7c';
const ask: LlmRequest = {
  model: 'model-1',
  messages: [
    { role: 'system', content: 'You answer.' },
    { role: 'user', content: 'What is the weather in Paris?' },
  ],
  max_tokens: 512,
};
const weather: ToolDefinition = {
  name: 'get_weather',
  description: 'The weather of a place, now.',
  parameters: {
    type: 'object',
    properties: { place: { type: 'string', description: 'Name of a city.' }, days: { type: 'integer', minimum: 1 } },
    required: ['place'],
    additionalProperties: false,
  },
};
const clockTool: ToolDefinition = { name: 'clock', description: '', parameters: { type: 'object', properties: {} } };
const use = (id: string, place: string, pieces?: readonly string[]): WireBlock => ({
  type: 'tool-use',
  id,
  name: 'get_weather',
  input: { place },
  ...(pieces && { pieces }),
});
const says = (...pieces: string[]): WireBlock => ({ type: 'text', pieces });
const answer = (blocks: readonly WireBlock[], more: Partial<WireAnswer> = {}): WireAnswer => ({ type: 'answer', blocks, ...more });
const plain = answer([says('It ', 'is ', 'sunny.')]);

const soon = <Value>(look: () => Value) => expect.poll(look, { interval: 2 });

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

interface Connected {
  readonly server: WireServer;
  readonly client: TestClient;
  heard(index?: number): Heard;
}

async function connect(
  wire: WireProvider,
  script: Parameters<typeof startWireServer>[1],
  settings: Partial<LlmSettings> = {},
  options: WireServerOptions = {},
): Promise<Connected> {
  const server = await startWireServer(wire, script, options);
  closing.push(() => server.close());
  const client = clientOf(wire, server.baseUrl, settings);
  return { server, client, heard: (index = 0) => wire.read(server.requests[index]!) };
}

function clientOf(wire: WireProvider, base_url: string, settings: Partial<LlmSettings> = {}): TestClient {
  return testClient({ provider: wire.name, base_url, ...wire.settings, ...settings }, { variables: { [wire.keyVariable]: key } });
}

interface Outcome {
  readonly parts: readonly StreamPart[];
  readonly texts: readonly string[];
  readonly thoughts: string;
  readonly text: string | undefined;
  readonly blocks: readonly AssistantBlock[] | undefined;
  readonly finish: string | undefined;
  readonly usage: TokenUsage | undefined;
  readonly error: unknown;
}

/** Asks whole and streamed; what comes must be the same. */
const deliveries = {
  whole: async (client: TestClient, request: LlmRequest): Promise<Outcome> => {
    const nothing = { parts: [], texts: [], thoughts: '', text: undefined, blocks: undefined, finish: undefined, usage: undefined };
    try {
      const { text, blocks, finish_reason, usage } = await client.call(request);
      return { ...nothing, text, blocks, finish: finish_reason, usage, error: undefined };
    } catch (error) {
      return { ...nothing, error };
    }
  },
  streamed: async (client: TestClient, request: LlmRequest): Promise<Outcome> => {
    const parts: StreamPart[] = [];
    let error: unknown;
    try {
      for await (const part of client.stream(request)) parts.push(part);
    } catch (caught) {
      error = caught;
    }
    const last = parts.at(-1);
    const completion = last?.type === 'completion' ? last.completion : undefined;
    const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const thoughts = parts.map((part) => (part.type === 'thinking' ? part.text : '')).join('');
    return {
      ...{ parts, texts, thoughts, error },
      ...{ text: completion?.text, blocks: completion?.blocks, finish: completion?.finish_reason, usage: completion?.usage },
    };
  },
} as const;
const bothWays = Object.entries(deliveries) as [keyof typeof deliveries, (typeof deliveries)['whole']][];

/** The blocks of an answer; a server without ids of its own gets any, all different. */
function expectBlocks(wire: WireProvider, got: Outcome, sent: WireAnswer): void {
  const expected = blocksOf(sent);
  const isMore = expected.some(({ type }) => type !== 'text');
  expect(got.error).toBeUndefined();
  expect(got.text).toBe(expected.map((block) => (block.type === 'text' ? block.text : '')).join(''));
  if (!isMore) {
    expect(got.blocks).toBeUndefined();
    return;
  }
  const hasIds = !wire.lacks.includes('tool-ids');
  const comparable = (blocks: readonly AssistantBlock[] = []) =>
    canonical(blocks.map((block) => (block.type === 'tool_use' && !hasIds ? { ...block, id: '' } : block)));
  expect(comparable(got.blocks)).toBe(comparable(expected));
  const ids = (got.blocks ?? []).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => id !== '')).toBe(true);
}

const reasons: Readonly<Record<WireFailureKind, { readonly reason: LlmFailureReason; readonly tries: number; readonly status?: number }>> =
  {
    'wrong-key': { reason: 'auth', tries: 1 },
    forbidden: { reason: 'auth', tries: 1 },
    'unknown-model': { reason: 'not-found', tries: 1 },
    'rate-limit': { reason: 'rate-limit', tries: 3, status: 429 },
    quota: { reason: 'quota', tries: 1 },
    server: { reason: 'server', tries: 3 },
    overloaded: { reason: 'server', tries: 3 },
    'too-long': { reason: 'context-length', tries: 1 },
    'filtered-prompt': { reason: 'content-filter', tries: 1 },
    'bad-request': { reason: 'bad-request', tries: 1 },
  };
const finishes: Readonly<Record<WireFinish, string | { readonly reason: LlmFailureReason }>> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'tool-use': 'tool_use',
  // Nothing to go on with: these end the call.
  'content-filter': { reason: 'content-filter' },
  refusal: { reason: 'refusal' },
  unknown: { reason: 'incomplete' },
};

/** All words that some vendor documents, for a whole answer, a limit, a filter or a pause. */
const documented = new Set([
  ...['stop', 'length', 'tool_calls', 'function_call', 'content_filter', 'max_output_tokens'],
  ...['STOP', 'MAX_TOKENS', 'CONTINUATION', 'SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'IMAGE_SAFETY'],
  ...['end_turn', 'stop_sequence', 'max_tokens', 'model_context_window_exceeded', 'tool_use', 'refusal', 'pause_turn'],
]);

describe.each(wireProviders.map((wire) => [wire.title ?? wire.name, wire] as const))('%s', (_, wire) => {
  const has = (feature: WireProvider['lacks'][number]) => !wire.lacks.includes(feature);

  describe.each(bothWays)('%s', (delivery, deliver) => {
    const isStream = delivery === 'streamed';

    test('an answer is its text, with how it ended', async () => {
      const { client, server, heard } = await connect(wire, plain);
      const got = await deliver(client, ask);
      expectBlocks(wire, got, plain);
      expect(got.finish).toBe('stop');
      expect(got.texts).toEqual(isStream ? ['It ', 'is ', 'sunny.'] : []);
      expect(heard()).toMatchObject({ model: 'model-1', max_tokens: 512, tools: [], isStream });
      expect(canonical(normalized(heard().messages))).toBe(canonical(normalized(ask.messages)));
      expect(wire.keyOf(server.requests[0]!)).toBe(key);
      expect(server.refusals).toEqual([]);
    });

    test('temperature and top_p arrive as they are, 0 too', async () => {
      const { client, heard } = await connect(wire, plain);
      await deliver(client, { ...ask, temperature: 0 });
      await deliver(client, { ...ask, top_p: 0.5 });
      expect(heard(0)).toMatchObject({ temperature: 0 });
      expect(heard(0)).not.toHaveProperty('top_p');
      expect(heard(1)).toMatchObject({ top_p: 0.5 });
      expect(heard(1)).not.toHaveProperty('temperature');
    });

    test('tools arrive with name, description and parameters', async () => {
      const { client, server, heard } = await connect(wire, plain);
      await deliver(client, { ...ask, tools: [weather, clockTool] });
      expect(canonical(heard().tools)).toBe(canonical([weather, clockTool]));
      await deliver(client, { ...ask, tools: [] });
      expect(heard(1).tools).toEqual([]);
      expect(server.refusals).toEqual([]);
    });

    test('a tool call has its name and its input', async () => {
      const sent = answer([use('toolu_1', 'Paris', ['{"pla', 'ce":"Pa', 'ris"}'])]);
      const got = await deliver((await connect(wire, sent)).client, { ...ask, tools: [weather] });
      expectBlocks(wire, got, sent);
      expect(got.finish).toBe('tool_use');
    });

    test('a tool call may come after words', async () => {
      const sent = answer([says('Let me ', 'look.'), use('toolu_1', 'Paris')]);
      const got = await deliver((await connect(wire, sent)).client, { ...ask, tools: [weather] });
      expectBlocks(wire, got, sent);
      expect(got.texts.join('')).toBe(isStream ? 'Let me look.' : '');
    });

    test('a tool call without input has an empty one', async () => {
      const sent = answer([{ type: 'tool-use', id: 'toolu_1', name: 'clock', input: {} }]);
      expectBlocks(wire, await deliver((await connect(wire, sent)).client, { ...ask, tools: [clockTool] }), sent);
    });

    if (has('parallel-tools')) {
      test('several tool calls come in their order', async () => {
        const sent = answer([use('toolu_1', 'Paris'), use('toolu_2', 'Rome', ['{"place"', ':"Rome"}']), use('toolu_3', 'Paris')]);
        const got = await deliver((await connect(wire, sent)).client, { ...ask, tools: [weather] });
        expectBlocks(wire, got, sent);
      });
    }

    test('a conversation goes on with the results of its tools', async () => {
      const calls = has('parallel-tools') ? [use('toolu_1', 'Paris'), use('toolu_2', 'Rome')] : [use('toolu_1', 'Paris')];
      const { client, server, heard } = await connect(wire, [answer([says('I will look.'), ...calls]), plain]);
      const first = await deliver(client, { ...ask, tools: [weather] });
      const results = (first.blocks ?? []).flatMap((block) =>
        block.type === 'tool_use'
          ? [{ type: 'tool_result', tool_use_id: block.id, name: block.name, content: `{"place":"${String(block.input.place)}"}` } as const]
          : [],
      );
      expect(results).toHaveLength(calls.length);
      const messages: Message[] = [...ask.messages, { role: 'assistant', content: first.blocks! }, { role: 'user', content: results }];
      const second = await deliver(client, { ...ask, messages, tools: [weather] });
      expect(second.text).toBe('It is sunny.');
      expect(canonical(normalized(heard(1).messages))).toBe(canonical(normalized(wire.carried(messages))));
      expect(canonical(heard(1).messages)).toContain(canonical('{"place":"Paris"}'));
      expect(server.refusals).toEqual([]);
    });

    test('a result that is an error reaches the model', async () => {
      const messages: Message[] = [
        ...ask.messages,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'get_weather', input: { place: 'Atlantis' } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'call_1', name: 'get_weather', content: 'No such place.', is_error: true }],
        },
      ];
      const { client, server, heard } = await connect(wire, plain);
      await deliver(client, { ...ask, messages, tools: [weather] });
      const result = allBlocks(heard().messages).at(-1);
      expect(result).toMatchObject({ type: 'tool_result', content: 'No such place.', ...(has('error-results') && { is_error: true }) });
      expect(server.refusals).toEqual([]);
    });

    test('a call whose arguments were no object goes back without them', async () => {
      const messages: Message[] = [
        ...ask.messages,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'get_weather', input: {}, input_text: '{"place": Par' }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'call_1', name: 'get_weather', content: 'No JSON.', is_error: true }],
        },
      ];
      const { client, server, heard } = await connect(wire, plain);
      await deliver(client, { ...ask, messages, tools: [weather] });
      expect(allBlocks(heard().messages).find(({ type }) => type === 'tool_use')).toMatchObject({ name: 'get_weather', input: {} });
      expect(server.refusals).toEqual([]);
    });

    if (has('thinking')) {
      test('thoughts come before the answer and stay beside it', async () => {
        const sent = answer([{ type: 'thinking', pieces: ['Paris is ', 'in France.'] }, says('It is ', 'sunny.'), use('toolu_1', 'Paris')]);
        const got = await deliver((await connect(wire, sent)).client, { ...ask, tools: [weather] });
        expectBlocks(wire, got, sent);
        if (!isStream) return;
        expect(got.thoughts).toBe('Paris is in France.');
        const kinds = got.parts.map(({ type }) => type);
        expect(kinds.lastIndexOf('thinking')).toBeLessThan(kinds.indexOf('text'));
      });
    }

    if (has('response-format')) {
      test('the schema of the answer arrives', async () => {
        const { client, server, heard } = await connect(wire, answer([says('{"place":', '"Paris"}')]));
        const schema = {
          type: 'object',
          properties: { place: { type: 'string', enum: ['Paris', 'Rome'] } },
          required: ['place'],
          additionalProperties: false,
        };
        const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } } as const;
        const got = await deliver(client, { ...ask, response_format });
        expect(got.text).toBe('{"place":"Paris"}');
        expect(heard().schema).toMatchObject(schema);
        expect(server.refusals).toEqual([]);
      });
    }

    if (has('stop')) {
      test('texts that end an answer arrive', async () => {
        const { client, server, heard } = await connect(wire, plain);
        await deliver(client, { ...ask, stop: ['\nObservation:'] });
        expect(heard().stop).toEqual(['\nObservation:']);
        expect(server.refusals).toEqual([]);
      });
    }

    if (has('usage')) {
      test('usage counts the prompt with what was cached and written', async () => {
        const cached_tokens = has('cached-tokens') ? 60 : 0;
        const none = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, cached_tokens: 0 };
        const usage = { ...none, cached_tokens, ...(has('written-tokens') && { cache_write_tokens: 30 }) };
        expect((await deliver((await connect(wire, { ...plain, usage })).client, ask)).usage).toEqual(usage);
        expect((await deliver((await connect(wire, { ...plain, usage: none })).client, ask)).usage).toEqual(none);
      });
    }

    for (const [finish, expected] of Object.entries(finishes) as [WireFinish, (typeof finishes)[WireFinish]][]) {
      if (!has(`finish:${finish}`)) continue;
      test(`an answer that ended by ${finish} is ${typeof expected === 'string' ? `a completion, ${expected}` : 'an error'}`, async () => {
        const blocks = finish === 'tool-use' ? [use('toolu_1', 'Paris')] : [says('Half of ', 'it')];
        const { client, server } = await connect(wire, answer(blocks, { finish }));
        const got = await deliver(client, { ...ask, tools: [weather] });
        if (typeof expected === 'string') expect(got).toMatchObject({ finish: expected, error: undefined });
        else {
          expect(got.error).toBeInstanceOf(LlmError);
          expect(got.error).toMatchObject({ ...expected, recoverable: false, attempts: 1 });
          expect(server.requests).toHaveLength(1);
        }
      });
    }

    test('a word that the vendor does not document as an end is never a whole answer', async () => {
      let word = '';
      const { client } = await connect(wire, () => answer([says('{"items": ["lettuce", "carrot"')], { word }), { retry_attempts: 1 });
      const alike = ['error', 'Stop', 'eos', 'RECITATION ', 'null', 'model_length', 'completed', 'insufficient_system_resource', 'OTHER'];
      const words = fc.oneof(fc.string(), fc.constantFrom(...alike)).filter((each) => !documented.has(each));
      await fc.assert(
        fc.asyncProperty(words, async (each) => {
          word = each;
          const { error, ...got } = await deliver(client, ask);
          expect(got).toMatchObject({ text: undefined, finish: undefined });
          expect(error).toMatchObject({ reason: 'incomplete', usage: has('usage') ? { completion_tokens: 4 } : undefined });
          if (each.trim() !== '') expect((error as LlmError).details).toMatchObject({ finish_reason: each });
        }),
        { numRuns: runs(20, 200) },
      );
    });

    for (const [kind, { reason, tries, status }] of Object.entries(reasons) as [WireFailureKind, (typeof reasons)[WireFailureKind]][]) {
      if (!has(`failure:${kind}`)) continue;
      test(`failure ${kind} is ${reason}, tried ${tries === 1 ? 'once' : 'again'}`, async () => {
        const { client, server } = await connect(wire, { type: 'failure', kind });
        const { error } = await deliver(client, ask);
        expect(error).toBeInstanceOf(LlmError);
        expect(error).toMatchObject({ reason, attempts: tries, recoverable: tries > 1, ...(status && { status }) });
        expect(server.requests).toHaveLength(tries);
        expect(client.waits).toEqual(tries === 1 ? [] : [500, 1000]);
        expect((error as LlmError).message).toMatch(new RegExp(`^${wire.name}\\b.+[.!?]$`));
      });
    }

    test('what a server asks to wait is waited', async () => {
      const { client } = await connect(wire, [{ type: 'failure', kind: 'rate-limit', retry_after: 7 }, plain]);
      expect((await deliver(client, ask)).text).toBe('It is sunny.');
      expect(client.waits).toEqual([7000]);
    });

    test('a connection that closes before an answer is tried again', async () => {
      const { client, server } = await connect(wire, [answer([], { fault: 'close' }), plain]);
      expect((await deliver(client, ask)).text).toBe('It is sunny.');
      expect(server.requests).toHaveLength(2);
    });

    test('half an answer is a broken connection, however much of it has come', async () => {
      const long = answer([says(...Array.from({ length: 40 }, (_, number) => `word${number} `))], { fault: 'close-mid-body' });
      const { client, server } = await connect(wire, long);
      const got = await deliver(client, ask);
      expect(got.error).toMatchObject({ reason: 'network' });
      expect(got.texts.length > 0).toBe(isStream);
      // A user who has seen text would see it twice.
      expect(server.requests).toHaveLength(isStream ? 1 : 3);
    });

    test('half a tool call is none', async () => {
      const long = answer([use('toolu_1', 'x'.repeat(400), ['{"place":"', 'x'.repeat(200), `${'x'.repeat(200)}"}`])], {
        fault: 'close-mid-body',
      });
      const { client } = await connect(wire, long, { retry_attempts: 1 });
      expect(await deliver(client, { ...ask, tools: [weather] })).toMatchObject({ blocks: undefined, error: { reason: 'network' } });
    });

    test.each(['hang', 'hang-mid-body'] as const)('a server that stalls (%s) is left after request_timeout_ms', async (fault) => {
      const { client, server } = await connect(wire, { ...plain, fault }, { retry_attempts: 1 });
      const asking = deliver(client, ask);
      await soon(() => server.requests.length).toBe(1);
      // Half of the answer is to arrive before the time is over.
      if (fault === 'hang-mid-body') await wait(20);
      client.expire();
      const { error } = await asking;
      expect(error).toMatchObject({ reason: 'network', message: expect.stringContaining('request_timeout_ms') as string });
      await soon(() => server.requests[0]?.aborted).toBe(true);
    });

    test.each(['hang', 'hang-mid-body'] as const)('a cancellation closes the connection (%s) and is the error', async (fault) => {
      const { client, server } = await connect(wire, { ...plain, fault });
      const controller = new AbortController();
      const reason = new Error('enough');
      const asking = deliver(client, { ...ask, signal: controller.signal });
      await soon(() => server.requests.length).toBe(1);
      controller.abort(reason);
      expect((await asking).error).toBe(reason);
      await soon(() => server.requests[0]?.aborted).toBe(true);
    });

    test('the key is in no error and no log line, even when the server repeats it', async () => {
      const message = `The key ${key} cannot be used, ${'x'.repeat(390)}${key}`;
      for (const kind of ['wrong-key', 'server', 'bad-request'] as const) {
        const { client } = await connect(wire, { type: 'failure', kind, message }, { retry_attempts: 2 });
        const { error } = await deliver(client, ask);
        expect(error).toBeInstanceOf(LlmError);
        expect(everythingIn(error)).not.toContain(key.slice(0, 12));
        expect(JSON.stringify(client.log)).not.toContain(key.slice(0, 12));
      }
    });

    if (has('finish:refusal')) {
      test('the key is not in what a model says as it refuses', async () => {
        const { client } = await connect(wire, answer([says('I will not repeat ', key)], { finish: 'refusal' }));
        const { error } = await deliver(client, ask);
        expect(error).toMatchObject({ reason: 'refusal' });
        expect(everythingIn(error)).not.toContain(key.slice(0, 12));
      });
    }

    test('an answer that is none is an LlmError, for any body', async () => {
      const bodies = [
        '',
        'null',
        '[]',
        '{}',
        '"x"',
        '<html><p>Bad gateway</p></html>',
        '{"choices":[null]}',
        '{"content":1,"candidates":[{}]}',
        '{"a":',
      ];
      let sent = { type: '', body: '' };
      const http = await startLoopbackHttp((incoming, response) => {
        incoming.resume();
        incoming.on('end', () => response.writeHead(200, { 'content-type': sent.type }).end(sent.body));
      });
      closing.push(() => http.close());
      const client = clientOf(wire, wire.baseUrl(http.origin), { retry_attempts: 1 });
      for (const type of ['application/json', 'text/event-stream', 'text/html']) {
        for (const body of bodies) {
          sent = { type, body: type === 'text/event-stream' ? `data: ${body}\n\n` : body };
          const got = await deliver(client, ask);
          expect(got.error, `${type} ${body}`).toBeInstanceOf(LlmError);
          expect(got.text).toBeUndefined();
        }
      }
    });
  });

  if (has('stream-error')) {
    test('an error in the middle of a stream ends it, and the text before it has come', async () => {
      const { client, server } = await connect(wire, { ...plain, brokenBy: { type: 'failure', kind: 'overloaded' } });
      const got = await deliveries.streamed(client, ask);
      expect(got.texts).toEqual(['It ', 'is ', 'sunny.']);
      expect(got.error).toMatchObject({ reason: 'server', attempts: 1 });
      expect(server.requests).toHaveLength(1);
    });
  }

  test('a stream that is not read to its end is closed', async () => {
    const { client, server } = await connect(
      wire,
      answer([says(...Array.from({ length: 40 }, () => 'word '))], { fault: 'hang-mid-body' }),
    );
    for await (const part of client.stream(ask)) if (part.type === 'text') break;
    await soon(() => server.requests[0]?.aborted).toBe(true);
  });

  if (wire.needsKey) {
    test('a missing key is said before anything is sent', async () => {
      const { server } = await connect(wire, plain);
      const client = testClient({ provider: wire.name, base_url: server.baseUrl, ...wire.settings }, { variables: {} });
      for (const [, deliver] of bothWays) {
        expect((await deliver(client, ask)).error).toMatchObject({
          reason: 'no-key',
          recoverable: false,
          message: expect.stringContaining(wire.keyVariable) as string,
        });
      }
      expect(server.requests).toEqual([]);
    });
  }

  test('any conversation arrives as it is, but for what the format cannot carry', async () => {
    const { client, server, heard } = await connect(wire, plain);
    await fc.assert(
      fc.asyncProperty(conversations, async (messages) => {
        await client.call({ ...ask, messages, tools: [weather] });
        expect(canonical(normalized(heard(server.requests.length - 1).messages))).toBe(canonical(normalized(wire.carried(messages))));
        expect(server.refusals).toEqual([]);
      }),
      { numRuns: runs(15, 60) },
    );
  });

  test('any answer is read as it was sent, whole, streamed, and cut anywhere', async () => {
    let sent: WireReply = plain;
    const servers = await Promise.all([connect(wire, () => sent), connect(wire, () => sent, {}, { slice: 7 })]);
    const made = answers({ thinks: has('thinking'), callsSeveral: has('parallel-tools') });
    await fc.assert(
      fc.asyncProperty(made, async (each) => {
        sent = each;
        const [whole, sliced] = servers.map(({ client }) => client) as [TestClient, TestClient];
        expectBlocks(wire, await deliveries.whole(whole, { ...ask, tools: [weather] }), each);
        expectBlocks(wire, await deliveries.streamed(whole, { ...ask, tools: [weather] }), each);
        expectBlocks(wire, await deliveries.streamed(sliced, { ...ask, tools: [weather] }), each);
      }),
      { numRuns: runs(10, 40) },
    );
  });
});

function everythingIn(error: unknown): string {
  const said: unknown[] = [];
  for (let each = error; each instanceof Error; each = each.cause) said.push(each.message, each.stack, JSON.stringify(each));
  return said.join('\n');
}
