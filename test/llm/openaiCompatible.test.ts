import { afterEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import type { LlmRequest, LlmSettings } from '../../core/llm/types.js';
import { type LoopbackReply, type LoopbackScript, type LoopbackServer, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { readStream, request, type TestClient, type TestClientOptions, testClient } from './testClient.js';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function connect(
  script: LoopbackScript,
  settings: Partial<LlmSettings> = {},
  options: TestClientOptions = {},
): Promise<{ client: TestClient; server: LoopbackServer }> {
  const server = await startLoopbackOpenAi(script, { lenient: true });
  servers.push(server);
  return {
    client: testClient({ provider: 'openai_compatible', base_url: server.url, ...settings }, { variables: {}, ...options }),
    server,
  };
}

const full: LlmRequest = {
  ...request,
  model: 'llama3.2',
  temperature: 0,
  max_tokens: 64,
  response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: false, schema: { type: 'object' } } },
};

test('base_url is required, and the message shows one', async () => {
  await expect(testClient({ provider: 'openai_compatible' }).call(request)).rejects.toMatchObject({
    reason: 'bad-request',
    message: 'The provider openai_compatible needs base_url, such as "http://127.0.0.1:11434/v1" for Ollama.',
  });
});

describe('a request', () => {
  test('says max_tokens and carries no key when there is none', async () => {
    const { client, server } = await connect({}, {}, { variables: { OPENAI_API_KEY: 'sk-of-somebody-else' } });
    await client.call(full);
    expect(server.requests[0]?.body).toEqual({
      model: 'llama3.2',
      messages: request.messages,
      temperature: 0,
      max_tokens: 64,
      response_format: full.response_format,
    });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('carries a key when one is configured, which then must be there', async () => {
    const { client, server } = await connect({}, { api_key_env: 'ROUTER_KEY' }, { variables: { ROUTER_KEY: 'sk-router' } });
    await client.call(full);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-router');
    const without = await connect({}, { api_key_env: 'ROUTER_KEY' });
    await expect(without.client.call(full)).rejects.toMatchObject({ reason: 'no-key' });
  });

  test('leaves the response format out where options say so, or sends another one', async () => {
    const none = await connect({}, { options: { response_format: 'none', num_ctx: 8192 } });
    await none.client.call(full);
    expect(none.server.requests[0]?.body).toMatchObject({ num_ctx: 8192 });
    expect(none.server.requests[0]?.body).not.toHaveProperty('response_format');
    const plain = await connect({}, { options: { response_format: { type: 'json_object' } } });
    await plain.client.call(full);
    expect(plain.server.requests[0]?.body.response_format).toEqual({ type: 'json_object' });
  });
});

describe('an answer', () => {
  test.each<[string, LoopbackReply]>([
    ['usage', { omit: ['usage'] }],
    ['ids and a model', { omit: ['id', 'model'] }],
    ['[DONE]', { omit: ['done'] }],
    ['usage, ids and [DONE]', { omit: ['usage', 'id', 'model', 'done'] }],
  ])('may lack %s', async (_, reply) => {
    const { client } = await connect({ text: ['{"a"', ':1}'], ...reply });
    const lacks = (part: string) => reply.omit?.includes(part as never) ?? false;
    const expected = {
      text: '{"a":1}',
      finish_reason: 'stop',
      model: 'llama3.2',
      ...(lacks('usage') && { usage: undefined }),
      ...(lacks('id') && { id: undefined }),
    };
    expect(await client.call(full)).toMatchObject(expected);
    const { texts, completion } = await readStream(client, full);
    expect(texts).toEqual(['{"a"', ':1}']);
    expect(completion).toMatchObject(expected);
  });

  test('without a finish reason is not known to be whole', async () => {
    const { client } = await connect({ text: ['{"a"', ':1}'], omit: ['finish_reason'] });
    expect(await client.call(full).catch((error: unknown) => error)).toMatchObject({
      reason: 'incomplete',
      details: { reason: 'incomplete' },
    });
    expect((await readStream(client, full)).error).toMatchObject({ reason: 'incomplete' });
  });

  test('without both [DONE] and a finish reason is half a stream', async () => {
    const { client } = await connect({ text: ['{"a"', ':1}'], omit: ['done', 'finish_reason'] });
    expect((await readStream(client, full)).error).toMatchObject({ reason: 'network' });
  });

  test('may begin with reasoning, which is not part of it', async () => {
    const { client } = await connect({ reasoning: 'Let me think.', text: ['{"a":1}'] });
    expect((await client.call(full)).text).toBe('{"a":1}');
    expect((await readStream(client, full)).texts).toEqual(['{"a":1}']);
  });

  test('may come whole where a stream was asked for', async () => {
    const body = { id: 'x', model: 'm', choices: [{ message: { content: '{"a":1}' }, finish_reason: 'stop' }] };
    const { client } = await connect({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
    expect(await readStream(client, full)).toMatchObject({ texts: ['{"a":1}'], completion: { text: '{"a":1}', id: 'x' } });
  });

  test('may have its text in parts, comments between its events, and more than one choice', async () => {
    const event = (choices: unknown) => `: keep-alive\n\ndata: ${JSON.stringify({ choices })}\n\n`;
    const body = [
      event([{ index: 1, delta: { content: 'other' } }]),
      event([
        {
          index: 0,
          delta: {
            content: [
              { type: 'thinking', thinking: 'hm' },
              { type: 'text', text: 'a' },
            ],
          },
        },
      ]),
      'data:\n\n',
      event([{ index: 0, delta: { content: 'b' }, finish_reason: 'stop' }]),
      'data: [DONE]',
    ].join('');
    const { client } = await connect({ body });
    expect(await readStream(client, full)).toMatchObject({ texts: ['a', 'b'], completion: { text: 'ab', finish_reason: 'stop' } });
  });

  test.each<[string, JsonObject]>([
    [
      'image_url',
      {
        content: [
          { type: 'text', text: 'See:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        ],
      },
    ],
    ['hologram', { content: [{ type: 'hologram' }] }],
    ['audio', { content: 'Hear:', audio: { id: 'a', data: 'AA', transcript: 'Hi' } }],
    ['images', { content: 'See:', images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] }],
    ['custom', { content: null, tool_calls: [{ index: 0, id: 'c', type: 'custom', custom: { name: 'x', input: 'y' } }] }],
  ])('with a part that is not read here (%s) is not complete, and names it', async (type, message) => {
    const choice = (fields: JsonObject) =>
      JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, finish_reason: 'stop', ...fields }] });
    const whole = await connect({ body: choice({ message }) });
    const streamed = await connect({ body: `data: ${choice({ delta: message })}\n\ndata: [DONE]\n\n` });
    const expected = { reason: 'incomplete', details: { finish_reason: type } };
    expect(await whole.client.call(full).catch((error: unknown) => error)).toMatchObject(expected);
    expect((await readStream(streamed.client, full)).error).toMatchObject(expected);
  });

  test('may cite, and refuse in a part', async () => {
    const body = (content: Json) => JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] });
    const cites = await connect({
      body: body([
        { type: 'text', text: 'a' },
        { type: 'reference', reference_ids: [1] },
      ]),
    });
    expect((await cites.client.call(full)).text).toBe('a');
    const refuses = await connect({ body: body([{ type: 'refusal', refusal: 'I will not.' }]) });
    expect(await refuses.client.call(full).catch((error: unknown) => error)).toMatchObject({ reason: 'refusal' });
  });

  test('whose connection stays open after [DONE] ends all the same', async () => {
    const body = 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    const { client, server } = await connect({ body: `${body}${': padding\n'.repeat(40)}`, fault: 'hang-mid-body' });
    expect(await readStream(client, full)).toMatchObject({ texts: ['a'], completion: { text: 'a' } });
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });

  test('with hostile shapes is an error or nothing, never a crash', async () => {
    const shapes = [
      'null',
      '1',
      '[]',
      '{"choices":1}',
      '{"choices":[null]}',
      '{"choices":[{"delta":1}]}',
      '{"choices":[{"delta":{"content":{"x":1}}}]}',
    ];
    for (const shape of shapes) {
      const { client } = await connect({ body: `data: ${shape}\n\ndata: {"usage":{"prompt_tokens":"many"}}\n\ndata: [DONE]\n\n` });
      const { texts, completion, error } = await readStream(client, full);
      expect(texts).toEqual([]);
      expect(error === undefined ? completion?.text : (error as { code: string }).code).toBe(error === undefined ? '' : 'llm');
    }
  });
});

describe('a failure', () => {
  test.each<[string, LoopbackReply, string, string]>([
    [
      'Ollama',
      { status: 404, body: '{"error":"model \\"llama3.2\\" not found"}' },
      'not-found',
      'model "llama3.2" not found. Check model_name ("llama3.2")',
    ],
    ['FastAPI', { status: 422, body: '{"detail":[{"loc":["body"],"msg":"field required"}]}' }, 'bad-request', '"msg":"field required"'],
    [
      'vLLM',
      { status: 400, body: '{"object":"error","message":"maximum context length is 4096","code":400}' },
      'context-length',
      'Shorten the input',
    ],
    ['OpenRouter', { status: 402, body: '{"error":{"message":"Insufficient credits","code":402}}' }, 'quota', 'Add credit'],
    ['plain text', { status: 418, body: 'I am a teapot' }, 'bad-request', 'status 418: I am a teapot.'],
  ])('in the words of %s is understood', async (_, reply, reason, words) => {
    const { client, server } = await connect(reply);
    await expect(client.call(full)).rejects.toMatchObject({ reason, attempts: 1, message: expect.stringContaining(words) as string });
    await expect(client.call(full)).rejects.toMatchObject({
      message: expect.stringContaining(`openai_compatible at ${new URL(server.url).origin} answered`) as string,
    });
  });

  test.each([
    ['stream_options', 'Extra inputs are not permitted: stream_options', []],
    ['temperature', '`temperature` is deprecated for this model.', ['temperature']],
  ])('about %s alone makes the client leave it out', async (field, message, left_out) => {
    const { client, server } = await connect(({ body }) =>
      Object.hasOwn(body, field) ? { status: 422, error: { message } } : { text: ['ok'] },
    );
    expect((await readStream(client, full)).completion).toMatchObject({ text: 'ok', left_out });
    expect(server.requests).toHaveLength(2);
  });

  test('about max_tokens makes it use the newer name', async () => {
    const message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const { client, server } = await connect(({ body }) =>
      Object.hasOwn(body, 'max_tokens') ? { error: { message, code: 'unsupported_parameter', param: 'max_tokens' } } : {},
    );
    expect(await client.call(full)).toMatchObject({ left_out: [] });
    expect(server.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 64 });
  });
});
