import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporaryFolder.js';

// `npm run test:desktop` up to the download: a program in the place of VS Code writes down how it was started.

const root = join(import.meta.dirname, '../..');
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string; version: string };

/** A download of VS Code 9.9.9 that notes its arguments and leaves results, or ends at once with this code. */
function downloaded(code = 0): { readonly cache: string; started(): readonly (readonly string[])[] } {
  const cache = temporaryFolder();
  const folder = join(cache, `vscode-linux-${process.arch}-9.9.9`);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'is-complete'), '');
  const log = join(cache, 'started.jsonl');
  const program = `#!${process.execPath}
const { appendFileSync, writeFileSync } = process.getBuiltinModule('node:fs');
appendFileSync(${JSON.stringify(log)}, JSON.stringify(process.argv.slice(2)) + '\\n');
if (${code}) process.exit(${code});
const { AGENT_STACK_E2E_RESULTS: file, AGENT_STACK_E2E_SUITE: suite } = process.env;
if (file) writeFileSync(file, JSON.stringify([{ title: 'ran ' + suite }]));
`;
  for (const path of ['code', 'bin/code']) {
    writeFileSync(join(folder, path), program);
    chmodSync(join(folder, path), 0o755);
  }
  const started = () =>
    readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);
  return { cache, started };
}

function runDesktop(...args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, ['test/e2e/desktop/run.mjs', ...args], { cwd: root, encoding: 'utf8' });
}

describe.runIf(process.platform === 'linux')('The suite in a desktop VS Code', () => {
  test('installs the packaged extension and runs both suites, each in a profile of its own', () => {
    const { cache, started } = downloaded();
    const { status, stdout } = runDesktop('--version', '9.9.9', '--cache', cache);
    expect(status).toBe(0);
    expect(stdout).toContain('trusted ✓ ran trusted');
    expect(stdout).toContain('untrusted ✓ ran untrusted');
    const [install, trusted, , untrusted] = started();
    expect(install).toContain('--install-extension');
    expect(install).toContain(join(root, 'dist', `${name}-${version}.vsix`));
    for (const args of [trusted, untrusted]) {
      expect(args).toContain(`--extensionDevelopmentPath=${join(root, 'test/e2e/testExtension')}`);
      expect(args?.some((arg) => /^--extensionTestsPath=.*index\.cjs$/.test(arg))).toBe(true);
    }
    expect(trusted).toContain('--disable-workspace-trust');
    expect(untrusted).not.toContain('--disable-workspace-trust');
  });

  test('says so when the extension cannot be installed', () => {
    const { cache } = downloaded(3);
    const { status, stderr } = runDesktop('--version', '9.9.9', '--cache', cache);
    expect(stderr).toContain('VS Code did not install the extension.');
    expect(status).toBe(1);
  });

  test('says what it needs when VS Code cannot be downloaded', () => {
    // No server answers at this address, so the look-up fails at once wherever the test runs.
    const { status, stderr } = spawnSync(
      process.execPath,
      ['test/e2e/desktop/run.mjs', '--version', '9.9.9', '--cache', temporaryFolder()],
      {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, HTTPS_PROXY: 'http://127.0.0.1:9', npm_config_https_proxy: 'http://127.0.0.1:9' },
      },
    );
    expect(stderr).toContain('VS Code 9.9.9 could not be downloaded');
    expect(stderr).toContain('npm run test:e2e');
    expect(status).toBe(1);
  });
});
