import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endOf } from '../support/processes.js';
import { agentstack, outcomeOf, read, start, temporaryProject, write } from './command.js';

const agent = {
  agent_name: 'Clerk',
  version: 'v1',
  agent_type: 'react',
  provider: 'offline',
  model_name: 'offline',
  enabled_tools: ['stock'],
};

test('check and run know the tools of the module in agentstack.json, and what it prints reaches no stdout', async () => {
  const folder = temporaryProject({ 'agentstack.json': { tools: './tools.mjs' }, 'config/agents/Clerk/v1.json': agent });
  write(folder, 'tools.mjs', `console.log('noise'); export const stock = { name: 'stock', description: 'Counts.', call: () => 'five' };`);
  const checked = await agentstack(['check', '--json'], { cwd: folder });
  expect(checked.code).toBe(0);
  expect(JSON.parse(checked.stdout)).toMatchObject({ errors: 0 });
  const ran = await agentstack(['run', 'Clerk', '--message', 'How many?', '--json', '--no-keep'], { cwd: folder });
  expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'completed', metadata: { tools_used: ['stock'] } });
  write(folder, 'tools.mjs', 'export const stock = 5;');
  expect(await agentstack(['check'], { cwd: folder })).toMatchObject({ code: 1, stdout: expect.stringContaining('It exports no tool') });
});

test.each(['SIGTERM', 'SIGKILL'] as const)('a tool in an endless loop ends with the command, which ends by %s', async (signal) => {
  const folder = temporaryProject({ 'agentstack.json': { tools: './tools.mjs' }, 'config/agents/Clerk/v1.json': agent });
  const loop = "writeFileSync('pid', String(process.pid)); for (;;);";
  write(
    folder,
    'tools.mjs',
    `import { writeFileSync } from 'node:fs'; export const stock = { name: 'stock', description: 'Counts.', call: () => { ${loop} } };`,
  );
  const command = start(['run', 'Clerk', '--message', 'How many?', '--no-keep'], { cwd: folder });
  const outcome = outcomeOf(command);
  const pid = () => (existsSync(join(folder, 'pid')) ? read(folder, 'pid') : '');
  await expect.poll(pid, { timeout: 20_000 }).not.toBe('');
  command.kill(signal);
  expect((await outcome).code).toBe(signal === 'SIGTERM' ? 130 : null);
  await endOf(Number(pid()));
});
