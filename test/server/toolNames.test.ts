import { describe, expect, test } from 'vitest';
import type { CompletionList, DocumentLink, Hover, Location, MarkupContent, TextEdit } from 'vscode-languageserver';
import { editText, type Harness, openServer } from '../support/serverHarness.js';

/** Names in the files of other tools. In each fixture, one file has the cursor (`|`). */

type Files = Readonly<Record<string, string>>;

const servers = JSON.stringify({
  mcpServers: { stock: { command: 'stock-mcp' }, 'web.search': { url: 'https://mcp.example.com/v1?key=a' } },
});
const lists = { '.mcp.json': servers };
const agent = (fields: string, name = 'reviewer') => `---\nname: ${name}\ndescription: Reviews a change\n${fields}\n---\n\nReview it.\n`;
const settings = (permissions: object, more: object = {}) => JSON.stringify({ permissions, ...more });

async function at(files: Files): Promise<{ server: Harness; params: ReturnType<Harness['at']>; path: string }> {
  const server = await openServer(files, { bare: true });
  const path = Object.keys(files).find((name) => files[name]?.includes('|')) ?? '';
  return { server, params: server.at(path), path };
}

/** Each place with its path and its line, in which the name is between `<` and `>`. */
function drawn(server: Harness, places: readonly Location[] | null): readonly string[] {
  return (places ?? []).map(({ uri, range }) => {
    const path = decodeURIComponent(uri.slice(server.uri('').length + 1));
    const line = server.text(path).split('\n')[range.start.line] ?? '';
    const name = line.slice(range.start.character, range.end.character);
    return `${path}:${range.start.line + 1} ${name}`;
  });
}

async function definition(files: Files): Promise<readonly string[]> {
  const { server, params } = await at(files);
  return drawn(server, await server.request('textDocument/definition', params));
}

async function references(files: Files, includeDeclaration = true): Promise<readonly string[]> {
  const { server, params } = await at(files);
  return drawn(server, await server.request('textDocument/references', { ...params, context: { includeDeclaration } }));
}

async function hover(files: Files): Promise<string | undefined> {
  const { server, params } = await at(files);
  return ((await server.request<Hover | null>('textDocument/hover', params))?.contents as MarkupContent | undefined)?.value;
}

async function completion(files: Files): Promise<readonly string[]> {
  const { server, params } = await at(files);
  return ((await server.request<CompletionList | null>('textDocument/completion', params))?.items ?? []).map(({ label }) => label);
}

/** The text after an offer has been taken. */
async function completed(files: Files, label: string): Promise<string> {
  const { server, params, path } = await at(files);
  const { items } = await server.request<CompletionList>('textDocument/completion', params);
  const item = items.find((candidate) => candidate.label === label);
  return editText(server.text(path), [item?.textEdit as TextEdit, ...(item?.additionalTextEdits ?? [])]);
}

const crewTask = '"description": "Write", "expected_output": "A page"';
const role = '{ "role": "Writer", "goal": "Write", "backstory": "You write." }';

describe('definition leads', () => {
  test.each<[string, string, Files, readonly string[]]>([
    [
      'from a task of a crew',
      'to the file of its agent',
      { 'crew.jsonc': `{ "agents": ["writer"], "tasks": [{ ${crewTask}, "agent": "wri|ter" }] }`, 'agents/writer.jsonc': role },
      ['agents/writer.jsonc:1 '],
    ],
    [
      'from a task in tasks.yaml',
      'to the agent in agents.yaml',
      {
        'src/config/tasks.yaml': 'write:\n  description: Write\n  expected_output: A page\n  agent: wri|ter\n',
        'src/config/agents.yaml': 'writer:\n  role: Writer\n  goal: Write\n  backstory: You write\n',
      },
      ['src/config/agents.yaml:1 writer'],
    ],
    [
      'from a permission of Claude Code',
      'to the server of the tool',
      { ...lists, '.claude/settings.json': settings({ allow: ['mcp__stock__fi|nd'] }) },
      ['.mcp.json:1 stock'],
    ],
    [
      'from all tools of a server',
      'to the server, whose name is spelt with other characters',
      { ...lists, '.claude/settings.json': settings({ deny: ['mcp__web_|search'] }) },
      ['.mcp.json:1 web.search'],
    ],
    [
      'from a list of tools in one text',
      'to the server',
      { ...lists, '.claude/agents/reviewer.md': agent('tools: Read, mcp__sto|ck__find, Grep') },
      ['.mcp.json:1 stock'],
    ],
    [
      'from a server that the agent itself defines',
      'there',
      { ...lists, '.claude/agents/reviewer.md': agent('mcpServers:\n  - stock: { command: own }\ntools:\n  - mcp__sto|ck__find') },
      ['.claude/agents/reviewer.md:5 stock'],
    ],
    [
      'from the list of servers that are switched on',
      'to the server',
      { ...lists, '.claude/settings.local.json': '{ "enabledMcpjsonServers": ["|stock"] }' },
      ['.mcp.json:1 stock'],
    ],
    [
      'from an agent in parentheses',
      'to the agent',
      {
        '.claude/agents/a/reviewer.md': agent('tools: Read'),
        '.claude/agents/lead.md': agent('tools: Read, Agent(helper, revi|ewer)', 'lead'),
      },
      ['.claude/agents/a/reviewer.md:2 reviewer'],
    ],
    [
      'from a package',
      'to the list around it, when it has none of its own',
      { ...lists, 'packages/web/.claude/settings.json': settings({ allow: ['mcp__stock__|find'] }) },
      ['.mcp.json:1 stock'],
    ],
    [
      'from a package',
      'to its own list first',
      { ...lists, 'web/.mcp.json': servers, 'web/.claude/settings.json': settings({ allow: ['mcp__stock__|find'] }) },
      ['web/.mcp.json:1 stock'],
    ],
    [
      'from a tool of a Kiro agent',
      'to the server',
      { '.kiro/settings/mcp.json': servers, '.kiro/agents/a.json': '{ "includeMcpJson": true, "tools": ["@sto|ck/find"] }' },
      ['.kiro/settings/mcp.json:1 stock'],
    ],
    [
      'from the prompt of a Kiro agent',
      'to its file',
      { '.kiro/agents/a.json': '{ "tools": ["read"], "prompt": "file://./prompts/|a.md" }', '.kiro/agents/prompts/a.md': 'Answer.' },
      ['.kiro/agents/prompts/a.md:1 '],
    ],
    [
      'from a permission of opencode',
      'to the server',
      { 'opencode.json': '{ "mcp": { "stock": { "type": "local", "command": ["s"] } }, "permission": { "stock|_*": "ask" } }' },
      ['opencode.json:1 stock'],
    ],
    [
      'from the default agent of opencode',
      'to the agent in Markdown, called like its file',
      { 'opencode.json': '{ "default_agent": "pl|an" }', '.opencode/agent/plan.md': '---\ndescription: Plans\n---\nPlan.\n' },
      ['.opencode/agent/plan.md:1 '],
    ],
    [
      'from a prompt file of opencode',
      'to the file',
      { 'opencode.json': '{ "agent": { "a": { "prompt": "{file:./pro|mpts/a.txt}" } } }', 'prompts/a.txt': 'Answer.' },
      ['prompts/a.txt:1 '],
    ],
    ['from a server', 'to itself', { '.codex/config.toml': '[mcp_servers.sto|ck]\ncommand = "s"\n' }, ['.codex/config.toml:1 stock']],
  ])('%s %s', async (_from, _to, files, places) => {
    expect(await definition(files)).toEqual(places);
  });

  test.each<[string, Files]>([
    ['a server that no list has', { ...lists, '.claude/settings.json': settings({ allow: ['mcp__oth|er__find'] }) }],
    ['a server of a longer name', { ...lists, '.claude/settings.json': settings({ allow: ['mcp__stock|s__find'] }) }],
    ['a tool of Claude Code', { ...lists, '.claude/settings.json': settings({ allow: ['Ba|sh(git:*)'] }) }],
    ['what a rule is limited to', { ...lists, '.claude/settings.json': settings({ allow: ['Bash(mcp__sto|ck__find)'] }) }],
    ['a list of another tool', { '.cursor/mcp.json': servers, '.claude/settings.json': settings({ allow: ['mcp__stock__|find'] }) }],
    ['the text of an agent', { ...lists, '.claude/agents/a.md': `${agent('tools: Read')}Use mcp__sto|ck__find.\n` }],
    ['a file that does not exist', { '.kiro/agents/a.json': '{ "tools": ["read"], "prompt": "file://./|a.md" }' }],
    ['a list in a folder beside', { 'a/.mcp.json': servers, 'b/.claude/settings.json': settings({ allow: ['mcp__stock__|find'] }) }],
  ])('nowhere from %s', async (_from, files) => {
    expect(await definition(files)).toEqual([]);
  });
});

describe('references', () => {
  const files = {
    '.mcp.json': '{ "mcpServers": { "sto|ck": { "type": "http", "url": "https://a.example.com" } } }',
    '.vscode/mcp.json': '{ "servers": { "stock": { "type": "http", "url": "https://a.example.com" } } }',
    '.claude/settings.json': settings({ allow: ['mcp__stock__find', 'mcp__stock'], deny: ['mcp__stocks__find'] }),
    '.claude/agents/reviewer.md': agent('tools: mcp__stock__find'),
    'other/.claude/agents/reviewer.md': agent('tools:\n  - mcp__stock__find'),
  };

  test('of a server are the tools that are named of it, and its other definitions in the folder', async () => {
    expect(await references(files)).toEqual([
      '.claude/agents/reviewer.md:4 mcp__stock__find',
      '.claude/settings.json:1 mcp__stock__find',
      '.claude/settings.json:1 mcp__stock',
      '.mcp.json:1 stock',
      'other/.claude/agents/reviewer.md:5 mcp__stock__find',
      '.vscode/mcp.json:1 stock',
    ]);
    expect((await references(files, false)).filter((place) => place.includes('mcp.json'))).toEqual([]);
  });

  test('of a model and of what no file defines are the places with the same name', async () => {
    expect(
      await references({
        '.claude/agents/a.md': agent('model: op|us', 'a'),
        '.claude/agents/b.md': agent('model: opus', 'b'),
        '.claude/agents/c.md': agent('model: sonnet', 'c'),
      }),
    ).toEqual(['.claude/agents/a.md:4 opus', '.claude/agents/b.md:4 opus']);
    expect(
      await references({ '.claude/settings.json': settings({ allow: ['mcp__x__|y'], ask: ['mcp__x__y'], deny: ['mcp__x__z'] }) }),
    ).toHaveLength(2);
  });
});

describe('hover', () => {
  test('says how a server is reached, without what may be secret, and who names it', async () => {
    const url = 'https://user:hunter22@mcp.example.com/v1?token=abc';
    const text = await hover({
      '.cursor/mcp.json': '{ "mcpServers": { "docs": { "command": "docs" } } }',
      '.kiro/settings/mcp.json': JSON.stringify({ mcpServers: { 'docs|': { url, env: { TOKEN: 'abc' } } } }),
      '.kiro/agents/a.json': '{ "includeMcpJson": true, "tools": ["@docs/find"] }',
    });
    expect(text).toBe(
      'docs (MCP server) .kiro/settings/mcp.json\nhttp, at https://mcp.example.com.\nAlso defined in .cursor/mcp.json.\nNamed in .kiro/agents/a.json.',
    );
  });

  test('of a tool shows its server', async () => {
    expect(await hover({ ...lists, '.claude/settings.json': settings({ allow: ['mcp__stock__fi|nd'] }) })).toBe(
      'Tool find of this server:\nstock (MCP server) .mcp.json\nstdio, runs stock-mcp.',
    );
    expect(await hover({ ...lists, '.claude/settings.json': settings({ allow: ['mcp__stock__|*'] }) })).toContain('All tools');
  });

  test.each<[string, Files, string | undefined]>([
    [
      'an agent',
      { '.claude/agents/reviewer.md': agent('model: opus'), '.claude/settings.json': '{ "agent": "revie|wer" }' },
      'reviewer (agent of Claude Code) .claude/agents/reviewer.md\nReviews a change\nModel opus.',
    ],
    [
      'a server of which nothing is known',
      { '.cursor/mcp.json': '{ "mcpServers": { "do|cs": { "cmd": "docs" } } }' },
      'docs (MCP server) .cursor/mcp.json\nNeither a command nor an address is known.',
    ],
    [
      'a field of an agent, not of the agent',
      {
        'src/crew/config/agents.yaml': 'researcher:\n  role: Researcher\n  go|al: Find out\n  backstory: x\n',
        'src/crew/config/tasks.yaml': 'find:\n  description: Find\n  expected_output: A list\n  agent: researcher\n',
      },
      undefined,
    ],
    ['a built-in tool', { '.claude/settings.json': settings({ allow: ['Ba|sh(ls)'] }) }, 'Bash (tool of Claude Code)'],
    ['an alias', { '.claude/agents/a.md': agent('model: inh|erit') }, 'inherit: Claude Code decides which model that is.'],
    ['a name that nobody knows', { '.claude/settings.json': settings({ allow: ['Whatev|er'] }) }, undefined],
  ])('of %s', async (_what, files, text) => {
    expect(await hover(files)).toBe(text);
  });

  test('of a model shows what is known of it', async () => {
    expect(await hover({ '.claude/agents/a.md': agent('model: claude-sonnet|-4-5') })).toContain('claude-sonnet-4-5 (anthropic)');
    expect(await hover({ 'opencode.json': '{ "model": "openai/gpt|-5" }' })).toContain('gpt-5 (openai)');
  });
});

describe('completion', () => {
  const permission = (rule: string, more: Files = {}) => ({
    ...lists,
    ...more,
    '.claude/settings.json': `{ "permissions": { "allow": [${rule}] } }`,
  });

  test.each<[string, Files]>([
    ['a string', permission('"|"')],
    ['a string that is not closed', permission('"mcp|')],
    ['an item after a comma', permission('"Read", |')],
    ['a list of front matter', { ...lists, '.claude/agents/a.md': agent('tools:\n  - Read\n  - |') }],
    ['a text with commas', { ...lists, '.claude/agents/a.md': agent('tools: Read, |') }],
    ['a list in brackets', { ...lists, '.claude/agents/a.md': agent('tools: [Read, |]') }],
    ['a text in quotation marks', { ...lists, '.claude/agents/a.md': agent('tools: "mcp|"') }],
    ['front matter without its end', { ...lists, '.claude/agents/a.md': '---\nname: a\ntools: |\n' }],
  ])('offers tools and servers in %s', async (_where, files) => {
    const labels = await completion(files);
    expect(labels).toEqual(expect.arrayContaining(['Bash', 'mcp__stock', 'mcp__web_search']));
    expect(labels).not.toContain('BashOutput');
  });

  test.each<[string, Files]>([
    ['a description', { ...lists, '.claude/agents/a.md': agent('description: |') }],
    ['the prompt', { ...lists, '.claude/agents/a.md': `${agent('tools: Read')}tools: |\n` }],
    ['a key', { ...lists, '.claude/agents/a.md': agent('too|') }],
    ['what a rule is limited to', permission('"Bash(|)"')],
    ['a key of settings', { ...lists, '.claude/settings.json': '{ "|" }' }],
    ['a list of servers', { '.cursor/mcp.json': '{ "mcpServers": { "a": { "command": "|" } } }' }],
    ['the place before a value', { ...lists, '.claude/agents/a.md': agent('tools:|') }],
  ])('offers nothing in %s', async (_where, files) => {
    expect(await completion(files)).toEqual([]);
  });

  test('offers the tools of servers that other files name', async () => {
    const more = { '.claude/agents/a.md': agent('tools: mcp__stock__find, mcp__stock__sell') };
    expect(await completion(permission('"|"', more))).toEqual(expect.arrayContaining(['mcp__stock__find', 'mcp__stock__sell']));
  });

  test('offers subagents no tools that only the main conversation has', async () => {
    expect(await completion({ '.claude/agents/a.md': agent('tools: |') })).not.toContain('AskUserQuestion');
    expect(await completion(permission('"|"'))).toContain('AskUserQuestion');
  });

  test('offers agents, but not the agent itself', async () => {
    const files = { '.claude/agents/a.md': agent('tools: Agent(|)', 'a'), '.claude/agents/b.md': agent('tools: Read', 'b') };
    expect(await completion(files)).toEqual(['b']);
    expect(
      await completion({ ...files, '.claude/agents/a.md': agent('tools: Read', 'a'), '.claude/settings.json': '{ "agent": "|" }' }),
    ).toEqual(['a', 'b']);
  });

  test('offers models', async () => {
    const labels = await completion({ '.claude/agents/a.md': agent('model: |') });
    expect(labels.slice(0, 4)).toEqual(['sonnet', 'opus', 'haiku', 'inherit']);
    expect(labels.filter((label) => label.startsWith('claude-'))).not.toEqual([]);
    expect(labels.filter((label) => /gpt|gemini/.test(label))).toEqual([]);
    const withProvider = await completion({ 'opencode.json': '{ "model": "|" }' });
    expect(withProvider.filter((label) => !/^(?:anthropic|openai|google)\//.test(label))).toEqual([]);
  });

  test('offers a Kiro agent the servers of a list only where it takes them', async () => {
    const kiro = (fields: string) => ({ '.kiro/settings/mcp.json': servers, '.kiro/agents/a.json': `{ ${fields} "tools": ["|` });
    expect(await completion(kiro('"includeMcpJson": true,'))).toEqual(expect.arrayContaining(['read', '@stock']));
    expect(await completion(kiro('"mcpServers": { "own": { "command": "o" } },'))).toEqual(expect.arrayContaining(['read', '@own']));
    expect(await completion(kiro(''))).not.toContain('@stock');
  });

  test('offers keys of permissions to opencode', async () => {
    const config = '{ "mcp": { "stock": { "type": "local", "command": ["s"] } }, "permission": { "|" } }';
    expect(await completion({ 'opencode.json': config })).toEqual(expect.arrayContaining(['bash', 'stock_*']));
    expect(await completed({ 'opencode.json': '{ "permission": { "|" } }' }, 'bash')).toBe('{ "permission": { "bash" } }');
  });

  test.each<[string, Files, string, string]>([
    [
      'the name that is typed',
      { ...lists, '.claude/agents/a.md': '---\ntools: Read, mcp|__, Bash\n---\n' },
      'mcp__stock',
      '---\ntools: Read, mcp__stock, Bash\n---\n',
    ],
    ['an empty item', { '.claude/agents/a.md': '---\ntools:\n  - |\n---\n' }, 'Bash', '---\ntools:\n  - Bash\n---\n'],
    [
      'an agent in parentheses',
      { '.claude/agents/b.md': agent('', 'b'), '.claude/settings.json': '{"permissions":{"deny":["Agent(x|)"]}}' },
      'b',
      '{"permissions":{"deny":["Agent(b)"]}}',
    ],
    [
      'with quotation marks where YAML needs them',
      { '.kiro/agents/a.md': '---\nmcpServers: {s: {command: s}}\ntools:\n  - |\n---\n' },
      '@s',
      '---\nmcpServers: {s: {command: s}}\ntools:\n  - "@s"\n---\n',
    ],
    ['a value without quotation marks yet', { '.claude/settings.json': '{"model": |}' }, 'opus', '{"model": "opus"}'],
  ])('replaces %s', async (_what, files, label, text) => {
    expect(await completed(files, label)).toBe(text);
  });
});

describe('the text in the editor', () => {
  test('counts for definitions, whether or not it is saved', async () => {
    const server = await openServer({ ...lists, '.claude/settings.json': settings({ allow: ['mcp__sh|op__find'] }) }, { bare: true });
    const ask = () => server.request<readonly Location[] | null>('textDocument/definition', server.at('.claude/settings.json'));
    expect(await ask()).toBeNull();
    server.edit('.mcp.json', '{ "mcpServers": {\n  "shop": { "command": "s" }\n} }');
    expect(drawn(server, await ask())).toEqual(['.mcp.json:2 shop']);
    server.close('.mcp.json');
    expect(await ask()).toBeNull();
  });

  test('is not answered where a setting turns it off', async () => {
    const server = await openServer({ ...lists, '.claude/settings.json': settings({ allow: ['mcp__sto|ck__find'] }) }, { bare: true });
    server.service.setSettings({ otherTools: false });
    for (const method of ['definition', 'hover', 'completion'])
      expect(await server.request(`textDocument/${method}`, server.at('.claude/settings.json')), method).toBeNull();
  });
});

test('files that are named are links', async () => {
  const { server, params } = await at({
    'opencode.json': '{ "agent": { "a": { "prompt": "|{file:./a.txt} {file:./b.txt}" } } }',
    'a.txt': 'Answer.',
  });
  const links = await server.request<readonly DocumentLink[]>('textDocument/documentLink', params);
  expect(links.map(({ target, range }) => [target, range.start.character])).toEqual([[server.uri('a.txt'), 37]]);
});
