import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { LlmError } from '../../core/errors.js';
import type { LlmRequest, LlmSettings, ResponseFormat } from '../../core/llm/types.js';
import { createNodeFetch } from '../../core/node/nodeFetch.js';
import {
  type LoopbackOptions,
  type LoopbackReply,
  type LoopbackScript,
  type LoopbackServer,
  startLoopbackOpenAi,
} from '../support/loopbackOpenAi.js';
import { failure } from './failure.js';
import { readStream, request, type TestClient, type TestClientOptions, testClient } from './testClient.js';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface Connected {
  readonly client: TestClient;
  readonly server: LoopbackServer;
}

async function connect(
  script: LoopbackScript,
  settings: Partial<LlmSettings> = {},
  options: TestClientOptions & LoopbackOptions = {},
): Promise<Connected> {
  const { key, tls, ...rest } = options;
  const server = await startLoopbackOpenAi(script, { ...(key && { key }), ...(tls && { tls }) });
  servers.push(server);
  return { client: testClient({ provider: 'openai', base_url: server.url, ...settings }, rest), server };
}

const response_format: ResponseFormat = {
  type: 'json_schema',
  json_schema: {
    name: 'answer',
    strict: true,
    schema: { type: 'object', properties: { tone: { type: 'string' } }, required: ['tone'], additionalProperties: false },
  },
};
const full: LlmRequest = { ...request, response_format, temperature: 0, top_p: 0.9, max_tokens: 256 };

describe('a request', () => {
  test('has the published shape, with the key, and no header but what it needs', async () => {
    const { client, server } = await connect({ text: '{"tone":"x"}' }, {}, { key: 'sk-test-key' });
    await client.call(full);
    expect(server.requests[0]?.body).toEqual({
      model: 'gpt-4.1-mini',
      messages: request.messages,
      temperature: 0,
      top_p: 0.9,
      max_completion_tokens: 256,
      response_format,
    });
    const { host, connection, ...headers } = server.requests[0]!.headers;
    expect(headers).toEqual({
      accept: 'application/json',
      authorization: 'Bearer sk-test-key',
      'content-type': 'application/json',
      'content-length': expect.any(String) as string,
      'user-agent': 'agent-stack',
    });
  });

  test('for a stream asks for usage, too', async () => {
    const { client, server } = await connect({ text: ['{"tone":', '"x"}'] });
    await readStream(client, full);
    expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true }, max_completion_tokens: 256 });
  });

  test('leaves out what was not asked for, and serves fine-tuned models', async () => {
    const { client, server } = await connect({});
    await client.call({ ...request, model: 'ft:gpt-4.1-mini-2025-04-14:personal:a2:XXXX' });
    expect(server.requests[0]?.body).toEqual({ model: 'ft:gpt-4.1-mini-2025-04-14:personal:a2:XXXX', messages: request.messages });
  });

  test('carries the options of the profile as they are, under its own fields', async () => {
    const options = {
      seed: 7,
      reasoning_effort: 'low',
      model: 'other',
      temperature: 1.5,
      stream: true,
      stream_options: { include_usage: true },
    };
    const { client, server } = await connect({}, { options });
    await client.call({ ...request, temperature: 0 });
    expect(server.requests[0]?.body).toEqual({
      model: 'gpt-4.1-mini',
      messages: request.messages,
      seed: 7,
      reasoning_effort: 'low',
      temperature: 0,
    });
  });

  test('reads nothing from the variables that the SDK looks at', async () => {
    const variables = {
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_ORG_ID: 'org-x',
      OPENAI_PROJECT_ID: 'proj-x',
      OPENAI_ADMIN_KEY: 'sk-admin',
      OPENAI_API_KEY: 'sk-of-the-process',
      OPENAI_CUSTOM_HEADERS: 'x-custom: 1\nauthorization: Bearer stolen',
      OPENAI_LOG: 'debug',
    };
    const before = { ...process.env };
    Object.assign(process.env, variables);
    try {
      const { client, server } = await connect({});
      await client.call(request);
      expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-test-key');
      expect(Object.keys(server.requests[0]!.headers).filter((name) => name.startsWith('x-') || name.startsWith('openai'))).toEqual([]);
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  test('keeps a query of the base URL', async () => {
    const server = await startLoopbackOpenAi({});
    servers.push(server);
    const error = await failure(testClient({ provider: 'openai', base_url: `${server.url}/?version=1` }).call(request));
    expect(error.reason).toBe('not-found');
    expect(server.requests[0]?.path).toBe('/v1/chat/completions?version=1');
  });

  test('runs over TLS and uses its connection again', async () => {
    const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/node', name), 'utf8');
    const tls = { key: fixture('test-only-key.pem'), cert: fixture('test-only-certificate.pem') };
    const fetch = createNodeFetch({ ca: tls.cert });
    const { client, server } = await connect({ text: ['a', 'b'] }, {}, { tls, fetch });
    await client.call(request);
    await readStream(client);
    await readStream(client);
    expect(server.connections()).toBe(1);
    fetch.close();
  });

  test('works with the global fetch as well', async () => {
    const { client } = await connect({ text: ['a', 'b'] }, {}, { fetch: globalThis.fetch });
    expect((await client.call(request)).text).toBe('ab');
    expect((await readStream(client)).texts).toEqual(['a', 'b']);
  });
});

describe('an answer', () => {
  test('comes with usage, finish reason, model and id', async () => {
    const { client } = await connect({ text: '{"tone":"x"}', usage: { prompt_tokens: 9, completion_tokens: 4, cached_tokens: 6 } });
    expect(await client.call(full)).toMatchObject({
      text: '{"tone":"x"}',
      finish_reason: 'stop',
      usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, cached_tokens: 6 },
      model: 'gpt-4.1-mini',
      id: 'chatcmpl-loopback',
      left_out: [],
      simulated: false,
      attempts: 1,
    });
  });

  test('streams the same, piece by piece', async () => {
    const { client } = await connect({ text: ['{"tone"', ':"grüße ', '😀"}'], usage: { prompt_tokens: 9, completion_tokens: 4 } });
    const { texts, completion } = await readStream(client, full);
    expect(texts).toEqual(['{"tone"', ':"grüße ', '😀"}']);
    expect(completion).toMatchObject({
      text: '{"tone":"grüße 😀"}',
      finish_reason: 'stop',
      usage: { total_tokens: 13 },
      id: 'chatcmpl-loopback',
    });
  });

  test.each<[string, LoopbackReply]>([
    ['one byte at a time', { slice: 1 }],
    ['seven bytes at a time', { slice: 7 }],
    ['with CRLF', { newline: '\r\n', slice: 5 }],
    ['with CR', { newline: '\r' }],
    ['in gzip', { encoding: 'gzip' }],
    ['in br', { encoding: 'br', slice: 10 }],
    ['after slow headers', { delay_ms: 30, pause_ms: 30 }],
  ])('arrives whole %s', async (_, how) => {
    const { client } = await connect({ text: ['größe ', '😀', ' end'], ...how });
    expect((await readStream(client)).texts.join('')).toBe('größe 😀 end');
    if (how.newline === undefined) expect((await client.call(request)).text).toBe('größe 😀 end');
  });

  test('cut by the output limit is a completion that says so', async () => {
    const { client } = await connect({ text: '{"tone": "in the mid', finish_reason: 'length' });
    expect(await client.call(full)).toMatchObject({ text: '{"tone": "in the mid', finish_reason: 'length' });
    expect((await readStream(client, full)).completion).toMatchObject({ finish_reason: 'length' });
  });

  test('that asks for a tool says so', async () => {
    const { client } = await connect({ text: '', finish_reason: 'tool_calls' });
    expect(await client.call(request)).toMatchObject({ text: '', finish_reason: 'tool_use' });
  });

  test.each<[LoopbackReply, string, string]>([
    [{ refusal: 'I cannot help with that.' }, 'refusal', 'The model refused: I cannot help with that. Change the prompt'],
    [{ text: 'half an ans', finish_reason: 'content_filter' }, 'content-filter', 'cut the answer off'],
  ])('that is none (%j) is an error, streamed and whole, and not tried again', async (reply, reason, message) => {
    const { client, server } = await connect(reply);
    for (const error of [await failure(client.call(request)), (await readStream(client)).error as LlmError]) {
      expect(error).toMatchObject({ reason, recoverable: false, attempts: 1 });
      expect(error.message).toContain(message);
    }
    expect(server.requests).toHaveLength(2);
  });

  test('that is a refusal or an error shows no key, neither ours nor one it quotes', async () => {
    const [ours, foreign] = ['sk-test-key', 'sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1w'];
    const words = `I will not repeat ${ours} or ${foreign}, ${'x'.repeat(360)}${foreign}`;
    const { client } = await connect({ refusal: words });
    const error = { status: 400, error: { message: words } };
    const { client: refused } = await connect(error);
    const failures = [
      await failure(client.call(request)),
      (await readStream(client)).error as LlmError,
      await failure(refused.call(request)),
    ];
    for (const { message } of failures) {
      expect(message).toContain('I will not repeat [key] or ****');
      for (const secret of [ours, foreign.slice(0, 12)]) expect(message).not.toContain(secret);
    }
  });

  test('of ten megabytes is read, streamed and whole', async () => {
    const { client } = await connect({ text: Array.from({ length: 1000 }, () => 'x'.repeat(10_000)) });
    expect((await client.call(request)).text.length).toBe(10_000_000);
    expect((await readStream(client)).completion?.text.length).toBe(10_000_000);
  });

  test('of 1,000 chunks keeps all of them in order', async () => {
    const words = Array.from({ length: 1000 }, (_, number) => `word${number} `);
    const { client } = await connect({ text: words, slice: 1000 });
    expect((await readStream(client)).texts).toEqual(words);
  });
});

describe('parameters a model refuses', () => {
  const refusing =
    (...names: string[]): LoopbackScript =>
    ({ body }) => {
      const refused = names.find((name) => Object.hasOwn(body, name));
      if (refused === undefined) return { text: ['o', 'k'] };
      const message = `Unsupported parameter: '${refused}' is not supported with this model.`;
      return { error: { message, code: refused === 'temperature' ? 'unsupported_value' : 'unsupported_parameter', param: refused } };
    };

  test('are left out when known, and reported', async () => {
    const { client, server } = await connect(
      refusing('temperature', 'top_p'),
      {},
      { unsupported: ['temperature', 'top_p', 'max_output_tokens'] },
    );
    expect(await client.call(full)).toMatchObject({ text: 'ok', left_out: ['temperature', 'top_p', 'max_output_tokens'] });
    expect(server.requests).toHaveLength(1);
  });

  test('are learnt from its answer, once, and reported', async () => {
    const { client, server } = await connect(refusing('temperature', 'top_p'));
    expect(await client.call(full)).toMatchObject({ text: 'ok', left_out: ['temperature', 'top_p'], attempts: 1 });
    expect(server.requests).toHaveLength(3);
    expect((await readStream(client, full)).completion).toMatchObject({ left_out: ['temperature', 'top_p'] });
    expect(server.requests).toHaveLength(4);
    await client.call({ ...full, model: 'another' });
    expect(server.requests).toHaveLength(7);
  });

  test('may be the limit of tokens, which has a second name', async () => {
    const { client, server } = await connect(refusing('max_completion_tokens'));
    expect(await client.call(full)).toMatchObject({ left_out: [] });
    expect(server.requests.at(-1)?.body).toMatchObject({ max_tokens: 256 });
    const strict = await connect(refusing('max_completion_tokens', 'max_tokens'));
    expect(await strict.client.call(full)).toMatchObject({ left_out: ['max_output_tokens'] });
  });

  test('but not those that make the answer what it is', async () => {
    const { client, server } = await connect(refusing('response_format'));
    expect(await failure(client.call(full))).toMatchObject({ reason: 'bad-request', status: 400, attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a failure', () => {
  const said = (message: string, code: string | null = null, type = 'invalid_request_error') => ({ error: { message, code, type } });

  test.each<[number, LoopbackReply, string, boolean, string]>([
    [
      401,
      said('Incorrect API key provided.', 'invalid_api_key'),
      'auth',
      false,
      'Check the key (the environment variable OPENAI_API_KEY).',
    ],
    [403, said('Country not supported', 'unsupported_country'), 'auth', false, 'may use'],
    [
      404,
      said('The model `gpt-x` does not exist', 'model_not_found'),
      'not-found',
      false,
      'Check model_name ("gpt-4.1-mini") and base_url',
    ],
    [400, said('Unknown parameter', 'unknown_parameter'), 'bad-request', false, 'Unknown parameter.'],
    [422, said('Unprocessable'), 'bad-request', false, 'Unprocessable'],
    [
      400,
      said("This model's maximum context length is 8192 tokens.", 'context_length_exceeded'),
      'context-length',
      false,
      'Shorten the input',
    ],
    [400, said('Your request was rejected by the safety system', 'content_policy_violation'), 'content-filter', false, 'Change the prompt'],
    [429, said('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota'), 'quota', false, 'Add credit'],
    [429, said('Rate limit reached', 'rate_limit_exceeded', 'requests'), 'rate-limit', true, 'Rate limit reached.'],
    [408, said('Timeout'), 'server', true, 'Timeout.'],
    [409, said('Conflict'), 'server', true, 'Conflict.'],
    [500, said('The server had an error', null, 'server_error'), 'server', true, 'The server had an error.'],
    [529, said('Overloaded'), 'server', true, 'Overloaded.'],
    [503, { body: '<html><head><title>503</title></head><body><h1>Sorry</h1></body></html>' }, 'server', true, '503 Sorry.'],
    [502, { body: '' }, 'server', true, 'answered with status 502.'],
  ])('with status %i is %j, as its reason', async (status, reply, reason, isTriedAgain, words) => {
    const { client, server } = await connect({ status, ...reply });
    for (const error of [await failure(client.call(request)), (await readStream(client)).error as LlmError]) {
      expect(error).toMatchObject({ code: 'llm', reason, status, recoverable: isTriedAgain, attempts: isTriedAgain ? 3 : 1 });
      expect(error.message).toContain(words);
      expect(error.details).toEqual({ reason, status, attempts: isTriedAgain ? 3 : 1 });
    }
    expect(server.requests).toHaveLength(isTriedAgain ? 6 : 2);
  });

  test('429 with Retry-After is waited for as the server says, then works', async () => {
    const busy = { status: 429, ...said('busy', 'rate_limit_exceeded') };
    const { client } = await connect([
      { ...busy, headers: { 'retry-after': '7' } },
      { ...busy, headers: { 'retry-after-ms': '1250' } },
      { text: 'ok' },
    ]);
    expect(await client.call(request)).toMatchObject({ text: 'ok', attempts: 3 });
    expect(client.waits).toEqual([7000, 1250]);
    const dated = await connect([{ ...busy, headers: { 'retry-after': 'Fri, 02 Jan 2026 03:04:25 GMT' } }, { text: 'ok' }]);
    await dated.client.call(request);
    expect(dated.client.waits).toEqual([20_000]);
  });

  test('with an absurd Retry-After ends at once and says why', async () => {
    const { client } = await connect({ status: 429, ...said('busy'), headers: { 'retry-after': '86400' } });
    expect(await failure(client.call(request))).toMatchObject({
      reason: 'rate-limit',
      attempts: 1,
      message: expect.stringContaining('wait 24 h') as string,
    });
  });

  test.each<[string, LoopbackReply, string]>([
    ['nothing but a closed connection', { fault: 'close' }, 'was cut'],
    ['half a body', { text: 'x'.repeat(500), fault: 'close-mid-body' }, 'cut'],
    ['half a body that ends as if it were whole', { text: 'x'.repeat(500), fault: 'end-mid-body' }, 'cut off'],
    ['half a compressed body', { text: 'x'.repeat(500), fault: 'end-mid-body', encoding: 'gzip' }, 'damaged or cut off'],
  ])('of the connection, %s, is reason network and tried again', async (_, reply, words) => {
    const { client, server } = await connect([reply, reply, { text: 'ok' }]);
    expect(await client.call(request)).toMatchObject({ text: 'ok', attempts: 3 });
    const whole = await connect(reply);
    expect(await failure(whole.client.call(request))).toMatchObject({
      reason: 'network',
      attempts: 3,
      message: expect.stringContaining(words) as string,
    });
    expect(server.requests).toHaveLength(3);
  });

  test.each<[string, LoopbackReply]>([
    ['is cut', { fault: 'close-mid-body' }],
    ['ends half way', { fault: 'end-mid-body' }],
    ['ends without [DONE]', { omit: ['done'] }],
    ['ends without a finish reason', { omit: ['finish_reason'] }],
  ])('of a stream that %s is never a short success, nor tried again after text', async (_, how) => {
    const { client, server } = await connect({ text: Array.from({ length: 20 }, () => 'some text '), ...how });
    const { texts, completion, error } = await readStream(client);
    expect(texts.length).toBeGreaterThan(3);
    expect(completion).toBeUndefined();
    expect(error).toMatchObject({ reason: 'network', attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });

  test('inside a stream has its reason, and is tried again before the first text', async () => {
    const overloaded = { text: '', streamError: { message: 'The server is overloaded.', type: 'server_error' } };
    const { client } = await connect([overloaded, { text: ['ok'] }]);
    expect(await readStream(client)).toMatchObject({ texts: ['ok'], retries: [{ reason: 'server' }] });
    const late = await connect({ text: ['some'], streamError: { message: 'Too fast.', code: 'rate_limit_exceeded' } });
    expect((await readStream(late.client)).error).toMatchObject({ reason: 'rate-limit', attempts: 1 });
    const quota = await connect({ text: '', streamError: { message: 'No money.', code: 'insufficient_quota' } });
    expect((await readStream(quota.client)).error).toMatchObject({ reason: 'quota', attempts: 1 });
  });

  test.each<[string, LoopbackReply, string]>([
    ['a web page', { body: '<!doctype html><title>Login</title>' }, 'a web page instead of JSON. Check base_url'],
    ['no object', { body: '[1]' }, 'expected a JSON object'],
    ['no choices', { body: '{"id":"x"}' }, 'it has no choice'],
    ['an error', { body: '{"error":{"message":"upstream","code":502}}' }, 'broke off with an error: upstream.'],
  ])('of a server that answers 200 with %s says so', async (_, reply, words) => {
    const { client } = await connect(reply);
    expect((await failure(client.call(request))).message).toContain(words);
  });

  test('of a stream that is a web page says so', async () => {
    const { client } = await connect({ body: '<!doctype html><title>Login</title>', headers: { 'content-type': 'text/html' } });
    const { error } = await readStream(client);
    expect(error).toMatchObject({ code: 'llm' });
    expect((error as LlmError).message).toMatch(/web page|stopped before/);
  });

  test('to reach a server says where it looked', async () => {
    const { client, server } = await connect({});
    await server.close();
    servers.pop();
    expect(await failure(client.call(request))).toMatchObject({
      reason: 'network',
      attempts: 3,
      recoverable: true,
      message: expect.stringContaining(`Nothing answers at ${new URL(server.url).origin} (ECONNREFUSED)`) as string,
    });
  });

  test('of trust or of a redirect is not tried again', async () => {
    const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/node', name), 'utf8');
    const untrusted = await connect({}, {}, { tls: { key: fixture('test-only-key.pem'), cert: fixture('test-only-certificate.pem') } });
    expect(await failure(untrusted.client.call(request))).toMatchObject({ reason: 'network', attempts: 1, recoverable: false });
    const moved = await connect({ status: 301, headers: { location: 'https://elsewhere.example/' }, body: '' });
    expect(await failure(moved.client.call(request))).toMatchObject({ reason: 'network', attempts: 1 });
  });

  test.each<[string, LoopbackReply]>([
    ['before the headers', { fault: 'hang' }],
    ['in the middle of the answer', { text: 'x'.repeat(500), fault: 'hang-mid-body' }],
  ])('to answer in time, hanging %s, ends as network', async (_, reply) => {
    const { client, server } = await connect(reply, { request_timeout_ms: 60, retry_attempts: 2 });
    expect(await failure(client.call(request))).toMatchObject({
      reason: 'network',
      attempts: 2,
      message: expect.stringContaining('60 ms') as string,
    });
    await expect.poll(() => server.requests.every(({ aborted }) => aborted)).toBe(true);
  });

  test('by abort while a stream hangs gives the reason at once and cuts the connection', async () => {
    const { client, server } = await connect({ text: Array.from({ length: 40 }, () => 'text '), fault: 'hang-mid-body' });
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 60);
    const { texts, error } = await readStream(client, { ...request, signal: controller.signal });
    expect(texts.length).toBeGreaterThan(0);
    expect(error).toBe(reason);
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });
});

describe('the key', () => {
  test.each<[string, Partial<LlmSettings>, TestClientOptions]>([
    ['OPENAI_API_KEY', {}, { variables: { OPENAI_API_KEY: ' sk-right-key\n' } }],
    [
      'the variable api_key_env names',
      { api_key_env: 'MY_KEY' },
      { variables: { MY_KEY: 'sk-right-key', OPENAI_API_KEY: 'sk-wrong-key' } },
    ],
    [
      'the secret api_key names',
      { api_key: 'secret://team' },
      { secrets: { team: 'sk-right-key' }, variables: { OPENAI_API_KEY: 'sk-wrong-key' } },
    ],
  ])('comes from %s', async (_, settings, options) => {
    const { client } = await connect({ text: 'ok' }, settings, { ...options, key: 'sk-right-key' });
    expect((await client.call(request)).text).toBe('ok');
  });

  test.each<[string, Partial<LlmSettings>, TestClientOptions, string]>([
    [
      'none at all',
      {},
      { variables: {} },
      'The key is missing: the environment variable OPENAI_API_KEY is not set. Set it, or give the llm profile an api_key',
    ],
    ['an empty variable', { api_key_env: 'MY_KEY' }, { variables: { MY_KEY: ' ' } }, 'the environment variable MY_KEY is not set'],
    [
      'no such secret',
      { api_key: 'secret://my-team' },
      {},
      'the secret "my-team" is not set. Store it in the editor, or for the command line set the environment variable MY_TEAM.',
    ],
    ['a key in plain text', { api_key: 'sk-plain-text-key' }, {}, 'api_key refers to a stored secret, as in "secret://NAME"'],
    ['a key that is two lines', {}, { variables: { OPENAI_API_KEY: 'sk-first\nsk-second' } }, 'holds a space, a line break'],
  ])('that is missing (%s) is reason no-key, before anything is sent', async (_, settings, options, words) => {
    const { client, server } = await connect({}, settings, options);
    const error = await failure(client.call(request));
    expect(error).toMatchObject({ reason: 'no-key', recoverable: false, attempts: 1 });
    expect(error.message).toContain(words);
    expect(error.message).not.toMatch(/sk-(plain|first|second)/);
    expect(server.requests).toEqual([]);
  });

  test('is looked up for every call, so a changed one is used', async () => {
    const secrets: Record<string, string> = { team: 'sk-old-key' };
    const { client, server } = await connect({}, { api_key: 'secret://team' }, { secrets });
    await client.call(request);
    secrets.team = 'sk-new-key';
    await client.call(request);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-old-key', 'Bearer sk-new-key']);
  });

  test('is in no message, cause or log line, even when the server repeats it', async () => {
    const key = 'sk-very-secret-key';
    const words = `Bad key ${key} in request`;
    const replies: LoopbackReply[] = [
      { status: 401, error: { message: words } },
      { status: 500, body: `<p>${words}</p>` },
      { status: 500, body: `${'x '.repeat(195)}${key}` },
      { status: 400, error: { message: `${'x'.repeat(390)}${key}` } },
      { body: JSON.stringify({ error: { message: words } }) },
      { text: '', streamError: { message: words } },
    ];
    for (const reply of replies) {
      const { client } = await connect(reply, {}, { variables: { OPENAI_API_KEY: key } });
      for (const error of [await client.call(request).catch((caught: unknown) => caught), (await readStream(client)).error]) {
        if (error === undefined) continue;
        const everything = [];
        for (let each: unknown = error; each instanceof Error; each = each.cause)
          everything.push(each.message, each.stack, JSON.stringify(each));
        expect(everything.join('\n')).not.toContain(key.slice(0, 10));
      }
      expect(JSON.stringify(client.log)).not.toContain(key);
    }
  });
});

test.each([
  ['localhost:1234/v1', 'is not an http or https address'],
  ['not a url', 'is not an http or https address'],
  ['http://me:pass@127.0.0.1/v1', 'contains a user name or password'],
])('base_url %s is refused with words', async (base_url, words) => {
  const error = await failure(testClient({ provider: 'openai', base_url }).call(request));
  expect(error).toMatchObject({ reason: 'bad-request', attempts: 1 });
  expect(error.message).toContain(words);
  expect(error.message).not.toContain('me:pass');
});
