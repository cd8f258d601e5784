import { describe, expect, test } from 'vitest';
import type { CodeLens } from 'vscode-languageserver';
import { type Harness, openServer } from '../support/serverHarness.js';
import { agentText, llmText } from './agents.js';

/** `line: title` of every lens, resolved. */
async function lenses(server: Harness, path: string): Promise<readonly string[]> {
  const found = await server.request<readonly CodeLens[]>('textDocument/codeLens', { textDocument: { uri: server.uri(path) } });
  return Promise.all(
    found.map(async (lens) => {
      const { range, command } = await server.request<CodeLens>('codeLens/resolve', lens);
      return `${range.start.line}: ${command?.title}`;
    }),
  );
}

const agent = 'config/agents/A2/v1.json';
const flow = 'config/orchestrations/flow.json';
const flowText = JSON.stringify(
  {
    name: 'flow',
    entry_team: 'one',
    teams: {
      one: {
        name: 'One',
        tasks: [
          { name: 'first', agent: 'A2@v1' },
          {
            name: 'second',
            agent_type: 'single_shot',
            persona_key: 'kind',
            depends_on: ['first'],
            input: { x: '{{tasks.first.output}}' },
            config: { purpose_text: 'Do it.' },
          },
        ],
        routing: { rules: [], default: 'one' },
      },
    },
  },
  null,
  1,
);

describe('lenses', () => {
  test('count who refers to an agent, and the tokens of its texts for its model', async () => {
    const server = await openServer({
      [agent]: agentText({ model_name: 'gpt-4o', system_text: 'Hello world', purpose_text: 'Hi ${NAME}' }),
      'config/agents/A2/v2.json': agentText({ model_name: 'claude-x' }, 'A2', 'v2'),
      [flow]: flowText,
      'config/personas/kind.json': '{"mode": "Writer", "system_text": "Be kind."}',
      'config/payloads/A2/one.json': '{"input": {}}',
      'config/system.json': '{"agents": {"A2": {"temperature": 0}}}',
    });
    expect(await lenses(server, agent)).toEqual([
      '1: at most 1 call, 0.165 USD',
      '1: 2 references · 1 payload',
      '4: 2 tokens (gpt-4o)',
      expect.stringMatching(/^5: about \d tokens$/),
      expect.stringMatching(/^\d+: ends in 48 days$/),
    ]);
    expect((await lenses(server, 'config/agents/A2/v2.json'))[1]).toBe('1: 1 reference · 1 payload');
    expect(await lenses(server, 'config/personas/kind.json')).toEqual(['0: 1 reference', '0: about 3 tokens']);
  });

  test('count who refers to a team and a task, templates included', async () => {
    const server = await openServer({ [flow]: flowText, [agent]: agentText() });
    expect((await lenses(server, flow)).map((lens) => lens.replace(/^\d+/, '_'))).toEqual([
      '_: at most 5 teams, 10 calls, length of an answer unknown',
      '_: at most 5 times, each 2 calls, length of an answer unknown',
      '_: 2 references',
      '_: 2 references',
      '_: no references',
      '_: about 3 tokens',
    ]);
  });

  test('tell what a run of an orchestration may cost, and of each team how often it runs', async () => {
    const price = '{"models": {"m": {"context_window": 9000, "max_output_tokens": 1000, "price": {"input": 10, "output": 20}}}}';
    const teams = {
      write: { name: 'Write', tasks: [{ name: 'draft', agent: 'A2' }], routing: { default: 'check' } },
      check: {
        name: 'Check',
        tasks: [{ name: 'review', agent: 'A2' }],
        routing: { rules: [{ condition: { task: 'review', status: 'failure' }, next_team: 'write' }], default: null },
      },
      never: { name: 'Never', tasks: [{ name: 'x', agent: 'A2' }], routing: { default: null } },
    };
    const server = await openServer({
      [flow]: JSON.stringify({ name: 'flow', entry_team: 'write', max_recursion_depth: 3, teams }, null, 1),
      [agent]: agentText({ model_name: 'm' }),
      'agentstack.json': price,
    });
    const found = (await lenses(server, flow)).filter((lens) => /most|gets/.test(lens)).map((lens) => lens.replace(/0\.\d+ USD/, 'X USD'));
    expect(found.map((lens) => lens.replace(/^\d+/, '_'))).toEqual([
      '_: at most 6 teams, 6 calls, X USD',
      '_: at most 3 times, each 1 call, X USD',
      '_: at most 3 times, each 1 call, X USD',
      '_: no run gets here',
    ]);
    await server.edit(flow, server.text(flow).replace('"max_recursion_depth": 3', '"max_total_teams": 1'));
    expect((await lenses(server, flow)).find((lens) => lens.includes('most'))).toMatch(/: at most 1 team, 1 call, 0\.0\d{3} USD$/);
  });

  test('tell what a plan may cost', async () => {
    const plan = { steps: [{ name: 'a', agent: 'A2', repeat: { until: { step: 'a', operator: 'exists' }, max: 3 } }] };
    const server = await openServer({
      [agent]: agentText({ model_name: 'gpt-4o' }),
      'config/agents/P/v1.json': JSON.stringify({ agent_name: 'P', version: 'v1', agent_type: 'orchestrating', execution_plan: plan }),
    });
    expect(await lenses(server, 'config/agents/P/v1.json')).toContainEqual(expect.stringMatching(/^0: at most 3 calls, 0\.\d{2,3} USD$/));
  });

  test('tell a profile that is the default of those who name none', async () => {
    const server = await openServer({
      [agent]: agentText(),
      'config/llms/main.json': llmText('main'),
    });
    expect(await lenses(server, 'config/llms/main.json')).toEqual(['0: no references · default of 1 file']);
    server.write('config/llms/other.json', llmText('other'));
    for (const id of ['main', 'other']) expect(await lenses(server, `config/llms/${id}.json`)).toEqual(['0: no references']);
  });

  test('count servers and prompts, in broken JSON with CRLF and emoji too', async () => {
    const server = await openServer({
      [agent]: agentText({ client_ids: ['files'], prompts: { system_prompt: 'p@v1' } }),
      'config/mcp.json': '{"servers": {"files": {"type": "stdio", "command": "x"}, "__proto__": {}}}',
      'config/prompts/p/v1.json': '{\r\n "name": "p" "version": "v1",\r\n "template": "🎉 {{input.x}}"',
    });
    expect(await lenses(server, 'config/mcp.json')).toEqual(['0: 1 reference', '0: no references']);
    expect(await lenses(server, 'config/prompts/p/v1.json')).toEqual(['1: 1 reference', expect.stringMatching(/^2: about \d+ tokens$/)]);
  });

  test('of a text of half a million characters say the least it has', async () => {
    const server = await openServer({ [agent]: agentText({ model_name: 'gpt-4o', system_text: 'word '.repeat(100_000) }) });
    expect((await lenses(server, agent))[2]).toBe('4: at least 100,000 tokens');
  });

  test('have a command only where the client says it has one', async () => {
    const files = { [agent]: agentText({ llm_config_id: 'main' }), 'config/llms/main.json': llmText('main') };
    const ask = async (server: Harness) => {
      const path = 'config/llms/main.json';
      const [lens] = await server.request<readonly CodeLens[]>('textDocument/codeLens', { textDocument: { uri: server.uri(path) } });
      return (await server.request<CodeLens>('codeLens/resolve', lens)).command;
    };
    expect(await ask(await openServer(files))).toEqual({ title: '1 reference', command: '' });
    const able = await openServer(files, { client: { experimental: { commands: { commands: ['agentStack.showReferences'] } } } });
    expect(await ask(able)).toMatchObject({
      command: 'agentStack.showReferences',
      arguments: [able.uri('config/llms/main.json'), { line: 0, character: 1 }, [{ uri: able.uri(agent), range: { start: { line: 28 } } }]],
    });
  });

  test('are none where they are turned off, and come back as they are when they say nonsense', async () => {
    const server = await openServer({ [agent]: agentText() }, { settings: { codeLens: { enabled: false } } });
    expect(await lenses(server, agent)).toEqual([]);
    const lens = { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, data: { uri: 7 } };
    expect(await server.request('codeLens/resolve', lens)).toEqual(lens);
  });
});

test('a model that ends within 90 days says how soon, where it is written', async () => {
  const profile = 'config/llms/fast.json';
  const titled = async (model: string) => {
    const server = await openServer({
      [agent]: '{\n"agent_name": "A2", "version": "v1", "llm_config_id": "fast"\n}',
      [profile]: `{\n"llm_id": "fast",\n"provider": "openai",\n"model_name": "${model}"\n}`,
    });
    expect((await lenses(server, agent)).filter((lens) => lens.includes(' end'))).toEqual([]);
    return (await lenses(server, profile)).filter((lens) => lens.startsWith('3: '));
  };
  expect(await titled('gpt-5-mini')).toEqual(['3: ends in 14 days']);
  expect(await titled('gpt-4')).toEqual(['3: ended on 2026-10-23']);
  // In 125 days.
  expect(await titled('gpt-5.1')).toEqual([]);
  expect(await titled('gpt-5.4-mini')).toEqual([]);
  expect(await titled('nobodys')).toEqual([]);
});

test('a model that ends is told in personas, environments and tasks, by the provider of those who get it from there', async () => {
  const [persona, prod, flow] = ['config/personas/kind.json', 'config/environments/prod.json', 'config/orchestrations/flow.json'];
  const agents = {
    A2: `"persona_key": "kind"`,
    B: '"user_text": "Hi"',
  };
  const task = '{"name": "t", "persona_key": "cool", "config": {\n"model_name": "gpt-4"\n}}';
  const titled = async (provider: string) => {
    const server = await openServer({
      ...Object.fromEntries(
        Object.entries(agents).map(([name, fields]) => [`config/agents/${name}/v1.json`, `{"provider": "${provider}", ${fields}}`]),
      ),
      [persona]: '{\n"model_name": "gpt-5-mini", "user_text": "Be kind."\n}',
      'config/personas/cool.json': '{"user_text": "Be cool."}',
      // Nobody uses the profile.
      [prod]: '{"agents": {"B": {\n"model_name": "gpt-5-mini"}}, "llms": {"x": {\n"model_name": "gpt-5-mini"}}}',
      [flow]: `{"entry_team": "one", "teams": {"one": {"tasks": [${task}]}}}`,
    });
    const all = await Promise.all([persona, prod, flow].map((path) => lenses(server, path)));
    return all.map((titles) => titles.filter((title) => title.includes(' end')));
  };
  expect(await titled('openai')).toEqual([['1: ends in 14 days'], ['1: ends in 14 days'], ['1: ended on 2026-10-23']]);
  // Azure stops models on days of its own.
  expect(await titled('azure_openai')).toEqual([[], [], ['1: ended on 2026-10-23']]);
});

test('a model that ends is told in a file that is asked about while the agents that get it from there are still read', async () => {
  const persona = 'config/personas/kind.json';
  const agents = Array.from({ length: 50 }, (_none, at) => [
    `config/agents/A${at}/v1.json`,
    '{"provider": "openai", "persona_key": "kind", "user_text": "Hi"}',
  ]);
  const server = await openServer(
    { ...Object.fromEntries(agents), [persona]: '|{\n"model_name": "gpt-5-mini", "user_text": "Be kind."\n}' },
    { early: true },
  );
  expect(await lenses(server, persona)).toContain('1: ends in 14 days');
});

test('when the day changes, findings and lenses are those of the new day', async () => {
  let day = '2026-12-09';
  const server = await openServer(
    { [agent]: '{\n"agent_name": "A2", "version": "v1",\n"model_name": "gpt-5-mini", "user_text": "Hello"\n}' },
    { host: { today: () => day } },
  );
  const project = server.service.workspace.projects[0]!;
  const found = async () =>
    (await project.findings(agent))
      .filter(({ code }) => code === 'deprecated-model')
      .map(({ severity, message }) => `${severity} ${message}`);
  expect(await found()).toEqual([expect.stringMatching(/^warning .* in 2 days\./)]);
  const before = server.affected.length;
  day = '2026-12-11';
  // As the server does every ten minutes.
  server.service.settle();
  expect(server.affected.slice(before)).toEqual(['all']);
  expect(await found()).toEqual([expect.stringMatching(/^error .*, today\./)]);
  expect(await lenses(server, agent)).toContain('2: ends today');
});

test('lenses say what an agent with tools may do, and an orchestration with such agents', async () => {
  const tool = (labels?: object) => ({
    description: 'd',
    parameters: { type: 'object' },
    hash: '0'.repeat(64),
    ...(labels && { labels }),
  });
  const server = await openServer({
    'config/mcp.json': '{"servers": {"issues": {"command": "i"}, "mail": {"command": "m"}}}',
    'config/mcp.lock.json': JSON.stringify({
      format: 1,
      servers: {
        issues: { tools: { search: tool({ reads: 'private', untrusted: true }) } },
        mail: { tools: { send: tool({ sends: true }), odd: tool() } },
      },
    }),
    [agent]: agentText({ agent_type: 'react', model_name: 'gpt-5.4-mini', client_ids: ['issues', 'mail'] }),
    'config/agents/Plain/v1.json': agentText({ model_name: 'gpt-5.4-mini' }, 'Plain'),
    [flow]: flowText,
    'config/personas/kind.json': '{"mode": "Writer", "system_text": "Be kind."}',
  });
  const title = 'may: read issues, send with mail after approval, 1 not known';
  expect(await lenses(server, agent)).toContain(`1: ${title}`);
  expect(await lenses(server, flow)).toContain(`1: ${title}`);
  expect((await lenses(server, 'config/agents/Plain/v1.json')).join('\n')).not.toContain('may:');
});
