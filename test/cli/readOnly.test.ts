import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { testWith } from '../support/needs.js';
import { cleanEnvironment, cliFile, listFiles, outcomeOf, repository, toneProject } from './command.js';

/** Permissions do not bind root, so the command runs as another user, from a copy that every user can read. */
function asNobody(cwd: string): (...args: string[]) => ReturnType<typeof outcomeOf> {
  const copy = mkdtempSync(join(tmpdir(), 'agent-stack-copy-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(dirname(cliFile), join(copy, 'dist'), { recursive: true });
  cpSync(join(repository, 'docs', 'rules'), join(copy, 'docs', 'rules'), { recursive: true });
  cpSync(join(repository, 'package.json'), join(copy, 'package.json'));
  for (const folder of [copy, cwd]) openToAll(folder);
  return (...args) => {
    const identity = ['--reuid=65534', '--regid=65534', '--clear-groups'];
    const child = spawn('setpriv', [...identity, process.execPath, join(copy, 'dist', 'cli.cjs'), ...args], {
      cwd,
      env: cleanEnvironment(),
    });
    child.stdin.end();
    return outcomeOf(child);
  };
}

function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}

testWith('setpriv', 'in a folder that cannot be written, everything that only reads works, and the rest says why not', async () => {
  const cwd = toneProject();
  const before = listFiles(cwd);
  const agentstack = asNobody(cwd);
  expect((await agentstack('check')).stdout).toBe('No problems in 3 files.\n');
  expect((await agentstack('compose', 'Tone', '--set', 'text=x')).code).toBe(0);

  const kept = await agentstack('run', 'Tone', '--case', 'greeting');
  expect(kept.stderr).toMatch(/^The run could not be saved \(storage\): .*no.permission/);
  expect(kept.code).toBe(1);
  const free = await agentstack('run', 'Tone', '--case', 'greeting', '--no-keep');
  expect(JSON.parse(free.stdout)).toEqual({ tone: 'friendly' });
  expect(free.code).toBe(0);

  for (const args of [
    ['new', 'agent', 'Other'],
    ['new', 'version', 'Tone'],
  ]) {
    const { code, stdout, stderr } = await agentstack(...args);
    expect(stderr).toMatch(/^error: config\/(agents|payloads)\/.* cannot be written: no permission\./);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  }
  expect(listFiles(cwd)).toEqual(before);
});

testWith('setpriv', 'a file without read permission is a finding, and no agent', async () => {
  const cwd = toneProject();
  const agentstack = asNobody(cwd);
  chmodSync(join(cwd, 'config/agents/Tone/v1.json'), 0o000);
  const checked = await agentstack('check');
  expect(checked.stdout).toContain(
    'config/agents/Tone/v1.json:1:1 error json-syntax config/agents/Tone/v1.json cannot be read: no permission.',
  );
  expect(checked.code).toBe(1);
  const ran = await agentstack('run', 'Tone', '--case', 'greeting');
  expect(ran.stderr).toContain('cannot be read: no permission.');
  expect(ran.code).toBe(2);
  const version = await agentstack('new', 'version', 'Tone');
  expect(version.stderr).toContain('cannot be read: no permission.');
  expect(version.code).toBe(2);
});
