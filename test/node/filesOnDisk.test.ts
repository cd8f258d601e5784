import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toFileProblem } from '../../core/node/fileErrors.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { FileProblem, type FileSystem } from '../../core/ports.js';
import { testWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { testOfPermissions, unprivileged } from '../support/unprivileged.js';
import { systemError, watchFs } from '../support/watchFs.js';

function problemOf(action: () => unknown): FileProblem {
  try {
    action();
  } catch (error) {
    if (error instanceof FileProblem) return error;
    throw error;
  }
  throw new Error('nothing went wrong');
}

function project(texts: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(texts)) {
    fs.mkdirSync(join(root, path, '..'), { recursive: true });
    fs.writeFileSync(join(root, path), text);
  }
  return root;
}

describe('links', () => {
  function linked() {
    const elsewhere = project({ 'secret.json': '"secret"', 'folder/x.json': '"secret"' });
    const root = project({ 'config/a.json': '"a"', 'config/deep/b.json': '"b"' });
    const link = (target: string, name: string) => fs.symlinkSync(target, join(root, name));
    link(join(root, 'config/a.json'), 'inside.json');
    link('config', 'inside');
    link(join(elsewhere, 'secret.json'), 'outside.json');
    link(join(elsewhere, 'folder'), 'outside');
    link('gone.json', 'dangling.json');
    link('circle.json', 'circle.json');
    link(`${root}-other`, 'sibling');
    fs.mkdirSync(`${root}-other`);
    fs.writeFileSync(`${root}-other/x.json`, '"other"');
    return { root, elsewhere, files: createNodeFiles(root) };
  }

  test('inside the project are followed', () => {
    const { files } = linked();
    expect(files.readText('inside.json')).toBe('"a"');
    expect(files.readText('inside/deep/b.json')).toBe('"b"');
  });

  test.each(['outside.json', 'outside/x.json', 'sibling/x.json'])('out of the project are not: %s', (path) => {
    const { files, root } = linked();
    expect(problemOf(() => files.readText(path))).toMatchObject({
      reason: 'outside-project',
      path,
      message: expect.stringContaining(path),
    });
    fs.rmSync(`${root}-other`, { recursive: true });
  });

  test('out of the project are not written through either, and what they lead to stays', () => {
    const { files, elsewhere } = linked();
    for (const path of ['outside.json', 'outside/x.json', 'outside/new.json', 'outside/deep/new.json']) {
      expect(problemOf(() => files.writeText(path, 'changed')).reason).toBe('outside-project');
      expect(problemOf(() => files.appendText(path, 'changed')).reason).toBe('outside-project');
    }
    expect(fs.readFileSync(join(elsewhere, 'secret.json'), 'utf8')).toBe('"secret"');
    expect(fs.readdirSync(join(elsewhere, 'folder'))).toEqual(['x.json']);
  });

  test('to nothing and in a circle have a reason', () => {
    const { files } = linked();
    expect(problemOf(() => files.readText('dangling.json'))).toMatchObject({
      reason: 'io',
      message: expect.stringContaining('link to nothing'),
    });
    expect(problemOf(() => files.readText('circle.json'))).toMatchObject({ reason: 'io', message: expect.stringContaining('circle') });
  });

  test('are listed as what they lead to', async () => {
    const { files } = linked();
    expect(Object.fromEntries((await files.list('')).map(({ name, kind }) => [name, kind]))).toEqual({
      config: 'directory',
      'inside.json': 'file',
      inside: 'directory',
      'outside.json': 'outside',
      outside: 'outside',
      'dangling.json': 'other',
      'circle.json': 'other',
      sibling: 'outside',
    });
  });

  test('are told from what they lead to', async () => {
    const { files } = linked();
    expect(await files.readOpened('inside.json')).toEqual({ text: '"a"', path: 'config/a.json', names: 1 });
    expect(await files.readOpened('inside/deep/b.json')).toEqual({ text: '"b"', path: 'config/deep/b.json', names: 1 });
    expect((await files.list('')).filter(({ isLink }) => isLink).map(({ name }) => name)).toContain('inside.json');
    expect((await files.list('')).find(({ name }) => name === 'config')).not.toHaveProperty('isLink');
  });

  test('in place of a folder that was known do not lead out of the project', () => {
    const { files, root, elsewhere } = linked();
    fs.mkdirSync(join(root, 'folder'));
    fs.writeFileSync(join(root, 'folder/x.json'), '"mine"');
    expect(files.readText('folder/x.json')).toBe('"mine"');
    fs.rmSync(join(root, 'folder'), { recursive: true });
    fs.symlinkSync(join(elsewhere, 'folder'), join(root, 'folder'));
    expect(problemOf(() => files.readText('folder/x.json')).reason).toBe('outside-project');
  });

  test.each([
    ['writeText', (files: FileSystem) => files.writeText('folder/x.json', 'new')],
    ['writeText of a new file', (files: FileSystem) => files.writeText('folder/y.json', 'new', { exclusive: true, durable: false })],
    ['writeText in a new folder', (files: FileSystem) => files.writeText('folder/deep/y.json', 'new')],
    ['appendText', (files: FileSystem) => files.appendText('folder/x.json', 'new')],
    ['appendText to a new file', (files: FileSystem) => files.appendText('folder/y.json', 'new')],
  ])('in place of a folder that was known are not followed by %s', async (_name, write) => {
    const { files, root, elsewhere } = linked();
    const folder = join(elsewhere, 'folder');
    const before = fs.readdirSync(folder).map((name) => [name, fs.readFileSync(join(folder, name), 'utf8')]);
    fs.mkdirSync(join(root, 'folder'));
    await files.writeText('folder/x.json', '"mine"');
    fs.rmSync(join(root, 'folder'), { recursive: true });
    fs.symlinkSync(folder, join(root, 'folder'));
    expect(problemOf(() => write(files)).reason).toBe('outside-project');
    expect(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(join(folder, name), 'utf8')])).toEqual(before);
  });

  test('that are hard are counted', () => {
    const { files, root } = linked();
    fs.linkSync(join(root, 'config/a.json'), join(root, 'hard.json'));
    expect(files.readOpened('hard.json')).toMatchObject({ path: 'hard.json', names: 2 });
  });

  test('inside the project keep being links when the file is written', async () => {
    const { files, root } = linked();
    await files.writeText('inside.json', '"new"');
    expect(fs.lstatSync(join(root, 'inside.json')).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(join(root, 'config/a.json'), 'utf8')).toBe('"new"');
  });

  test('that are the project folder itself are no obstacle', () => {
    const { root } = linked();
    const alias = join(temporaryFolder(), 'alias');
    fs.symlinkSync(root, alias);
    expect(createNodeFiles(alias).readText('config/a.json')).toBe('"a"');
  });
});

describe('files that cannot be read', () => {
  test('that are not UTF-8 are told from those that hold the replacement character', () => {
    const files = createNodeFiles(
      project({
        'latin.json': Buffer.from('"caf\xe9"', 'latin1'),
        'real.json': '"\uFFFD"',
        'utf16.json': Buffer.from('\uFEFF"a"', 'utf16le'),
      }),
    );
    expect(files.readText('real.json')).toBe('"\uFFFD"');
    expect(problemOf(() => files.readText('latin.json'))).toMatchObject({
      reason: 'not-utf8',
      message: expect.stringContaining('Save it'),
    });
    expect(problemOf(() => files.readText('utf16.json')).reason).toBe('not-utf8');
  });

  test('that are larger than the buffer are read whole, and checked whole', () => {
    const text = `"${'é😀x'.repeat(40_000)}"`;
    const files = createNodeFiles(project({ 'large.json': text, 'cut.json': Buffer.concat([Buffer.from(text), Buffer.from([0xc3])]) }));
    expect(files.readText('large.json')).toBe(text);
    expect(problemOf(() => files.readText('cut.json')).reason).toBe('not-utf8');
  });

  test('that are larger than 10 MB are refused without being read', () => {
    const root = project();
    const file = fs.openSync(join(root, 'huge.json'), 'w');
    fs.ftruncateSync(file, 50 * 1024 ** 3);
    fs.closeSync(file);
    expect(problemOf(() => createNodeFiles(root).readText('huge.json'))).toMatchObject({
      reason: 'too-large',
      message: expect.stringContaining('51200.0 MB'),
    });
  });

  testWith('mkfifo', 'that are pipes do not block', () => {
    const root = project();
    execFileSync('mkfifo', [join(root, 'pipe.json')]);
    const files = createNodeFiles(root);
    expect(problemOf(() => files.readText('pipe.json'))).toMatchObject({ reason: 'io', message: expect.stringContaining('pipe') });
    expect(files.list('')).toEqual([{ name: 'pipe.json', kind: 'other' }]);
  });

  testOfPermissions('that may not be read say so', () => {
    const root = project({ 'a.json': '1', 'folder/b.json': '2' });
    fs.chmodSync(root, 0o755);
    fs.chmodSync(join(root, 'a.json'), 0o000);
    fs.chmodSync(join(root, 'folder'), 0o000);
    const files = createNodeFiles(root);
    const problems = unprivileged(() => [
      problemOf(() => files.readText('a.json')),
      problemOf(() => files.readText('folder/b.json')),
      problemOf(() => files.list('folder')),
    ]);
    fs.chmodSync(join(root, 'folder'), 0o755);
    expect(problems.map(({ reason }) => reason)).toEqual(['no-permission', 'no-permission', 'no-permission']);
    expect(problems[0]?.message).toBe('a.json cannot be read: no permission. Change its owner or mode.');
  });
});

describe('writing', () => {
  testOfPermissions('without permission leaves everything as it was', () => {
    const root = project({ 'folder/a.json': 'old' });
    fs.chmodSync(root, 0o755);
    fs.chmodSync(join(root, 'folder'), 0o555);
    const files = createNodeFiles(root);
    const reasons = unprivileged(() => [
      problemOf(() => files.writeText('folder/a.json', 'new')).reason,
      problemOf(() => files.writeText('folder/deeper/b.json', 'new')).reason,
    ]);
    fs.chmodSync(join(root, 'folder'), 0o755);
    expect(reasons).toEqual(['no-permission', 'no-permission']);
    expect(fs.readdirSync(join(root, 'folder'))).toEqual(['a.json']);
    expect(fs.readFileSync(join(root, 'folder/a.json'), 'utf8')).toBe('old');
  });

  test('that fails at the end removes its temporary file', () => {
    const root = project({ 'folder/in/x': '' });
    // A folder that appears in the file's place after it was looked at: renaming onto it fails.
    const files = createNodeFiles(root);
    expect(problemOf(() => files.writeText('folder', 'x')).reason).toBe('is-directory');
    expect(problemOf(() => files.writeText(`folder/${'n'.repeat(300)}`, 'x'))).toMatchObject({
      reason: 'io',
      message: expect.stringContaining('too long'),
    });
    expect(fs.readdirSync(root)).toEqual(['folder']);
    expect(fs.readdirSync(join(root, 'folder'))).toEqual(['in']);
  });

  test('a read-only file leaves it without write permission, and it can still be replaced', async () => {
    const root = project();
    const files = createNodeFiles(root);
    await files.writeText('a.json', 'one', { readOnly: true, exclusive: true });
    expect(fs.statSync(join(root, 'a.json')).mode & 0o777).toBe(0o444);
    await files.writeText('a.json', 'two', { readOnly: true });
    expect(files.readText('a.json')).toBe('two');
  });

  test('keeps the permissions of the file it replaces', async () => {
    const root = project({ 'a.json': 'one' });
    fs.chmodSync(join(root, 'a.json'), 0o640);
    await createNodeFiles(root).writeText('a.json', 'two');
    expect(fs.statSync(join(root, 'a.json')).mode & 0o777).toBe(0o640);
  });

  test('a full disk is told from other failures', () => {
    const full = problemOf(() => {
      const file = fs.openSync('/dev/full', 'w');
      try {
        fs.writeSync(file, 'x');
      } catch (error) {
        throw toFileProblem(error, 'a.json', 'written');
      } finally {
        fs.closeSync(file);
      }
    });
    expect(full).toMatchObject({
      reason: 'disk-full',
      message: 'a.json cannot be written: the disk is full. Free some space and try again.',
    });
    expect(toFileProblem(new Error('what'), 'a.json', 'read')).toMatchObject({ reason: 'io', message: 'a.json cannot be read: what.' });
  });
});

test('a project that is not there is empty', () => {
  const files = createNodeFiles(join(temporaryFolder(), 'none'));
  expect(files.list('')).toEqual([]);
  expect(problemOf(() => files.readText('agentstack.json')).reason).toBe('not-found');
});

test('of a new file that the disk has no room for nothing is left, and one that is there is kept', () => {
  const root = project({ 'there.json': '"mine"' });
  const files = createNodeFiles(root);
  const options = { exclusive: true, durable: false, readOnly: true };
  const restore = watchFs((call) => (call === 'writeSync' ? systemError('ENOSPC') : undefined));
  expect(problemOf(() => files.writeText('new.json', '{}', options))).toMatchObject({ reason: 'disk-full' });
  restore();
  expect(fs.readdirSync(root)).toEqual(['there.json']);
  expect(problemOf(() => files.writeText('there.json', '{}', options))).toMatchObject({ reason: 'exists' });
  // As where too many files are open to look whether it is there.
  const restoreOpen = watchFs((call) => (call === 'openSync' ? systemError('EIO') : undefined));
  expect(problemOf(() => files.writeText('there.json', '{}', options))).toMatchObject({ reason: 'io' });
  restoreOpen();
  expect(fs.readFileSync(join(root, 'there.json'), 'utf8')).toBe('"mine"');
  void files.writeText('new.json', '{}', options);
  expect(fs.statSync(join(root, 'new.json')).mode & 0o777).toBe(0o444);
});
