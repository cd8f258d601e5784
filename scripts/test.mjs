// `npm test`: the unit tests, and beside them the extension in a real VS Code. In CI (AGENT_STACK_REQUIRE_ALL) with the coverage of core/, and with
// what depends on Node once more on the newest LTS. Ends with the ten slowest files, what did not run, what passed only on another try, what
// failed, and one plain closing line. `npm run test:quick` runs only what starts no process and no editor.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installChromium } from './chromium.mjs';
import { hostNode, installHost } from './vscodeHost.mjs';

/** Seconds that one file may take on a machine that does nothing else. */
const fileLimit = 30;
/** Files that may take longer, each with the reason. */
const slowFiles = new Map([
  ['test/dbos/faults.test.ts', 'workers are silent for longer than their lease of 3 s, and the database is away for 4 s'],
]);
/** What depends on the version of Node. */
const nodeTests = ['test/node/', 'test/cli/', 'test/server/wire/', 'test/package/', 'test/serve/'];

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const scratch = mkdtempSync(join(tmpdir(), 'agent-stack-test-'));
const mustRunAll = process.env.AGENT_STACK_REQUIRE_ALL !== undefined;
const given = process.argv.slice(2);
const crowding = measureCrowding();

// Arguments choose single unit tests; `npm run test:e2e` is for those in an editor.
const suites = given.length > 0 ? [await runSuite('unit', given)] : await runAll();
rmSync(scratch, { recursive: true, force: true });

const files = suites.flatMap(({ report }) => report.files);
const tests = files.flatMap(({ file, tests }) => tests.map((test) => ({ ...test, file })));
const notRun = tests.filter(({ state }) => state === 'skipped');
const passed = tests.filter(({ state }) => state === 'passed');
const failures = [
  ...files.flatMap(failuresOf),
  ...suites.flatMap(({ report }) => report.errors).map((error) => ({ name: 'outside of any test', errors: [error] })),
];
const onAnotherTry = [...passed.filter(({ retries }) => retries > 0), ...suites.flatMap(({ repeated = [] }) => repeated)];
const slow = given.length > 0 ? [] : files.filter(isTooSlow);
const isGreen = suites.every(({ status }) => status === 0);

listSlowest();
list(`Not run (${notRun.length}), because something they need is missing here`, notRun);
list(`Passed only on another try (${onAnotherTry.length}): faults of these tests, or of what they test`, onAnotherTry);
list(`Failed (${failures.length})`, failures);
list(`Too slow (${slow.length})`, slow.map(toSlowness));
if (!isGreen && failures.length === 0) console.log('\nEvery test passed, but the run failed: see the coverage thresholds or errors above.');
console.log(`\n${passed.length} passed, ${failures.length + slow.length} failed${notRun.length > 0 ? `, ${notRun.length} skipped` : ''}`);
process.exitCode = isGreen && failures.length === 0 && slow.length === 0 ? 0 : 1;

function list(title, entries) {
  if (entries.length === 0) return;
  console.log(`\n${title}:`);
  for (const { file, name, errors = [] } of entries) {
    console.log(`  - ${file ? `${file}: ` : ''}${name}`);
    for (const error of errors) console.log(`      ${error}`);
  }
}

function listSlowest() {
  console.log(`\nThe slowest files, on a machine with ${crowding().toFixed(1)} times the work its cores can do:`);
  for (const { file, ms } of files.toSorted((left, right) => right.ms - left.ms).slice(0, 10)) {
    console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
  }
}

/** The failed tests of a file, its tests that never ran, and what failed outside of its tests. */
function failuresOf({ file, errors, tests }) {
  const failed = tests.filter(({ state }) => state === 'failed').map((test) => ({ ...test, file }));
  return errors.length === 0 ? failed : [{ file, name: 'its imports or hooks', errors }, ...failed];
}

/** Files in an editor mostly wait for it, and each drives a whole session: they have no limit. */
function isTooSlow({ file, ms }) {
  return !file.startsWith('test/e2e/') && !slowFiles.has(file) && ms / 1000 > fileLimit * crowding();
}

function toSlowness({ file, ms }) {
  return {
    file,
    name: `${(ms / 1000).toFixed(0)} s; ${fileLimit} s are allowed on a quiet machine (scripts/test.mjs lists the exceptions)`,
  };
}

/** How many times more wants to run than the machine has cores, at least 1: the mean load since the start. A file takes so much longer. */
function measureCrowding() {
  const samples = [1];
  setInterval(() => samples.push(Math.max(1, loadavg()[0] / availableParallelism())), 5_000).unref();
  return () => samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}

/** The editor comes from the npm registry and is installed once. Where that fails, the report says why. */
async function runAll() {
  const editor = prepareEditor().then((missing) => missing ?? runInEditor());
  const unit = await runSuite('unit', mustRunAll ? ['--coverage'] : []);
  if (!mustRunAll) return [unit, await editor];
  const ended = [unit, await runOnLts(), await editor];
  const repeated = [];
  for (const suite of ended) repeated.push(await repeatFailures(suite));
  return repeated;
}

/** @returns the outcome of the editor's suite where there is no editor, else undefined */
async function prepareEditor() {
  try {
    installHost();
    await installChromium();
  } catch (error) {
    return withoutEditor(error.message.trim());
  }
  const { status, output } = await run(['scripts/package.mjs'], { stdio: 'pipe' });
  return status === 0 ? undefined : failedSuite('the extension in VS Code', `it could not be packaged:\n${output}`);
}

/**
 * A bound on time may break where the suites share two cores: the few files that failed run again by themselves, and that run counts. Its
 * failures stay, and what passes only then is listed at the end.
 */
async function repeatFailures(suite) {
  const failed = suite.report.files.filter((file) => failuresOf(file).length > 0);
  if (failed.length === 0 || failed.length > 5 || suite.again === undefined) return suite;
  const names = new Set(failed.map(({ file }) => file));
  const again = await suite.again([...names]);
  const kept = suite.report.files.filter(({ file }) => !names.has(file));
  const failedAgain = new Set(again.report.files.filter((file) => failuresOf(file).length > 0).map(({ file }) => file));
  const repeated = failed.filter(({ file }) => !failedAgain.has(file)).flatMap(failuresOf);
  return { status: again.status, report: { files: [...kept, ...again.report.files], errors: again.report.errors }, repeated };
}

function runOnLts() {
  return runSuite('unit on the newest LTS', nodeTests, { node: hostNode });
}

function runInEditor() {
  return runSuite('e2e', ['--config=vitest.e2e.config.ts'], { stdio: 'pipe' });
}

/** Not run, which is reported as such; a failure where everything must run. */
function withoutEditor(why) {
  console.error('\nThe extension was not tried in VS Code, which could not be installed:');
  const name = `the extension in a real VS Code (${why.split('\n')[0]})`;
  if (mustRunAll) return failedSuite(name, why);
  return { status: 0, report: { files: [{ file: 'test/e2e', ms: 0, errors: [], tests: [{ name, state: 'skipped' }] }], errors: [] } };
}

/** The result of a suite that could not run. */
function failedSuite(name, message) {
  console.error(message);
  return { status: 1, report: { files: [], errors: [`${name}: ${message}`] } };
}

/** With `stdio: 'pipe'` its output is printed when it has ended, so that it does not mix with that of another suite. */
async function runSuite(name, args, { node = process.execPath, stdio = 'inherit' } = {}) {
  const reportFile = join(scratch, `${name}.json`);
  const started = Date.now();
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=./scripts/testReport.mjs', ...args];
  const { status, output } = await run(vitest, { node, stdio, env: { AGENT_STACK_TEST_REPORT: reportFile } });
  console.log(`${output}\n${name}: ${Math.round((Date.now() - started) / 1000)} s\n`);
  try {
    const again = (files) =>
      runSuite(`${name}, again`, [...args.filter((argument) => argument.startsWith('--') && argument !== '--coverage'), ...files], {
        node,
      });
    return { status, report: JSON.parse(readFileSync(reportFile, 'utf8')), again };
  } catch (error) {
    return failedSuite(name, `The test runner left no report (exit ${status}): ${error.message}`);
  }
}

function run(args, { node = process.execPath, stdio, env = {} }) {
  const child = spawn(node, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', stdio, stdio] });
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
