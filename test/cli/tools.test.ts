import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { draftAgent } from '../../core/agent/load/agentDraft.js';
import { parseConfigFile } from '../../core/config/parseConfigFile.js';
import { identifyFile } from '../../core/config/paths.js';
import type { JsonObject } from '../../core/json.js';
import { openProject } from '../../core/node/openProject.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { httpServer } from '../fixtures/mcp/http.js';
import {
  agentstack,
  listFiles,
  offlineProfile,
  outcomeOf,
  read,
  repository,
  start,
  temporaryProject,
  toneProject,
  write,
} from './command.js';

const server = join(repository, 'test/fixtures/mcp/server.mjs');
const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
const listed = [
  { name: 'speak', description: 'Says a text.\nLoudly.', inputSchema },
  { name: 'write', description: 'Writes it down.', inputSchema },
];

const helper = {
  agent_name: 'Helper',
  version: 'v1',
  agent_type: 'react',
  llm_config_id: 'offline',
  client_ids: ['voice'],
};

function helperProject(agent: object = {}, servers: object = {}): string {
  return temporaryProject({
    'config/agents/Helper/v1.json': { ...helper, ...agent },
    'config/llms/offline.json': offlineProfile,
    'config/mcp.json': {
      servers: {
        voice: { command: process.execPath, args: [server], env: { TOOLS_FILE: '${workspaceFolder}/tools.json' } },
        ...servers,
      },
    },
    'tools.json': listed,
  });
}

const tools = (cwd: string, ...args: string[]) => agentstack(['tools', 'Helper', ...args], { cwd });
const lockOf = (cwd: string) => JSON.parse(read(cwd, 'config/mcp.lock.json'));
const change = (cwd: string) =>
  write(cwd, 'tools.json', [{ ...listed[0], description: 'Says a text.\nSoftly.', inputSchema: { ...inputSchema, required: ['text'] } }]);

describe('tools', () => {
  test('lists what an agent may call, and pins what it sees for the first time', async () => {
    const cwd = helperProject();
    const { code, stdout, stderr } = await tools(cwd);
    expect(stdout).toBe(
      'Helper@v1 may call 2 tools:\n  speak  voice  asks  new, pinned now  unlabelled\n  write  voice  asks  new, pinned now  unlabelled\n',
    );
    expect(stderr).toBe('Wrote config/mcp.lock.json.\n');
    expect(code).toBe(0);
    expect(lockOf(cwd).servers.voice.tools.speak).toEqual({
      description: 'Says a text.\nLoudly.',
      parameters: inputSchema,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const before = read(cwd, 'config/mcp.lock.json');
    expect(await tools(cwd)).toEqual({
      code: 0,
      stdout: 'Helper@v1 may call 2 tools:\n  speak  voice  asks  pinned  unlabelled\n  write  voice  asks  pinned  unlabelled\n',
      stderr: '',
    });
    expect(read(cwd, 'config/mcp.lock.json')).toBe(before);
    const { stdout: checked } = await agentstack(['check'], { cwd });
    expect(checked).not.toContain('config/mcp.lock.json:');
  });

  test('names what a server lists and no agent can have, and why', async () => {
    const cwd = helperProject();
    write(cwd, 'tools.json', [{ name: 'draw', inputSchema: { type: 'string' } }, listed[1], 'speak', listed[0]]);
    const left = [
      'lists tools that are left out: 1 of them is not an object',
      'lists a tool that is left out: the input schema of "draw" does not describe an object',
    ];
    const { stdout, stderr } = await tools(cwd);
    expect(stdout).toBe(
      'Helper@v1 may call 2 tools:\n  speak  voice  asks  new, pinned now  unlabelled\n  write  voice  asks  new, pinned now  unlabelled\n',
    );
    expect(stderr).toBe(`${left.map((words) => `warning: voice ${words}.\n`).join('')}Wrote config/mcp.lock.json.\n`);
    expect(JSON.parse((await tools(cwd, '--json')).stdout).servers[0].warnings).toEqual(left);
  });

  test('says what has changed, shows how, and accepts it when told to', async () => {
    const cwd = helperProject();
    await tools(cwd);
    change(cwd);
    const changed = await tools(cwd);
    expect(changed.stdout).toBe(
      'Helper@v1 may call 2 tools:\n  speak  voice  asks  changed since it was pinned\n  write  voice  asks  pinned, but no longer listed\n',
    );
    expect(changed.stderr).toBe(
      'Wrote config/mcp.lock.json.\n2 tools changed since pinned, so runs are refused. `agent-stack tools Helper --diff` shows how, and `--pin` accepts it.\n',
    );
    expect(changed.code).toBe(1);
    expect(lockOf(cwd).servers.voice.tools).toMatchObject({
      speak: { description: 'Says a text.\nLoudly.', changed: {} },
      write: { changed: null },
    });

    const { stdout, code } = await tools(cwd, '--diff', '--offline');
    expect(stdout.split('\n').slice(1, 16)).toEqual([
      '  speak  voice  asks  changed since it was pinned',
      '      Says a text.',
      '    - Loudly.',
      '    + Softly.',
      '      "parameters": {',
      '        "properties": {',
      '          "text": {',
      '            "type": "string"',
      '          }',
      '        },',
      '    +   "required": [',
      '    +     "text"',
      '    +   ],',
      '        "type": "object"',
      '      }',
    ]);
    expect(code).toBe(1);

    const pinned = await tools(cwd, '--pin');
    expect(pinned).toEqual({
      code: 0,
      stdout: 'Helper@v1 may call 1 tool:\n  speak  voice  asks  pinned  unlabelled\n',
      stderr: 'Wrote config/mcp.lock.json.\n',
    });
    expect(lockOf(cwd).servers.voice.tools.speak).toMatchObject({ description: 'Says a text.\nSoftly.' });
    expect((await tools(cwd)).code).toBe(0);
  });

  test('offline starts nothing and writes nothing', async () => {
    const cwd = helperProject();
    const before = listFiles(cwd);
    const { code, stdout, stderr } = await tools(cwd, '--offline');
    expect(stdout).toBe('Helper@v1 may call 0 tools.\n');
    expect(stderr).toBe('Not listed yet: voice. `agent-stack tools Helper` lists their tools.\n');
    expect(code).toBe(0);
    expect(listFiles(cwd)).toEqual(before);
    expect((await tools(cwd, '--offline', '--pin')).stderr).toContain('--pin accepts what servers list now');
  });

  test('knows built-in tools, what is left out and what no server offers', async () => {
    const cwd = helperProject({ enabled_tools: ['calculator', 'voice_speak', 'sing'] });
    const { code, stdout, stderr } = await tools(cwd);
    expect(stdout).toBe(
      'Helper@v1 may call 2 tools:\n  calculator  built in\n  speak       voice     asks  new, pinned now  unlabelled\nNot enabled, or excluded: write\n',
    );
    expect(stderr).toContain('warning: enabled_tools names sing, which does not exist.\n');
    expect(code).toBe(0);
  });

  test('--json has all of it', async () => {
    const cwd = helperProject({ exclude_components: ['write'] });
    await tools(cwd);
    change(cwd);
    const { code, stdout, stderr } = await tools(cwd, '--json');
    expect(JSON.parse(stdout)).toEqual({
      agent_name: 'Helper',
      version: 'v1',
      agent_type: 'react',
      tools: [
        {
          name: 'speak',
          description: 'Says a text.\nLoudly.',
          parameters: inputSchema,
          origin: { type: 'mcp', client_id: 'voice', name: 'speak' },
          needs_approval: true,
          state: 'changed',
          labels: null,
          label_source: null,
          hash: expect.any(String),
          changed: { description: 'Says a text.\nSoftly.', parameters: { ...inputSchema, required: ['text'] }, hash: expect.any(String) },
        },
      ],
      left_out: [{ type: 'mcp', client_id: 'voice', name: 'write' }],
      unknown: [],
      unlisted: [],
      servers: [{ client_id: 'voice', tools: { speak: 'changed', write: 'gone' }, warnings: [], error: null }],
      lock: { path: 'config/mcp.lock.json', written: true },
    });
    expect(stderr).toBe('');
    expect(code).toBe(1);
  });

  test('a server that fails is named, and what the others list is kept', async () => {
    const cwd = helperProject(
      { client_ids: ['voice', 'broken', 'keyed'] },
      {
        broken: { command: process.execPath, args: [server, 'exit'] },
        keyed: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'Bearer ${input:docs_token}' } },
      },
    );
    const write = JSON.parse(read(cwd, 'config/mcp.json'));
    const withInput = { inputs: [{ id: 'docs_token', type: 'promptString', password: true }], ...write };
    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(cwd, 'config/mcp.json'), JSON.stringify(withInput));
    const { code, stdout, stderr } = await tools(cwd);
    expect(stdout).toContain('  speak  voice  asks  new, pinned now  unlabelled\n');
    expect(stderr).toContain('error: The MCP server "broken" ended with exit code 3, and said last: no licence found.\n');
    expect(stderr).toContain(
      'error: The MCP server "keyed" needs a value for ${input:docs_token}: set the environment variable INPUT_DOCS_TOKEN.\n',
    );
    expect(code).toBe(1);
    expect(Object.keys(lockOf(cwd).servers)).toEqual(['voice']);
    const given = await agentstack(['tools', 'Helper'], { cwd, env: { INPUT_DOCS_TOKEN: 'sesame-street' } });
    expect(given.stderr).toMatch(/error: The MCP server "keyed" cannot be reached: /);
    expect(given.stderr + given.stdout + read(cwd, 'config/mcp.lock.json')).not.toContain('sesame');
  });

  test('what a server says is logged with nothing that draws on the terminal', async () => {
    const says = 'process.stderr.write("\\u001b[31mboom \\u202e\\u200b\\n"); process.exit(3)';
    const cwd = helperProject({ client_ids: ['loud'] }, { loud: { command: process.execPath, args: ['-e', says] } });
    const { stderr } = await agentstack(['tools', 'Helper'], { cwd, env: { AGENTSTACK_LOG: 'info' } });
    const lines = stderr.split('\n');
    // A program that ends at the first request is started again with the handshake of older servers.
    const logged = lines.find((line) => line.startsWith('{'));
    const told = lines.find((line) => line.startsWith('error'));
    expect(JSON.parse(logged!).message).toBe('MCP server "loud": \u001b[31mboom \u202e\u200b');
    expect(logged).toContain('\\u001b[31mboom \\u202e\\u200b');
    expect(told).toContain('boom <U+202E><U+200B>');
  });

  test('the tools of an agent are in its hash: the same in the preview, in compose and in a run', async () => {
    const cwd = helperProject({ enabled_tools: ['speak', 'calculator'], max_iterations: 2 });
    const project = openProject(cwd);
    const hashes = async () => {
      const path = 'config/agents/Helper/v1.json';
      const index = await project.index();
      const identity = identifyFile(path, index.settings);
      if (identity === undefined) throw new Error('It is not an agent.');
      const request = { agent_name: 'Helper', version: 'v1', project: index, schemas: await loadSchemaCompiler(), ports: project.ports };
      const preview = draftAgent({ ...request, file: parseConfigFile(path, read(cwd, path), identity) });
      const composed = JSON.parse((await agentstack(['compose', 'Helper', '--json'], { cwd })).stdout) as { snapshot_hash: string };
      const ran = await project.invoke({ agent_name: 'Helper', payload: {}, keep: 'folder', approve: async () => 'allow' });
      const { snapshot_hash } = ran.metadata;
      const kept = JSON.parse(read(cwd, ran.metadata.snapshot_path ?? '')) as { servers: JsonObject };
      expect(Object.hasOwn((kept.servers.voice as { tools?: object }).tools ?? {}, 'speak')).toBe(
        existsSync(join(cwd, 'config/mcp.lock.json')),
      );
      return [preview?.snapshot?.hash, composed.snapshot_hash, snapshot_hash];
    };
    const before = await hashes();
    expect(new Set(before).size).toBe(1);
    await tools(cwd);
    const pinned = await hashes();
    expect(new Set(pinned).size).toBe(1);
    expect(pinned[0]).not.toBe(before[0]);
    change(cwd);
    await tools(cwd, '--pin');
    const accepted = await hashes();
    expect(new Set(accepted).size).toBe(1);
    expect([before[0], pinned[0]]).not.toContain(accepted[0]);
  });

  test('a lock that is none is not written over', async () => {
    const cwd = helperProject();
    write(cwd, 'config/mcp.lock.json', '{"format": 2}');
    const { code, stderr } = await tools(cwd);
    expect(stderr).toContain('config/mcp.lock.json');
    expect(code).toBe(2);
    expect(read(cwd, 'config/mcp.lock.json')).toBe('{"format": 2}');
  });

  test('an agent of one call has none', async () => {
    const cwd = toneProject();
    const { code, stdout } = await agentstack(['tools', 'Tone'], { cwd });
    expect(stdout).toBe('Tone@v1 is of agent_type single_shot: only "react" agents have tools.\n');
    expect(code).toBe(0);
    expect(existsSync(join(cwd, 'config/mcp.lock.json'))).toBe(false);
  });
});

test('a tool of a well-known server that nobody has labelled does what the catalogue says', async () => {
  const cwd = helperProject(
    { enabled_tools: ['fetch', 'crawl', 'calculator'] },
    { voice: { command: 'uvx', args: ['mcp-server-fetch@2025.4.7'] } },
  );
  const parameters = { type: 'object' };
  const sha = (tool: object) => ({ ...tool, hash: '0'.repeat(64) });
  // The catalogue counts before what the server claims.
  const locked = {
    fetch: sha({ description: 'Fetches.', parameters, annotations: { openWorldHint: false } }),
    crawl: sha({ description: 'Crawls.', parameters }),
  };
  write(cwd, 'config/mcp.lock.json', { format: 1, servers: { voice: { tools: locked } } });
  const { stdout } = await tools(cwd, '--offline');
  expect(stdout).toContain('  fetch       voice     asks  pinned  reads:public, untrusted, sends (catalogue)\n');
  expect(stdout).toContain('  crawl       voice     asks  pinned  unlabelled\n');
  const fetched = async () =>
    JSON.parse((await tools(cwd, '--offline', '--json')).stdout).tools.find(({ name }: { name: string }) => name === 'fetch');
  expect(await fetched()).toMatchObject({ label_source: 'catalogue', labels: { reads: 'public', untrusted: true, sends: true } });
  await agentstack(['tools', '--label', 'voice/fetch=reads:private'], { cwd });
  expect(await fetched()).toMatchObject({ label_source: 'user', labels: { reads: 'private' } });
});

test('an environment that does not exist is refused, with those that do', async () => {
  const { code, stderr } = await agentstack(['tools', 'Helper', '--env', 'prd'], { cwd: helperProject() });
  expect(code).toBe(2);
  expect(stderr).toContain('There is no environment "prd": environments/prd.json does not exist.');
  expect(stderr).not.toContain('config/agents/Helper');
});

test('one Ctrl+C ends a connect that its server leaves unanswered', { timeout: 30_000 }, async () => {
  const deaf = await httpServer(
    () => undefined,
    (_request, _response, rpc) => rpc === 'notifications/initialized',
  );
  const cwd = helperProject({}, { voice: { type: 'http', url: deaf.url } });
  const child = start(['tools', 'Helper'], { cwd, env: { NO_PROXY: '*' } });
  const outcome = outcomeOf(child);
  await expect.poll(() => deaf.requests.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
  child.kill('SIGINT');
  expect((await outcome).code).toBe(130);
});

test('`tools AGENT` shows what each tool does and who says so, and a listing keeps labels', async () => {
  const cwd = helperProject({ enabled_tools: ['speak', 'listen', 'hum', 'stock', 'calculator'] });
  write(cwd, 'agentstack.json', { skills: { stock: { description: 'Counts.', labels: { reads: 'private' } } } });
  write(cwd, 'tools.json', [
    { name: 'speak', inputSchema },
    { name: 'listen', inputSchema, annotations: { title: 'Listen', readOnlyHint: true, openWorldHint: false } },
    { name: 'hum', inputSchema, annotations: { openWorldHint: true, destructiveHint: 'no' } },
  ]);
  expect(await tools(cwd)).toMatchObject({ code: 0, stderr: 'Wrote config/mcp.lock.json.\n' });
  expect(JSON.parse(read(cwd, 'config/mcp.lock.json')).servers.voice.tools.listen.annotations).toEqual({
    readOnlyHint: true,
    openWorldHint: false,
  });
  expect(await agentstack(['tools', '--label', 'voice/speak=sends'], { cwd })).toMatchObject({ code: 0 });
  const written = read(cwd, 'config/mcp.lock.json');
  expect(await tools(cwd)).toEqual({
    code: 0,
    stdout: [
      'Helper@v1 may call 5 tools:',
      '  calculator  built in',
      '  stock       skill                   reads:private',
      '  hum         voice     asks  pinned  unlabelled',
      '  listen      voice     asks  pinned  changes nothing, sends nothing (claimed)',
      '  speak       voice     asks  pinned  sends\n',
    ].join('\n'),
    stderr: '',
  });
  expect(read(cwd, 'config/mcp.lock.json')).toBe(written);
  const sources = JSON.parse((await tools(cwd, '--json', '--offline')).stdout).tools;
  expect(sources.map((tool: Record<string, unknown>) => [tool.name, tool.label_source, tool.labels])).toEqual([
    ['calculator', 'built-in', null],
    ['stock', 'code', { reads: 'private' }],
    ['hum', null, null],
    ['listen', 'claims', null],
    ['speak', 'user', { sends: true }],
  ]);
});
