import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openCommittedFiles } from '../../core/node/committedFiles.js';
import { testWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

function git(folder: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
}

function commit(folder: string, text: string): void {
  writeFileSync(join(folder, 'a.json'), text);
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', text);
}

function repository(): string {
  const folder = temporaryFolder();
  git(folder, 'init', '-q', '-b', 'main');
  return folder;
}

function open(folder: string, onMoved: () => void = () => undefined) {
  const files = openCommittedFiles(folder, onMoved);
  if (files === undefined) throw new Error(`${folder} is in no repository`);
  onTestFinished(() => files.close());
  return files;
}

describe('the committed files of a project', () => {
  testWith('git', 'are those of the last commit, without those that are new', async () => {
    const folder = repository();
    commit(folder, 'first');
    writeFileSync(join(folder, 'a.json'), 'typed');
    expect(await open(folder).read(['a.json', 'b.json'])).toEqual(new Map([['a.json', 'first']]));
  });

  testWith('git', 'are none before there is a commit', async () => {
    expect(await open(repository()).read(['a.json'])).toEqual(new Map());
  });

  testWith('git', 'are found from a folder of another worktree', async () => {
    const folder = repository();
    commit(folder, 'first');
    const other = join(temporaryFolder(), 'other');
    git(folder, 'worktree', 'add', '-q', '-b', 'side', other);
    commit(other, 'there');
    mkdirSync(join(other, 'below'));
    expect(await open(join(other, 'below')).read(['a.json'])).toEqual(new Map());
    expect(await open(other).read(['a.json'])).toEqual(new Map([['a.json', 'there']]));
  });

  test('are nothing at all outside of every repository', () => {
    expect(openCommittedFiles(temporaryFolder(), () => undefined)).toBeUndefined();
  });

  test('are none in a folder that only looks like a repository', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.git'), 'gitdir: nowhere');
    expect(await open(folder).read(['a.json'])).toEqual(new Map());
  });
});

describe('the watchers that stay are told', () => {
  testWith('git', 'of another commit, and of the way back', async () => {
    const folder = repository();
    commit(folder, 'first');
    const onMoved = vi.fn();
    const files = open(folder, onMoved);
    await files.read(['a.json']);
    commit(folder, 'second');
    await vi.waitFor(() => expect(onMoved).toHaveBeenCalled(), { timeout: 10_000 });
    expect(await files.read(['a.json'])).toEqual(new Map([['a.json', 'second']]));
    onMoved.mockClear();
    git(folder, 'reset', '-q', '--soft', 'HEAD~1');
    await vi.waitFor(() => expect(onMoved).toHaveBeenCalled(), { timeout: 10_000 });
    expect(await files.read(['a.json'])).toEqual(new Map([['a.json', 'first']]));
  });
});
