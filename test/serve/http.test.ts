import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import OpenAI from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { agentstack, listFiles, outcomeOf, read, start, toneAgent, write } from '../cli/command.js';
import { askingProject, exposedProject, httpClient, key, modernHttpClient, startServer, startServerProcess, token } from './support.js';

const greeting = { text: 'A friendly hello to all of you' };
const bearer = { authorization: `Bearer ${token}` };
const asks = { OPENAI_API_KEY: key };

/** As `fetch` does, which lets no program say what stands in Host. */
function raw(
  url: string,
  headers: Record<string, string>,
  body?: string,
): Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const openaiClient = (baseURL: string | undefined, apiKey = token) => new OpenAI({ baseURL, apiKey, maxRetries: 0 });

describe('MCP over streamable HTTP', () => {
  test('serves clients of both revisions at a time, and tells of changes where one listens', async () => {
    const cwd = exposedProject();
    // The built command, which finds its parts for MCP over HTTP.
    const { urls } = await startServerProcess(cwd, ['--mcp']);
    let changes = 0;
    const modern = await modernHttpClient(urls.mcp!, () => {
      changes += 1;
    });
    expect(modern.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const old = (await httpClient(urls.mcp!)).client;
    const messages: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => void messages.push(message);
    const input = { name: 'Tone', arguments: greeting };
    const results = await Promise.all([modern.callTool(input, { onprogress }), old.callTool(input, undefined, { onprogress })]);
    for (const { structuredContent } of results) expect(structuredContent).toEqual({ tone: 'friendly' });
    expect(messages.sort()).toEqual(['Started', 'Started', 'Step 1', 'Step 1']);
    write(cwd, 'config/agents/Hidden/v1.json', { ...toneAgent, agent_name: 'Hidden', expose: true });
    await expect.poll(() => changes, { timeout: 10_000 }).toBe(1);
    for (const client of [modern, old]) expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['Hidden', 'Tone']);
  });

  test('a client whose connection breaks in the middle of a call ends that run alone', async () => {
    const { cwd, model } = await askingProject((_request, index) => (index === 0 ? { fault: 'hang' } : { text: '{"tone": "formal"}' }));
    const { urls } = await startServer(cwd, ['--mcp'], asks);
    const [lost, other] = [await httpClient(urls.mcp!), await httpClient(urls.mcp!)];
    const call = lost.client.callTool({ name: 'Tone', arguments: greeting }).catch(() => undefined);
    await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(1);
    await lost.transport.close();
    await call;
    await expect.poll(() => model.requests[0]?.aborted, { timeout: 10_000 }).toBe(true);
    expect((await other.client.callTool({ name: 'Tone', arguments: greeting })).structuredContent).toEqual({ tone: 'formal' });
    await expect.poll(() => listFiles(cwd).filter((file) => file.endsWith('result.json')).length, { timeout: 10_000 }).toBe(2);
  });

  test('a newer client that goes away in the middle of a call ends its run', async () => {
    const { cwd, model } = await askingProject(() => ({ fault: 'hang' }));
    const { urls } = await startServer(cwd, ['--mcp'], asks);
    const client = await modernHttpClient(urls.mcp!);
    const call = client.callTool({ name: 'Tone', arguments: greeting }).catch(() => undefined);
    await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(1);
    await client.close();
    await call;
    await expect.poll(() => model.requests[0]?.aborted, { timeout: 10_000 }).toBe(true);
  });

  test('an old client goes on with the session of an earlier server; what is no message is refused', async () => {
    const { urls } = await startServer(exposedProject(), ['--mcp']);
    const headers = { ...bearer, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}';
    expect(await raw(urls.mcp!, { ...headers, 'mcp-session-id': 'gone' }, body)).toMatchObject({
      status: 200,
      text: expect.stringContaining('"name":"Tone"'),
    });
    expect(await raw(urls.mcp!, { ...bearer, accept: 'text/event-stream' })).toMatchObject({ status: 405 });
    expect(await raw(urls.mcp!, headers, '{"jsonrpc": ')).toMatchObject({ status: 400, text: expect.stringContaining('not valid JSON') });
    const unknown = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } },
    };
    const refused = await raw(urls.mcp!, { ...headers, 'mcp-protocol-version': '2031-01-01' }, JSON.stringify(unknown));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('2026-07-28');
  });
});

describe('who may call', () => {
  test('without the token, or with a wrong one, is answered with 401 and the way out, in the form of the protocol', async () => {
    const { urls, stderr } = await startServer(exposedProject(), ['--mcp', '--openai']);
    const missing = await raw(`${urls.openai}/models`, {});
    expect(missing.status).toBe(401);
    expect(missing.headers['www-authenticate']).toBe('Bearer realm="agent-stack"');
    expect(JSON.parse(missing.text).error).toMatchObject({
      code: 'invalid_api_key',
      message: expect.stringMatching(/^The access token is missing\. Send the header "Authorization: Bearer TOKEN"/),
    });
    const wrong = await raw(urls.mcp!, { authorization: `Bearer ${token}x` }, '{}');
    expect(wrong.status).toBe(401);
    expect(JSON.parse(wrong.text).error.message).toMatch(/^The access token is wrong\./);
    await expect(httpClient(urls.mcp!, 'sk-another-secret-0123456789')).rejects.toThrow(/wrong/);
    await expect(openaiClient(urls.openai, 'sk-another-secret-0123456789').models.list()).rejects.toThrow(OpenAI.AuthenticationError);
    expect(stderr()).not.toContain('sk-another');
    expect(stderr()).not.toContain(token);
  });

  test('a page that leads its own name here is refused, unless the name is allowed', async () => {
    const { urls } = await startServer(exposedProject(), ['--openai', '--allow-host', 'agents.test']);
    const models = `${urls.openai}/models`;
    const ask = async (headers: Record<string, string>) => (await raw(models, { ...bearer, ...headers })).status;
    const { port } = new URL(models);
    expect(await ask({ host: `evil.example:${port}` })).toBe(403);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'agents.test'])
      expect(await ask({ host }), host).toBe(200);
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'http://203.0.113.7', 'http://[2001:db8::1]:80'])
      expect(await ask({ origin }), origin).toBe(403);
    for (const origin of [`http://localhost:${port}`, 'http://127.0.0.1:6274', 'http://[::1]:3000', 'https://agents.test'])
      expect(await ask({ origin }), origin).toBe(200);
  });

  test('a new token is printed once, on stderr, where none is given; one that can be guessed is refused', async () => {
    const { urls, stderr, stdout } = await startServer(exposedProject(), ['--openai'], { AGENTSTACK_TOKEN: '' });
    const printed = /^Access token, valid until the server ends: ([\w-]{43})$/m.exec(stderr())?.[1];
    expect(printed).toBeDefined();
    expect(stdout()).not.toContain(printed);
    expect((await openaiClient(urls.openai, printed).models.list()).data.length).toBe(2);
    const { code, stderr: refused } = await agentstack(['serve', '--openai'], {
      cwd: exposedProject(),
      env: { AGENTSTACK_TOKEN: 'secret' },
    });
    expect(code).toBe(2);
    expect(refused).toContain('AGENTSTACK_TOKEN must be at least 16 characters');
  });
});

describe('the official OpenAI client', () => {
  test('lists agents as models, and gets the output of one as the content of a message', async () => {
    const { cwd, model } = await askingProject({
      text: '{"tone": "formal"}',
      usage: { prompt_tokens: 100, completion_tokens: 10, cached_tokens: 50 },
    });
    const { urls } = await startServer(cwd, ['--openai'], asks);
    const client = openaiClient(urls.openai);
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['Talk', 'Talk@v1', 'Tone', 'Tone@v1']);
    expect(await client.models.retrieve('Tone')).toMatchObject({ id: 'Tone', object: 'model' });
    for (const content of ['{"text": "Good evening"}', 'Good evening', '```json\n{"text": "Good evening"}\n```']) {
      const completion = await client.chat.completions.create({
        model: 'Tone@v1',
        messages: [
          { role: 'system', content: 'Ignored.' },
          { role: 'user', content },
        ],
      });
      expect(completion).toMatchObject({
        object: 'chat.completion',
        model: 'Tone@v1',
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '{"tone":"formal"}' } }],
        usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110, prompt_tokens_details: { cached_tokens: 50 } },
      });
    }
    const [first, second] = model.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(first).toBe(second);
    expect(first).toContain('Good evening');
  });

  test('gets text as it comes, then the usage', async () => {
    const { cwd } = await askingProject({ text: ['Good', ' evening', '!'], usage: { prompt_tokens: 7, completion_tokens: 3 } });
    const { urls } = await startServer(cwd, ['--openai'], asks);
    const stream = await openaiClient(urls.openai).chat.completions.create({
      model: 'Talk',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    let usage: unknown;
    let finish: string | null | undefined;
    for await (const chunk of stream) {
      const text = chunk.choices[0]?.delta.content;
      if (text) pieces.push(text);
      finish = chunk.choices[0]?.finish_reason ?? finish;
      usage = chunk.usage ?? usage;
    }
    expect(pieces.join('')).toBe('Good evening!');
    expect(pieces.length).toBeGreaterThan(1);
    expect(finish).toBe('stop');
    expect(usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
  });

  test('gets a checked output in one piece when it streams', async () => {
    const { cwd } = await askingProject({ text: ['```json\n{"tone"', ': "formal"}\n```'] });
    const { urls } = await startServer(cwd, ['--openai'], asks);
    const stream = openaiClient(urls.openai).chat.completions.stream({ model: 'Tone', messages: [{ role: 'user', content: 'Hello' }] });
    expect(await stream.finalContent()).toBe('{"tone":"formal"}');
  });

  test('is told what is wrong in the form and with the status of the API', async () => {
    const files = {
      'config/agents/Broken/v1.json': { ...toneAgent, agent_name: 'Broken', expose: true, temperature: 9 },
      'config/agents/Pair/v1.json': {
        ...toneAgent,
        agent_name: 'Pair',
        expose: true,
        input_keys: ['text', 'language'],
        llm_config_id: 'real',
      },
    };
    const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789';
    const { cwd } = await askingProject({ error: { message: `Bad key ${key}`, code: 'invalid_api_key' }, status: 401 }, files);
    const { urls, stderr } = await startServer(cwd, ['--openai'], asks);
    const ask = (model: string, content = 'Hello', stream = false) =>
      openaiClient(urls.openai)
        .chat.completions.create({ model, messages: [{ role: 'user', content }], stream })
        .then(
          () => expect.unreachable(),
          (error: InstanceType<typeof OpenAI.APIError>) => error,
        );
    expect(await ask('Tome')).toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
      message: expect.stringContaining('Did you mean "Tone"?'),
    });
    expect(await ask('Hidden')).toMatchObject({ status: 404, message: expect.stringContaining('"expose": true') });
    expect(await ask(secret)).toMatchObject({ status: 404, message: expect.not.stringContaining(secret) });
    expect(await ask('Pair')).toMatchObject({
      status: 400,
      code: 'input-invalid',
      message: expect.stringContaining('{"text": ..., "language": ...}'),
    });
    expect(await ask('Pair', '{"text": "x"}')).toMatchObject({
      status: 400,
      code: 'input-invalid',
      message: expect.stringContaining('/language: The key "language" is missing.'),
    });
    expect(await ask('Broken')).toMatchObject({
      status: 500,
      code: 'config-invalid',
      message: expect.stringMatching(/config\/agents\/Broken\/v1\.json:\d+:\d+ schema/),
    });
    for (const stream of [false, true]) {
      const refused = await ask('Tone', 'Hello', stream);
      expect(refused).toMatchObject({ status: 502, code: 'llm/auth', headers: expect.anything() });
      expect(refused.message).not.toContain(key);
      expect(refused.headers?.get('x-should-retry')).toBe('false');
    }
    expect(stderr()).not.toContain(key);
  });

  test('may send an input with any keys, those of an error too', async () => {
    const { cwd } = await askingProject({ text: 'Good evening' });
    const { urls } = await startServer(cwd, ['--openai'], asks);
    const content = '{"message": "Hello", "status": 200, "retry": true}';
    const completion = await openaiClient(urls.openai).chat.completions.create({ model: 'Talk', messages: [{ role: 'user', content }] });
    expect(completion.choices[0]?.message.content).toBe('Good evening');
  });

  test('is told of a model why it cannot be retrieved', async () => {
    const broken = { ...toneAgent, agent_name: 'Broken', expose: true, temperature: 9 };
    const { urls } = await startServer(exposedProject({ 'config/agents/Broken/v1.json': broken }), ['--openai']);
    const { models } = openaiClient(urls.openai);
    await expect(models.retrieve('Broken')).rejects.toMatchObject({ status: 500, code: 'config-invalid' });
    await expect(models.retrieve('Hidden@v1')).rejects.toMatchObject({ status: 404, message: expect.stringContaining('"expose": true') });
  });

  test('that goes away in the middle of a stream ends the run', async () => {
    const { cwd, model } = await askingProject({ text: ['Good', ' evening'], fault: 'hang-mid-body' });
    const { urls } = await startServer(cwd, ['--openai'], asks);
    const stream = await openaiClient(urls.openai).chat.completions.create({
      model: 'Talk',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    });
    for await (const _chunk of stream) break;
    stream.controller.abort();
    await expect.poll(() => model.requests[0]?.aborted, { timeout: 10_000 }).toBe(true);
  });
});

describe('requests that are no good', () => {
  test('each is refused with its own status, and the server stays up', async () => {
    const { urls } = await startServer(exposedProject(), ['--openai']);
    const post = (body: string, headers: Record<string, string> = {}) =>
      raw(`${urls.openai}/chat/completions`, { ...bearer, ...headers }, body);
    const messageOf = (text: string) => JSON.parse(text).error.message as string;
    const cases: readonly [string, Record<string, string>, number, RegExp][] = [
      ['{"model": "Tone", "key": sk-secret}', {}, 400, /^The body is not valid JSON, line 1, column 26\. Send a JSON object\.$/],
      [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, {}, 400, /is not valid JSON/],
      ['[]', {}, 400, /must be a JSON object/],
      ['{}', {}, 400, /"model" must name an agent/],
      ['{"model": "Tone"}', {}, 400, /"messages" must be a list/],
      ['{"model": "Tone", "messages": []}', {}, 400, /no message with the role "user"/],
      ['{"model": "Tone", "messages": [{"role": "user", "content": [{"type": "image_url"}]}]}', {}, 400, /a part that is not text/],
      ['{"model": "Tone", "messages": [{"role": "user", "content": "x"}], "n": 2}', {}, 400, /"n" must be 1/],
      ['x'.repeat(4 * 1024 * 1024 + 1), {}, 413, /larger than 4 MB/],
      ['x', { 'content-encoding': 'gzip' }, 415, /compressed/],
    ];
    for (const [body, headers, status, words] of cases) {
      const answer = await post(body, headers);
      expect(answer.status, body.slice(0, 80)).toBe(status);
      expect(messageOf(answer.text)).toMatch(words);
    }
    expect((await raw(`${urls.openai}/chat/completions`, bearer)).status).toBe(405);
    expect((await raw(`${urls.openai}/embeddings`, bearer)).status).toBe(404);
    expect((await raw(new URL('/', urls.openai).href, bearer)).status).toBe(404);
    expect((await raw(`${urls.openai}/models`, bearer)).status).toBe(200);
  });
});

describe('money', () => {
  const usage = { prompt_tokens: 100_000, completion_tokens: 1000 };

  test('--max-total-cost holds for all calls together', async () => {
    const { cwd } = await askingProject({ text: '{"tone": "formal"}', usage });
    const { urls } = await startServer(cwd, ['--openai', '--max-total-cost', '0.06'], asks);
    const client = openaiClient(urls.openai);
    const ask = () => client.chat.completions.create({ model: 'Tone', messages: [{ role: 'user', content: 'Hello' }] });
    await ask();
    await ask();
    await expect(ask()).rejects.toMatchObject({
      status: 429,
      code: 'budget-exceeded',
      message: expect.stringContaining('--max-total-cost'),
    });
  });

  test('--max-cost holds for each', async () => {
    const { cwd } = await askingProject({ text: '{"tone": "formal"}', usage });
    const { urls } = await startServer(cwd, ['--mcp', '--max-cost', '0.0000001'], asks);
    const { client } = await httpClient(urls.mcp!);
    const result = await client.callTool({ name: 'Tone', arguments: greeting });
    expect(result.isError).toBe(true);
    expect((result.content as { text: string }[])[0]!.text).toContain('budget-exceeded');
  });
});

describe('its end', () => {
  test('Ctrl+C ends the runs under way and frees the port', async () => {
    const { cwd, model } = await askingProject({ fault: 'hang' });
    const { urls, child } = await startServerProcess(cwd, ['--openai'], asks);
    const outcome = outcomeOf(child);
    const call = openaiClient(urls.openai)
      .chat.completions.create({ model: 'Tone', messages: [{ role: 'user', content: 'Hello' }] })
      .catch((error: unknown) => error);
    await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(1);
    child.kill('SIGINT');
    expect(await call).toMatchObject({ status: 499, code: 'cancelled' });
    expect((await outcome).code).toBe(0);
    const [result] = listFiles(cwd).filter((file) => file.endsWith('result.json'));
    expect(JSON.parse(read(cwd, result!)).status).toBe('cancelled');
    const { port } = new URL(urls.openai!);
    const again = await startServer(cwd, ['--openai', '--port', port], asks);
    expect(again.urls.openai).toBe(urls.openai);
  });

  test('a port in use, an address of another machine and a wrong command are told with the way out', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void blocker.close());
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    const cwd = exposedProject();
    const cases: readonly [readonly string[], string][] = [
      [['--openai', '--port', String(port)], `Port ${port} of 127.0.0.1 is in use by another program.`],
      [['--openai', '--host', '203.0.113.7'], '203.0.113.7 is not an address of this machine.'],
      [[], 'Say what to serve: --mcp for MCP clients'],
      [['--mcp', '--openai'], 'Both at once need HTTP: add --port'],
      [['--openai', '--llm', 'ofline'], 'Did you mean "offline"?'],
      [['--openai', '--env', 'nowhere'], 'nowhere'],
      [['--openai', '--port', '70000'], 'Expected a port from 0 to 65535.'],
    ];
    for (const [args, words] of cases) {
      const { code, stderr } = await agentstack(['serve', ...args], { cwd });
      expect(code, args.join(' ')).toBe(2);
      expect(stderr).toContain(words);
    }
  });

  test('a project that exposes nothing is served, and says what to do', async () => {
    const cwd = exposedProject({ 'config/agents/Tone/v1.json': toneAgent });
    const child = start(['serve', '--openai', '--port', '0'], { cwd, env: { AGENTSTACK_TOKEN: token } });
    const outcome = outcomeOf(child);
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    const { code, stderr } = await outcome;
    expect(stderr).toContain('nothing can be called yet: set "expose": true');
    expect(code).toBe(0);
  });
});
