// `npm test`: the unit tests with coverage, then the extension in a real VS Code. Where everything must run (AGENT_STACK_REQUIRE_ALL), the unit
// tests run again on the newest LTS of Node beside the editor. It ends with what was not run and why, and one plain closing line.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installChromium } from './chromium.mjs';
import { hostNode, installHost } from './vscodeHost.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const scratch = mkdtempSync(join(tmpdir(), 'agent-stack-test-'));
const mustRunAll = process.env.AGENT_STACK_REQUIRE_ALL !== undefined;
const given = process.argv.slice(2);

// Arguments choose single unit tests; `npm run test:e2e` is for those in an editor.
const runs = given.length > 0 ? [await runSuite('unit', given)] : await runAll();
rmSync(scratch, { recursive: true, force: true });

const results = runs.flatMap(({ report }) => report.testResults);
const notRun = results.flatMap((file) =>
  file.assertionResults.filter(({ status }) => status === 'pending' || status === 'skipped' || status === 'todo'),
);
// A file that could not even be loaded has failed, though it holds no failed test.
const unloadable = results.filter((file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'));
const passed = runs.reduce((sum, { report }) => sum + report.numPassedTests, 0);
const failed = runs.reduce((sum, { report }) => sum + report.numFailedTests, 0) + unloadable.length;
const isGreen = runs.every(({ status }) => status === 0);

if (notRun.length > 0) {
  console.log(`\nNot run (${notRun.length}), because something they need is missing here:`);
  for (const { fullName } of notRun) console.log(`  - ${fullName}`);
}
if (!isGreen && failed === 0) console.log('\nEvery test passed, but the run failed: see the coverage thresholds or errors above.');
console.log(`\n${passed} passed, ${failed} failed${notRun.length > 0 ? `, ${notRun.length} skipped` : ''}`);
process.exitCode = isGreen && failed === 0 ? 0 : 1;

/** The editor comes from the npm registry and is installed once. Where that fails, the report says why. */
async function runAll() {
  try {
    installHost();
    await installChromium();
  } catch (error) {
    return [await runSuite('unit', ['--coverage']), withoutEditor(error.message.trim())];
  }
  const unit = await runSuite('unit', ['--coverage']);
  return [unit, ...(await Promise.all([runInEditor(), ...(mustRunAll ? [runOnLts()] : [])]))];
}

/**
 * The unit tests on the newest LTS, which runs VS Code here too: without coverage, and without the tests of the distributed engine, which wait
 * most of the time. One worker leaves a core to the editor beside them.
 */
function runOnLts() {
  return runSuite('unit on the newest LTS', ['--project=!dbos', '--maxWorkers=1'], { node: hostNode });
}

async function runInEditor() {
  const { status, output } = await run(process.execPath, ['scripts/package.mjs'], 'pipe');
  if (status === 0) return runSuite('e2e', ['--config', 'vitest.e2e.config.ts'], { stdio: 'pipe' });
  console.error(output);
  return { status, report: { testResults: [], numFailedTests: 1, numPassedTests: 0 } };
}

/** Not run, which is reported as such; a failure where everything must run. */
function withoutEditor(why) {
  console.error(`\nThe extension was not tried in VS Code, which could not be installed:\n${why}`);
  const fullName = `the extension in a real VS Code (${why.split('\n')[0]})`;
  return {
    status: mustRunAll ? 1 : 0,
    report: {
      testResults: [
        { status: mustRunAll ? 'failed' : 'passed', assertionResults: [{ fullName, status: mustRunAll ? 'failed' : 'skipped' }] },
      ],
      numFailedTests: mustRunAll ? 1 : 0,
      numPassedTests: 0,
    },
  };
}

/** With `stdio: 'pipe'` its output is printed when it has ended, so that it does not mix with that of another suite. */
async function runSuite(name, args, { node = process.execPath, stdio = 'inherit' } = {}) {
  const reportFile = join(scratch, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const started = Date.now();
  const { status, output } = await run(node, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], stdio);
  console.log(`${output}\n${name}: ${Math.round((Date.now() - started) / 1000)} s\n`);
  try {
    return { status, report: JSON.parse(readFileSync(reportFile, 'utf8')) };
  } catch (error) {
    console.error(`The test runner left no report (exit ${status}): ${error.message}`);
    return { status: 1, report: { testResults: [], numFailedTests: 1, numPassedTests: 0 } };
  }
}

function run(program, args, stdio) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', stdio, stdio] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status: status ?? 1, output }));
  });
}
