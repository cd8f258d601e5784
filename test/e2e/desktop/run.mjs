// `npm run test:desktop`: the API suite in a desktop VS Code, which `@vscode/test-electron` downloads: it needs the open internet and a screen
// (on Linux without one: `xvfb-run -a npm run test:desktop`). Everywhere else the same suite runs in the host of `npm run test:e2e`.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadAndUnzipVSCode, resolveCliArgsFromVSCodeExecutablePath, runTests } from '@vscode/test-electron';
import { bundleSuite } from '../support/bundleSuite.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const home = mkdtempSync(join(tmpdir(), 'agent-stack-desktop-'));
const resultsFile = join(home, 'results.json');
try {
  const program = await downloadAndUnzipVSCode();
  const bundle = await bundleSuite();
  for (const suite of ['trusted', 'untrusted']) {
    const workspace = join(home, suite);
    mkdirSync(workspace);
    for (const path of ['config', 'agentstack.json']) cpSync(join(root, path), join(workspace, path), { recursive: true });
    const folders = [`--extensions-dir=${join(home, 'extensions')}`, `--user-data-dir=${join(home, `user-${suite}`)}`];
    const [cli, ...args] = resolveCliArgsFromVSCodeExecutablePath(program, { reuseMachineInstall: true });
    const install = ['--install-extension', join(root, 'dist', `${name}-${version}.vsix`), '--force'];
    const { status } = spawnSync(cli, [...args, ...folders, ...install], { stdio: 'inherit', shell: process.platform === 'win32' });
    if (status !== 0) throw new Error('VS Code did not install the extension.');
    await runTests({
      vscodeExecutablePath: program,
      extensionDevelopmentPath: join(root, 'test/e2e/testExtension'),
      extensionTestsPath: bundle,
      extensionTestsEnv: { AGENT_STACK_E2E_SUITE: suite, AGENT_STACK_E2E_RESULTS: resultsFile },
      launchArgs: [workspace, ...folders, ...(suite === 'trusted' ? ['--disable-workspace-trust'] : [])],
    }).finally(() => report(suite));
  }
} catch (error) {
  console.error(`${error.message}\nThis needs the open internet and a screen; \`npm run test:e2e\` needs neither.`);
  process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

function report(suite) {
  for (const { title, error } of JSON.parse(readFileSync(resultsFile, 'utf8')))
    console.log(`${suite} ${error ? '×' : '✓'} ${title}${error ? `\n${error}` : ''}`);
}
