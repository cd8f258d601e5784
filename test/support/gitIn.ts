import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';

/** Runs git in a folder, as somebody with a name and without the settings of this machine; the answer is its output. */
export function gitIn(cwd: string, ...args: string[]): string {
  const config = ['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', '-c', 'protocol.file.allow=always'];
  const { PATH = '', HOME = '' } = process.env;
  const { status, stdout, stderr } = spawnSync('git', [...config, ...args], {
    cwd,
    env: { PATH, HOME, LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
  });
  expect(stderr && status !== 0 ? stderr : '').toBe('');
  return stdout.trim();
}
