import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentstack, outcomeOf, start, toneAgent, toneProject, write } from './command.js';

test('says what each change of a file made of the findings, until it is interrupted', async () => {
  const cwd = toneProject({ 'config/llms/real.json': { llm_id: 'real', provider: 'nonsense', model_name: 'm' } });
  const child = start(['check', '--watch'], { cwd });
  const outcome = outcomeOf(child);
  let seen = '';
  child.stdout?.on('data', (text) => {
    seen += text;
  });
  const part = async (text: string) => {
    await expect.poll(() => seen, { timeout: 30_000 }).toContain(text);
    await expect.poll(() => seen.trimEnd()).toMatch(/ in \d+ files\.$/);
    const own = seen;
    seen = '';
    return own;
  };
  expect(await part('unknown-provider')).toContain('1 error');
  write(cwd, 'config/agents/Tone/v1.json', { ...toneAgent, llm_config_id: 'gone' });
  expect(await part('unknown-llm')).not.toContain('unknown-provider');
  // The finding moves to another line, which is no news.
  write(cwd, 'config/agents/Tone/v1.json', { description: 'Sets the tone.', ...toneAgent, llm_config_id: 'gone' });
  write(cwd, 'config/llms/real.json', '{');
  const changed = await part('json-syntax');
  expect(changed).toMatch(/^\n\d new, \d gone\n/);
  expect(changed).toMatch(/gone: config[/]llms[/]real\.json:\d+ unknown-provider /);
  expect(changed).not.toContain('unknown-llm');
  rmSync(join(cwd, 'config/llms/real.json'));
  expect(await part('gone: config/llms/real.json')).toContain('json-syntax');
  child.kill('SIGINT');
  expect((await outcome).code).toBe(0);
});

describe('sees a file that was replaced by a rename', () => {
  const files = { 'config/llms/real.json': { llm_id: 'real', provider: 'nonsense', model_name: 'm' } };
  const path = 'config/llms/real.json';
  const git = (cwd: string, ...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd });

  test('again and again, by sed -i, a move and a checkout', async () => {
    const cwd = toneProject(files);
    git(cwd, 'init', '--quiet');
    git(cwd, 'add', '.');
    git(cwd, 'commit', '--quiet', '-m', 'first');
    const child = start(['check', '--watch'], { cwd });
    const outcome = outcomeOf(child);
    let seen = '';
    child.stdout?.on('data', (text) => {
      seen += text;
    });
    const afterwards = async (change: () => unknown, text: string) => {
      await expect.poll(() => seen.trimEnd(), { timeout: 30_000 }).toMatch(/ files\.$/);
      seen = '';
      change();
      await expect.poll(() => seen, { timeout: 10_000 }).toContain(text);
    };
    const sed = (from: string, to: string) => execFileSync('sed', ['-i', `s/${from}/${to}/`, join(cwd, path)]);
    await afterwards(() => sed('nonsense', 'openai'), 'unknown-model');
    await afterwards(() => sed('openai', 'rubbish'), '"rubbish"');
    await afterwards(() => sed('rubbish', 'garbage'), '"garbage"');
    await afterwards(() => git(cwd, 'checkout', '--quiet', path), '"nonsense"');
    await afterwards(() => {
      write(cwd, 'new.tmp', { ...files[path], provider: 'openai' });
      renameSync(join(cwd, 'new.tmp'), join(cwd, path));
    }, 'unknown-model');
    await afterwards(() => {
      renameSync(join(cwd, 'config/llms'), join(cwd, 'config/other'));
      git(cwd, 'checkout', '--quiet', 'config/llms');
    }, '"nonsense"');
    await afterwards(() => sed('nonsense', 'openai'), 'unknown-model');
    child.kill('SIGINT');
    expect((await outcome).code).toBe(0);
  });
});

test.each([
  [['--json'], '--watch prints text: leave out --json and --format.'],
  [['--format', 'sarif'], '--watch prints text: leave out --json and --format.'],
  [['--fix'], 'Give --watch without --fix and --staged.'],
])('refuses %j', async (options, message) => {
  const { code, stderr } = await agentstack(['check', '--watch', ...options], { cwd: toneProject({}) });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
