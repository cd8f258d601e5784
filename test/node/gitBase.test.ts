import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BatchReader, GitBaseError, openGitBase } from '../../core/node/git.js';
import { testWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

function git(folder: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

function write(folder: string, path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** A repository with one commit; the project is a folder below its top. */
function repository(texts: Readonly<Record<string, string | Uint8Array>>): { top: string; folder: string } {
  const top = temporaryFolder();
  const folder = join(top, 'a project');
  mkdirSync(folder);
  git(top, 'init', '-q', '-b', 'main');
  for (const [path, text] of Object.entries(texts)) write(folder, path, text);
  git(top, 'add', '.');
  git(top, 'commit', '-q', '--allow-empty', '-m', 'first');
  return { top, folder };
}

async function open(folder: string, ref = 'HEAD') {
  const base = await openGitBase(folder, ref);
  onTestFinished(() => base.close());
  return base;
}

async function failure(opening: Promise<unknown>): Promise<GitBaseError> {
  try {
    await opening;
  } catch (error) {
    if (error instanceof GitBaseError) return error;
    throw error;
  }
  throw new Error('nothing went wrong');
}

describe('the files of a project at a git ref', () => {
  testWith('git', 'are as they were committed, not as they are now', async () => {
    const { folder } = repository({ 'config/agents/A2/v1.json': '\uFEFF{"é": "😀"}\r\n', 'empty.json': '' });
    write(folder, 'config/agents/A2/v1.json', 'changed');
    rmSync(join(folder, 'empty.json'));
    write(folder, 'new.json', 'new');
    const base = await open(folder);
    expect(await base.readText('config/agents/A2/v1.json')).toBe('\uFEFF{"é": "😀"}\r\n');
    expect(await base.readText('empty.json')).toBe('');
    expect(await base.readText('new.json')).toBeUndefined();
  });

  testWith('git', 'are answered in order, however many are asked for at once', async () => {
    const texts = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`f/${index}.json`, `${index}:${'x'.repeat((index * 997) % 70_000)}\n`]),
    );
    const { folder } = repository(texts);
    const base = await open(folder);
    const paths = Object.keys(texts).flatMap((path) => [path, `${path}.missing`]);
    expect(await Promise.all(paths.map((path) => base.readText(path)))).toEqual(paths.map((path) => texts[path]));
  });

  testWith('git', 'are found by branch, tag, id and relative name', async () => {
    const { folder, top } = repository({ 'a.json': 'one' });
    git(top, 'tag', 'v1');
    write(folder, 'a.json', 'two');
    git(top, 'commit', '-q', '-a', '-m', 'second');
    const first = git(top, 'rev-parse', 'HEAD~1');
    for (const ref of ['v1', 'HEAD~1', 'main^', first, first.slice(0, 10)])
      expect(await (await open(folder, ref)).readText('a.json')).toBe('one');
    expect((await open(folder, 'v1')).commit).toBe(first);
  });

  testWith('git', 'that are folders, links, outside the project or oddly named are not files there', async () => {
    const { folder, top } = repository({ 'config/a.json': 'a' });
    write(top, 'secret.json', 'secret');
    symlinkSync('config/a.json', join(folder, 'link.json'));
    git(top, 'add', '.');
    git(top, 'commit', '-q', '-m', 'second');
    const base = await open(folder);
    expect(await base.readText('config')).toBeUndefined();
    expect(await base.readText('a\nHEAD:config/a.json')).toBeUndefined();
    expect(await base.readText('../secret.json')).toBeUndefined();
    expect(await base.readText('config/a.json')).toBe('a');
  });

  testWith('git', 'of more than 10 MB are passed over', async () => {
    const { folder } = repository({
      'large.json': Buffer.alloc(10 * 1024 * 1024 + 1, 32),
      'most.json': Buffer.alloc(10 * 1024 * 1024, 32),
      'a.json': 'a',
    });
    const base = await open(folder);
    expect(await base.readText('large.json')).toBeUndefined();
    expect((await base.readText('most.json'))?.length).toBe(10 * 1024 * 1024);
    expect(await base.readText('a.json')).toBe('a');
  });
});

describe('what cannot work', () => {
  testWith('git', 'a ref that is not there is named', async () => {
    const { folder } = repository({ 'a.json': 'a' });
    for (const ref of [
      'none',
      'v1:a.json',
      '',
      ' ',
      'a\0b',
      '--help',
      '--output=/tmp/x',
      '-h',
      'HEAD:a.json',
      'HEAD^{tree}',
      '^HEAD',
      'HEAD^@',
      '^HEAD^!',
      'main\nHEAD',
    ]) {
      const error = await failure(openGitBase(folder, ref));
      expect(error.reason, ref).toBe('unknown-ref');
      expect(error.message).toContain(JSON.stringify(ref));
    }
  });

  testWith('git', 'a folder in no repository is named', async () => {
    const folder = temporaryFolder();
    expect(await failure(openGitBase(folder, 'HEAD'))).toMatchObject({ reason: 'no-repository', message: expect.stringContaining(folder) });
  });

  testWith('git', 'git itself missing is said', async () => {
    const { folder } = repository({});
    const { PATH } = process.env;
    process.env.PATH = '/nowhere';
    onTestFinished(() => {
      process.env.PATH = PATH;
    });
    expect(await failure(openGitBase(folder, 'HEAD'))).toMatchObject({ reason: 'no-git', message: expect.stringContaining('Install git') });
  });

  testWith('git', 'a closed base answers no more, and does not hang', async () => {
    const { folder } = repository({ 'a.json': 'a' });
    const base = await openGitBase(folder, 'HEAD');
    base.close();
    expect((await failure(base.readText('a.json'))).reason).toBe('git-failed');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await failure(base.readText('a.json'))).reason).toBe('git-failed');
  });

  testWith('git', 'variables that git hooks set do not lead elsewhere', async () => {
    const { folder } = repository({ 'a.json': 'a' });
    const other = repository({ 'a.json': 'other' });
    process.env.GIT_DIR = join(other.top, '.git');
    onTestFinished(() => {
      delete process.env.GIT_DIR;
    });
    expect(await (await open(folder)).readText('a.json')).toBe('a');
  });
});

test('answers are taken apart wherever the stream is cut', async () => {
  const output = Buffer.from(
    `${'a'.repeat(40)} blob 5\nhé\n!\nHEAD:x y missing\n${'b'.repeat(40)} tree 3\n\n\n\n\n${'c'.repeat(40)} blob 0\n\n`,
  );
  for (let size = 1; size <= output.length; size++) {
    const reader = new BatchReader();
    const answers = [reader.expect(), reader.expect(), reader.expect(), reader.expect()];
    for (let at = 0; at < output.length; at += size) reader.push(output.subarray(at, at + size));
    expect(await Promise.all(answers)).toEqual(['hé\n!', undefined, undefined, '']);
  }
});
