import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixture } from '../import/support.js';
import { agentstack, listFiles, offlineProfile, read, temporaryProject } from './command.js';

/** A project beside a folder with files of other tools. */
function workspace(sources: Readonly<Record<string, unknown>>): string {
  return temporaryProject({
    'project/agentstack.json': {},
    'project/config/llms/offline.json': offlineProfile,
    ...Object.fromEntries(Object.entries(sources).map(([path, text]) => [`theirs/${path}`, text])),
  });
}

const prompt = { name: 'helper', description: 'Helps.', prompt: 'You help.', tools: ['aws'] };

test('writes the agents of a folder anywhere, and tells what is different', async () => {
  const root = workspace(fixture('claude-code'));
  const cwd = join(root, 'project');
  const { code, stdout, stderr } = await agentstack(['import', '../theirs/.claude/agents'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toBe(
    'created config/agents/code-reviewer/v1.json\ncreated config/agents/test-generator/v1.json\ncreated config/mcp.json\n',
  );
  expect(stderr).toContain('../theirs/.claude/agents/code-reviewer.md:8:1 "permissionMode" has no counterpart.');
  expect(stderr).toContain('config/mcp.json:8:34 warning: The environment variable "GITHUB_TOKEN" is not set here');
  expect(stderr).toContain('See its prompt: agent-stack compose code-reviewer');
  expect(await agentstack(['check'], { cwd })).toMatchObject({ code: 0 });
  expect(await agentstack(['compose', 'test-generator'], { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('You write unit tests.'),
  });
});

test('--dry-run prints the files and writes none', async () => {
  const root = workspace({ '.kiro/agents/helper.json': prompt });
  const cwd = join(root, 'project');
  const before = listFiles(cwd);
  const { code, stdout } = await agentstack(['import', '../theirs/.kiro/agents/helper.json', '--dry-run'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('would create config/agents/helper/v1.json\n{\n');
  expect(stdout).toContain('"system_text": "You help."');
  expect(listFiles(cwd)).toEqual(before);
  const json = JSON.parse((await agentstack(['import', '../theirs/.kiro/agents/helper.json', '--dry-run', '--json'], { cwd })).stdout);
  expect(json).toMatchObject({
    dry_run: true,
    sources: [{ file: '.kiro/agents/helper.json', from: 'kiro' }],
    created: ['config/agents/helper/v1.json'],
    files: [{ action: 'create', text: expect.stringContaining('You help.') }],
    notes: [{ file: '.kiro/agents/helper.json', line: expect.any(Number), message: expect.stringContaining('"aws" is not a tool here') }],
    findings: [],
  });
  expect(listFiles(cwd)).toEqual(before);
});

test('a file in the way stops everything, and --name leads around it', async () => {
  const root = workspace({ '.kiro/agents/helper.json': prompt });
  const cwd = join(root, 'project');
  const source = '../theirs/.kiro/agents/helper.json';
  expect(await agentstack(['import', source], { cwd })).toMatchObject({ code: 0 });
  expect(await agentstack(['import', source], { cwd })).toMatchObject({ code: 0, stdout: 'unchanged config/agents/helper/v1.json\n' });
  const changed = temporaryProject({ 'helper.json': { ...prompt, prompt: 'You help more.' } });
  const refused = await agentstack(['import', join(changed, 'helper.json'), '--from', 'kiro'], { cwd });
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('Nothing was written. config/agents/helper/v1.json is there already and is not overwritten.');
  expect(read(cwd, 'config/agents/helper/v1.json')).toContain('You help."');
  const renamed = await agentstack(['import', join(changed, 'helper.json'), '--from', 'kiro', '--name', 'helper2'], { cwd });
  expect(renamed).toMatchObject({ code: 0, stdout: 'created config/agents/helper2/v1.json\n' });
});

test('starts a project in a folder that is named with --project', async () => {
  const root = temporaryProject({ 'theirs/helper.json': prompt, 'new/README.md': 'x' });
  const { code, stderr } = await agentstack(['import', 'theirs/helper.json', '--project', 'new'], { cwd: root });
  expect(code).toBe(0);
  expect(listFiles(join(root, 'new'))).toEqual(['README.md', 'config/agents/helper/v1.json']);
  expect(stderr).toContain('effective-config-incomplete');
});

test.each([
  [['nowhere.json'], 'nowhere.json: there is no such file or folder.'],
  [['agentstack.json'], 'has no known shape of an agent file. Known are kiro ('],
  [['.', '--from', 'nothing'], 'Allowed choices are kiro, claude-code, opencode,'],
  [['.', '--name', '../x'], 'is not a valid name'],
  [['broken.json'], 'broken.json:1:1: '],
])('import %j is refused with a way out', async (args, message) => {
  const root = workspace({});
  const cwd = join(root, 'project');
  const { code, stdout, stderr } = await agentstack(['import', ...args], {
    cwd: args[0] === 'broken.json' ? temporaryProject({ 'agentstack.json': {}, 'broken.json': '{' }) : cwd,
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message);
});

describe('lists of MCP servers', () => {
  const list = { mcpServers: { stock: { command: 'node', args: ['a.js'] } } };

  test('are imported by themselves, and are no agent of the tool that reads them', async () => {
    const cwd = temporaryProject({ '.mcp.json': list });
    const { code } = await agentstack(['import', '.mcp.json'], { cwd });
    expect([code, listFiles(cwd).filter((path) => path.startsWith('config/'))]).toEqual([0, ['config/mcp.json']]);
    const forced = await agentstack(['import', '--from', 'claude-code', '.mcp.json'], { cwd });
    expect([forced.code, forced.stderr]).toEqual([
      2,
      expect.stringContaining('.mcp.json is a list of MCP servers, not a Claude Code subagent'),
    ]);
  });

  test('two servers of one name are told', async () => {
    const agent = (name: string) => ({
      name,
      prompt: `You are ${name}.`,
      tools: ['@stock'],
      mcpServers: { stock: { command: 'node', args: [`${name}.js`] } },
    });
    const cwd = temporaryProject({ '.kiro/agents/a.json': agent('a'), '.kiro/agents/b.json': agent('b') });
    const { stderr } = await agentstack(['import', '.kiro/agents'], { cwd });
    expect(stderr).toContain('The server "stock" is left out: .kiro/agents/a.json defines another one of that name');
  });

  test('make no project, so that init starts one beside them', async () => {
    const cwd = temporaryProject({ '.mcp.json': list, '.vscode/mcp.json': { servers: {} } });
    expect((await agentstack(['init'], { cwd })).code).toBe(0);
  });
});

test('an agent with the model of the conversation has one of its own here, and that is told', async () => {
  const cwd = temporaryProject({ '.claude/agents/a.md': '---\nname: a\ndescription: Reviews\nmodel: inherit\n---\n\nReview.\n' });
  const { stderr } = await agentstack(['import', '.claude/agents'], { cwd });
  expect(stderr).toContain('The model is that of the conversation to Claude Code; here an agent has its own');
  expect((await agentstack(['check', 'config'], { cwd })).code).toBe(0);
});
