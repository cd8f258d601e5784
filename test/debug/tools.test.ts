import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repository, temporaryProject, write } from '../cli/command.js';
import { startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { debuggerIn, launch, launchPaused, lineOf } from './debugClient.js';

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1-mini' };

/** Server-sent events of an answer that calls a tool, or says that it is done. */
function answer(calls: boolean): string {
  const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{"path": "docs/a.md"}' } };
  const delta = calls ? { role: 'assistant', content: null, tool_calls: [call] } : { role: 'assistant', content: 'Done.' };
  const usage = { prompt_tokens: 2000, completion_tokens: 20, total_tokens: 2020 };
  const parts = [
    { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: calls ? 'tool_calls' : 'stop' }] },
    { ...head, choices: [], usage },
  ];
  return `${parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')}data: [DONE]\n\n`;
}

test('a loop is followed through its tools, with what each is, costs and what the cache keeps', async () => {
  const server = await startLoopbackOpenAi(
    (_, index) => ({ body: answer(index === 0), headers: { 'content-type': 'text/event-stream' } }),
    {
      lenient: true,
    },
  );
  onTestFinished(() => server.close());
  const cwd = temporaryProject({
    'agentstack.json': {},
    'docs/a.md': 'The first line.\nThe second line.\nIts key is key-of-this-test.\n',
    'config/agents/Reader/v1.json': {
      agent_name: 'Reader',
      version: 'v1',
      agent_type: 'react',
      system_text: 'You read files.',
      enabled_tools: ['search_files', 'read_file'],
      llm_config_id: 'main',
    },
    'config/llms/main.json': {
      llm_id: 'main',
      provider: 'openai',
      model_name: 'gpt-4.1-mini',
      base_url: server.url,
      api_key_env: 'MAIN_KEY',
    },
  });
  const file = join(cwd, 'config/agents/Reader/v1.json');
  const client = await debuggerIn(cwd, { MAIN_KEY: 'key-of-this-test' });
  const run = await launchPaused(client, { agent: 'Reader', input: { message: 'Read it.' } });

  expect(await run.stop()).toBe('Before call 1 of Reader@v1');
  const tools = JSON.parse((await client.evaluateRequest({ expression: 'tools', context: 'clipboard' })).body.result) as object[];
  expect(tools).toContainEqual(expect.objectContaining({ name: 'read_file', origin: 'built-in', source: null, needs_approval: false }));
  expect(await run.value('budget.cached_tokens')).toBe('0');
  await run.go('stepIn');
  expect(await run.go('stepIn')).toBe('Before the tool read_file of Reader@v1');
  expect((await run.frames())[0]).toMatchObject({ line: lineOf(file, '"read_file"'), source: { path: file } });
  expect(await run.value('arguments.path')).toBe('docs/a.md');
  expect(await run.go('next')).toBe('After the tool read_file of Reader@v1');
  expect(await run.value('answer')).toContain('The second line.');
  await client.send('setExpression', { expression: 'answer', value: 'Nothing\nin it.' });
  expect(await run.go('next')).toBe('Before call 2 of Reader@v1');
  expect(await run.value('budget.cached_tokens')).toBe('1920');
  expect(await run.value('budget.total_tokens')).toBe('2020');
  expect(await run.value('run.edits')).toBe('1');
  const sources = JSON.parse((await client.evaluateRequest({ expression: 'sources', context: 'clipboard' })).body.result) as {
    from?: string;
  }[];
  expect(sources.map(({ from }) => from)).toEqual([undefined, undefined, 'an answer of the model', 'results of tools']);
  expect(await run.go('continue')).toBe('ended');
  expect(client.sent()).toContain('Its key is ****');
  expect(client.sent()).not.toContain('key-of-this-test');
  expect(JSON.stringify(server.requests[1]?.body)).toContain('Nothing\\nin it.');
});

test.each([
  [{}, 'add "allowTools": ["mail/send"] to the launch'],
  [{ allowTools: ['mail/send'] }, 'completed'],
])('with %o a tool that needs approval ends the run, or is called', async (allow, end) => {
  const server = await startLoopbackOpenAi(
    (_, index) => ({
      body: answer(index === 0)
        .replace('"read_file"', '"send"')
        .replace('docs/a.md', 'ada')
        .replace('path', 'to'),
      headers: { 'content-type': 'text/event-stream' },
    }),
    { lenient: true },
  );
  onTestFinished(() => server.close());
  const cwd = temporaryProject({
    'agentstack.json': {},
    'mailServer.mjs': readFileSync(join(repository, 'test/fixtures/run/mailServer.mjs'), 'utf8'),
    'config/agents/Mailer/v1.json': {
      agent_name: 'Mailer',
      version: 'v1',
      agent_type: 'react',
      system_text: 'You send mails.',
      client_ids: ['mail'],
      enabled_tools: ['send'],
      llm_config_id: 'main',
    },
    'config/llms/main.json': { llm_id: 'main', provider: 'openai_compatible', model_name: 'tiny', base_url: server.url },
  });
  const args = [join(cwd, 'mailServer.mjs'), join(cwd, 'mails.txt')];
  write(cwd, 'config/mcp.json', { servers: { mail: { type: 'stdio', command: process.execPath, args } } });
  const client = await debuggerIn(cwd);
  const over = client.waitForEvent('terminated');
  await launch(client, { agent: 'Mailer', input: { message: 'Write to Ada.' }, ...allow }, '', []);
  await over;
  expect(client.sent()).toContain(JSON.stringify(end).slice(1, -1));
  expect(existsSync(join(cwd, 'mails.txt'))).toBe('allowTools' in allow);
});
