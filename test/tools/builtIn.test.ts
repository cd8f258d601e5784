import { describe, expect, test } from 'vitest';
import { builtInTools } from '../../core/config/builtInTools.js';
import type { JsonObject } from '../../core/json.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { createBuiltInTools } from '../../core/tools/builtIn/index.js';
import type { McpResources } from '../../core/tools/types.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { standingClock } from '../support/testPorts.js';
import { callTool } from './support.js';

const secret = `sk-ant-${'aB3dE5gH7jK9'.repeat(3)}`;

const project = () =>
  memoryFiles({
    'README.md': '# Billing service\n\nHow to install it.\r\nRun `npm ci`.\n',
    'docs/guide.md':
      '---\ntitle: Getting started\ntags: [setup, "first steps"]\nkind: tutorial\nowner: platform\n---\n# Guide\n\n## Install\n\n```\n# no heading\n```\n\n## Run\n',
    'docs/limits.md': '---\ntags:\n  - billing\n  - limits\ndescription: What is refused.\n---\n# Limits\n\nAt most 10 invoices.\n',
    'package.json': '{"name": "billing", "description": "Bills people.", "keywords": ["billing"], "type": "module"}',
    'src/main.ts': `const key = '${secret}';\nconst limit = 10;\n`,
    '.env': 'API_KEY=very-secret\n',
    '.env.local': 'limit=1\n',
    'keys/server.pem': 'limit\n',
    'logo.png': 'PNG\0limit',
    '.git/config': 'limit = 1\n',
    'node_modules/x/index.js': 'limit\n',
    '.agentstack/runs/1/result.json': '{"limit": 1}',
  });

describe('every built-in tool', () => {
  test('has a definition that providers take, and examples that meet it', async () => {
    const compiler = await loadSchemaCompiler();
    for (const { name, parameters, examples, description } of builtInTools) {
      expect(name).toMatch(/^[a-z_]{1,64}$/);
      expect(description.length).toBeGreaterThan(20);
      const schema = compiler.compile(parameters);
      if (!schema.ok) throw new Error(`${name}: ${JSON.stringify(schema.problems)}`);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) expect(schema.check(example), name).toEqual([]);
    }
    const tools = createBuiltInTools({ files: memoryFiles(), clock: standingClock() });
    expect(tools.map(({ name }) => name)).toEqual(builtInTools.map(({ name }) => name));
    expect(tools.filter(({ side_effects }) => side_effects)).toEqual([]);
    // What the model writes goes to a server with these.
    expect(tools.flatMap(({ name, needs_approval }) => (needs_approval ? [name] : []))).toEqual(['read_resource', 'get_prompt']);
  });
});

describe('search_files', () => {
  const search = (input: JsonObject) => callTool('search_files', input, { files: project() });

  test('finds lines with their file and number, in files a reader may see alone', async () => {
    const { content, value } = await search({ query: 'LIMIT' });
    expect(content).toBe(
      'docs/limits.md:4:   - limits\n'.replace('4:   - limits', '4: - limits') +
        'docs/limits.md:7: # Limits\nsrc/main.ts:2: const limit = 10;',
    );
    expect(value).toEqual({
      results: [
        { id: 'docs/limits.md', line: 4, text: '- limits' },
        { id: 'docs/limits.md', line: 7, text: '# Limits' },
        { id: 'src/main.ts', line: 2, text: 'const limit = 10;' },
      ],
      complete: true,
    });
  });

  test('minds letter case when asked to, and a folder or a file to look in', async () => {
    expect((await search({ query: 'Limit', case_sensitive: true })).content).toBe('docs/limits.md:7: # Limits');
    expect((await search({ query: 'limit', path: 'src/' })).content).toBe('src/main.ts:2: const limit = 10;');
    expect((await search({ query: 'limit', path: './src/main.ts' })).content).toBe('src/main.ts:2: const limit = 10;');
    expect((await search({ query: 'limit', path: 'nowhere' })).content).toContain('nowhere does not exist');
  });

  test('takes a pattern, and says what is wrong with one', async () => {
    expect((await search({ query: '^## .*inst', is_regex: true })).content).toBe('docs/guide.md:9: ## Install');
    expect((await search({ query: '^## .*INST', is_regex: true, case_sensitive: true })).content).toContain('No line');
    expect(await search({ query: '(?<=a)b', is_regex: true })).toMatchObject({
      is_error: true,
      content: expect.stringContaining('linear time'),
    });
    expect(await search({ query: '(', is_regex: true })).toMatchObject({ is_error: true });
  });

  test('a line break ends a line, also one of Windows', async () => {
    expect((await search({ query: 'it\\.$', is_regex: true })).content).toBe('README.md:3: How to install it.');
    expect(await search({ query: 'a\nb' })).toMatchObject({ is_error: true });
  });

  test('says when there is more', async () => {
    const { content, value } = await search({ query: 'limit', max_results: 1 });
    expect(content).toBe('docs/limits.md:4: - limits\nThere are more results: name a path, or narrow the query.');
    expect(value).toMatchObject({ complete: false });
  });

  test('covers secrets, and does not tell by what it finds how they go on', async () => {
    expect((await search({ query: 'const key' })).content).toBe(`src/main.ts:1: const key = '${'*'.repeat(secret.length)}';`);
    expect((await search({ query: secret.slice(0, 12) })).content).toContain('No line');
    expect((await search({ query: "key = 's.*", is_regex: true })).content).toContain('No line');
  });

  test('a line of a private key shows nothing of it', async () => {
    const body = ['MIIEowIBAAKCAQEAq3uMt8Zk1xT', 'b9SdQy7LwPzE4vRnF2hJcK8mX0aG'];
    const files = memoryFiles({ 'notes.txt': `-----BEGIN RSA PRIVATE KEY-----\n${body.join('')}\n-----END RSA PRIVATE KEY-----\n` });
    expect((await callTool('search_files', { query: 'b9Sd' }, { files })).content).toContain('No line');
  });

  test('cuts long lines around the match', async () => {
    const files = memoryFiles({ 'a.txt': `${'x'.repeat(5000)}needle${'y'.repeat(5000)}` });
    const { content } = await callTool('search_files', { query: 'needle' }, { files });
    expect(content.length).toBeLessThan(300);
    expect(content).toMatch(/^a\.txt:1: …x+needley+…$/);
  });

  test('says what was not searched', async () => {
    const files = memoryFiles({ 'long.txt': 'x\n'.repeat(1_100_000), 'logo.png': 'PNG\0x' });
    expect((await callTool('search_files', { query: 'x' }, { files })).content).toBe(
      'No line in 0 files matches.\n1 very long file was not searched.',
    );
    expect((await callTool('search_files', { query: 'x', path: 'long.txt' }, { files })).content).toContain(
      '1 very long file was not searched.',
    );
    expect((await callTool('search_files', { query: 'x', path: 'logo.png' }, { files })).is_error).toBeUndefined();
  });

  test('stops when the run is cancelled', async () => {
    const files = memoryFiles(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}.txt`, 'text'])));
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(callTool('search_files', { query: 'text' }, { files, signal })).rejects.toThrow('enough');
  });

  test.each(['../secret', '/etc', 'C:\\Windows', 'docs/../../x'])('refuses to look in %s', async (path) => {
    expect(await search({ query: 'a', path })).toMatchObject({ is_error: true, content: expect.stringContaining('outside the project') });
  });

  test.each(['.git', '.agentstack/runs', '.env', '.GIT/config'])('refuses to look in %s, inside the project as it is', async (path) => {
    expect(await search({ query: 'i', path })).toMatchObject({ is_error: true, content: expect.stringContaining('tools do not read') });
  });
});

describe('search_metadata', () => {
  const search = (input: JsonObject) => callTool('search_metadata', input, { files: project() });

  test('finds documents by words of title, tags, headings, name and description, the best first', async () => {
    const { content, value } = await search({ query: 'billing' });
    expect((value as { results: { id: string }[] }).results.map(({ id }) => id)).toEqual(['README.md', 'package.json', 'docs/limits.md']);
    expect(content.split('\n')[0]).toBe(
      'README.md: Billing service (markdown; 51 characters)'.replace('51', String(project().texts.get('README.md')!.length)),
    );
    expect((await search({ query: 'install guide' })).content).toMatch(
      /^docs\/guide\.md: Getting started \(tutorial; \d+ characters; tags: setup, first steps; headings: Guide; Install; Run\)$/,
    );
  });

  test('filters by title, tags and kind', async () => {
    const idsOf = async (input: JsonObject) => ((await search(input)).value as { results: { id: string }[] }).results.map(({ id }) => id);
    expect(await idsOf({ title: 'started' })).toEqual(['docs/guide.md']);
    expect(await idsOf({ tags: ['BILLING', 'limits'] })).toEqual(['docs/limits.md']);
    expect(await idsOf({ kind: 'markdown' })).toEqual(['README.md', 'docs/limits.md']);
    expect(await idsOf({ kind: 'ts' })).toEqual(['src/main.ts']);
    expect(await idsOf({ query: 'platform' })).toEqual(['docs/guide.md']);
  });

  test('lists every document without a filter, and says when there are more', async () => {
    expect((await search({})).content.split('\n').filter((line) => !line.startsWith(' '))).toHaveLength(5);
    expect((await search({ max_results: 1 })).content).toContain('4 more documents match');
    expect((await search({ query: 'nothing of this' })).content).toBe('None of 5 documents matches.');
  });

  test('is done in no time with files that were made to take long', async () => {
    const spaces = ' '.repeat(1_000_000);
    const files = memoryFiles({
      'heading.md': `# a${spaces}b\n`,
      'closed.md': `# a${spaces}##\n`,
      'front.md': `---\ntitle: a${' '.repeat(19_000)}b\nkind: note # said by hand\n---\n`,
    });
    const started = performance.now();
    const { value } = await callTool('search_metadata', {}, { files });
    expect(performance.now() - started).toBeLessThan(20_000);
    expect((value as { results: { id: string; title: string; kind: string }[] }).results).toMatchObject([
      { id: 'closed.md', title: 'a' },
      { id: 'front.md', kind: 'note' },
      { id: 'heading.md', title: 'a' },
    ]);
  });

  test('stops after ten seconds, and says so', async () => {
    let seconds = 0;
    const clock = { ...standingClock(), monotonic: () => 1000 * seconds++ };
    const files = memoryFiles(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.md`, `# ${index}\n`])));
    for (const [name, input] of [
      ['search_metadata', {}],
      ['search_files', { query: '#' }],
    ] as const) {
      const { content, value } = await callTool(name, input, { files, clock });
      expect(content).toMatch(/The project is too large for one search: name a path\.$/);
      expect(value).toMatchObject({ complete: false });
      expect((value as { results: unknown[] }).results.length).toBeLessThan(12);
    }
  });

  test('what a title holds of a secret is covered', async () => {
    const files = memoryFiles({ 'a.md': `# Key ${secret}\n` });
    const { content, value } = await callTool('search_metadata', {}, { files });
    expect(content + JSON.stringify(value)).not.toContain(secret);
    expect((await callTool('search_metadata', { query: secret }, { files })).content).toContain('None');
  });
});

describe('fetch_document and read_file', () => {
  test('reads a document, which becomes a source', async () => {
    const outcome = await callTool('fetch_document', { id: 'docs/limits.md', from_line: 7 }, { files: project() });
    expect(outcome.content).toBe('docs/limits.md, lines 7 to 9 of 9:\n# Limits\n\nAt most 10 invoices.\n');
    expect(outcome.documents).toEqual([
      {
        id: 'docs/limits.md',
        title: 'Limits',
        uri: 'docs/limits.md',
        text: '# Limits\n\nAt most 10 invoices.\n',
        metadata: expect.objectContaining({ kind: 'markdown', tags: ['billing', 'limits'], from_line: 7, to_line: 9 }),
      },
    ]);
    expect((await callTool('read_file', { path: 'package.json' }, { files: project() })).documents).toBeUndefined();
  });

  test('pages put together are the document, for any lines', async () => {
    const whole = Array.from({ length: 3000 }, (_, index) => `${index} ${'ä😀'.repeat(index % 40)}`).join('\n') + 'z😀'.repeat(30_000);
    const files = memoryFiles({ 'long.txt': whole });
    let text = '';
    let pages = 0;
    for (let offset: number | null = 0; offset !== null; pages += 1) {
      const { value } = await callTool('fetch_document', { id: 'long.txt', offset }, { files });
      const page = value as { text: string; next_offset: number | null };
      expect(page.text.length).toBeLessThanOrEqual(16_000);
      expect(page.text.isWellFormed()).toBe(true);
      text += page.text;
      offset = page.next_offset;
    }
    expect(text).toBe(whole);
    expect(pages).toBeGreaterThan(10);
  });

  test('covers a secret that a page break cuts in two', async () => {
    const whole = `${'x'.repeat(15_990)} ${secret} ${'y'.repeat(100)}`;
    const files = memoryFiles({ 'a.txt': whole });
    const first = (await callTool('read_file', { path: 'a.txt' }, { files })).value as { text: string; next_offset: number };
    const second = (await callTool('read_file', { path: 'a.txt', offset: first.next_offset }, { files })).value as { text: string };
    expect(first.text + second.text).toBe(whole.replace(secret, '*'.repeat(secret.length)));
  });

  test.each([
    ['../outside.txt', 'is not a file of the project'],
    ['/etc/passwd', 'is not a file of the project'],
    ['', 'is not a file of the project'],
    ['docs', 'is a folder'],
    ['docs/nowhere.md', 'There is no file'],
    ['logo.png', 'is not a text file'],
    ['.env', 'keys or passwords'],
    ['.ENV.production', 'keys or passwords'],
    ['config/.env. ', 'keys or passwords'],
    ['.env::$DATA', 'keys or passwords'],
    ['a/.ssh/known_hosts', 'keys or passwords'],
    ['deploy/id_ed25519', 'keys or passwords'],
    ['keys/server.pem', 'keys or passwords'],
    ['.npmrc', 'keys or passwords'],
    ['secrets.yaml', 'keys or passwords'],
    ['.git/config', 'in .git'],
    ['.agentstack/runs/1/result.json', 'in .agentstack'],
    ['docs\\..\\..\\x', 'is not a file of the project'],
  ])('refuses %j with words', async (path, words) => {
    const files = project();
    for (const name of ['read_file', 'fetch_document']) {
      if (path === '') continue;
      const outcome = await callTool(name, name === 'read_file' ? { path } : { id: path }, { files });
      expect(outcome).toMatchObject({ is_error: true, content: expect.stringContaining(words) });
    }
  });

  test.each(['core/secrets/secretPatterns.ts', 'docs/keys.md', 'environment.json', 'docs/secrets-explained.md', 'keyboard.ts'])(
    'reads %s',
    async (path) => {
      const files = memoryFiles({ [path]: 'text' });
      expect((await callTool('read_file', { path }, { files })).content).toContain('text');
    },
  );

  test('says what cannot be read, and where a file ends', async () => {
    const files = project();
    files.problems.set('docs/guide.md', 'too-large');
    expect((await callTool('read_file', { path: 'docs/guide.md' }, { files })).content).toContain('10 MB');
    expect((await callTool('read_file', { path: 'README.md', from_line: 9 }, { files })).content).toContain('has only 4 lines');
    expect((await callTool('read_file', { path: 'README.md', offset: 9999 }, { files })).content).toContain('nothing at offset');
    expect((await callTool('read_file', { path: 'empty.txt' }, { files: memoryFiles({ 'empty.txt': '' }) })).content).toBe(
      'empty.txt is empty.',
    );
  });
});

describe('current_time', () => {
  test.each([
    [{}, 'Friday, 2026-01-02T03:04:05+00:00 (UTC)'],
    [{ time_zone: 'Asia/Kolkata' }, 'Friday, 2026-01-02T08:34:05+05:30 (Asia/Kolkata)'],
    [{ time_zone: 'America/New_York' }, 'Thursday, 2026-01-01T22:04:05-05:00 (America/New_York)'],
  ])('%j', async (input, expected) => {
    expect((await callTool('current_time', input, { clock: standingClock() })).content).toBe(expected);
  });

  test('says what is no time zone', async () => {
    expect(await callTool('current_time', { time_zone: 'Atlantis' }, { clock: standingClock() })).toMatchObject({ is_error: true });
  });
});

describe('resources and prompts of servers', () => {
  const resources: McpResources = {
    resources: async () => [{ client_id: 'notes', uri: 'notes://today', name: 'today', title: 'Today', mime_type: 'text/plain' }],
    prompts: async () => [
      { client_id: 'notes', name: 'summary', description: 'Sums up.', arguments: [{ name: 'of', required: true }, { name: 'length' }] },
    ],
    read: async ({ client_id, uri }) => ({ content: `${client_id} ${uri}` }),
    prompt: async ({ name, arguments: given }) => ({ content: `${name} ${JSON.stringify(given)}` }),
  };

  test('are listed, read and got', async () => {
    const { content } = await callTool('list_resources', {}, { resources });
    expect(content).toBe(
      'resource, server notes: notes://today (Today; text/plain)\nprompt, server notes: summary(of, length?) (Sums up.)',
    );
    expect((await callTool('list_resources', { query: 'sums' }, { resources })).content).toMatch(/^prompt/);
    expect((await callTool('read_resource', { client_id: 'notes', uri: 'notes://today' }, { resources })).content).toBe(
      'notes notes://today',
    );
    expect((await callTool('get_prompt', { client_id: 'notes', name: 'summary', arguments: { of: 'x' } }, { resources })).content).toBe(
      'summary {"of":"x"}',
    );
  });

  test('are none where the agent has no servers', async () => {
    expect(await callTool('list_resources', {})).toMatchObject({ is_error: true, content: expect.stringContaining('no MCP servers') });
  });
});
