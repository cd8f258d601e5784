import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import type { LlmRequest, LlmSettings, Message, StreamPart, ToolDefinition } from '../../core/llm/types.js';
import { startLoopbackHttp } from '../support/loopbackHttp.js';
import { azureResponses, openaiResponses } from './conformance/responsesWire.js';
import type { WireBlock, WireProvider, WireReply, WireRequest } from './conformance/wire.js';
import { startWireServer } from './conformance/wireServer.js';
import { failure } from './failure.js';
import { type TestClient, testClient } from './testClient.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const ask: LlmRequest = {
  model: 'gpt-5.4-mini',
  messages: [
    { role: 'system', content: 'You answer.' },
    { role: 'user', content: 'task = "x"' },
  ],
};
const weather: ToolDefinition = {
  name: 'get_weather',
  description: 'The weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};
const says = (...pieces: string[]): WireBlock => ({ type: 'text', pieces });
const ok: WireReply = { type: 'answer', blocks: [says('It is ', 'sunny.')] };
const thought = { id: 'rs_68af4030baa48193', content: 'gAAAAABoISQ24OyVRYbk==' };
const signature = `${thought.id} ${thought.content}`;

interface Connected {
  readonly client: TestClient;
  readonly refusals: readonly string[];
  body(index?: number): JsonObject;
  path(index?: number): string;
}

async function connect(
  script: Parameters<typeof startWireServer>[1],
  options: JsonObject = {},
  { wire = openaiResponses, ...settings }: Partial<LlmSettings> & { wire?: WireProvider } = {},
): Promise<Connected> {
  const server = await startWireServer(wire, script);
  closing.push(() => server.close());
  const variables = { OPENAI_API_KEY: 'sk-test-key', AZURE_OPENAI_API_KEY: 'azure-test-key' };
  const client = testClient(
    { provider: wire.name, base_url: server.baseUrl, ...settings, options: { api: 'responses', ...options } },
    { variables },
  );
  return {
    client,
    refusals: server.refusals,
    body: (index = 0) => server.requests[index]!.body,
    path: (index = 0) => server.requests[index]!.path,
  };
}

/** A server that answers with these events, whatever it is asked. */
async function streaming(events: readonly JsonObject[]): Promise<TestClient> {
  const http = await startLoopbackHttp((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
    });
  });
  closing.push(() => http.close());
  return testClient({ provider: 'openai', base_url: `${http.origin}/v1`, options: { api: 'responses' }, retry_attempts: 1 });
}

async function readParts(client: TestClient, request: LlmRequest) {
  const parts: StreamPart[] = [];
  for await (const part of client.stream(request)) parts.push(part);
  const last = parts.at(-1);
  return { parts, completion: last?.type === 'completion' ? last.completion : undefined };
}

describe('a request', () => {
  test('keeps nothing at the server, asks for encrypted thoughts, and does not say which API it is', async () => {
    const { client, body, path, refusals } = await connect(ok);
    await client.call({ ...ask, tools: [weather] });
    expect(path()).toBe('/v1/responses');
    expect(body()).toEqual({
      model: 'gpt-5.4-mini',
      input: [
        { role: 'system', content: 'You answer.' },
        { role: 'user', content: 'task = "x"' },
      ],
      store: false,
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', ...weather, strict: false }],
    });
    expect(refusals).toEqual([]);
  });

  test('takes the options in the words of the API, under its own fields', async () => {
    const { client, body, refusals } = await connect(ok, {
      reasoning: { effort: 'low', summary: 'auto' },
      text: { verbosity: 'low' },
      include: ['message.output_text.logprobs'],
      store: true,
      model: 'other',
    });
    const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
    await client.call({ ...ask, response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } } });
    expect(body()).toMatchObject({
      model: 'gpt-5.4-mini',
      reasoning: { effort: 'low', summary: 'auto' },
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'answer', schema, strict: true } },
      include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
      store: true,
    });
    expect(refusals).toEqual([]);
  });

  test('leaves out a parameter that the model refuses, and says so', async () => {
    const refusing = ({ body }: WireRequest): WireReply =>
      body.temperature === undefined
        ? ok
        : { type: 'failure', kind: 'bad-request', message: "Unsupported parameter: 'temperature' is not supported with this model." };
    const { client } = await connect(refusing, {}, { wire: { ...azureResponses, refuse: () => undefined } });
    expect((await client.call({ ...ask, temperature: 0 })).left_out).toEqual(['temperature']);
  });

  test('goes without encrypted thoughts to a model that has none', async () => {
    const refusing = ({ body }: WireRequest): WireReply =>
      body.include === undefined
        ? ok
        : { type: 'failure', kind: 'bad-request', message: 'Encrypted content is not supported with this model.' };
    const { client, body } = await connect(refusing);
    expect(await client.call(ask)).toMatchObject({ text: 'It is sunny.', left_out: [] });
    expect(body(1)).not.toHaveProperty('include');
  });

  test('an API there is not is refused before anything is sent', async () => {
    const { client } = await connect(ok, { api: 'assistants' });
    expect(await failure(client.call(ask))).toMatchObject({
      reason: 'bad-request',
      message: expect.stringContaining('"responses", not "assistants"') as string,
    });
  });

  test.each([
    ['', { api_version: '2025-04-01-preview' }, '/openai/responses?api-version=2025-04-01-preview'],
    ['/openai/deployments/d', { api_version: '2025-04-01-preview' }, '/openai/responses?api-version=2025-04-01-preview'],
    ['', {}, '/openai/v1/responses'],
    ['/openai/v1', {}, '/openai/v1/responses'],
  ])('goes to Azure beside the deployments: %s %j', async (path, options, expected) => {
    const wire = { ...azureResponses, baseUrl: (origin: string) => `${origin}${path}`, refuse: () => undefined };
    const connected = await connect(ok, options, { wire });
    await connected.client.call(ask);
    expect(connected.path()).toBe(expected);
    expect(connected.body()).not.toHaveProperty('api_version');
  });
});

describe('thoughts', () => {
  const asking: WireReply = {
    type: 'answer',
    blocks: [
      { type: 'thinking', pieces: ['Paris is ', 'in France.'], signature },
      { type: 'tool-use', id: 'call_7', name: 'get_weather', input: { place: 'Paris' } },
    ],
  };
  const result = { type: 'tool_result', tool_use_id: 'call_7', name: 'get_weather', content: 'sunny' } as const;

  test.each(['call', 'stream'] as const)('go back as they came, before the call they led to (%s)', async (delivery) => {
    const { client, body, refusals } = await connect([asking, ok]);
    const request = { ...ask, tools: [weather] };
    const first = delivery === 'call' ? await client.call(request) : (await readParts(client, request)).completion;
    const messages: Message[] = [...ask.messages, { role: 'assistant', content: first!.blocks! }, { role: 'user', content: [result] }];
    await client.call({ ...request, messages });
    expect((body(1).input as readonly JsonObject[]).slice(2)).toEqual([
      {
        type: 'reasoning',
        id: thought.id,
        summary: [{ type: 'summary_text', text: 'Paris is in France.' }],
        encrypted_content: thought.content,
      },
      { type: 'function_call', call_id: 'call_7', name: 'get_weather', arguments: '{"place":"Paris"}' },
      { type: 'function_call_output', call_id: 'call_7', output: 'sunny' },
    ]);
    expect(refusals).toEqual([]);
  });

  test('that are not shown go back too', async () => {
    const hidden: WireReply = { type: 'answer', blocks: [{ type: 'redacted', signature }, says('Well.')] };
    const { client, body, refusals } = await connect([hidden, ok]);
    const { blocks } = await client.call(ask);
    expect(blocks).toEqual([
      { type: 'thinking', text: '', signature, redacted: true },
      { type: 'text', text: 'Well.' },
    ]);
    await client.call({ ...ask, messages: [...ask.messages, { role: 'assistant', content: blocks! }, { role: 'user', content: 'And?' }] });
    expect((body(1).input as readonly JsonObject[])[2]).toEqual({
      type: 'reasoning',
      id: thought.id,
      summary: [],
      encrypted_content: thought.content,
    });
    expect(refusals).toEqual([]);
  });

  test('that can no longer be read are left out, and that is said', async () => {
    const refusing = ({ body }: WireRequest): WireReply =>
      (body.input as readonly JsonObject[]).some(({ type }) => type === 'reasoning')
        ? { type: 'failure', kind: 'bad-request', message: 'The encrypted content gAAA could not be verified.' }
        : ok;
    const { client } = await connect(refusing);
    const messages: Message[] = [
      ...ask.messages,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: '', signature, redacted: true },
          { type: 'text', text: 'Well.' },
        ],
      },
      { role: 'user', content: 'And?' },
    ];
    expect((await client.call({ ...ask, messages })).left_out).toEqual(['thoughts']);
  });

  test('of several parts are paragraphs, streamed and whole', async () => {
    const summary = [
      { type: 'summary_text', text: 'First.' },
      { type: 'summary_text', text: 'Then.' },
    ];
    const output = [
      { type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'e' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] },
    ];
    const place = { item_id: 'rs_1', output_index: 0 };
    const client = await streaming([
      { type: 'response.reasoning_summary_part.added', ...place, summary_index: 0 },
      { type: 'response.reasoning_summary_text.delta', ...place, summary_index: 0, delta: 'First.' },
      { type: 'response.reasoning_summary_part.added', ...place, summary_index: 1 },
      { type: 'response.reasoning_summary_text.delta', ...place, summary_index: 1, delta: 'Then.' },
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, delta: 'Yes.' },
      { type: 'response.completed', response: { id: 'resp_1', model: 'm', status: 'completed', output } },
    ]);
    const { parts, completion } = await readParts(client, ask);
    expect(parts.map((part) => (part.type === 'thinking' ? part.text : '')).join('')).toBe('First.\n\nThen.');
    expect(completion?.blocks).toEqual([
      { type: 'thinking', text: 'First.\n\nThen.', signature: 'rs_1 e' },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  test('are what the model says on the way, by its phase', async () => {
    const message = (phase: string, text: string) => ({
      type: 'message',
      role: 'assistant',
      phase,
      content: [{ type: 'output_text', text }],
    });
    const output = [message('commentary', 'I look.'), message('final_answer', 'Yes.')];
    const client = await streaming([
      { type: 'response.output_item.added', output_index: 0, item: { ...message('commentary', ''), content: [] } },
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, delta: 'I look.' },
      { type: 'response.output_item.added', output_index: 1, item: { ...message('final_answer', ''), content: [] } },
      { type: 'response.output_text.delta', item_id: 'msg_2', output_index: 1, delta: 'Yes.' },
      { type: 'response.completed', response: { id: 'resp_1', model: 'm', status: 'completed', output } },
    ]);
    const { parts, completion } = await readParts(client, ask);
    expect(parts.slice(0, 2)).toEqual([
      { type: 'thinking', text: 'I look.' },
      { type: 'text', text: 'Yes.' },
    ]);
    expect(completion).toMatchObject({ text: 'Yes.', blocks: [{ type: 'thinking', text: 'I look.' }, { type: 'text' }] });
  });
});

describe('an answer', () => {
  test('tells cached, written and thought tokens', async () => {
    const usage = {
      prompt_tokens: 3000,
      completion_tokens: 200,
      total_tokens: 3200,
      cached_tokens: 1024,
      cache_write_tokens: 512,
      reasoning_tokens: 128,
    };
    const { client } = await connect({ ...ok, usage });
    expect((await client.call(ask)).usage).toEqual(usage);
    expect((await readParts(client, ask)).completion?.usage).toEqual(usage);
  });

  test('that failed is an error with its code, in a stream too', async () => {
    const failed = {
      id: 'resp_1',
      status: 'failed',
      error: { code: 'rate_limit_exceeded', message: 'Too many tokens at once.' },
      output: [],
    };
    const client = await streaming([{ type: 'response.failed', response: failed }]);
    expect(await failure(readParts(client, ask))).toMatchObject({ reason: 'rate-limit', recoverable: true });
  });

  test('may break off with the error object that the API really sends', async () => {
    const client = await streaming([{ type: 'error', error: { type: 'server_error', code: 'server_error', message: 'Sorry.' } }]);
    expect(await failure(readParts(client, ask))).toMatchObject({ reason: 'server', message: expect.stringContaining('Sorry.') as string });
  });

  test('of a server that sends the output only with the end is read from there', async () => {
    const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'All of it.' }] }];
    const client = await streaming([{ type: 'response.completed', response: { id: 'resp_1', status: 'completed', output } }]);
    expect((await readParts(client, ask)).completion).toMatchObject({ text: 'All of it.', finish_reason: 'stop', model: ask.model });
  });
});

test.each([
  [
    'waits for a call that nothing here carries out',
    [{ type: 'custom_tool_call', call_id: 'c1', name: 'x', input: 'y' }],
    'custom_tool_call',
  ],
  ['waits for a person', [{ type: 'mcp_approval_request', id: 'm1', name: 'x', arguments: '{}' }], 'mcp_approval_request'],
  ['is of a later version', [{ type: 'something_new' }], 'something_new'],
  ['has a part of a later version', [{ type: 'message', content: [{ type: 'output_image' }] }], 'output_image'],
  ['is an image, too', [{ type: 'image_generation_call', id: 'i1', status: 'completed', result: 'AA' }], 'image_generation_call'],
  ['ran a tool at the vendor', [{ type: 'web_search_call', id: 'w1', status: 'completed' }], undefined],
  [
    'ran a shell at the vendor',
    [
      { type: 'shell_call', call_id: 's1' },
      { type: 'shell_call_output', call_id: 's1' },
    ],
    undefined,
  ],
])('a response that %s', async (_what, items, unread) => {
  const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] };
  const response = { id: 'r', status: 'completed', output: [...items, message] };
  const client = await streaming([{ type: 'response.completed', response }]);
  if (unread === undefined) expect((await readParts(client, ask)).completion).toMatchObject({ text: 'Done.', finish_reason: 'stop' });
  else expect(await failure(readParts(client, ask))).toMatchObject({ reason: 'incomplete', details: { finish_reason: unread } });
});
