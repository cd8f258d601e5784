import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import type { Completion, LlmRequest, LlmSettings, ResponseFormat } from '../../core/llm/types.js';
import { anthropic } from './conformance/messagesWire.js';
import type { WireReply, WireRequest } from './conformance/wire.js';
import { startWireServer, type WireServer } from './conformance/wireServer.js';
import { failure } from './failure.js';
import { readStream, type TestClient, type TestClientOptions, testClient } from './testClient.js';

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const ask: LlmRequest = {
  model: 'claude-haiku-4-5',
  messages: [
    { role: 'system', content: 'You choose.' },
    { role: 'user', content: 'task = "x"' },
  ],
};
const ok: WireReply = { type: 'answer', blocks: [{ type: 'text', pieces: ['{"tone":', '"x"}'] }] };
const closed = { type: 'object', properties: { tone: { type: 'string' } }, required: ['tone'], additionalProperties: false } as const;

function formatOf(schema: JsonObject): ResponseFormat {
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } };
}

interface Connected {
  readonly client: TestClient;
  readonly server: WireServer;
  body(index?: number): JsonObject;
}

async function connect(
  script: Parameters<typeof startWireServer>[1],
  settings: Partial<LlmSettings> = {},
  options: TestClientOptions = {},
): Promise<Connected> {
  const server = await startWireServer(anthropic, script);
  servers.push(server);
  const variables = { ANTHROPIC_API_KEY: 'sk-ant-test-key' };
  const client = testClient({ provider: 'anthropic', base_url: server.baseUrl, ...settings }, { variables, ...options });
  return { client, server, body: (index = 0) => server.requests[index]!.body };
}

/** A refusal in the API's own words, until `isFine` finds nothing wrong with the request any more. */
const until =
  (isFine: (request: WireRequest) => boolean, message: string) =>
  (request: WireRequest): WireReply =>
    isFine(request) ? ok : { type: 'failure', kind: 'bad-request', message };

describe('a request', () => {
  test('has the published shape and no header but what it needs', async () => {
    const { client, server, body } = await connect(ok);
    await client.call({ ...ask, max_tokens: 256, temperature: 0, stop: ['\nObservation:', ' \n'] });
    expect(body()).toEqual({
      model: 'claude-haiku-4-5',
      max_tokens: 256,
      system: 'You choose.',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'task = "x"' }] }],
      temperature: 0,
      // One of nothing but white space is refused by the API.
      stop_sequences: ['\nObservation:'],
    });
    const { host, connection, ...headers } = server.requests[0]!.headers;
    expect(headers).toEqual({
      accept: 'application/json',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
      'content-length': expect.any(String) as string,
      'user-agent': 'agent-stack',
      'x-api-key': 'sk-ant-test-key',
    });
  });

  test.each([
    ['claude-haiku-4-5', 64_000],
    ['claude-haiku-4-5-20251001', 64_000],
    ['claude-of-next-year', 4096],
  ])('to %s without a limit asks for at most %i tokens', async (model, max_tokens) => {
    const { client, body } = await connect(ok);
    await client.call({ ...ask, model });
    expect(body().max_tokens).toBe(max_tokens);
  });

  test('carries the options of the profile, under its own fields, and features in beta as a header', async () => {
    const options = {
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low' },
      metadata: { user_id: 'u-1' },
      model: 'other',
      max_tokens: 9,
      stream: true,
      betas: ['interleaved-thinking-2025-05-14', 'fast-mode-2026-02-01'],
    };
    const { client, server, body } = await connect(ok, { options });
    await client.call({ ...ask, max_tokens: 256, response_format: formatOf(closed) });
    expect(body()).toMatchObject({
      model: 'claude-haiku-4-5',
      max_tokens: 256,
      thinking: { type: 'adaptive' },
      metadata: { user_id: 'u-1' },
      output_config: { effort: 'low', format: { type: 'json_schema', schema: closed } },
    });
    expect(body()).not.toHaveProperty('stream');
    expect(body()).not.toHaveProperty('betas');
    expect(server.requests[0]!.headers['anthropic-beta']).toBe('interleaved-thinking-2025-05-14,fast-mode-2026-02-01');
    expect(server.refusals).toEqual([]);
    await client.call(ask);
    expect(body(1).max_tokens).toBe(9);
  });

  test('reads nothing from the variables that the SDK looks at', async () => {
    const variables = {
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      ANTHROPIC_API_KEY: 'sk-of-the-process',
      ANTHROPIC_AUTH_TOKEN: 'token-of-the-process',
      ANTHROPIC_CUSTOM_HEADERS: 'x-custom: 1\nx-api-key: stolen',
      ANTHROPIC_LOG: 'debug',
    };
    const before = { ...process.env };
    Object.assign(process.env, variables);
    try {
      const { client, server } = await connect(ok);
      await client.call(ask);
      const { headers } = server.requests[0]!;
      expect(headers['x-api-key']).toBe('sk-ant-test-key');
      expect(Object.keys(headers).filter((name) => /^(x-(?!api-key)|authorization)/.test(name))).toEqual([]);
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  test.each(['', '/', '/v1', '/v1/'])('goes to the same address with %j at the end of base_url', async (end) => {
    const { server } = await connect(ok);
    const variables = { ANTHROPIC_API_KEY: 'sk-ant-test-key' };
    await testClient({ provider: 'anthropic', base_url: `${server.baseUrl}${end}` }, { variables }).call(ask);
    expect(server.requests[0]!.path).toBe('/v1/messages');
  });

  test('works with the global fetch as well', async () => {
    const { client } = await connect(ok, {}, { fetch: globalThis.fetch });
    expect((await client.call(ask)).text).toBe('{"tone":"x"}');
    expect((await readStream(client, ask)).texts).toEqual(['{"tone":', '"x"}']);
  });
});

describe('thoughts', () => {
  test('shown and hidden go back as they came, and those of another provider do not', async () => {
    const { client, body, server } = await connect([
      {
        type: 'answer',
        blocks: [
          { type: 'thinking', pieces: ['I need ', 'the time.'], signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h' },
          { type: 'redacted', signature: 'EmwKAhgBEgy3va3pzix/LafPsn4a' },
          { type: 'tool-use', id: 'toolu_01', name: 'clock', input: {} },
        ],
      },
      ok,
    ]);
    const first = (await readStream(client, ask)).completion as Completion;
    expect(first.blocks).toEqual([
      { type: 'thinking', text: 'I need the time.', signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h' },
      { type: 'thinking', text: '', signature: 'EmwKAhgBEgy3va3pzix/LafPsn4a', redacted: true },
      { type: 'tool_use', id: 'toolu_01', name: 'clock', input: {} },
    ]);
    await client.call({
      ...ask,
      messages: [
        ...ask.messages,
        { role: 'assistant', content: [{ type: 'thinking', text: 'From a file.' }, ...first.blocks!] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01', name: 'clock', content: '12:00' }] },
      ],
    });
    expect((body(1).messages as readonly JsonObject[])[1]!.content).toEqual([
      { type: 'thinking', thinking: 'I need the time.', signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h' },
      { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix/LafPsn4a' },
      { type: 'tool_use', id: 'toolu_01', name: 'clock', input: {} },
    ]);
    expect(server.refusals).toEqual([]);
  });

  test.each([
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    'messages.1.content.0: `thinking` blocks are bound to the conversation that produced them: this thinking block does not match its prefix.',
  ])('that the API does not know again (%s) are left out from then on, and reported', async (message) => {
    const { client, server, body } = await connect(until((request) => !JSON.stringify(request.body).includes('"signature"'), message));
    const messages: LlmRequest['messages'] = [
      ...ask.messages,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'Hm.', signature: 'c2ln' },
          { type: 'text', text: 'Yes.' },
        ],
      },
      { role: 'user', content: 'Sure?' },
    ];
    expect(await client.call({ ...ask, messages })).toMatchObject({ left_out: ['thoughts'], attempts: 1 });
    expect((body(1).messages as readonly JsonObject[])[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] });
    await client.call({ ...ask, messages });
    expect(server.requests).toHaveLength(3);
  });

  test('that are hidden altogether keep their signature', async () => {
    const { client } = await connect({
      type: 'answer',
      blocks: [
        { type: 'thinking', pieces: [], signature: 'c2ln' },
        { type: 'text', pieces: ['ok'] },
      ],
    });
    const { completion, texts } = await readStream(client, ask);
    expect(texts).toEqual(['ok']);
    expect(completion?.blocks).toEqual([
      { type: 'thinking', text: '', signature: 'c2ln' },
      { type: 'text', text: 'ok' },
    ]);
  });
});

test('messages of one side in a row become one turn, results of tools first, ids as the API takes them', async () => {
  const { client, server, body } = await connect(ok);
  await client.call({
    ...ask,
    messages: [
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
      { role: 'assistant', content: '' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call:1/é', name: 'clock', input: {} }] },
      { role: 'user', content: [{ type: 'text', text: 'aside' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call:1/é', name: 'clock', content: '' }] },
    ],
  });
  expect(body().messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1__', name: 'clock', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_1__' },
        { type: 'text', text: 'aside' },
      ],
    },
  ]);
  expect(server.refusals).toEqual([]);
});

describe('the schema of the answer', () => {
  const asText = (schema: JsonObject) => `You choose.\nOutput schema: ${JSON.stringify(schema)}`;

  test('that the API cannot say stands in the system text, and the completion tells', async () => {
    const map = { type: 'object', properties: { tags: { type: 'object', additionalProperties: { type: 'string' } } } };
    const { client, server, body } = await connect(ok);
    expect(await client.call({ ...ask, response_format: formatOf(map) })).toMatchObject({ left_out: ['response_format'] });
    expect(body()).not.toHaveProperty('output_config');
    expect(body().system).toBe(asText(map));
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    'output_config.format: This model does not support structured outputs.',
    'Schema is too complex for compilation. Please simplify it.',
    'output_config: Extra inputs are not permitted',
  ])('that the model refuses (%s) goes as text, once learnt at once', async (message) => {
    const { client, server, body } = await connect(until((request) => request.body.output_config === undefined, message));
    const request = { ...ask, response_format: formatOf(closed) };
    expect(await client.call(request)).toMatchObject({ left_out: ['response_format'], attempts: 1 });
    expect(body(1).system).toBe(asText(closed));
    expect((await readStream(client, request)).completion).toMatchObject({ left_out: ['response_format'] });
    expect(server.requests).toHaveLength(3);
  });

  test('of a tool that is refused is an error, and so is a format of the options', async () => {
    const tools = [{ name: 'x', description: '', parameters: { type: 'object' } }];
    const { client, server } = await connect(until(() => false, 'tools.0.custom.input_schema: JSON schema is invalid.'));
    expect(await failure(client.call({ ...ask, tools, response_format: formatOf(closed) }))).toMatchObject({ reason: 'bad-request' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('parameters a model refuses', () => {
  test('are left out when known, and reported', async () => {
    const { client, body } = await connect(ok, {}, { unsupported: ['temperature', 'top_p'] });
    expect(await client.call({ ...ask, temperature: 0, top_p: 0.9 })).toMatchObject({ left_out: ['temperature', 'top_p'] });
    expect(body()).not.toHaveProperty('temperature');
  });

  test.each([
    ['`temperature` is deprecated for this model.', 'temperature'],
    ['`temperature` and `top_p` cannot both be specified for this model. Please use only one.', 'top_p'],
    ['`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.', 'temperature'],
  ])('are learnt from its words: %s', async (message, name) => {
    const { client, server } = await connect(until((request) => !Object.hasOwn(request.body, name), message));
    const sent = name === 'top_p' ? { temperature: 0, top_p: 0.9 } : { temperature: 0 };
    expect(await client.call({ ...ask, ...sent })).toMatchObject({ left_out: [name], attempts: 1 });
    await client.call({ ...ask, ...sent });
    expect(server.requests).toHaveLength(3);
  });

  test('but a value out of range is an error', async () => {
    const { client, server } = await connect(until(() => false, 'temperature: range: 0..1'));
    expect(await failure(client.call({ ...ask, temperature: 1.5 }))).toMatchObject({ reason: 'bad-request', attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });
});

describe('an answer', () => {
  /** What the API may send, word for word. */
  const raw = (events: readonly JsonObject[]): string =>
    events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  const start = {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-4-5-20251001',
      content: [],
      usage: { input_tokens: 25, cache_creation_input_tokens: 100, cache_read_input_tokens: 1000, output_tokens: 1 },
    },
  };
  const stopped = (stop_reason: string) => [
    { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 15, input_tokens: null } },
    { type: 'message_stop' },
  ];

  async function stream(events: readonly JsonObject[]) {
    const body = raw(events);
    const fetch: typeof globalThis.fetch = () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    return readStream(testClient({ provider: 'anthropic' }, { variables: { ANTHROPIC_API_KEY: 'sk-ant-test-key' }, fetch }), ask);
  }

  test('counts what was read from the cache and written there as prompt', async () => {
    const { completion } = await stream([start, ...stopped('end_turn')]);
    expect(completion).toMatchObject({
      usage: { prompt_tokens: 1125, completion_tokens: 15, total_tokens: 1140, cached_tokens: 1000 },
      model: 'claude-haiku-4-5-20251001',
      id: 'msg_1',
    });
  });

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_use'],
  ])('that ended by %s ended by %s', async (stop_reason, finish_reason) => {
    expect((await stream([start, ...stopped(stop_reason)])).completion).toMatchObject({ finish_reason });
  });

  test('that ended by a word of a later version is not complete', async () => {
    const { error } = await stream([start, ...stopped('something_new')]);
    expect(error).toMatchObject({ reason: 'incomplete', recoverable: false, details: { finish_reason: 'something_new' } });
  });

  test('with a block of a later version is not complete, whatever text stands beside it', async () => {
    const block = (index: number, content_block: JsonObject) => ({ type: 'content_block_start', index, content_block });
    const { error } = await stream([
      start,
      block(0, { type: 'text', text: 'Done.' }),
      block(1, { type: 'computer_request', id: 'x' }),
      ...stopped('end_turn'),
    ]);
    expect(error).toMatchObject({
      reason: 'incomplete',
      message:
        'The answer of anthropic has a part of type "computer_request", which is not read here. Take what asks for it out of the options of the llm profile.',
      details: { finish_reason: 'computer_request' },
    });
  });

  test('that is refused says why, as far as the API does', async () => {
    const details = { type: 'refusal', category: 'cyber', explanation: 'This may help an attacker.' };
    const refused = [
      { type: 'message_delta', delta: { stop_reason: 'refusal', stop_details: details }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ];
    expect((await stream([start, ...refused])).error).toMatchObject({
      reason: 'refusal',
      message: 'The model of anthropic refused: This may help an attacker. Change the prompt or the input, or choose another model.',
    });
    expect((await stream([start, ...stopped('refusal')])).error).toMatchObject({ reason: 'refusal' });
  });

  test('with a tool input that is not JSON keeps what was written', async () => {
    const { completion } = await stream([
      start,
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'toolu_1', name: 'clock', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"zone": Par' } },
      { type: 'content_block_stop', index: 0 },
      ...stopped('max_tokens'),
    ]);
    expect(completion).toMatchObject({
      finish_reason: 'length',
      blocks: [{ type: 'tool_use', name: 'clock', input: {}, input_text: '{"zone": Par' }],
    });
  });

  test('with pings, blocks of tools that run at the vendor, and unknown events is read without them', async () => {
    const { completion, texts, error } = await stream([
      start,
      { type: 'ping' },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"query":"x"}' } },
      { type: 'something_new', index: 7 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'a' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'b' } },
      ...stopped('end_turn'),
    ]);
    expect(error).toBeUndefined();
    expect(texts).toEqual(['a', 'b']);
    expect(completion).toMatchObject({ text: 'ab' });
    expect(completion).not.toHaveProperty('blocks');
  });

  test.each([
    ['overloaded_error', 'server'],
    ['rate_limit_error', 'rate-limit'],
    ['authentication_error', 'auth'],
    ['invalid_request_error', 'bad-request'],
  ])('that breaks off with %s has reason %s', async (type, reason) => {
    const { error, retries } = await stream([start, { type: 'error', error: { type, message: 'Words.' } }]);
    expect(error).toMatchObject({ reason, message: expect.stringContaining('Words.') as string });
    // Nothing had come, so those that are over soon were tried again.
    expect(retries).toHaveLength(['server', 'rate-limit'].includes(reason) ? 2 : 0);
  });

  test('without its end, or without a reason for it, is none', async () => {
    const text = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'half' } };
    for (const events of [
      [start, text],
      [start, text, ...stopped('end_turn').slice(0, 1)],
      [start, text, { type: 'message_stop' }],
    ])
      expect(await stream(events)).toMatchObject({ completion: undefined, error: { reason: 'network' } });
  });
});

test('the profile may name another place for the key', async () => {
  const { client, server } = await connect(ok, { api_key: 'secret://team' }, { secrets: { team: 'sk-ant-of-the-team' } });
  await client.call(ask);
  expect(anthropic.keyOf(server.requests[0]!)).toBe('sk-ant-of-the-team');
});
