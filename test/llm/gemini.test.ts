import { afterEach, describe, expect, test } from 'vitest';
import type { LlmError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import type { Completion, LlmRequest, LlmSettings, ResponseFormat } from '../../core/llm/types.js';
import { gemini } from './conformance/geminiWire.js';
import type { WireReply, WireRequest } from './conformance/wire.js';
import { startWireServer, type WireServer } from './conformance/wireServer.js';
import { failure } from './failure.js';
import { readStream, type TestClient, type TestClientOptions, testClient } from './testClient.js';

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const ask: LlmRequest = {
  model: 'gemini-3.8-flash',
  messages: [
    { role: 'system', content: 'You choose.' },
    { role: 'user', content: 'task = "x"' },
  ],
};
const ok: WireReply = { type: 'answer', blocks: [{ type: 'text', pieces: ['{"tone":', '"x"}'] }] };
const schema = { type: 'object', properties: { tone: { type: 'string' } }, required: ['tone'], additionalProperties: false } as const;
const response_format: ResponseFormat = { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } };
const asText = `You choose.\nOutput schema: ${JSON.stringify(schema)}`;
const tools = [{ name: 'clock', description: 'The time.', parameters: { type: 'object', properties: {} } }];
const variables = { GEMINI_API_KEY: 'AIza-test-key' };

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
  const server = await startWireServer(gemini, script);
  servers.push(server);
  const client = testClient({ provider: 'gemini', base_url: server.baseUrl, ...settings }, { variables, ...options });
  return { client, server, body: (index = 0) => server.requests[index]!.body };
}

const systemOf = (body: JsonObject) => (body.systemInstruction as { parts: { text: string }[] }).parts[0]!.text;
const partsOf = (body: JsonObject, turn: number) => (body.contents as readonly { parts: JsonObject[] }[])[turn]!.parts;

describe('a request', () => {
  test('has the published shape and no header but what it needs; the key is not in the address', async () => {
    const { client, server, body } = await connect(ok);
    await client.call({ ...ask, max_tokens: 256, temperature: 0, top_p: 0.9, stop: ['END'], tools });
    expect(body()).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'task = "x"' }] }],
      systemInstruction: { parts: [{ text: 'You choose.' }] },
      tools: [
        { functionDeclarations: [{ name: 'clock', description: 'The time.', parametersJsonSchema: { type: 'object', properties: {} } }] },
      ],
      generationConfig: { temperature: 0, topP: 0.9, maxOutputTokens: 256, stopSequences: ['END'] },
    });
    const { path, headers } = server.requests[0]!;
    expect(path).toBe('/v1beta/models/gemini-3.8-flash:generateContent');
    const { host, connection, accept, ...sent } = headers;
    expect(sent).toEqual({
      'content-type': 'application/json',
      'content-length': expect.any(String) as string,
      'user-agent': 'agent-stack',
      'x-goog-api-key': 'AIza-test-key',
    });
  });

  test('leaves out what was not asked for', async () => {
    const { client, body } = await connect(ok);
    await client.call({ ...ask, messages: [{ role: 'user', content: 'x' }] });
    expect(body()).toEqual({ contents: [{ role: 'user', parts: [{ text: 'x' }] }] });
  });

  test('carries the options of the profile, under its own fields', async () => {
    const options = {
      generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' }, temperature: 1.5, seed: 7 },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      contents: [],
    };
    const { client, server, body } = await connect(ok, { options });
    await client.call({ ...ask, temperature: 0, response_format });
    expect(body()).toMatchObject({
      safetySettings: options.safetySettings,
      generationConfig: {
        thinkingConfig: { thinkingLevel: 'LOW' },
        seed: 7,
        temperature: 0,
        responseMimeType: 'application/json',
        responseJsonSchema: schema,
      },
    });
    expect(server.refusals).toEqual([]);
  });

  test.each([
    ['', '/v1beta'],
    ['/', '/v1beta'],
    ['/v1beta/', '/v1beta'],
    ['/v1', '/v1'],
    ['/gateway/gemini', '/gateway/gemini/v1beta'],
    ['/gateway/v1alpha?team=a', '/gateway/v1alpha'],
  ])('with %j at the end of base_url goes below %s', async (end, path) => {
    const { server } = await connect(ok);
    const { origin } = new URL(server.baseUrl);
    const client = testClient({ provider: 'gemini', base_url: `${origin}${end}` }, { variables });
    await client.call(ask).catch(() => undefined);
    await readStream(client, { ...ask, model: 'tunedModels/my model' });
    const query = end.includes('?') ? '?team=a' : '';
    expect(server.requests.map((request) => request.path)).toEqual([
      `${path}/models/gemini-3.8-flash:generateContent${query}`,
      `${path}/tunedModels/my%20model:streamGenerateContent${query === '' ? '?' : `${query}&`}alt=sse`,
    ]);
  });

  test('reads nothing from the variables that the SDK looks at', async () => {
    const stolen = { GOOGLE_API_KEY: 'of-the-process', GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9' };
    const before = { ...process.env };
    Object.assign(process.env, stolen);
    try {
      const { client, server } = await connect(ok);
      expect((await client.call(ask)).text).toBe('{"tone":"x"}');
      expect(gemini.keyOf(server.requests[0]!)).toBe('AIza-test-key');
      const keyless = testClient({ provider: 'gemini', base_url: server.baseUrl }, { variables: { GOOGLE_API_KEY: 'AIza-other' } });
      expect(await failure(keyless.call(ask))).toMatchObject({ reason: 'no-key' });
    } finally {
      for (const name of Object.keys(stolen)) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  test('works with the global fetch as well', async () => {
    const { client } = await connect(ok, {}, { fetch: globalThis.fetch });
    expect((await client.call(ask)).text).toBe('{"tone":"x"}');
    expect((await readStream(client, ask)).texts).toEqual(['{"tone":', '"x"}']);
  });
});

describe('signatures', () => {
  test('of thoughts, texts and calls go back where they were', async () => {
    const { client, body, server } = await connect([
      {
        type: 'answer',
        blocks: [
          { type: 'thinking', pieces: ['I need ', 'the time.'] },
          { type: 'text', pieces: ['Let me ', 'look.'] },
          { type: 'redacted', signature: 'c2lnLXRleHQ=' },
          { type: 'tool-use', id: 'x7k2', name: 'clock', input: { zone: 'CET' }, signature: 'c2lnLWNhbGw=' },
          { type: 'tool-use', id: 'x7k3', name: 'clock', input: {} },
        ],
      },
      ok,
    ]);
    const first = (await readStream(client, { ...ask, tools })).completion as Completion;
    expect(first).toMatchObject({ text: 'Let me look.', finish_reason: 'tool_use' });
    const results = ['x7k2', 'x7k3'].map((id) => ({ type: 'tool_result', tool_use_id: id, name: 'clock', content: '12:00' }) as const);
    const messages = [...ask.messages, { role: 'assistant', content: first.blocks! } as const, { role: 'user', content: results } as const];
    await client.call({ ...ask, tools, messages });
    expect(partsOf(body(1), 1)).toEqual([
      { text: 'Let me look.' },
      { text: '', thoughtSignature: 'c2lnLXRleHQ=' },
      { functionCall: { id: 'x7k2', name: 'clock', args: { zone: 'CET' } }, thoughtSignature: 'c2lnLWNhbGw=' },
      { functionCall: { id: 'x7k3', name: 'clock', args: {} } },
    ]);
    expect(partsOf(body(1), 2)).toEqual(
      ['x7k2', 'x7k3'].map((id) => ({ functionResponse: { id, name: 'clock', response: { output: '12:00' } } })),
    );
    expect(server.refusals).toEqual([]);
  });

  test('that are lost have the stand-in that Gemini 3 takes; older models need none', async () => {
    const { client, body, server } = await connect(ok);
    const messages: LlmRequest['messages'] = [
      ...ask.messages,
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call_1', name: 'clock', input: {} },
          { type: 'tool_use', id: 'call_2', name: 'clock', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', name: 'clock', content: '12:00' },
          { type: 'tool_result', tool_use_id: 'call_2', name: 'clock', content: 'No.', is_error: true },
        ],
      },
    ];
    await client.call({ ...ask, messages });
    // Ids that we made up are not sent.
    const call = { functionCall: { name: 'clock', args: {} } };
    expect(partsOf(body(), 1)).toEqual([{ ...call, thoughtSignature: 'skip_thought_signature_validator' }, call]);
    expect(partsOf(body(), 2)).toEqual([
      { functionResponse: { name: 'clock', response: { output: '12:00' } } },
      { functionResponse: { name: 'clock', response: { error: 'No.' } } },
    ]);
    await client.call({ ...ask, model: 'gemini-2.5-flash', messages });
    expect(partsOf(body(1), 1)).toEqual([call, call]);
    expect(server.refusals).toEqual([]);
  });
});

describe('the schema of the answer', () => {
  test('goes beside tools to Gemini 3, and as text to models before it', async () => {
    const { client, body, server } = await connect(ok);
    expect(await client.call({ ...ask, tools, response_format })).toMatchObject({ left_out: [] });
    expect(body().generationConfig).toMatchObject({ responseJsonSchema: schema });
    const old = { ...ask, model: 'gemini-2.5-flash', response_format };
    expect(await client.call({ ...old, tools })).toMatchObject({ left_out: ['response_format'] });
    expect(systemOf(body(1))).toBe(asText);
    expect(body(1)).not.toHaveProperty('generationConfig');
    expect(await client.call(old)).toMatchObject({ left_out: [] });
    expect(server.requests).toHaveLength(3);
    expect(server.refusals).toEqual([]);
  });

  test.each([
    "Function calling with a response mime type: 'application/json' is unsupported",
    'The specified schema produces a constraint that has too many states for serving.',
    'Invalid JSON payload received. Unknown name "$ref" at \'generation_config.response_json_schema\': Cannot find field.',
  ])('that is refused (%s) goes as text, once learnt at once', async (message) => {
    const fits = ({ body }: WireRequest) => (body.generationConfig as JsonObject | undefined)?.responseJsonSchema === undefined;
    const { client, server, body } = await connect((request) => (fits(request) ? ok : { type: 'failure', kind: 'bad-request', message }));
    expect(await client.call({ ...ask, response_format })).toMatchObject({ left_out: ['response_format'], attempts: 1 });
    expect(systemOf(body(1))).toBe(asText);
    await client.call({ ...ask, response_format });
    expect(server.requests).toHaveLength(3);
  });
});

test('parameters a model refuses are left out when known, or learnt from its words', async () => {
  const known = await connect(ok, {}, { unsupported: ['temperature', 'top_p'] });
  expect(await known.client.call({ ...ask, temperature: 0 })).toMatchObject({ left_out: ['temperature'] });
  expect(known.body()).not.toHaveProperty('generationConfig');
  const message = 'top_p is not supported by this model.';
  const fits = ({ body }: WireRequest) => (body.generationConfig as JsonObject).topP === undefined;
  const learning = await connect((request) => (fits(request) ? ok : { type: 'failure', kind: 'bad-request', message }));
  expect(await learning.client.call({ ...ask, temperature: 0, top_p: 0.9 })).toMatchObject({ left_out: ['top_p'] });
  expect(learning.body(1).generationConfig).toEqual({ temperature: 0 });
});

describe('an answer', () => {
  async function answer(chunks: readonly JsonObject[], status = 200) {
    const body = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('');
    const text = status === 200 ? body : JSON.stringify(chunks[0]);
    const type = status === 200 ? 'text/event-stream' : 'application/json';
    const fetch: typeof globalThis.fetch = () => Promise.resolve(new Response(text, { status, headers: { 'content-type': type } }));
    const client = testClient({ provider: 'gemini' }, { variables, fetch });
    return { ...(await readStream(client, ask)), waits: client.waits };
  }
  const ended = (finishReason: string, parts: readonly JsonObject[] = [{ text: 'half' }], more: JsonObject = {}): JsonObject => ({
    candidates: [{ content: { role: 'model', parts }, finishReason, index: 0, ...more }],
  });

  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['CONTINUATION', 'length'],
  ])('that ended by %s ended by %s', async (finishReason, finish_reason) => {
    expect((await answer([ended(finishReason)])).completion).toMatchObject({ finish_reason, text: 'half' });
  });

  test.each([
    ['MALFORMED_FUNCTION_CALL', true],
    ['UNEXPECTED_TOOL_CALL', true],
    ['TOO_MANY_TOOL_CALLS', true],
    ['OTHER', true],
    ['LANGUAGE', false],
    ['SOMETHING_NEW', false],
  ])('that ended by %s is not complete; that another try may help: %s', async (finishReason, recoverable) => {
    const call = { functionCall: { name: 'get_weather', args: { place: 'Paris' } } };
    const { error, completion } = await answer([ended(finishReason, [call], { finishMessage: 'Malformed function call: x(' })]);
    expect(completion).toBeUndefined();
    expect(error).toMatchObject({ reason: 'incomplete', recoverable, details: { finish_reason: finishReason } });
    expect((error as Error).message).toContain('Malformed function call: x(');
  });

  test.each(['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'])('that %s cut off is an error', async (finishReason) => {
    const { error, texts } = await answer([ended(finishReason, [{ text: 'half' }], { finishMessage: 'Words.' })]);
    expect(error).toMatchObject({ reason: 'content-filter', attempts: 1 });
    expect((error as LlmError).message).toBe(
      `A content filter of gemini cut the answer off (${finishReason}): Words. Change the prompt or the input.`,
    );
    expect(texts).toEqual(['half']);
  });

  test('to a prompt that was blocked is an error that says why', async () => {
    const { error } = await answer([{ promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: 'Words' } }]);
    expect(error).toMatchObject({
      reason: 'content-filter',
      message: 'gemini filtered the prompt out (SAFETY): Words. Change the prompt or the input.',
    });
  });

  test('counts thoughts as part of it, and what was cached as part of the prompt', async () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 64,
      toolUsePromptTokenCount: 5,
      candidatesTokenCount: 7,
      thoughtsTokenCount: 30,
      totalTokenCount: 142,
    };
    const { completion } = await answer([{ ...ended('STOP'), usageMetadata, modelVersion: 'gemini-3.8-flash-001', responseId: 'r1' }]);
    expect(completion).toMatchObject({
      usage: { prompt_tokens: 105, completion_tokens: 37, total_tokens: 142, cached_tokens: 64 },
      model: 'gemini-3.8-flash-001',
      id: 'r1',
    });
  });

  test('whose calls have no ids gets some, unlike any in the conversation', async () => {
    const part = { functionCall: { name: 'clock', args: { a: 1 } } };
    const { completion } = await answer([ended('STOP', [part, { functionCall: { name: 'clock' } }])]);
    expect(completion?.blocks).toEqual([
      { type: 'tool_use', id: 'call_1', name: 'clock', input: { a: 1 } },
      { type: 'tool_use', id: 'call_2', name: 'clock', input: {} },
    ]);
    expect(completion?.finish_reason).toBe('tool_use');
  });

  test('with a part that is not text is not complete; what ran at the vendor is left out', async () => {
    const ran = { executableCode: { code: '1+1', language: 'PYTHON' } };
    expect((await answer([ended('STOP', [ran, { text: 'Two.' }])])).completion).toMatchObject({ text: 'Two.' });
    const image = { inlineData: { mimeType: 'image/png', data: 'aGk=' } };
    expect(await answer([ended('STOP', [{ text: 'Here.' }, image])])).toMatchObject({
      completion: undefined,
      error: { reason: 'incomplete', details: { finish_reason: 'inlineData' } },
    });
  });

  test('without a reason for its end is none', async () => {
    const chunk = { candidates: [{ content: { parts: [{ text: 'half' }] } }] };
    expect(await answer([chunk])).toMatchObject({ completion: undefined, error: { reason: 'network' } });
  });

  test('that is an error is waited for as its details say', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2.5s' }];
    const error = { code: 429, message: 'You exceeded your current quota.', status: 'RESOURCE_EXHAUSTED', details };
    const got = await answer([{ error }], 429);
    expect(got.error).toMatchObject({ reason: 'rate-limit', attempts: 3, message: expect.stringContaining('current quota') as string });
    expect(got.waits).toEqual([2500, 2500]);
  });

  test('of an error in a list, as streams have it, is read', async () => {
    const error = { code: 404, message: 'models/x is not found', status: 'NOT_FOUND' };
    const fetch: typeof globalThis.fetch = () => Promise.resolve(new Response(JSON.stringify([{ error }]), { status: 404 }));
    const { error: caught } = await readStream(testClient({ provider: 'gemini' }, { variables, fetch }), ask);
    expect(caught).toMatchObject({ reason: 'not-found', status: 404, message: expect.stringContaining('models/x is not found') as string });
  });
});
