import type { IncomingHttpHeaders } from 'node:http';
import { AzureOpenAI } from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import type { LlmSettings } from '../../core/llm/types.js';
import type { Fetch } from '../../core/ports.js';
import { type LoopbackHttp, startLoopbackHttp } from '../support/loopbackHttp.js';
import { request, type TestClient, testClient } from './testClient.js';

// What only Azure has: addresses, the key's header, versions. Everything else is in the conformance suite.

const servers: LoopbackHttp[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface Seen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

const answer = {
  id: 'x',
  model: 'gpt-4.1-mini-2025-04-14',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
};

/** A server that takes every path; `refuses` is a field it does not know, in the words of an older version. */
async function start(refuses?: string): Promise<{ origin: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = await startLoopbackHttp(async (incoming, response) => {
    let text = '';
    for await (const part of incoming) text += String(part);
    const body = JSON.parse(text) as Seen['body'];
    seen.push({ path: incoming.url ?? '', headers: incoming.headers, body });
    const refused = refuses !== undefined && Object.hasOwn(body, refuses);
    const error = { message: `Unrecognized request argument supplied: ${refuses}`, type: 'invalid_request_error', param: null, code: null };
    response.writeHead(refused ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(refused ? { error } : answer));
  });
  servers.push(server);
  return { origin: server.origin, seen };
}

function clientOf(base_url: string, settings: Partial<LlmSettings> = {}, key = '0123456789abcdef0123456789abcdef'): TestClient {
  return testClient({ provider: 'azure_openai', base_url, ...settings }, { variables: { AZURE_OPENAI_API_KEY: key } });
}

/** Where a call of the model is sent. */
async function addressOf(base_url: string, api_version: string | undefined, model: string): Promise<string> {
  let address = '';
  const fetch: Fetch = async (input) => {
    address = String(input);
    return Response.json(answer);
  };
  const settings = { provider: 'azure_openai', base_url, ...(api_version !== undefined && { options: { api_version } }) };
  await testClient(settings, { variables: { AZURE_OPENAI_API_KEY: 'abc-key' }, fetch }).call({ ...request, model });
  return address;
}

describe('the address of a deployment', () => {
  const resource = 'https://mine.openai.azure.com';
  const dated = '2024-10-21';
  test.each<[string, string | undefined, string]>([
    [resource, undefined, `${resource}/openai/v1/chat/completions`],
    [`${resource}/`, undefined, `${resource}/openai/v1/chat/completions`],
    [`${resource}/openai`, undefined, `${resource}/openai/v1/chat/completions`],
    [`${resource}/openai/v1/`, undefined, `${resource}/openai/v1/chat/completions`],
    [`${resource}/openai/v1`, 'preview', `${resource}/openai/v1/chat/completions?api-version=preview`],
    [resource, dated, `${resource}/openai/deployments/my%20gpt/chat/completions?api-version=${dated}`],
    [`${resource}/openai/`, dated, `${resource}/openai/deployments/my%20gpt/chat/completions?api-version=${dated}`],
    [`${resource}/openai/deployments/other`, dated, `${resource}/openai/deployments/other/chat/completions?api-version=${dated}`],
    [`${resource}/?api-version=2023-05-15`, dated, `${resource}/openai/deployments/my%20gpt/chat/completions?api-version=${dated}`],
    ['https://gateway.example/team/v1', undefined, 'https://gateway.example/team/v1/chat/completions'],
    [
      'https://gateway.example/team',
      dated,
      `https://gateway.example/team/openai/deployments/my%20gpt/chat/completions?api-version=${dated}`,
    ],
    ['https://mine.services.ai.azure.com', undefined, 'https://mine.services.ai.azure.com/openai/v1/chat/completions'],
  ])('%s with version %s is %s', async (base, version, expected) => {
    expect(await addressOf(base, version, 'my gpt')).toBe(expected);
  });

  test('of a name with slashes and dots stays below the deployments', async () => {
    expect(await addressOf(resource, dated, '../../x')).toContain('/openai/deployments/..%2F..%2Fx/chat/');
  });

  test('is the one the SDK uses', async () => {
    const { origin, seen } = await start();
    const sdk = new AzureOpenAI({ endpoint: origin, apiKey: 'abc-key', apiVersion: dated, maxRetries: 0 });
    await sdk.chat.completions.create({ model: 'my-gpt', messages: [{ role: 'user', content: 'Hi' }] });
    await clientOf(origin, { options: { api_version: dated } }, 'abc-key').call({ ...request, model: 'my-gpt' });
    const [theirs, ours] = seen;
    expect(ours?.path).toBe(theirs?.path);
    expect(ours?.headers['api-key']).toBe(theirs?.headers['api-key']);
    expect(ours?.headers.authorization).toBe(theirs?.headers.authorization);
    expect(Object.keys(theirs!.body)).toEqual(expect.arrayContaining(Object.keys(ours!.body)));
  });
});

test('the version is in the address alone, other options in the body', async () => {
  const { origin, seen } = await start();
  await clientOf(origin, { options: { api_version: '2024-10-21', seed: 7 } }).call(request);
  expect(seen[0]?.body).toMatchObject({ seed: 7, model: request.model });
  expect(seen[0]?.body).not.toHaveProperty('api_version');
});

test('a token of Entra ID goes as one, a key in its own header', async () => {
  const { origin, seen } = await start();
  await clientOf(origin, {}, 'eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl').call(request);
  await clientOf(origin, {}, 'plain-key').call(request);
  expect(seen.map(({ headers }) => [headers.authorization, headers['api-key']])).toEqual([
    ['Bearer eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl', undefined],
    [undefined, 'plain-key'],
  ]);
});

test('a version that knows max_tokens alone gets that', async () => {
  const { origin, seen } = await start('max_completion_tokens');
  const client = clientOf(origin, { options: { api_version: '2024-02-01' } });
  expect(await client.call({ ...request, max_tokens: 64 })).toMatchObject({ text: 'ok', left_out: [], model: 'gpt-4.1-mini-2025-04-14' });
  expect(seen.at(-1)?.body).toMatchObject({ max_tokens: 64 });
});

test.each<[Partial<LlmSettings>, string]>([
  [{}, 'needs base_url, the endpoint of your resource, such as "https://YOUR-RESOURCE.openai.azure.com"'],
  [{ base_url: 'mine.openai.azure.com' }, 'is not an http or https address'],
  [
    { base_url: 'https://mine.openai.azure.com', options: { api_version: 20241021 } },
    'options.api_version must be a text such as "2024-10-21"',
  ],
])('settings that cannot work (%j) are refused with what to write', async (settings, words) => {
  const client = testClient({ provider: 'azure_openai', ...settings }, { variables: { AZURE_OPENAI_API_KEY: 'key-1234' } });
  await expect(client.call(request)).rejects.toMatchObject({
    reason: 'bad-request',
    attempts: 1,
    message: expect.stringContaining(words) as string,
  });
});
