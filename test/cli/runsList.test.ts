import { expect, test } from 'vitest';
import { agentstack, toneProject } from './command.js';

test.each([60, 80, 140])('runs list fits into %i columns, and its ids are found', async (columns) => {
  const cwd = toneProject({
    'config/agents/A_very_long_name_of_an_agent_that_has_no_end/v1.json': '{}',
    'config/llms/real.json': { llm_id: 'real', provider: 'openai', model_name: 'gpt-5.4-mini', base_url: 'http://127.0.0.1:1' },
  });
  for (const llm of ['offline', 'offline', 'real']) {
    await agentstack(['run', 'Tone', '--case', 'greeting', '--llm', llm], { cwd, env: { OPENAI_API_KEY: 'sk-test-0123456789abcdef' } });
  }
  const { stdout } = await agentstack(['runs', 'list'], { cwd, columns, env: { NO_COLOR: '1' } });
  const rows = stdout.trimEnd().split('\n');
  expect(rows).toHaveLength(3);
  for (const row of rows) {
    expect(row.length, row).toBeLessThanOrEqual(columns);
    expect(row).toContain('Tone@v1');
    expect((await agentstack(['runs', 'show', row.split(' ')[0]!], { cwd })).code).toBe(0);
  }
  expect(rows[0]).toContain('failed');
  expect(rows[2]).toContain('completed');
});

test('runs list --by adds up what runs cost', async () => {
  const cwd = toneProject();
  for (let run = 0; run < 2; run += 1) await agentstack(['run', 'Tone', '--case', 'greeting'], { cwd });
  const { stdout } = await agentstack(['runs', 'list', '--by', 'agent'], { cwd });
  expect(stdout).toBe('Tone@v1  2 runs  0 USD\ntotal    2 runs  0 USD\n');
  const { sums, total } = JSON.parse((await agentstack(['runs', 'list', '--by', 'day', '--json'], { cwd })).stdout);
  expect(sums).toEqual([{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), runs: 2, unpriced: 0, open: 0, cost_usd: 0 }]);
  expect(total).toEqual({ runs: 2, unpriced: 0, open: 0, cost_usd: 0 });
});
