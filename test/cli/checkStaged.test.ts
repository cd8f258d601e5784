import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitIn } from '../support/gitIn.js';
import { testWith } from '../support/needs.js';
import { agentstack, agentstackProcess, temporaryProject, toneAgent, toneProject, write } from './command.js';

const orchestration = {
  name: 'letters',
  entry_team: 'first',
  context: { text: 'Hello' },
  teams: {
    first: { name: 'First', tasks: [{ name: 'tone', agent: 'Tone@v1', input: { text: '{{context.text}}' } }], routing: { default: null } },
  },
};

function committed(): string {
  const cwd = toneProject({
    'README.md': 'Hello\n',
    'config/orchestrations/letters.json': orchestration,
    'config/agents/Other/v1.json': { ...toneAgent, agent_name: 'Other', mode: 'Choser' },
  });
  gitIn(cwd, 'init', '--quiet', '--initial-branch=main');
  gitIn(cwd, 'add', '.');
  gitIn(cwd, 'commit', '--quiet', '-m', 'Begin');
  return cwd;
}

const staged = async (cwd: string) => {
  const { code, stdout } = await agentstack(['check', '--staged', '--json'], { cwd });
  const { findings } = JSON.parse(stdout) as { findings: { file: string; code: string }[] };
  return { code, found: findings.map(({ file, code }) => `${file} ${code}`) };
};

describe('check --staged', () => {
  test('passes over files that are no config, and errors that were there before', async () => {
    const cwd = committed();
    write(cwd, 'README.md', 'Changed\n');
    gitIn(cwd, 'add', '.');
    expect(await agentstack(['check', '--staged'], { cwd })).toEqual({ code: 0, stdout: 'No problems in 0 files.\n', stderr: '' });
  });

  test('reports what a staged file breaks in one that is not staged', async () => {
    const cwd = committed();
    write(cwd, 'config/agents/Tone/v1.json', { ...toneAgent, input_keys: ['text', 'language'] });
    write(cwd, 'config/agents/Other/v1.json', { ...toneAgent, agent_name: 'Other', mode: 'Poet' });
    gitIn(cwd, 'add', 'config/agents/Tone');
    expect(await staged(cwd)).toEqual({
      code: 1,
      found: ['config/orchestrations/letters.json input-invalid', 'config/payloads/Tone/greeting.json input-invalid'],
    });
  });

  test('an agent that is removed breaks what refers to it', async () => {
    const cwd = committed();
    rmSync(join(cwd, 'config/agents/Tone'), { recursive: true });
    gitIn(cwd, 'add', '--all');
    const { code, found } = await staged(cwd);
    expect(found).toContain('config/orchestrations/letters.json unknown-agent');
    expect(code).toBe(1);
  });

  test('a project in a folder of its repository, and a name that git would quote', async () => {
    const top = temporaryProject({ 'README.md': '' });
    write(top, 'bots/config/llms/offline.json', { llm_id: 'offline', provider: 'offline', model_name: 'offline' });
    write(top, 'bots/config/agents/Tone/v1.json', { ...toneAgent, mode: 'Poet' });
    write(top, 'bots/ä "b".txt', '');
    gitIn(top, 'init', '--quiet');
    gitIn(top, 'add', '.');
    expect(await staged(join(top, 'bots'))).toEqual({ code: 1, found: ['config/agents/Tone/v1.json schema'] });
    // As in a hook that has changed the folder.
    const inHook = { cwd: join(top, 'bots'), env: { GIT_DIR: '.git', GIT_INDEX_FILE: '.git/index' } };
    expect(await agentstackProcess(['check', '--staged'], inHook)).toMatchObject({ code: 1 });
  });

  test('needs a repository, and no paths', async () => {
    const none = await agentstack(['check', '--staged'], { cwd: toneProject() });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no git repository')]);
    const both = await agentstack(['check', '--staged', 'config'], { cwd: toneProject() });
    expect([both.code, both.stderr]).toEqual([2, 'error: Give paths or --staged, not both.\n']);
  });
});

test('a path that is there and is not a config is passed over', async () => {
  const cwd = committed();
  const { code, stdout, stderr } = await agentstack(['check', 'README.md', 'config/agents/Tone/v1.json'], { cwd });
  expect(stdout).toBe('No problems in 1 file.\n');
  expect(stderr).toBe('Skipped: README.md is not a config file and no folder with one.\n');
  expect(code).toBe(0);
});

describe('--base says what to do', () => {
  test('in a shallow clone', async () => {
    const origin = committed();
    write(origin, 'README.md', 'Second\n');
    gitIn(origin, 'commit', '--quiet', '-am', 'Second');
    const clone = temporaryProject({});
    gitIn(clone, 'clone', '--quiet', '--depth=1', `file://${encodeURI(origin)}`, 'shallow');
    const { code, stderr } = await agentstack(['check', '--base', 'HEAD~1'], { cwd: join(clone, 'shallow') });
    expect(stderr).toContain('This clone is shallow. Fetch the whole history: `fetch-depth: 0` for actions/checkout');
    expect(code).toBe(2);
  });

  test.each([
    ['', 'github.base_ref is empty on push events'],
    ['origin/', 'github.base_ref is empty on push events'],
    ['0'.repeat(40), 'On the first push of a branch, github.event.before names no commit'],
    ['mian', 'Check its name, or fetch it first.'],
  ])('for %j', async (ref, words) => {
    const { code, stderr } = await agentstack(['check', `--base=${ref}`], { cwd: committed() });
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });
});

testWith('git', 'a project that is laid out as a repository of its own runs none of its config', async () => {
  const folder = temporaryProject({ 'agentstack.json': { config_dir: 'cfg' }, 'cfg/agents/Tone/v1.json': toneAgent });
  // The files of a bare repository can be committed in a folder of any other.
  gitIn(folder, 'init', '--quiet', '--bare', '.');
  const config = { 'core.bare': 'false', 'core.worktree': '.', 'core.fsmonitor': 'touch pwned; false' };
  for (const [name, value] of Object.entries(config)) gitIn(folder, 'config', '--file', 'config', name, value);
  for (const args of [
    ['check', '--staged'],
    ['check', '--base', 'HEAD'],
  ])
    expect(await agentstack(args, { cwd: folder })).toMatchObject({ code: 2, stderr: expect.stringContaining('is in no git repository') });
  expect(existsSync(join(folder, 'pwned'))).toBe(false);
});
