// `npm test`: the unit tests with coverage, then the extension in a real VS Code. Where everything must run (AGENT_STACK_REQUIRE_ALL), the unit
// tests run again on the newest LTS of Node beside the editor, and files that fail on the busy machine get a second run by themselves. It ends
// with what was not run, what needed a second run, what failed, and one plain closing line.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
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
const tests = results.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: relative(root, file.name) })));
const notRun = tests.filter(({ status }) => status === 'pending' || status === 'skipped' || status === 'todo');
const failures = results.flatMap(failuresOf);
const passed = tests.filter(({ status }) => status === 'passed').length;
const isGreen = runs.every(({ status }) => status === 0);

list(`Not run (${notRun.length}), because something they need is missing here`, notRun);
const secondRuns = runs.flatMap(({ repeated = [] }) => repeated);
list(`Failed, and passed when run again by themselves (${secondRuns.length})`, secondRuns);
list(`Failed (${failures.length})`, failures);
if (!isGreen && failures.length === 0) console.log('\nEvery test passed, but the run failed: see the coverage thresholds or errors above.');
console.log(`\n${passed} passed, ${failures.length} failed${notRun.length > 0 ? `, ${notRun.length} skipped` : ''}`);
process.exitCode = isGreen && failures.length === 0 ? 0 : 1;

function list(title, entries) {
  if (entries.length === 0) return;
  console.log(`\n${title}:`);
  for (const { file, fullName, failureMessages = [] } of entries) {
    console.log(`  - ${file ? `${file}: ` : ''}${fullName}`);
    for (const message of failureMessages) console.log(`      ${message.split('\n')[0]}`);
  }
}

/** The failed tests of a file, or the file itself where it could not even be loaded. */
function failuresOf({ name, status, message = '', assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => ({ ...test, file }));
  return status === 'failed' && failed.length === 0 ? [{ file, fullName: 'could not be loaded', failureMessages: [message] }] : failed;
}

/** The editor comes from the npm registry and is installed once. Where that fails, the report says why. */
async function runAll() {
  try {
    installHost();
    await installChromium();
  } catch (error) {
    return [await runSuite('unit', ['--coverage']), withoutEditor(error.message.trim())];
  }
  const unit = await runSuite('unit', ['--coverage']);
  const suites = [unit, ...(await Promise.all([runInEditor(), ...(mustRunAll ? [runOnLts()] : [])]))];
  if (!mustRunAll) return suites;
  const repeated = [];
  for (const suite of suites) repeated.push(await repeatFailures(suite));
  return repeated;
}

/**
 * A bound on time may break where three suites share two cores: the few files that failed run again by themselves, and that run counts. Its
 * failures stay, and what passes only then is listed at the end.
 */
async function repeatFailures(suite) {
  const failed = suite.report.testResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0 || failed.length > 5 || suite.again === undefined) return suite;
  const again = await suite.again(failed.map(({ name }) => name));
  const names = new Set(failed.map(({ name }) => name));
  const kept = suite.report.testResults.filter(({ name }) => !names.has(name));
  const fails = new Set(again.report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name));
  const repeated = failed.filter(({ name }) => !fails.has(name)).flatMap(failuresOf);
  return { status: again.status, report: { testResults: [...kept, ...again.report.testResults] }, repeated };
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
  return failedSuite('the extension in VS Code', `it could not be packaged:\n${output}`);
}

/** Not run, which is reported as such; a failure where everything must run. */
function withoutEditor(why) {
  console.error('\nThe extension was not tried in VS Code, which could not be installed:');
  const fullName = `the extension in a real VS Code (${why.split('\n')[0]})`;
  if (mustRunAll) return failedSuite(fullName, why);
  return { status: 0, report: { testResults: [{ name: root, status: 'passed', assertionResults: [{ fullName, status: 'skipped' }] }] } };
}

/** The result of a suite that could not run. */
function failedSuite(name, message) {
  console.error(message);
  return { status: 1, report: { testResults: [{ name: join(root, name), status: 'failed', message, assertionResults: [] }] } };
}

/** With `stdio: 'pipe'` its output is printed when it has ended, so that it does not mix with that of another suite. */
async function runSuite(name, args, { node = process.execPath, stdio = 'inherit' } = {}) {
  const reportFile = join(scratch, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const started = Date.now();
  const { status, output } = await run(node, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], stdio);
  console.log(`${output}\n${name}: ${Math.round((Date.now() - started) / 1000)} s\n`);
  try {
    const again = (files) => runSuite(`${name}, again`, [...args.filter((argument) => argument !== '--coverage'), ...files], { node });
    return { status, report: JSON.parse(readFileSync(reportFile, 'utf8')), again };
  } catch (error) {
    return failedSuite(name, `The test runner left no report (exit ${status}): ${error.message}`);
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
