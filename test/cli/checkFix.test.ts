import { spawnSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unifiedDiff } from '../../cli/reports/unifiedDiff.js';
import { agentstack, agentstackProcess, cleanEnvironment, listFiles, read, toneAgent, toneProject, write } from './command.js';

const path = 'config/agents/Tone/v1.json';
const clean = `${JSON.stringify(toneAgent, null, 2)}\n`;
/** A comment, a comma too many and a number in quotes. */
const safe = clean
  .replace('{\n', '{\n  // Who it is.\n')
  .replace('"mode": "Chooser",', '"mode": "Chooser",\n  "max_output_tokens": "200",')
  .replace(/\n\}\n$/, ',\n}\n');
const fixed = clean
  .replace('"version": "v1",', '"version": "v1",\n  "description": "Who it is.",')
  .replace('"mode": "Chooser",', '"mode": "Chooser",\n  "max_output_tokens": 200,');

describe('check --fix', () => {
  test('applies the fixes that change no behaviour, and reports what is left', async () => {
    const cwd = toneProject({ [path]: safe.replace('"Choose the tone."', '""') });
    chmodSync(join(cwd, path), 0o640);
    const { code, stdout, stderr } = await agentstackProcess(['check', '--fix'], { cwd });
    expect(stderr).toBe(`fixed ${path}\n`);
    expect(read(cwd, path)).toBe(fixed.replace('"Choose the tone."', '""'));
    expect(statSync(join(cwd, path)).mode & 0o777).toBe(0o640);
    expect(stdout).toContain('empty-text');
    expect(stdout).toMatch(/1 \w+ in 3 files\.\n$/);
    expect(code).toBe((await agentstack(['check'], { cwd })).code);
    expect(listFiles(cwd)).toHaveLength(3);
  });

  test('a second one changes nothing', async () => {
    const cwd = toneProject({ [path]: safe });
    expect(await agentstack(['check', '--fix'], { cwd })).toEqual({
      code: 0,
      stdout: 'No problems in 3 files.\n',
      stderr: `fixed ${path}\n`,
    });
    expect(read(cwd, path)).toBe(fixed);
    expect(await agentstack(['check', '--fix'], { cwd })).toEqual({ code: 0, stdout: 'No problems in 3 files.\n', stderr: '' });
  });

  test('keeps line breaks and a byte order mark', async () => {
    const cwd = toneProject({ [path]: `\ufeff${safe.replaceAll('\n', '\r\n')}` });
    await agentstack(['check', '--fix'], { cwd });
    expect(read(cwd, path)).toBe(`\ufeff${fixed.replaceAll('\n', '\r\n')}`);
  });

  test('with paths, only files in them', async () => {
    const other = safe.replace('"Tone"', '"Other"');
    const cwd = toneProject({ [path]: safe, 'config/agents/Other/v1.json': other });
    const { code } = await agentstack(['check', '--fix', '--json', 'config/agents/Tone'], { cwd });
    expect(code).toBe(0);
    expect(read(cwd, 'config/agents/Other/v1.json')).toBe(other);
  });

  test('leaves what needs a person', async () => {
    const text = clean.replace('"Chooser"', '"Choser"');
    const cwd = toneProject({ [path]: text });
    const { code, stderr } = await agentstack(['check', '--fix'], { cwd });
    expect([code, stderr, read(cwd, path)]).toEqual([1, '', text]);
  });
});

describe('check --fix --dry-run', () => {
  test('prints a diff that git applies, and changes nothing', async () => {
    const cwd = toneProject({ [path]: safe });
    const { code, stdout, stderr } = await agentstack(['check', '--fix', '--dry-run'], { cwd });
    expect(stdout).toMatch(new RegExp(`^--- a/${path}\n\\+\\+\\+ b/${path}\n@@ -1,`));
    expect(stdout).toContain('\n-  // Who it is.\n');
    expect(stdout).toContain('\n-  "max_output_tokens": "200",\n+  "max_output_tokens": 200,\n');
    expect(stderr).toBe('--fix would change 1 file; nothing was changed.\n');
    expect(code).toBe(1);
    expect(read(cwd, path)).toBe(safe);
    const applied = spawnSync('git', ['apply', '-'], { cwd, input: stdout, env: cleanEnvironment(), encoding: 'utf8' });
    expect(applied.stderr).toBe('');
    expect(read(cwd, path)).toBe(fixed);
    expect(await agentstack(['check', '--fix', '--dry-run'], { cwd })).toEqual({ code: 0, stdout: '', stderr: 'Nothing to fix.\n' });
  });

  test('--json has the diff of each file', async () => {
    const cwd = toneProject({ [path]: safe });
    const { stdout } = await agentstack(['check', '--fix', '--dry-run', '--json'], { cwd });
    expect(JSON.parse(stdout)).toEqual({ dry_run: true, fixed: [{ file: path, diff: expect.stringContaining('@@ -1,') }] });
  });

  test.each([
    [['--dry-run'], 'Give --dry-run together with --fix.'],
    [['--fix', '--dry-run', '--format', 'sarif'], '--dry-run prints a diff, not --format sarif.'],
  ])('%j is refused', async (args, words) => {
    const { code, stderr } = await agentstack(['check', ...args], { cwd: toneProject() });
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });
});

describe('a unified diff', () => {
  const lines = (count: number, change: (line: number) => string | undefined = () => undefined) =>
    Array.from({ length: count }, (_, index) => change(index + 1) ?? `line ${index + 1}\n`).join('');
  const cases: [name: string, before: string, after: string][] = [
    ['in one line', lines(10), lines(10, (line) => (line === 5 ? 'five\n' : undefined))],
    ['far apart', lines(60), lines(60, (line) => (line === 5 || line === 50 ? 'changed\n' : undefined))],
    ['at both ends', lines(20), `first\n${lines(20).slice(0, -1)}`],
    ['of everything', lines(8), 'other\n'],
    ['to nothing', lines(3), ''],
    ['from nothing', '', lines(3)],
    ['of moved lines', 'a\nb\nc\na\nb\nb\na\n', 'c\nb\na\nb\na\nc\n'],
    ['of very many lines', lines(3000), lines(3000, (line) => `other ${line}\n`)],
  ];
  test.each(cases)('%s is applied by git', (_, before, after) => {
    const cwd = toneProject({ 'a.txt': before });
    const input = `${unifiedDiff('a.txt', before, after).join('\n')}\n`;
    const { stderr } = spawnSync('git', ['apply', '-'], { cwd, input, env: cleanEnvironment(), encoding: 'utf8' });
    expect(stderr).toBe('');
    // Git removes a file that has become empty only where the diff says so.
    expect(read(cwd, 'a.txt')).toBe(after);
  });

  test('of equal texts is empty', () => expect(unifiedDiff('a', 'x\n', 'x\n')).toEqual([]));
});

test('the fixes are those of the editor, also where one reveals another fault', async () => {
  const cwd = toneProject({ [path]: '' });
  write(cwd, path, safe.replace('"max_output_tokens": "200",', '"maxTokens": 200,'));
  await agentstack(['check', '--fix'], { cwd });
  expect(read(cwd, path)).toContain('"max_output_tokens": 200');
});
