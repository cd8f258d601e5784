import { existsSync, linkSync, lstatSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryPlace } from '../../core/node/temporaryFiles.js';
import { agentstack, listFiles, read, temporaryProject, toneProject, write } from './command.js';

// A repository may bring links of any kind; no command writes through one that leads out of the project, or reads what it must not.

describe('a link that a repository brings, out of the project', () => {
  const input = ['--set', 'text=hello'];

  test.each([
    ['agentstack.d.ts', ['types']],
    ['out.ts', ['types', '--out', 'out.ts']],
    ['out.json', ['snapshot', 'Tone', '--out', 'out.json']],
    ['out.jsonl', ['run', 'Tone', ...input, '--record', 'out.jsonl', '--no-keep']],
    ['folder/out.ts', ['types', '--out', 'folder/out.ts']],
    ['folder/out.json', ['snapshot', 'Tone', '--out', 'folder/out.json']],
  ])('%s is not written through', async (path, args) => {
    const folder = toneProject();
    const outside = temporaryProject({ 'target.txt': 'mine' });
    if (path.startsWith('folder/')) symlinkSync(outside, join(folder, 'folder'));
    else symlinkSync(join(outside, 'target.txt'), join(folder, path));
    const { code, stderr } = await agentstack(args, { cwd: folder });
    expect([code, stderr]).toEqual([
      expect.toSatisfy((it) => it === 1 || it === 2),
      expect.stringContaining('not inside the project folder'),
    ]);
    expect(listFiles(outside)).toEqual(['target.txt']);
    expect(read(outside, 'target.txt')).toBe('mine');
  });

  test('a file outside that the user names is written, and so is one in the project through a link within', async () => {
    const folder = toneProject({ 'generated/.keep': '' });
    const outside = temporaryProject({});
    symlinkSync(join(folder, 'generated'), join(folder, 'gen'));
    for (const path of [join(outside, 'new/out.ts'), 'gen/out.ts', 'types/out.ts'])
      expect(await agentstack(['types', '--out', path], { cwd: folder })).toMatchObject({ code: 0 });
    expect(listFiles(outside)).toEqual(['new/out.ts']);
    expect(read(folder, 'generated/out.ts')).toBe(read(outside, 'new/out.ts'));
    expect(lstatSync(join(folder, 'gen')).isSymbolicLink()).toBe(true);
  });
});

test('init removes what a killed attempt has left', async () => {
  const folder = temporaryProject({ 'notes.txt': 'mine' });
  const left = temporaryPlace('agentstack.json').replace(/\.\d+-\d*-/, `.${2 ** 22 + 5}-1-`);
  write(folder, left, '{}');
  expect(await agentstack(['init'], { cwd: folder })).toMatchObject({ code: 0 });
  expect(listFiles(folder).filter((path) => path.endsWith('.tmp'))).toEqual([]);
  expect(listFiles(folder)).toContain('notes.txt');
});

describe('an import does not read a file with keys that a source names', () => {
  const secret = 'PASSWORD=correct-horse-battery';
  const named: Readonly<Record<string, (folder: string) => void>> = {
    '../../.env': (folder) => write(folder, '.env', secret),
    '../../keys/id_rsa': (folder) => write(folder, 'keys/id_rsa', secret),
    '../../link.md': (folder) => {
      write(folder, '.env', secret);
      symlinkSync('.env', join(folder, 'link.md'));
    },
    '../../hard.md': (folder) => {
      write(folder, '.env', secret);
      linkSync(join(folder, '.env'), join(folder, 'hard.md'));
    },
    '../../.git/config': (folder) => write(folder, '.git/config', secret),
  };

  test.each(Object.keys(named))('%s', async (path) => {
    const folder = temporaryProject({ '.kiro/agents/a.json': { name: 'A', prompt: `file://${path}`, tools: ['read'] } });
    named[path]?.(folder);
    const { stdout, stderr } = await agentstack(['import', '.kiro/agents', '--json'], { cwd: folder });
    expect(JSON.parse(stdout).notes.map(({ message }: { message: string }) => message)).toContainEqual(
      expect.stringMatching(/tools do not read/),
    );
    expect(stdout + stderr + read(folder, 'config/agents/A/v1.json')).not.toContain('correct-horse');
    expect(existsSync(join(folder, 'config/agents/A/v1.json'))).toBe(true);
  });
});
