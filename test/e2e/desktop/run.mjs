// @ts-check
// `npm run test:desktop`: the API suite in a desktop VS Code, which `@vscode/test-electron` downloads. It needs the open internet and a screen
// (on Linux without one: `xvfb-run -a npm run test:desktop`). Everywhere else the same suite runs in the host of `npm run test:e2e`.
//
//   --version V   which VS Code: a version, `stable` (default) or `insiders`
//   --cache DIR   where downloads are kept (default: .vscode-test); a version that is there is not downloaded again
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { downloadAndUnzipVSCode, resolveCliArgsFromVSCodeExecutablePath, runTests } from '@vscode/test-electron';
import { bundleSuite } from '../support/bundleSuite.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const {
  values: { version = 'stable', cache },
} = parseArgs({ options: { version: { type: 'string' }, cache: { type: 'string' } } });

const home = mkdtempSync(join(tmpdir(), 'agent-stack-desktop-'));
try {
  const program = await download();
  const bundle = await bundleSuite();
  for (const suite of ['trusted', 'untrusted']) await run(suite, program, bundle);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function download() {
  try {
    return await downloadAndUnzipVSCode({ version, ...(cache !== undefined && { cachePath: cache }) });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`VS Code ${version} could not be downloaded: ${why}\nThis needs the open internet; \`npm run test:e2e\` does not.`);
  }
}

/**
 * Installs the packaged extension into a profile of its own and runs one suite on a copy of the sample project.
 * @param {string} suite
 * @param {string} program
 * @param {string} bundle
 */
async function run(suite, program, bundle) {
  const workspace = join(home, suite);
  mkdirSync(workspace);
  for (const path of ['config', 'agentstack.json']) cpSync(join(root, path), join(workspace, path), { recursive: true });
  const folders = [`--extensions-dir=${join(home, 'extensions')}`, `--user-data-dir=${join(home, `user-${suite}`)}`];
  const [cli, ...args] = resolveCliArgsFromVSCodeExecutablePath(program, { reuseMachineInstall: true });
  if (cli === undefined) throw new Error(`VS Code at ${program} has no command line.`);
  const install = ['--install-extension', join(root, 'dist', `${manifest.name}-${manifest.version}.vsix`), '--force'];
  const { status } = spawnSync(cli, [...args, ...folders, ...install], { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('VS Code did not install the extension.');
  const resultsFile = join(home, `${suite}.json`);
  const development = join(root, 'test/e2e/testExtension');
  const env = { AGENT_STACK_E2E_SUITE: suite, AGENT_STACK_E2E_RESULTS: resultsFile };
  try {
    if (suite === 'trusted')
      await runTests({
        vscodeExecutablePath: program,
        extensionDevelopmentPath: development,
        extensionTestsPath: bundle,
        extensionTestsEnv: env,
        launchArgs: [workspace, ...folders],
      });
    else {
      // `runTests` always turns Workspace Trust off, which is what this suite is about.
      const options = ['--no-sandbox', '--disable-updates', '--skip-welcome', '--skip-release-notes'];
      const test = [`--extensionDevelopmentPath=${development}`, `--extensionTestsPath=${bundle}`];
      spawnSync(program, [workspace, ...folders, ...options, ...test], { stdio: 'inherit', env: { ...process.env, ...env } });
    }
  } finally {
    report(suite, resultsFile);
  }
}

/**
 * @param {string} suite
 * @param {string} resultsFile
 */
function report(suite, resultsFile) {
  if (!existsSync(resultsFile)) throw new Error(`The suite ${suite} left no results: VS Code ended before the tests did.`);
  for (const { title, error } of JSON.parse(readFileSync(resultsFile, 'utf8')))
    console.log(`${suite} ${error ? '×' : '✓'} ${title}${error ? `\n${error}` : ''}`);
}
