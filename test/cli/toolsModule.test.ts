import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { endOf } from '../support/processes.js';
import { agentstack, outcomeOf, read, start, temporaryProject, write } from './command.js';

const trusting = { AGENT_STACK_TRUST: '1' };

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
  const checked = await agentstack(['check', '--json'], { cwd: folder, env: trusting });
  expect(checked.code).toBe(0);
  expect(JSON.parse(checked.stdout)).toMatchObject({ errors: 0 });
  const ran = await agentstack(['run', 'Clerk', '--message', 'How many?', '--json', '--no-keep'], { cwd: folder, env: trusting });
  expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'completed', metadata: { tools_used: ['stock'] } });
  write(folder, 'tools.mjs', 'export const stock = 5;');
  expect(await agentstack(['check'], { cwd: folder, env: trusting })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('It exports no tool'),
  });
});

test.each(['SIGTERM', 'SIGKILL'] as const)('a tool in an endless loop ends with the command, which ends by %s', async (signal) => {
  const folder = temporaryProject({ 'agentstack.json': { tools: './tools.mjs' }, 'config/agents/Clerk/v1.json': agent });
  const loop = "writeFileSync('pid', String(process.pid)); for (;;);";
  write(
    folder,
    'tools.mjs',
    `import { writeFileSync } from 'node:fs'; export const stock = { name: 'stock', description: 'Counts.', call: () => { ${loop} } };`,
  );
  const command = start(['run', 'Clerk', '--message', 'How many?', '--no-keep', '--trust'], { cwd: folder });
  const outcome = outcomeOf(command);
  const pid = () => (existsSync(join(folder, 'pid')) ? read(folder, 'pid') : '');
  await expect.poll(pid, { timeout: 20_000 }).not.toBe('');
  command.kill(signal);
  expect((await outcome).code).toBe(signal === 'SIGTERM' ? 130 : null);
  await endOf(Number(pid()));
});

describe('the code of a project that nobody trusts', () => {
  /** A project whose module leaves a file where it is loaded. */
  function project(skills: object = {}) {
    const settings = { tools: './tools.mjs', skills };
    const folder = temporaryProject({ 'agentstack.json': settings, 'config/agents/Clerk/v1.json': agent });
    const call = 'call: () => Object.keys(process.env).sort().join()';
    const code = `export const stock = { name: 'stock', description: 'Counts.', labels: { reads: 'private' }, ${call} };`;
    write(folder, 'tools.mjs', `import { writeFileSync } from 'node:fs'; writeFileSync('loaded', ''); ${code}`);
    const env = { XDG_CONFIG_HOME: join(folder, 'settings'), WAREHOUSE: 'w', OTHER: 'o' };
    return { folder, env, call: (args: readonly string[], more = {}) => agentstack(args, { cwd: folder, env: { ...env, ...more } }) };
  }
  const wasLoaded = (folder: string) => existsSync(join(folder, 'loaded'));
  const message = ['--message', 'How many?'];

  test.each([
    ['complete', 'run', ''],
    ['complete', 'tools', ''],
    ['check'],
    ['check', '--fix'],
    ['check', '--staged'],
    ['list'],
    ['types'],
    ['graph', 'none'],
    ['compose', 'Clerk', ...message],
    ['run', 'Clerk', ...message],
    ['snapshot', 'Clerk'],
    ['snapshot', 'diff', 'Clerk', 'Clerk'],
    ['export', 'a2a'],
    ['eval', '--estimate'],
    ['tools', 'Clerk'],
    ['tools', '--declare'],
    ['new', 'case', 'Clerk', 'one'],
    ['serve', '--mcp'],
  ])('%s %s is not run', async (...args) => {
    const { folder, call } = project();
    await call(args);
    expect(wasLoaded(folder)).toBe(false);
  });

  test('is not even loaded by what needs none, where it is trusted', async () => {
    const { folder, call } = project();
    for (const args of [['complete', 'run', ''], ['complete', 'tools', ''], ['types']]) await call(args, trusting);
    expect(wasLoaded(folder)).toBe(false);
    await call(['check'], trusting);
    expect(wasLoaded(folder)).toBe(true);
  });

  test('is said not to be looked at: as a warning by check, as a refusal where a tool is unknown without it', async () => {
    const { call } = project();
    const checked = await call(['check', '--json']);
    expect(checked.code).toBe(0);
    const findings = [{ code: 'tools-module', severity: 'warning', message: expect.stringContaining('were not looked at') }];
    expect(JSON.parse(checked.stdout)).toMatchObject({ errors: 0, findings });
    for (const verb of ['run', 'compose'])
      expect(await call([verb, 'Clerk', ...message])).toMatchObject({ code: 2, stderr: expect.stringMatching(/`agent-stack trust`/) });
  });

  test('has its names and descriptions from what `tools --declare` wrote', async () => {
    const { folder, call } = project({ other: { description: 'Of a program.' } });
    expect(await call(['tools', '--declare', '--trust'])).toMatchObject({ code: 0 });
    const { skills } = JSON.parse(read(folder, 'agentstack.json'));
    expect(skills).toMatchObject({
      other: { description: 'Of a program.' },
      stock: { description: 'Counts.', idempotent: false, labels: { reads: 'private' } },
    });
    const composed = await call(['compose', 'Clerk', ...message]);
    expect(composed).toMatchObject({ code: 0, stdout: expect.stringContaining('- stock: Counts.') });
    expect(composed.stderr).toContain('./tools.mjs was not loaded');
    expect(await call(['check', '--trust'])).toMatchObject({ code: 0, stdout: 'No problems in 2 files.\n' });
  });

  test('is trusted once, and no longer; the note is outside of the project', async () => {
    const { folder, env, call } = project();
    expect(await call(['trust', '--json'])).toMatchObject({ code: 0, stdout: expect.stringContaining('"trusted"') });
    expect(JSON.parse(read(folder, 'settings/agent-stack/trust.json'))).toEqual({ projects: { [realpathSync(folder)]: 'trusted' } });
    expect(JSON.parse((await call(['check', '--json'])).stdout)).toMatchObject({ findings: [] });
    expect(await call(['check'], { AGENT_STACK_TRUST: '0' })).toMatchObject({ stdout: expect.stringContaining('1 warning') });
    await call(['untrust']);
    expect(await call(['check'])).toMatchObject({ stdout: expect.stringContaining('1 warning') });
    expect(await call(['check'], { AGENT_STACK_TRUST: 'perhaps' })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('set it to 1 or 0'),
    });
    write(folder, 'settings/agent-stack/trust.json', '{"projects": {"/x": "maybe"}}');
    expect(await call(['trust'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Mend or remove it') });
    expect(env).not.toHaveProperty('AGENT_STACK_TRUST');
  });

  test('sees the variables that every program needs, and those that the project names', async () => {
    const { folder, call } = project();
    write(folder, 'agentstack.json', { tools: './tools.mjs', tools_env: ['WAREHOUSE'] });
    const { stdout } = await call(['run', 'Clerk', ...message, '--json', '--no-keep', '--trust']);
    const [{ output }] = JSON.parse(stdout).tool_calls;
    expect(output.split(',')).toEqual(expect.arrayContaining(['HOME', 'PATH', 'WAREHOUSE']));
    expect(output).not.toMatch(/OTHER|XDG_CONFIG_HOME|AGENT_STACK/);
  });

  test.each([
    ['y\n', true],
    ['n\n', false],
    ['\n', false],
    ['', false],
  ])('is asked for at a terminal: %j', async (answer, isRun) => {
    const { folder, env } = project();
    const stdin = Object.assign(Readable.from([answer]), { isTTY: true });
    const { stderr } = await agentstack(['check'], { cwd: folder, env, stdin, columns: 100 });
    expect(stderr).toContain('tools.mjs is code of this project. Run it? [y/N] ');
    expect(wasLoaded(folder)).toBe(isRun);
    expect(existsSync(join(folder, 'settings'))).toBe(isRun);
  });
});
