import { expect, test } from 'vitest';
import { exposedProject } from '../serve/support.js';
import { standard } from '../support/standard.js';
import { agentstack, listFiles, read, toneAgent, toneProject } from './command.js';

const isServerJson = standard('mcp-server-2025-12-11');

test('writes an entry that the registry takes, and never replaces one unasked', async () => {
  const cwd = exposedProject({ 'config/agents/Broken/v1.json': { ...toneAgent, agent_name: 'Broken', expose: true, temperature: 9 } });
  const named = ['export', 'server.json', '--name', 'io.github.me/texts', '--url', 'https://agents.test/mcp'];
  const { code, stdout, stderr } = await agentstack([...named, '--description', 'About texts.', '--server-version', '2.1.0'], { cwd });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'wrote server.json: Tone@v1\n' });
  expect(stderr).toMatch(/^left out Broken@v1: [^\n]*\n$/);
  const written = read(cwd, 'server.json');
  expect(isServerJson(JSON.parse(written)), JSON.stringify(isServerJson.errors)).toBe(true);
  expect(JSON.parse(written)).toMatchObject({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: 'io.github.me/texts',
    description: 'About texts.',
    version: '2.1.0',
    remotes: [{ type: 'streamable-http', url: 'https://agents.test/mcp', headers: [{ name: 'Authorization', isSecret: true }] }],
    _meta: { 'io.modelcontextprotocol.registry/publisher-provided': { tools: ['Tone'] } },
  });
  expect(await agentstack(named, { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('Replace it with --force.') });
  expect(read(cwd, 'server.json')).toBe(written);
});

test('without options, names and texts that are too long are made to fit, and placeholders are told', async () => {
  const agents = Array.from({ length: 90 }, (_, index) => `Agent${'x'.repeat(50)}${index}`);
  const files = agents.map((agent_name) => [`config/agents/${agent_name}/v1.json`, { ...toneAgent, agent_name, expose: true }]);
  const cwd = exposedProject(Object.fromEntries(files));
  const { code, stderr } = await agentstack(['export', 'server.json'], { cwd });
  expect(code).toBe(0);
  expect(stderr).toMatch(/namespace is a placeholder.*address is a placeholder/s);
  const entry = JSON.parse(read(cwd, 'server.json'));
  expect(isServerJson(entry), JSON.stringify(isServerJson.errors)).toBe(true);
  expect(entry).not.toHaveProperty('_meta');
});

test.each([
  ['--name', 'texts'],
  ['--name', 'a/b/c'],
  ['--server-version', 'latest'],
  ['--server-version', '^1.2.3'],
  ['--server-version', '1.x'],
  ['--description', 'a'.repeat(101)],
  ['--url', 'javascript:x'],
])('%s %s is refused, and nothing is written', async (option, value) => {
  const cwd = exposedProject();
  expect(await agentstack(['export', 'server.json', option, value], { cwd })).toMatchObject({ code: 2 });
  expect(listFiles(cwd)).not.toContain('server.json');
});

test('with nothing exposed, writes nothing', async () => {
  const cwd = toneProject();
  expect(await agentstack(['export', 'server.json'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"expose": true'),
  });
  expect(listFiles(cwd)).not.toContain('server.json');
});
