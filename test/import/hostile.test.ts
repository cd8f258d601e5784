import { describe, expect, test } from 'vitest';
import { fixture, importInto, project } from './support.js';

const agent = (prompt: string) => JSON.stringify({ name: 'a', prompt, tools: [] }, null, 2);

test('a broken file is told with file, line and column', async () => {
  await expect(importInto({ 'a.json': '{\n  "role": "x",\n  "goal" "y"\n}' }, { entry: 'a.json' })).rejects.toThrow(/^a\.json:3:10: /);
  await expect(importInto({ 'a.yaml': 'role: x\ngoal: [y\n' }, { entry: 'a.yaml' })).rejects.toThrow(/^a\.yaml:3:1: Not YAML/);
  await expect(importInto({ 'a.md': '---\nname: x\nname: y\n---\nText' }, { entry: 'a.md' })).rejects.toThrow(/^a\.md:3:1: Not YAML/);
});

test('comments and trailing commas are no fault, and places stay', async () => {
  const comments = '// one more\n'.repeat(200);
  const { plan } = await importInto({
    'x.jsonc': `${comments}{\n  /* a */ "name": "a", "prompt": "You // are, }",\n  "tools": ["aws",],\n}`,
  });
  expect(plan.files[0]?.text).toContain('You // are, }');
  expect(plan.notes).toMatchObject([{ line: 203, column: 3 }]);
});

test.each([
  ['an unknown shape', '{"hello": 1}', /a\.json has no known shape of an agent file\. Known are kiro \(/],
  ['no object', '[1, 2]', /has no known shape/],
  ['a file of ours', '{"agent_name": "A", "version": "v1"}', /a file of Agent Stack already/],
  [
    'a file of ours by its schema',
    '{"$schema": "../../schemas/llm.schema.json", "llm_id": "x", "provider": "openai", "model_name": "y"}',
    /a file of Agent Stack already/,
  ],
])('%s is refused', async (_, text, message) => {
  await expect(importInto({ 'a.json': text }, { entry: 'a.json' })).rejects.toThrow(message);
});

test('a file that may be of two tools asks for --from, and --from decides', async () => {
  const text = '---\nname: x\ndescription: y\n---\nYou help.';
  const sources = { 'x.md': text.replace('description: y', 'description: y\ntools: {}\nprompt: z') };
  await expect(
    importInto({ 'a.json': '{"role": "r", "goal": "g", "name": "n", "system_prompt": "s"}' }, { entry: 'a.json' }),
  ).rejects.toThrow(/may be a CrewAI crew or components of Aurite\. Say which: --from crewai or --from aurite\./);
  expect((await importInto(sources, { entry: 'x.md', from: 'claude-code' })).plan.sources).toMatchObject([{ from: 'claude-code' }]);
});

describe('YAML', () => {
  test('custom tags are refused with their place', async () => {
    const text = 'orchestration:\n  teams: !!python/object/apply:os.system ["ls"]\n';
    await expect(importInto({ 'a.yaml': text }, { entry: 'a.yaml' })).rejects.toThrow(
      /^a\.yaml:2:\d+: The tag .*python.* names a type of a program/,
    );
  });

  test('aliases are read, but not without limit', async () => {
    const fine = 'a: &base {role: R, goal: G, backstory: B}\nb: *base\nc:\n  <<: *base\n  goal: H\n';
    expect((await importInto({ 'agents.yaml': fine })).plan.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['config/agents/a/v1.json', 'config/agents/b/v1.json', 'config/agents/c/v1.json']),
    );
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
      .split('')
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`)}]`)
      .join('\n')}\n`;
    await expect(importInto({ 'a.yaml': bomb }, { entry: 'a.yaml' })).rejects.toThrow(/Its aliases \(\*name\) expand to too much data/);
    await expect(importInto({ 'a.yaml': 'a: &a [*a]' }, { entry: 'a.yaml' })).rejects.toThrow(/aliases|nested/);
  });

  test('several documents, deep nesting and values that JSON does not have are refused', async () => {
    await expect(importInto({ 'a.yaml': 'a: 1\n---\nb: 2\n' }, { entry: 'a.yaml' })).rejects.toThrow(/several YAML documents/);
    await expect(importInto({ 'a.yaml': '['.repeat(20_000) }, { entry: 'a.yaml' })).rejects.toThrow(/nested too deeply|Not YAML/);
    await expect(importInto({ 'a.yaml': 'a: .inf\n' }, { entry: 'a.yaml' })).rejects.toThrow(/a value that JSON does not have/);
  });
});

test('a file above 10 MB is refused', async () => {
  await expect(importInto({ 'a.json': `{"x": "${'x'.repeat(10 * 1024 * 1024)}"}` }, { entry: 'a.json' })).rejects.toThrow(/too-large/);
});

test('what has the name of a secret in a server is one, however it looks, as the check judges', async () => {
  const servers = {
    db: {
      command: 'db',
      args: ['--token', 'tok_9f8e7d6c5b4a39281706f5e4d3c2b1a0', '--password=tea with milk', '--verbose'],
      env: { DB_PASSWORD: 'hunter2hunter2', DB_USER: 'ada', AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMIK7MDENGbPxRfiCYq8ertyuiopas' },
    },
  };
  const imported = await importInto({ 'in/.kiro/agents/a.json': JSON.stringify({ name: 'a', prompt: 'Hi', mcpServers: servers }) });
  expect(imported.read('config/mcp.json')).toMatchObject({
    servers: {
      db: {
        args: ['--token', 'secret://db_token', '--password=secret://db_password_2', '--verbose'],
        env: { DB_PASSWORD: 'secret://db_password', DB_USER: 'ada', AWS_SECRET_ACCESS_KEY: 'secret://aws_secret_access_key' },
      },
    },
  });
  expect(imported.findings.filter(({ code }) => code === 'secret-in-plain-text')).toEqual([]);
});

test('secrets are never written or told: a reference is in their place', async () => {
  const key = 'sk-proj-Ab3dE5fGh7Jk9LmN1pQr3StU5vWx7Yz9Ab3dE5fGh7Jk9Lm';
  const other = 'ghp_Zb3dE5fGh7Jk9LmN1pQr3StU5vWx7Yz9Ab3e';
  const token = 'ghp_Ab3dE5fGh7Jk9LmN1pQr3StU5vWx7Yz9Ab3d';
  const imported = await importInto({
    'llm.json': JSON.stringify([
      { type: 'llm', llm_id: 'big', provider: 'openai', model_name: 'gpt-5.5', api_key: key },
      { type: 'llm', llm_id: 'odd', provider: 'openai', model_name: 'gpt-5.5', api_key: 'hunter2' },
      { type: 'agent', name: `Agent ${token}`, llm_config_id: 'big', system_prompt: `Use ${token} for everything.`, [token]: 1 },
      { type: 'mcp_server', name: 'gh', command: 'gh-mcp', env: { GITHUB_TOKEN: other } },
    ]),
  });
  const all = JSON.stringify([imported.plan, ...imported.files.texts.values()]);
  for (const secret of [key, token, other, 'hunter2']) expect(all).not.toContain(secret);
  expect(imported.read('config/llms/big.json').api_key).toBe('secret://big_api_key');
  expect(imported.read('config/llms/odd.json').api_key).toBe('secret://odd_api_key');
  expect(imported.read('config/mcp.json')).toMatchObject({ servers: { gh: { env: { GITHUB_TOKEN: 'secret://github_token' } } } });
  expect(imported.plan.notes.map(({ message }) => message)).toContainEqual(expect.stringContaining('the variable BIG_API_KEY'));
});

test('a secret that one place shows is hidden in every other', async () => {
  const secrets = ['q7w8e9r0t1', 'k3y-0f-the-url', 'c00kie-value', 'opaque42token', 'hunter2hunter2', 'base1url2key3'];
  const [query, second, cookie, header, password, ofAddress] = secrets;
  const servers = {
    web: { url: `https://mcp.example.org/sse?api_key=${query}&key=${second}&page=2`, headers: { Cookie: `sid=${cookie}` } },
    remote: { command: 'npx', args: ['mcp-remote', 'https://x.example.org/mcp', '-H', `Authorization: Bearer ${header}`] },
    db: { command: 'db', args: ['--verbose'], env: { DB_PASSWORD: password, DB_URL: `https://db.example.org/?q=1&token=${password}` } },
  };
  const prompt = `Log in with ${password} and ${query}; the page wants ${cookie}, the gateway ${header} or https://m.example.org/v1?key=${ofAddress}.`;
  const imported = await importInto({
    '.kiro/agents/a.json': JSON.stringify({
      name: `Helper ${header}`,
      description: `Uses ${second}.`,
      prompt,
      mcpServers: servers,
      odd: password,
    }),
  });
  const all = JSON.stringify([imported.plan, ...imported.files.texts.values()]);
  for (const secret of secrets) expect(all, secret).not.toContain(secret);
  expect(imported.read('config/mcp.json').servers).toMatchObject({
    web: {
      url: 'https://mcp.example.org/sse?api_key=secret://web_api_key&key=secret://web_key&page=2',
      headers: { Cookie: expect.any(String) },
    },
    remote: { args: ['mcp-remote', 'https://x.example.org/mcp', '-H', 'Authorization: Bearer secret://remote_authorization'] },
    db: { env: { DB_PASSWORD: 'secret://db_password', DB_URL: 'https://db.example.org/?q=1&token=secret://db_password' } },
  });
  expect(imported.findings.filter(({ code }) => code === 'secret-in-plain-text')).toEqual([]);
});

test('a prompt outside of the folder is not read', async () => {
  const sources = {
    'in/.kiro/agents/a.json': agent('file://../../../secret.txt'),
    'secret.txt': 'classified',
    'in/.kiro/agents/b.json': agent('file:///etc/passwd'),
  };
  const { plan } = await importInto(Object.fromEntries(Object.entries(sources).map(([path, text]) => [path.replace('in/', ''), text])));
  expect(JSON.stringify(plan)).not.toContain('classified');
  expect(plan.notes.filter(({ message }) => message.includes('was not read'))).toHaveLength(2);
});

test('a name can lead nowhere else', async () => {
  const { plan } = await importInto({
    '.kiro/agents/a.json': JSON.stringify({ name: '../../../etc/cron', prompt: 'x', model: '../../x', tools: ['@../y'] }),
  });
  for (const { path } of plan.files) expect(path).toMatch(/^config\/(?:agents\/[\w.-]+\/[\w.-]+|llms\/[\w.-]+|mcp)\.json$/);
  expect(plan.files[0]?.path).toBe('config/agents/etc_cron/v1.json');
});

test('what is there already is never overwritten, and nothing is written then', async () => {
  const sources = fixture('kiro');
  const into = { ...project, 'config/agents/Builder/v3.json': JSON.stringify({ agent_name: 'Builder', version: 'v3', system_text: 'x' }) };
  const { plan, files } = await importInto(sources, { into });
  expect(plan.obstacles).toEqual([expect.stringMatching(/^config\/agents\/Builder\/v3\.json is there already and is not overwritten/)]);
  expect([...files.texts.keys()]).toEqual(Object.keys(into));
  const renamed = await importInto(sources, { into, entry: '.kiro/agents/builder.json', name: 'Mason' });
  expect(renamed.written).toEqual(['config/agents/Mason/v1.json']);
  await expect(importInto(sources, { into, name: 'Mason' })).rejects.toThrow('--name is for one agent, and there are 3');
});

test('servers are added to mcp.json, and one of another kind under the same id is in the way', async () => {
  const mcp = (server: object) => JSON.stringify({ servers: { other: { command: 'x' }, git: server } });
  const into = { ...project, 'config/mcp.json': mcp({ type: 'http', url: 'https://git.example.com' }) };
  expect((await importInto(fixture('kiro'), { into })).plan.obstacles).toEqual([
    expect.stringContaining('config/mcp.json has another server "git"'),
  ]);
  const free = { ...project, 'config/mcp.json': JSON.stringify({ servers: { other: { command: 'x' } } }) };
  const { plan, read } = await importInto(fixture('kiro'), { into: free });
  expect(plan.files.find(({ path }) => path === 'config/mcp.json')?.action).toBe('change');
  expect(Object.keys(read('config/mcp.json').servers as object)).toEqual(['other', 'fetch', 'git', 'postgres']);
});

test('a broken file in a folder is left out and told, and the rest is imported', async () => {
  const { plan } = await importInto({ '.kiro/agents/a.json': agent('You help.'), '.kiro/agents/b.json': '{' });
  expect(plan.files.map(({ path }) => path)).toEqual(['config/agents/a/v1.json']);
  expect(plan.notes).toContainEqual(
    expect.objectContaining({ file: '.kiro/agents/b.json', message: expect.stringContaining('Left out: .kiro/agents/b.json:1:') }),
  );
  await expect(importInto({ 'package.json': '{"scripts": {}}' })).rejects.toThrow('The folder holds no agent file that is known.');
});

test('values of the wrong type are left out and told', async () => {
  const { plan, read } = await importInto({
    'x.json': JSON.stringify({ name: 'a', system_prompt: 'x', temperature: 'hot', max_tokens: -1, client_ids: 'all', schema: [] }),
  });
  expect(read('config/agents/a/v1.json')).toEqual({
    $schema: expect.any(String),
    agent_name: 'a',
    version: 'v1',
    agent_type: 'react',
    system_text: 'x',
  });
  expect(plan.notes.map(({ message }) => message).join('\n')).toMatch(/"temperature" is left out: temperature must be a number/);
});
