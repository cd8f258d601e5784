import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { cliFile, repository } from '../cli/command.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

test('the command runs without the distributed engine and ACP, as the editor ships it, and says where they are', () => {
  const folder = temporaryFolder();
  const isShipped = (path: string) => !/(dbos|acp)Sdk\.cjs$/.test(path);
  cpSync(dirname(cliFile), join(folder, 'dist'), { recursive: true, filter: isShipped });
  cpSync(join(repository, 'config'), join(folder, 'config'), { recursive: true });
  const call = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(folder, 'dist/cli.cjs'), ...args], { cwd: folder, encoding: 'utf8' });

  const embedded = call('orchestrate', 'issue_intake', '--case', 'outage', '--llm', 'offline', '--json');
  expect(embedded.status, embedded.stderr).toBe(0);
  const distributed = call(
    'orchestrate',
    'issue_intake',
    '--case',
    'outage',
    '--engine',
    'dbos',
    '--database-url',
    'postgres://127.0.0.1:1/none',
  );
  expect(distributed.status).toBe(2);
  expect(distributed.stderr).toBe(
    'error: This agent-stack came with the editor, without the distributed engine. Use the one from npm: npm install --global agent-stack.\n',
  );
  const chat = call('serve', '--acp');
  expect(chat.status).toBe(2);
  expect(chat.stderr).toMatch(/^error: This agent-stack came with the editor, without the Agent Client Protocol\. Use the one from npm: /m);
});
