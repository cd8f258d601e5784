import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentstackProcess, cleanEnvironment, repository } from './command.js';

describe('a language server that cannot reach its client says so, and is not a bug', () => {
  const cases: readonly [readonly string[], RegExp][] = [
    [['--socket', 'abc'], /^error: --socket takes a port from 1 to 65535, not "abc"\.$/m],
    [['--socket', '99999'], /^error: --socket takes a port/m],
    [['--socket', '1'], /^error: No client can be reached: .*Start the client first/m],
    [['--pipe', 'no-such-pipe'], /^error: No client can be reached: /m],
    [['--node-ipc'], /^error: --node-ipc is for a Node process .*Use --stdio\.$/m],
  ];

  test.each(cases)('agent-stack lsp %j', async (args, words) => {
    const { code, stdout, stderr } = await agentstackProcess(['lsp', ...args], { cwd: repository });
    expect(stderr).toMatch(words);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test.each(cases)('dist/server.cjs %j', (args, words) => {
    const server = join(repository, 'dist', 'server.cjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [server, ...args], { env: cleanEnvironment(), encoding: 'utf8' });
    expect(stderr).toMatch(words);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });
});
