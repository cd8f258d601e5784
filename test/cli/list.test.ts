import { describe, expect, test } from 'vitest';
import { agentstack, repository, temporaryProject, toneAgent, toneProject } from './command.js';

const project = () =>
  toneProject({
    'agentstack.json': { environment: 'prd' },
    'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'offline' },
    'config/agents/Tone/v2.json': { ...toneAgent, version: 'v2', mode: 'Choser', llm_config_id: 'offline' },
    'config/agents/Tone/v10.json': { ...toneAgent, version: 'v10', llm_config_id: 'offline' },
    'config/personas/editor.json': { description: 'Nobody.', system_text: 'You edit.' },
    'config/prompts/spare/v1.json': { name: 'spare', version: 'v1', template: 'You are here.' },
    'config/llms/real.json': { llm_id: 'real', provider: 'openai', model_name: 'gpt-5.4-mini', api_key: 'secret://openai_api_key' },
  });

describe('list', () => {
  test('shows every file with its state', async () => {
    const { code, stdout, stderr } = await agentstack(['list'], { cwd: project() });
    const rows = stdout.split('\n').map((line) => line.replace(/ +/g, ' ').trimEnd());
    expect(rows).toEqual([
      'agents',
      ' Tone@v1 ok config/agents/Tone/v1.json',
      ' Tone@v2 1 error config/agents/Tone/v2.json',
      ' Tone@v10 ok config/agents/Tone/v10.json',
      'personas',
      ' editor unused config/personas/editor.json',
      'prompts',
      ' spare@v1 unused config/prompts/spare/v1.json',
      'llms',
      ' offline ok config/llms/offline.json',
      ' real unused config/llms/real.json',
      'payloads',
      ' Tone/greeting ok config/payloads/Tone/greeting.json',
      'settings',
      ' agentstack 1 warning agentstack.json',
      '',
      '9 files: 1 with errors, 1 with warnings, 3 unused.',
      '',
    ]);
    expect([code, stderr]).toEqual([0, '']);
  });

  test('--json has the same for programs', async () => {
    const { stdout } = await agentstack(['list', 'agents', '--json'], { cwd: project() });
    const { files } = JSON.parse(stdout);
    expect(files).toHaveLength(3);
    expect(files[1]).toEqual({ kind: 'agent', id: 'Tone@v2', file: 'config/agents/Tone/v2.json', state: 'errors', errors: 1, warnings: 0 });
  });

  test.each([60, 80])('fits into %i columns', async (columns) => {
    const { stdout } = await agentstack(['list'], { cwd: repository, columns, env: { NO_COLOR: '1' } });
    expect(stdout.split('\n').filter((line) => line.length > columns)).toEqual([]);
    expect(stdout).toContain('issue_intake');
  });

  test('shows what other tools have, project or not', async () => {
    const cwd = temporaryProject({ '.cursor/mcp.json': { mcpServers: { docs: { url: 'https://docs.example.com/mcp' } } } });
    const { stdout } = await agentstack(['list'], { cwd });
    expect(stdout).toMatch(/^other tools\n {2}cursor mcp\.json +ok +\.cursor\/mcp\.json\n/);
    expect(stdout).toContain('Other tools: 1 MCP server in 1 list\n');
    const json = JSON.parse((await agentstack(['list', '--json'], { cwd })).stdout);
    expect(json).toMatchObject({ files: [], other_tools: [{ tool: 'cursor', file: '.cursor/mcp.json', servers: ['docs'] }] });
    const none = await agentstack(['list'], { cwd: temporaryProject({ 'README.md': '' }) });
    expect(none).toMatchObject({ code: 0, stderr: 'This folder has no config files, nor files of other tools that are known.\n' });
  });

  test('counts what check finds', async () => {
    const cwd = project();
    const { files } = JSON.parse((await agentstack(['list', '--json'], { cwd })).stdout) as {
      files: { errors: number; warnings: number }[];
    };
    const report = JSON.parse((await agentstack(['check', '--json'], { cwd })).stdout);
    expect(files.reduce((sum, { errors }) => sum + errors, 0)).toBe(report.errors);
    expect(files.reduce((sum, { warnings }) => sum + warnings, 0)).toBe(report.warnings);
  });

  test.each([
    [['agnets'], "'agnets' is invalid for argument 'kind'"],
    [['--env', 'nope'], 'There is no environment "nope"'],
  ])('%j is refused', async (args, words) => {
    const { code, stderr } = await agentstack(['list', ...args], { cwd: project() });
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });

  test('says so where there is nothing', async () => {
    const { code, stderr } = await agentstack(['list', 'personas'], { cwd: temporaryProject({ 'agentstack.json': {} }) });
    expect([code, stderr]).toEqual([0, 'This project has no personas.\n']);
  });
});
