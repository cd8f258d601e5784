import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { testWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { agentText, llmText } from './agents.js';

const root = join(import.meta.dirname, '../..');

interface Answer {
  readonly problem?: string;
  readonly before: readonly object[];
  readonly after: readonly object[];
  readonly completions: readonly string[];
  readonly text: string;
}

testWith('nvim', 'Neovim shows our diagnostics, completes and renames', async () => {
  const folder = temporaryFolder();
  const agent = 'config/agents/A2/v1.json';
  const schema = {
    type: 'object',
    properties: { tone: { type: 'string', enum: ['warm', 'cold'] } },
    required: ['tone'],
    additionalProperties: false,
  };
  const text = agentText({ description: '🎉', output_schema: schema, enums: { tone: ['warm', 'cold'] }, llm_config_id: 'mian' });
  const files = { [agent]: text, 'config/llms/main.json': llmText('main') };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const answer = join(folder, 'answer.json');
  const server = [process.execPath, join(root, 'dist/server.cjs'), '--stdio'];
  const script = join(root, 'test/fixtures/neovim/drive.lua');
  const said = await run(
    'nvim',
    ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-S', script, '--', JSON.stringify(server), agent, answer],
    folder,
  );
  expect(existsSync(answer), said).toBe(true);
  const { problem, before, after, completions, text: written }: Answer = JSON.parse(readFileSync(answer, 'utf8'));
  expect(problem).toBeUndefined();
  expect(before).toMatchObject([{ code: 'unknown-llm', source: 'agentstack' }]);
  expect(completions).toContain('main');
  expect(after).toEqual([]);
  const renamed = JSON.parse(written);
  expect(renamed.enums.tone).toEqual(['friendly', 'cold']);
  expect(renamed.output_schema.properties.tone.enum).toEqual(['friendly', 'cold']);
  expect(JSON.parse(readFileSync(join(folder, 'config/llms/large.json'), 'utf8'))).toMatchObject({ llm_id: 'large' });
  const moved = JSON.parse(readFileSync(join(folder, 'config/agents/Judge/v1.json'), 'utf8'));
  expect(moved).toMatchObject({ agent_name: 'Judge', llm_config_id: 'large' });
  expect(existsSync(join(folder, agent))).toBe(false);
});

testWith('nvim', 'the plugin for Neovim starts one server for a project, however its files are opened', async () => {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries({
    'agentstack.json': '{}',
    'config/agents/A2/v1.json': agentText({ llm_config_id: 'mian' }),
    // Without it the profile is unused, which is found once all files have been read.
    'config/agents/B1/v1.json': agentText({ agent_name: 'B1', llm_config_id: 'main' }),
    'config/llms/main.json': llmText('main'),
    'config/prompts/ask/v1.md': '---\nname: aks\n---\n\nAsk.\n',
  })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const plugin = join(folder, 'nvim');
  cpSync(join(root, 'editors/nvim'), plugin, { recursive: true });
  const started = join(plugin, 'plugin/agentstack.lua');
  const text = readFileSync(started, 'utf8');
  const command = [process.execPath, join(root, 'dist/server.cjs'), '--stdio'].map((word) => `'${word}'`).join(', ');
  expect(text).toContain("cmd = { 'agent-stack', 'lsp', '--stdio' }");
  writeFileSync(started, text.replace("'agent-stack', 'lsp', '--stdio'", command));
  const init = join(folder, 'init.lua');
  writeFileSync(init, `vim.opt.runtimepath:append('${plugin}')`);
  const answer = join(folder, 'answer.json');
  const script = join(root, 'test/fixtures/neovim/recipe.lua');
  const said = await run('nvim', ['--headless', '-u', init, '-i', 'NONE', '-n', '-S', script, '--', answer], folder);
  expect(existsSync(answer), said).toBe(true);
  expect(JSON.parse(readFileSync(answer, 'utf8'))).toEqual({
    clients: [1, 1, 1, 1],
    same: true,
    codes: expect.arrayContaining(['unknown-llm', 'name-matches-path']),
  });
});

/** Everything the program says, once it has ended. */
function run(command: string, given: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, given, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, XDG_STATE_HOME: cwd, XDG_CACHE_HOME: cwd },
    });
    const parts: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
    child.on('error', reject);
    child.on('close', () => resolve(Buffer.concat(parts).toString()));
  });
}
