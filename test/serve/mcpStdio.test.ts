import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PromptListChangedNotificationSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { listFiles, outcomeOf, read, start, toneAgent, write } from '../cli/command.js';
import { askingProject, exposedProject, key, modernStdioClient, stdioClient } from './support.js';

const greeting = { text: 'A friendly hello to all of you' };

describe('an MCP client over stdio', () => {
  test('finds what is exposed, with both schemas, and nothing else', async () => {
    const { client } = await stdioClient(exposedProject());
    const { tools } = await client.listTools();
    expect(tools).toEqual([
      {
        name: 'Tone',
        title: 'Tone@v1',
        description: 'Says how a text sounds.',
        inputSchema: { type: 'object', properties: { text: { description: 'A text, or any other JSON value.' } }, required: ['text'] },
        outputSchema: toneAgent.output_schema,
        annotations: { title: 'Tone@v1', readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      },
    ]);
    expect(client.getInstructions()).toContain('may cost money');
  });

  test('gets the answer as structured content that its own check of the schema takes, and as text', async () => {
    const cwd = exposedProject();
    const { client, stderr } = await stdioClient(cwd);
    await client.listTools();
    const result = await client.callTool({ name: 'Tone', arguments: greeting });
    expect(result.structuredContent).toEqual({ tone: 'friendly' });
    expect(JSON.parse((result.content as { text: string }[])[0]!.text)).toEqual({ tone: 'friendly' });
    expect(result._meta).toMatchObject({ 'agent-stack/run': { status: 'completed', agent_name: 'Tone', simulated: true } });
    expect(stderr()).toBe('Serving 1 agent over stdio: Tone\n');
    expect(listFiles(cwd).some((file) => /^\.agentstack\/runs\/[0-9a-f]{32}\/result\.json$/.test(file))).toBe(true);
  });

  test('is told how far a run is, and its trace goes on in the run', async () => {
    const { client } = await stdioClient(exposedProject(), ['--no-keep']);
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const messages: (string | undefined)[] = [];
    const result = await client.callTool(
      { name: 'Tone', arguments: greeting, _meta: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } },
      undefined,
      { onprogress: ({ message }) => void messages.push(message) },
    );
    expect(messages).toEqual(['Started', 'Step 1']);
    expect(result._meta).toMatchObject({ 'agent-stack/run': { trace_id: trace } });
  });

  test('that sends what does not fit is told the field, as an error the model can read', async () => {
    const { client } = await stdioClient(exposedProject());
    const result = await client.callTool({ name: 'Tone', arguments: { txt: 'Hello' } });
    expect(result.isError).toBe(true);
    expect((result.content as { text: string }[])[0]!.text).toBe(
      'The input does not fit (input-invalid): The input of Tone@v1 is not valid: /text: The key "text" is missing.',
    );
  });

  test('that asks for a tool there is not is told the nearest one, and nothing of what is not exposed', async () => {
    const { client } = await stdioClient(exposedProject());
    await expect(client.callTool({ name: 'Tome', arguments: greeting })).rejects.toThrow('There is no "Tome". Did you mean "Tone"?');
    const words = async (name: string) => client.callTool({ name, arguments: greeting }).catch((error: Error) => error.message);
    const hidden = await words('Hidden');
    expect(hidden).toContain('There is no "Hidden". There are: Tone. Only what has "expose": true in its file is served.');
    expect(await words('Absent')).toBe((hidden as string).replaceAll('Hidden', 'Absent'));
  });

  test('that sends a line of 10 MB is answered', { timeout: 60_000 }, async () => {
    const { client } = await stdioClient(exposedProject());
    const answer = await client.callTool({ name: 'Tone', arguments: { text: 'so friendly '.repeat(900_000) } });
    expect(answer).toMatchObject({ content: [{ type: 'text' }] });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['Tone']);
  });

  test('can cancel a call, which cancels the request to the model', async () => {
    const { cwd, model } = await askingProject({ fault: 'hang' });
    const { client } = await stdioClient(cwd, [], { OPENAI_API_KEY: key });
    const cancel = new AbortController();
    const call = client.callTool({ name: 'Tone', arguments: greeting }, undefined, { signal: cancel.signal });
    await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(1);
    cancel.abort('enough');
    await expect(call).rejects.toThrow();
    await expect.poll(() => model.requests[0]?.aborted, { timeout: 10_000 }).toBe(true);
    expect((await client.listTools()).tools.length).toBe(2);
  });

  test('that goes away ends its runs and the server', async () => {
    const { cwd, model } = await askingProject({ fault: 'hang' });
    const child = start(['serve', '--mcp'], { cwd, env: { OPENAI_API_KEY: key, NO_PROXY: '*' } });
    const outcome = outcomeOf(child);
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'raw', version: '1' };
    say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    say({ method: 'notifications/initialized' });
    child.stdin.write('this is not JSON\n');
    say({ id: 2, method: 'tools/call', params: { name: 'Tone', arguments: greeting } });
    await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(1);
    child.stdin.end();
    const { code, stdout } = await outcome;
    expect(code).toBe(0);
    expect(model.requests[0]?.aborted).toBe(true);
    // Nothing but the protocol is on stdout.
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    const runs = listFiles(cwd).filter((file) => file.endsWith('result.json'));
    expect(JSON.parse(read(cwd, runs[0]!)).status).toBe('cancelled');
  });
});

test('a client of 2026-07-28 finds, calls and cancels, and is told of changes, without initialize', async () => {
  const { cwd, model } = await askingProject((_request, index) => (index === 0 ? { text: '{"tone": "formal"}' } : { fault: 'hang' }));
  let changes = 0;
  const { client, stderr } = await modernStdioClient(
    cwd,
    () => {
      changes += 1;
    },
    { OPENAI_API_KEY: key },
  );
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['Talk', 'Tone']);
  const result = await client.callTool({ name: 'Tone', arguments: greeting });
  expect(result).toMatchObject({ structuredContent: { tone: 'formal' }, _meta: { 'agent-stack/run': { status: 'completed' } } });
  const cancel = new AbortController();
  const call = client.callTool({ name: 'Tone', arguments: greeting }, { signal: cancel.signal });
  await expect.poll(() => model.requests.length).toBe(2);
  cancel.abort('no longer needed');
  await expect(call).rejects.toThrow('no longer needed');
  await expect.poll(() => model.requests[1]?.aborted).toBe(true);
  write(cwd, 'config/agents/Hidden/v1.json', { ...toneAgent, agent_name: 'Hidden', expose: true });
  await expect.poll(() => changes, { timeout: 10_000 }).toBe(1);
  expect(stderr()).toBe('Serving 2 agents over stdio: Talk, Tone\n');
});

describe('an exposed agent whose config is invalid', () => {
  const files = { 'config/agents/Broken/v1.json': { ...toneAgent, agent_name: 'Broken', expose: true, temperature: 9 } };

  test('is listed as unavailable with its finding, and the others work', async () => {
    const { client, stderr } = await stdioClient(exposedProject(files));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['Broken', 'Tone']);
    const words = /config\/agents\/Broken\/v1\.json:\d+:\d+ schema: /;
    expect(tools[0]?.description).toMatch(/^Unavailable until its config is corrected\. /);
    expect(tools[0]?.description).toMatch(words);
    const result = await client.callTool({ name: 'Broken', arguments: greeting });
    expect(result.isError).toBe(true);
    expect((result.content as { text: string }[])[0]!.text).toMatch(words);
    expect((await client.callTool({ name: 'Tone', arguments: greeting })).structuredContent).toEqual({ tone: 'friendly' });
    expect(stderr()).toMatch(/^Broken@v1 is unavailable: config\/agents/m);
  });

  test('works as soon as the file is corrected, and clients are told that the list has changed', async () => {
    const cwd = exposedProject({ 'config/agents/Broken/v1.json': '{ "agent_name": "Broken", "expose": true, ' });
    const { client } = await stdioClient(cwd);
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++);
    expect((await client.listTools()).tools[0]?.description).toContain('json-syntax');
    write(cwd, 'config/agents/Broken/v1.json', { ...toneAgent, agent_name: 'Broken', expose: true });
    await expect.poll(() => changes, { timeout: 10_000 }).toBe(1);
    expect((await client.callTool({ name: 'Broken', arguments: greeting })).structuredContent).toEqual({ tone: 'friendly' });
    write(cwd, 'config/agents/Hidden/v1.json', { ...toneAgent, agent_name: 'Hidden', expose: true });
    expect((await client.callTool({ name: 'Hidden', arguments: greeting })).isError).toBeUndefined();
    rmSync(join(cwd, 'config/agents/Hidden'), { recursive: true });
    await expect(client.callTool({ name: 'Hidden', arguments: greeting })).rejects.toThrow('There is no "Hidden"');
  });
});

describe('prompts of the project', () => {
  const prompts = {
    'config/prompts/review/v1.json': { name: 'review', version: 'v1', template: 'Old.' },
    'config/prompts/review/v2.json': {
      name: 'review',
      version: 'v2',
      template: 'You review {{input.language}} code for {{input.team.name}}.',
      few_shot_examples: [{ input: { text: 'x' }, output: { verdict: 'pass' } }],
    },
  };

  test('are MCP prompts whose arguments are their variables', async () => {
    const { client } = await stdioClient(exposedProject(prompts));
    const listed = await client.listPrompts();
    expect(listed.prompts.map(({ name, arguments: args }) => [name, args?.map((one) => one.name)])).toEqual([
      ['review', ['language', 'team.name']],
      ['review@v1', []],
    ]);
    const { messages } = await client.getPrompt({
      name: 'review',
      arguments: { language: 'Rust {{input.language}}', 'team.name': 'core' },
    });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'You review Rust {{input.language}} code for core.' } },
      { role: 'user', content: { type: 'text', text: '{"text":"x"}' } },
      { role: 'assistant', content: { type: 'text', text: '{"verdict":"pass"}' } },
    ]);
    await expect(client.getPrompt({ name: 'review', arguments: { language: 'Rust' } })).rejects.toThrow(
      'The argument "team.name" is missing. It takes language, team.name.',
    );
    await expect(client.getPrompt({ name: 'reviews' })).rejects.toThrow('Did you mean "review"?');
  });

  test('changes are told, and --no-prompts leaves them out', async () => {
    const cwd = exposedProject(prompts);
    const { client } = await stdioClient(cwd);
    const changed = new Promise<void>((resolve) => client.setNotificationHandler(PromptListChangedNotificationSchema, () => resolve()));
    await client.listPrompts();
    write(cwd, 'config/prompts/other/v1.json', { name: 'other', version: 'v1', template: 'Hello.' });
    await changed;
    const bare = await stdioClient(cwd, ['--no-prompts']);
    expect(bare.client.getServerCapabilities()?.prompts).toBeUndefined();
  });
});

test('an orchestration is a tool whose input is its context', async () => {
  const cwd = exposedProject({
    'config/orchestrations/article.json': {
      name: 'article',
      description: 'Judges a text.',
      expose: true,
      entry_team: 'judging',
      context: { text: 'Hello', round: 0 },
      teams: { judging: { name: 'Judging', tasks: [{ name: 'judge', agent: 'Tone@v1' }], routing: { default: null } } },
    },
  });
  const { client } = await stdioClient(cwd);
  const tool = (await client.listTools()).tools.find(({ name }) => name === 'article');
  expect(tool).toMatchObject({
    description: 'Judges a text.',
    inputSchema: { properties: { text: { type: 'string', description: 'Default: "Hello"' }, round: { type: 'number' } } },
  });
  const messages: (string | undefined)[] = [];
  const result = await client.callTool({ name: 'article', arguments: greeting }, undefined, {
    onprogress: ({ message }) => void messages.push(message),
  });
  expect(result.structuredContent).toMatchObject({
    teams: [{ team: 'judging', tasks: { judge: { status: 'completed', output: { tone: 'friendly' } } } }],
    context: { text: greeting.text, round: 0 },
  });
  expect(messages).toEqual(expect.arrayContaining(['Team judging', 'Task judge', 'judge: Step 1', 'Task judge completed']));
});

test('two clients of one project do not disturb each other', async () => {
  const cwd = exposedProject();
  const clients = await Promise.all([stdioClient(cwd), stdioClient(cwd)]);
  const results = await Promise.all(clients.map(({ client }) => client.callTool({ name: 'Tone', arguments: greeting })));
  for (const { structuredContent } of results) expect(structuredContent).toEqual({ tone: 'friendly' });
});

test('SIGTERM ends the server with exit code 0', async () => {
  const child = start(['serve', '--mcp'], { cwd: exposedProject() });
  const outcome = outcomeOf(child);
  await once(child.stderr, 'data');
  child.kill('SIGTERM');
  expect((await outcome).code).toBe(0);
});
