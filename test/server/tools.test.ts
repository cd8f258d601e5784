import { describe, expect, test } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  CompletionList,
  Hover,
  Location,
  MarkupContent,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { fixtureTools } from '../support/fixtureTools.js';
import { fullCapabilities } from '../support/lspClient.js';
import { type Harness, type HarnessOptions, openServer } from '../support/serverHarness.js';

const agent = 'config/agents/A/v1.json';
const lockPath = 'config/mcp.lock.json';
const hash = '0'.repeat(64);
const parameters = {
  type: 'object',
  required: ['q'],
  properties: { q: { type: 'string', description: 'What to find.' }, most: { type: 'integer' } },
};
const search = { description: 'Finds pages.', parameters, hash };
const lock = {
  format: 1,
  servers: {
    docs: {
      tools: { search, open: { description: '', parameters: {}, hash, changed: { description: 'Opens *all*.', parameters: {}, hash } } },
    },
    web: { tools: { search: { description: 'Asks the web.', parameters: {}, hash, changed: null } } },
  },
};
const project = {
  'config/mcp.json':
    '{ "servers": { "docs": { "command": "d" }, "web": { "url": "https://example.com/mcp" }, "new": { "command": "n" } } }',
  [lockPath]: JSON.stringify(lock, null, 2),
  'agentstack.json': '{ "skills": { "find_order": { "description": "Finds an order." } } }',
};
const text = (fields: string) => `{ "agent_name": "A", "version": "v1", "agent_type": "react", "model_name": "gpt-4o", ${fields} }`;
const open = (fields: string, options: HarnessOptions = {}, more: Readonly<Record<string, string>> = {}) =>
  openServer({ ...project, ...more, [agent]: text(fields) }, options);

async function completed(server: Harness, path = agent): Promise<readonly CompletionItem[]> {
  const answer = await server.request<CompletionList | CompletionItem[]>('textDocument/completion', server.at(path));
  return Array.isArray(answer) ? answer : answer.items;
}
const labels = async (fields: string) => (await completed(await open(fields))).map(({ label }) => label);

const builtIn = 'calculator';

describe('completion of tools', () => {
  test('offers those of the module in agentstack.json, and of providers those that it lists', async () => {
    const more = {
      'agentstack.json': '{ "tools": "./tools.mjs", "providers": ["mycorp"] }',
      'tools.mjs': "export const stock = { name: 'stock', description: 'Counts.', call: () => 5 };",
    };
    const options = { host: { registeredIn: () => fixtureTools(more) } };
    const server = await open('"enabled_tools": ["|"]', options, more);
    await server.service.workspace.ready();
    expect((await completed(server)).map(({ label }) => label)).toEqual(expect.arrayContaining(['stock', builtIn]));
    const named = await open('"provider": "|"', options, more);
    expect((await completed(named)).map(({ label }) => label)).toEqual(expect.arrayContaining(['mycorp', 'anthropic', 'offline']));
  });

  test('offers those of the agent’s servers, skills and built-in ones, each by the name a model has for it', async () => {
    const found = await labels('"client_ids": ["docs"], "enabled_tools": ["|"]');
    expect(found).toEqual(expect.arrayContaining(['search', 'open', 'find_order', builtIn]));
    expect(found).not.toContain('docs_search');
    const both = await labels('"client_ids": ["docs", "web"], "exclude_components": ["|"]');
    expect(both).toEqual(expect.arrayContaining(['docs_search', 'web_search', 'open']));
    expect(both).not.toContain('search');
  });

  test('offers none twice, and no server’s tools to an agent without servers', async () => {
    expect(await labels('"client_ids": ["docs"], "enabled_tools": ["search", "|"]')).not.toContain('search');
    const alone = await labels('"enabled_tools": ["|"]');
    expect(alone).toContain(builtIn);
    expect(alone).not.toContain('search');
  });

  test('knows the servers of the persona, and all of them in a persona without any', async () => {
    const persona = 'config/personas/p.json';
    const server = await open('"persona_key": "p", "enabled_tools": ["|"]', {}, { [persona]: '{ "client_ids": ["docs"] }' });
    expect((await completed(server)).map(({ label }) => label)).toContain('search');
    const inPersona = await open('"description": ""', {}, { [persona]: '{ "enabled_tools": ["|"] }' });
    expect((await completed(inPersona, persona)).map(({ label }) => label)).toEqual(expect.arrayContaining(['docs_search', 'web_search']));
  });

  test('offers skills to the steps of a plan', async () => {
    const found = await labels('"client_ids": ["docs"], "execution_plan": { "steps": [{ "name": "a", "skill": "|" }] }');
    expect(found).toEqual(expect.arrayContaining(['search', 'find_order', builtIn]));
  });

  test('tells what a tool does', async () => {
    const server = await open('"client_ids": ["docs"], "enabled_tools": ["|"]');
    const item = (await completed(server)).find(({ label }) => label === 'search');
    const { documentation } = await server.request<CompletionItem>('completionItem/resolve', item);
    const { value } = documentation as MarkupContent;
    expect(value).toMatch(/Finds pages\\?\./);
    expect(value).toContain('`q` (string, required): What to find');
    expect(item?.detail ?? (item?.labelDetails?.description || '')).toContain('docs');
  });
});

async function hovered(server: Harness, path = agent): Promise<string> {
  const hover = await server.request<Hover | null>('textDocument/hover', server.at(path));
  return hover === null ? '' : (hover.contents as MarkupContent).value;
}

describe('a hover', () => {
  test('on a tool tells what it does, what it takes and whether it has changed', async () => {
    const told = await hovered(await open('"client_ids": ["docs"], "enabled_tools": ["sea|rch"]'));
    expect(told).toContain('search (tool of docs)');
    expect(told).toContain('Finds pages.');
    expect(told).toContain('q (string, required): What to find.');
    expect(told).toContain('Pinned, and unchanged');
    expect(await hovered(await open('"client_ids": ["docs"], "enabled_tools": ["op|en"]'))).toContain('the server has changed it since');
    expect(await hovered(await open('"client_ids": ["web"], "enabled_tools": ["sea|rch"]'))).toContain('no longer lists it');
    expect(await hovered(await open(`"enabled_tools": ["calcu|lator"]`))).toContain('calculator (built-in tool)');
    expect(await hovered(await open('"enabled_tools": ["find_or|der"]'))).toContain('find_order (skill)');
  });

  test('on a name of several tools tells of each', async () => {
    const told = await hovered(await open('"client_ids": ["docs", "web"], "enabled_tools": ["sea|rch"]'));
    expect(told).toContain('Finds pages.');
    expect(told).toContain('Asks the web.');
  });

  test('on a server of mcp.json lists its tools', async () => {
    const mcp = 'config/mcp.json';
    const on = async (id: string) =>
      hovered(await open('"description": ""', {}, { [mcp]: project[mcp].replace(`"${id}"`, `"${id[0]}|${id.slice(1)}"`) }), mcp);
    expect(await on('docs')).toContain('Its 2 tools:');
    expect(await on('docs')).toContain('open (changed)');
    expect(await on('new')).toContain('Its tools are not listed yet');
  });
});

describe('a definition', () => {
  const at = async (fields: string) => {
    const server = await open(fields);
    const found = await server.request<readonly Location[] | null>('textDocument/definition', server.at(agent));
    return (found ?? []).map(({ uri, range: { start, end } }) => {
      const path = uri.slice(server.uri('').length).replace(/^\//, '');
      return `${path} «${server.text(path).split('\n')[start.line]?.slice(start.character, end.character)}»`;
    });
  };

  test('of a tool is in the lock, of a skill in agentstack.json, of a built-in tool nowhere', async () => {
    expect(await at('"client_ids": ["docs"], "enabled_tools": ["sea|rch"]')).toEqual([`${lockPath} «search»`]);
    expect(await at('"client_ids": ["docs", "web"], "enabled_tools": ["sea|rch"]')).toHaveLength(2);
    expect(await at('"client_ids": ["docs"], "enabled_tools": ["docs_sea|rch"]')).toEqual([`${lockPath} «search»`]);
    expect(await at('"client_ids": ["docs"], "enabled_tools": ["do|cs_search"]')).toEqual(['config/mcp.json «docs»']);
    expect(await at('"enabled_tools": ["find_or|der"]')).toEqual(['agentstack.json «find_order»']);
    expect(await at('"enabled_tools": ["calcu|lator"]')).toEqual([]);
  });
});

test('renaming a server takes its lock and prefixed tools along', async () => {
  const server = await open('"client_ids": ["do|cs"], "enabled_tools": ["docs_search", "docs_gone"]', { client: fullCapabilities });
  const edit = await server.request<WorkspaceEdit>('textDocument/rename', { ...server.at(agent), newName: 'wiki' });
  const after = Object.fromEntries(Object.entries(server.applied(edit)).map(([path, changed]) => [path.replace(/^\//, ''), changed]));
  expect(after[agent]).toContain('"client_ids": ["wiki"], "enabled_tools": ["wiki_search", "docs_gone"]');
  expect(Object.keys(JSON.parse(after['config/mcp.json'] ?? '').servers)).toEqual(['wiki', 'web', 'new']);
  expect(Object.keys(JSON.parse(after[lockPath] ?? '').servers)).toEqual(['wiki', 'web']);
});

describe('a changed tool', () => {
  const actions = async (commands: readonly string[]) => {
    const client = { ...fullCapabilities, experimental: { commands: { commands } } };
    const server = await open('"client_ids": ["docs"]', { client });
    const { items } = await server.service.diagnose(server.uri(agent));
    const finding = items.find(({ code }) => code === 'mcp-tool-drift')!;
    const params = { textDocument: { uri: server.uri(agent) }, range: finding.range, context: { diagnostics: [finding] } };
    return { server, found: await server.request<CodeAction[]>('textDocument/codeAction', params) };
  };

  test('is shown by a command of the client, where it has one', async () => {
    const { server, found } = await actions(['agentStack.showToolDifference']);
    const show = found.find(({ title }) => title === 'Show what has changed in "open"');
    expect(show?.command).toEqual({
      title: 'Show what has changed in "open"',
      command: 'agentStack.showToolDifference',
      arguments: [{ uri: server.uri(lockPath), server: 'docs', tool: 'open' }],
    });
    expect(show?.edit).toBeUndefined();
    expect((await actions([])).found.some(({ command }) => command !== undefined)).toBe(false);
  });

  test('is looked at again when the lock changes', async () => {
    const { server } = await actions([]);
    server.write(lockPath, JSON.stringify({ format: 1, servers: { docs: { tools: { search } } } }));
    const { items } = await server.service.diagnose(server.uri(agent));
    expect(items.map(({ code }) => code)).not.toContain('mcp-tool-drift');
  });
});

describe('the lens of an agent', () => {
  const lens = async (fields: string, more: Readonly<Record<string, string>> = {}) => {
    const server = await open(fields, {}, more);
    const lenses = await server.request<readonly CodeLens[]>('textDocument/codeLens', { textDocument: { uri: server.uri(agent) } });
    const titles: string[] = [];
    for (const one of lenses) titles.push((await server.request<CodeLens>('codeLens/resolve', one)).command?.title ?? '');
    return titles.find((title) => title.startsWith('at most '));
  };

  test('tells what a run may cost at most', async () => {
    expect(await lens('"max_iterations": 12')).toMatch(/^at most 12 calls, \d+\.\d\d USD$/);
    expect(await lens('"max_iterations": 12, "budget": { "max_cost": 0.05 }')).toBe('at most 12 calls, 0.05 USD (budget)');
    expect(await lens('"model_name": "unheard-of", "max_iterations": 2')).toBe('at most 2 calls, price of the model unknown');
    expect(await lens('"agent_type": "orchestrating"')).toBeUndefined();
  });

  test('counts the longest payload', async () => {
    const sample = (length: number) => JSON.stringify({ input: { task: 'x'.repeat(length) } });
    const cost = async (more: Readonly<Record<string, string>>) =>
      Number(/, ([\d.]+) USD/.exec((await lens('"max_iterations": 1', more)) ?? '')?.[1]);
    const short = await cost({ 'config/payloads/A/short.json': sample(10) });
    const both = await cost({ 'config/payloads/A/short.json': sample(10), 'config/payloads/A/long.json': sample(90_000) });
    expect(both).toBeGreaterThan(short);
  });
});
