import OpenAI, { APIError } from 'openai';
import { afterEach, expect, test } from 'vitest';
import { chatCompletion, chatStream } from '../support/loopbackAnswer.js';
import { createRequestCheck, declaredValidator } from '../support/loopbackCheck.js';
import type { LoopbackReply } from '../support/loopbackOpenAi.js';
import { type LoopbackOptions, type LoopbackScript, type LoopbackServer, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';

let server: LoopbackServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function connect(script: LoopbackScript, options?: LoopbackOptions): Promise<OpenAI> {
  server = await startLoopbackOpenAi(script, options);
  return new OpenAI({ apiKey: 'sk-test', baseURL: server.url, maxRetries: 0 });
}

const messages = [{ role: 'user' as const, content: 'hello' }];

test('the plain SDK reads a whole answer', async () => {
  const client = await connect({ text: '{"a":1}', usage: { prompt_tokens: 7, completion_tokens: 3, cached_tokens: 2 } });
  const answer = await client.chat.completions.create({ model: 'gpt-4.1-mini', messages });
  expect(answer.choices[0]?.message.content).toBe('{"a":1}');
  expect(answer.usage?.total_tokens).toBe(10);
  expect(server?.requests[0]).toMatchObject({ method: 'POST', path: '/v1/chat/completions', aborted: false });
});

test('the plain SDK reads a streamed answer with its usage', async () => {
  const client = await connect({ text: ['{"a"', ':', '1}'], slice: 7 });
  const stream = await client.chat.completions.create({ model: 'm', messages, stream: true, stream_options: { include_usage: true } });
  let text = '';
  let total: number | undefined;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? '';
    total = chunk.usage?.total_tokens ?? total;
  }
  expect(text).toBe('{"a":1}');
  expect(total).toBeGreaterThan(0);
});

test('what it answers fits the types the SDK declares', () => {
  const request = { method: 'POST', path: '/', headers: {}, body: { model: 'm', stream_options: { include_usage: true } }, aborted: false };
  const replies: LoopbackReply[] = [{}, { text: ['a', 'b'] }, { refusal: 'I cannot help.' }, { finish_reason: 'length' }];
  const fitsWhole = declaredValidator('ChatCompletion');
  const fitsChunk = declaredValidator('ChatCompletionChunk');
  for (const reply of replies) {
    expect(fitsWhole(chatCompletion(request, reply)), JSON.stringify(fitsWhole.errors)).toBe(true);
    const events = chatStream(request, reply).trim().split('\n\n');
    expect(events.pop()).toBe('data: [DONE]');
    for (const event of events) expect(fitsChunk(JSON.parse(event.slice('data: '.length))), event).toBe(true);
  }
});

test.each([
  ['an unknown field', { max_output_tokens: 5 }, "Unknown parameter: 'max_output_tokens'."],
  ['an unknown field of a message', { messages: [{ role: 'user', content: 'x', id: 1 }] }, "Unknown parameter: 'messages.0.id'."],
  ['a string for a number', { temperature: '0' }, "Invalid value for 'temperature'"],
  ['a temperature past 2', { temperature: 2.5 }, "Invalid 'temperature'"],
  ['stream options without a stream', { stream_options: { include_usage: true } }, "The 'stream_options' parameter"],
  ['no message', { messages: [] }, "Invalid 'messages'"],
  ['five texts that end the answer', { stop: ['a', 'b', 'c', 'd', 'e'] }, "Invalid 'stop'"],
  ['a tool with a dot in its name', { tools: [{ type: 'function', function: { name: 'a.b' } }] }, "Invalid 'tools[0].function.name'"],
  [
    'a tool whose input is not an object',
    { tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'string' } } }] },
    "Invalid schema for function 'a'",
  ],
  ['a result without its call', { messages: [{ role: 'tool', tool_call_id: 'call_1', content: '' }] }, "messages with role 'tool'"],
  [
    'a tool call without its result',
    {
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'a', arguments: '{}' } }] },
        { role: 'user', content: 'x' },
      ],
    },
    'Missing: call_1',
  ],
  [
    'a schema name with a space',
    { response_format: { type: 'json_schema', json_schema: { name: 'a b', schema: { type: 'object' } } } },
    "Invalid 'response_format.json_schema.name'",
  ],
  [
    'a strict schema with an optional property',
    {
      response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema: { type: 'object', properties: { x: {} } } } },
    },
    'Invalid schema for response_format',
  ],
])('the check refuses %s', (_, change, message) => {
  const check = createRequestCheck();
  expect(check({ model: 'm', messages })).toBeUndefined();
  expect(check({ model: 'm', messages, ...change })?.message).toContain(message);
});

test('a request without a model is refused over the wire with status 400', async () => {
  const client = await connect({});
  const call = client.post('/chat/completions', { body: { messages } });
  await expect(call).rejects.toMatchObject({ status: 400, code: 'missing_required_parameter', param: 'model' });
});

test('a wrong key and a wrong path are refused as the provider does', async () => {
  const client = await connect({}, { key: 'sk-right' });
  await expect(client.chat.completions.create({ model: 'm', messages })).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
  await expect(client.post('/completion', { body: {} })).rejects.toMatchObject({ status: 404 });
});

test('replies come in order and the last one stays', async () => {
  const client = await connect([{ error: { message: 'busy' }, status: 503 }, { text: 'one' }, { text: 'two' }]);
  const ask = () => client.chat.completions.create({ model: 'm', messages }).then((answer) => answer.choices[0]?.message.content);
  await expect(ask()).rejects.toBeInstanceOf(APIError);
  expect([await ask(), await ask(), await ask()]).toEqual(['one', 'two', 'two']);
});
