import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BehaviourDiff } from '../../core/diff/types.js';
import { changedProject, type ProjectFiles, smallProject, writeProject } from '../support/changedProject.js';
import { gitIn } from '../support/gitIn.js';
import { testWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { agentstack } from './command.js';

const toneFile = 'config/agents/Tone/v1.json';
const tone = smallProject[toneFile] as object;
const kinder: ProjectFiles = { [toneFile]: { ...tone, system_text: 'Say kindly how a text sounds.' } };
const orchestration = 'config/orchestrations/flow.json';

/** `Tone@v1 changed`, `flow removed, broken before`; what was not compared; how many are the same. */
async function diffIn(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = await agentstack(['diff', '--json', ...args], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { subjects, unchanged, not_compared } = JSON.parse(stdout) as BehaviourDiff;
  const lines = subjects.map(({ name, version, state, broken }) => {
    const subject = version === undefined ? name : `${name}@${version}`;
    return `${subject} ${state}${broken === null ? '' : `, broken ${broken.side}`}`;
  });
  return { lines, unchanged, notes: not_compared.map(({ what, why }) => `${what}: ${why}`), subjects };
}

async function errorIn(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await agentstack(['diff', ...args], { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  return stderr;
}

function commitAll(folder: string): void {
  gitIn(folder, 'add', '-A');
  gitIn(folder, 'commit', '-q', '-m', 'more');
}

describe('the base', () => {
  testWith('git', 'is a tag, a short id, or a branch of the remote, also from a detached HEAD and in another worktree', async () => {
    const folder = changedProject(smallProject);
    gitIn(folder, 'tag', '-a', 'tag-ä', '-m', 'one');
    writeProject(folder, kinder);
    commitAll(folder);
    gitIn(folder, 'checkout', '-q', '--detach');
    const clone = join(temporaryFolder(), 'clone');
    gitIn(folder, 'clone', '-q', folder, clone);
    gitIn(clone, 'checkout', '-q', 'tag-ä');
    const worktree = join(temporaryFolder(), 'tree');
    gitIn(folder, 'worktree', 'add', '-q', worktree);
    const changed = ['Tone@v1 changed', 'flow changed'];
    for (const [where, base] of [
      [folder, 'tag-ä'],
      [folder, gitIn(folder, 'rev-parse', '--short', 'HEAD~1')],
      [worktree, 'tag-ä'],
      [clone, 'origin/main'],
    ] as const)
      expect((await diffIn(where, '--base', base)).lines, base).toEqual(changed);
  });

  testWith('git', 'that names no commit is refused', async () => {
    const folder = changedProject(smallProject);
    for (const base of ['nowhere', 'main..HEAD', 'HEAD:agentstack.json', '--help'])
      expect(await errorIn(folder, `--base=${base}`)).toBe(
        `error: Git knows no commit "${base}" in ${folder}. Check its name, or fetch it first.\n`,
      );
  });

  testWith('git', 'that a shallow clone of a pull request does not have leads to fetch-depth: 0', async () => {
    const folder = changedProject(smallProject);
    gitIn(folder, 'checkout', '-q', '-b', 'work');
    writeProject(folder, kinder);
    commitAll(folder);
    const clone = temporaryFolder();
    gitIn(clone, 'init', '-q');
    gitIn(clone, 'fetch', '-q', '--depth', '1', `file://${folder}`, 'work:refs/remotes/pull/1/merge');
    gitIn(clone, 'checkout', '-q', 'refs/remotes/pull/1/merge');
    expect(await errorIn(clone)).toContain('fetch-depth: 0');
    expect(await errorIn(clone, '--base', 'origin/main')).toContain('fetch-depth: 0');
  });

  testWith('git', 'needs a repository with a commit', async () => {
    const folder = temporaryFolder();
    writeProject(folder, smallProject);
    expect(await errorIn(folder)).toBe(`error: ${folder} is in no git repository, so there is nothing to compare with.\n`);
    expect(await errorIn(folder, '--base', 'HEAD')).toContain('is in no git repository');
    gitIn(folder, 'init', '-q');
    expect(await errorIn(folder)).toContain('The repository has no commit yet.');
  });
});

describe('files of one side', () => {
  testWith('git', 'broken settings keep every agent from running', async () => {
    const { lines, unchanged } = await diffIn(changedProject(smallProject, { 'agentstack.json': '{ "config_dir": ' }));
    expect(lines).toEqual(['Reply@v1 changed, broken after', 'Tone@v1 changed, broken after', 'flow changed, broken after']);
    expect(unchanged).toBe(0);
  });

  testWith('git', 'a pointer of Git LFS is named as one', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`;
    const { lines, subjects } = await diffIn(changedProject({ ...smallProject, [toneFile]: pointer }, { [toneFile]: tone }));
    expect(lines).toEqual(['Tone@v1 changed, broken before', 'flow changed, broken before']);
    expect(subjects[0]?.broken?.findings[0]?.message).toContain('Git LFS');
  });

  testWith('git', 'a config folder with another name changes nothing', async () => {
    const folder = changedProject(smallProject);
    renameSync(join(folder, 'config'), join(folder, 'my agents 日本'));
    writeProject(folder, { 'agentstack.json': { config_dir: 'my agents 日本' } });
    expect(await diffIn(folder)).toMatchObject({ lines: [], unchanged: 3 });
  });

  testWith('git', 'names with spaces and letters of any language are compared, and chosen', async () => {
    const path = 'config/agents/Größe 日本/v1.json';
    const folder = changedProject({ ...smallProject, [path]: tone }, { [path]: { ...tone, system_text: 'Größer.' } });
    expect((await diffIn(folder, 'Größe 日本')).lines).toEqual(['Größe 日本@v1 changed']);
  });

  testWith('git', 'an agent whose name could be the beginning of a run is an agent', async () => {
    const folder = changedProject({ ...smallProject, 'config/agents/feed/v1.json': tone }, kinder);
    expect(await diffIn(folder, 'feed', 'Tone')).toMatchObject({ lines: ['Tone@v1 changed'], unchanged: 1 });
  });

  testWith('git', 'an agent that is gone is chosen by its name, and one that never was is refused', async () => {
    const folder = changedProject(smallProject, { 'config/agents/Reply': null, [orchestration]: null });
    expect((await diffIn(folder, 'Reply')).lines).toEqual(['Reply@v1 removed']);
    expect((await diffIn(folder, 'Reply@v1', 'flow')).lines).toEqual(['Reply@v1 removed', 'flow removed']);
    expect(await errorIn(folder, 'Reply@v2')).toContain('There is no agent Reply@v2, neither in the working tree nor before.');
    expect(await errorIn(folder, 'Replies')).toContain('There is no agent and no orchestration "Replies"');
  });

  testWith('git', 'thousands of other files do not matter', async () => {
    const others = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`data/${index}.json`, '{}']));
    const folder = changedProject({ ...smallProject, ...others });
    for (const path of Object.keys(others)) writeFileSync(join(folder, path), '{"changed":true}');
    expect(await diffIn(folder)).toMatchObject({ lines: [], unchanged: 3, notes: [] });
  });
});

describe('links and submodules', () => {
  testWith('git', 'a link to a folder of the project is followed, one that leads out of it is not, and others do not matter', async () => {
    const folder = changedProject({ ...smallProject, 'shared/Calm/v1.json': tone });
    symlinkSync('../../shared/Calm', join(folder, 'config/agents/Calm'));
    mkdirSync(join(folder, 'config/agents/Out'));
    symlinkSync('/etc/hostname', join(folder, 'config/agents/Out/v1.json'));
    symlinkSync('round', join(folder, 'round'));
    commitAll(folder);
    writeProject(folder, { 'shared/Calm/v1.json': { ...tone, system_text: 'Calmly.' } });
    const { lines, notes } = await diffIn(folder, '--base', 'HEAD');
    expect(lines).toEqual(['Calm@v1 changed']);
    expect(notes).toEqual([
      'agent Out@v1: It cannot run on either side: see `check`.',
      'config/agents/Out/v1.json: At HEAD it is a link to nothing of the project.',
    ]);
  });

  testWith('git', 'what a submodule had is not known, so nothing of it is new', async () => {
    const module = changedProject(smallProject);
    const folder = changedProject({ 'agentstack.json': { config_dir: 'vendor/config' } });
    gitIn(folder, 'submodule', '--quiet', 'add', module, 'vendor');
    commitAll(folder);
    const { lines, unchanged, notes } = await diffIn(folder, '--base', 'HEAD');
    expect({ lines, unchanged }).toEqual({ lines: [], unchanged: 0 });
    expect(notes).toContain('agent Tone@v1: Before, it depends on vendor, whose content is not known.');
    expect(notes).toContain('vendor: At HEAD it is a submodule, whose files are in another repository.');
    expect((await diffIn(join(folder, 'vendor'), '--base', 'HEAD')).unchanged).toBe(3);
  });
});

describe('a project that begins or ends', () => {
  const own: ProjectFiles = { ...smallProject, 'agentstack.json': { environment: 'prod' } };

  testWith('git', 'begins in all of its environments', async () => {
    const { lines, subjects } = await diffIn(changedProject({}, own));
    expect(lines).toEqual(['Reply@v1 added', 'Tone@v1 added', 'flow added']);
    expect(subjects[0]?.environments).toEqual(['prod']);
  });

  testWith('git', 'ends in all of them, with or without its folder', async () => {
    const all = ['Reply@v1 removed', 'Tone@v1 removed', 'flow removed'];
    const folder = changedProject(own, { config: null, 'agentstack.json': null });
    const ended = await diffIn(folder);
    expect(ended.lines).toEqual(all);
    expect(ended.notes).toEqual(['everything: The working tree has no agent and no orchestration here: all are removed.']);
    expect((await diffIn(folder, 'Tone')).lines).toEqual(['Tone@v1 removed']);
    const below = Object.fromEntries(Object.entries(own).map(([path, value]) => [`some where/${path}`, value]));
    const top = changedProject({ ...below, 'other/x.txt': 'x' });
    rmSync(join(top, 'some where'), { recursive: true });
    expect((await diffIn(top, '--project', 'some where')).lines).toEqual(all);
    expect(await errorIn(top, '--project', 'other')).toContain('No project here');
    expect(await errorIn(temporaryFolder())).toContain('No project here');
  });

  testWith('git', 'whose environments all have other names is not compared', async () => {
    const { 'config/environments/prod.json': _prod, ...others } = smallProject;
    const before = { ...others, 'agentstack.json': { environment: 'one' } };
    const folder = changedProject(before, { 'agentstack.json': { environment: 'two' }, ...kinder });
    const { lines, unchanged, notes } = await diffIn(folder);
    expect({ lines, unchanged }).toEqual({ lines: [], unchanged: 0 });
    expect(notes).toEqual(['environment two: It is new: there is nothing to compare it with.', 'environment one: It is gone.']);
  });
});

describe('kept snapshots', () => {
  testWith('git', 'of another format, cut, changed by hand or without a counterpart are refused', async () => {
    const cwd = changedProject(smallProject);
    await agentstack(['snapshot', 'Tone', '--out', 'one.json'], { cwd });
    const text = readFileSync(join(cwd, 'one.json'), 'utf8');
    const broken = { 'newer.json': text.replace('"format":1', '"format":2'), 'cut.json': text.slice(0, 200), 'spaced.json': `${text} ` };
    for (const [name, content] of Object.entries(broken)) writeFileSync(join(cwd, name), content);
    expect(await errorIn(cwd, 'one.json', 'newer.json')).toContain('newer.json: The snapshot has format 2; this version reads format 1.');
    for (const name of ['newer.json', 'cut.json', 'spaced.json', toneFile])
      expect(await errorIn(cwd, 'one.json', name)).toContain('`agent-stack snapshot NAME --out FILE` writes one');
    expect(await errorIn(cwd, 'one.json', 'gone.json')).toContain('gone.json cannot be read');
    for (const args of [['one.json'], ['one.json', 'cut.json', 'Tone'], ['one.json', 'Tone', '--base', 'HEAD']])
      expect(await errorIn(cwd, ...args)).toContain('one.json is compared with one other snapshot file');
    writeProject(cwd, kinder);
    const { stdout } = await agentstack(['diff', 'Tone', 'one.json'], { cwd });
    expect(stdout).toContain('one.json, compared with Tone@v1, environment dev.');
  });

  test('of runs that failed are compared all the same', async () => {
    const cwd = temporaryFolder();
    const profile = { llm_id: 'main', provider: 'openai_compatible', model_name: 'x', base_url: 'http://127.0.0.1:1/v1', max_retries: 0 };
    writeProject(cwd, { ...smallProject, 'config/llms/main.json': profile });
    const run = () => agentstack(['run', 'Tone', '--set', 'text=Hello', '--json'], { cwd });
    const first = await run();
    writeProject(cwd, kinder);
    const second = await run();
    expect([first.code, second.code]).toEqual([1, 1]);
    const idOf = ({ stdout }: typeof first) => (JSON.parse(stdout) as { run_id: string }).run_id;
    const { stdout, code } = await agentstack(['diff', idOf(first), idOf(second)], { cwd });
    expect(stdout).toContain(`Run ${idOf(second)}, compared with run ${idOf(first)}.`);
    expect(stdout).toContain('Say{+ kindly+} how a text sounds.');
    expect(code).toBe(0);
  });
});
