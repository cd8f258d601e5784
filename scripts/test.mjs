// `npm test`: every suite with coverage, the extension in a real VS Code, then what was not run and why, then one plain closing line.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installChromium } from './chromium.mjs';
import { installHost } from './vscodeHost.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const quiet = { cwd: root, encoding: 'utf8' };
const nothing = { testResults: [], numFailedTests: 1, numPassedTests: 0 };
const scratch = mkdtempSync(join(tmpdir(), 'agent-stack-test-'));
const given = process.argv.slice(2);
const inEditor = ['--config', 'vitest.e2e.config.ts'];

const runs = [runSuite('unit', ['--coverage', ...given])];
// With arguments somebody is after single tests; `npm run test:e2e` is for those in an editor.
if (given.length === 0) {
  const missing = await whyNoEditor();
  if (missing === undefined)
    runs.push(triedAgain(runSuite('e2e', inEditor, () => spawnSync(process.execPath, ['scripts/package.mjs'], quiet))));
  else runs.push(withoutEditor(missing));
}
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

/** The extension is tried in a VS Code and a browser from the npm registry, which are installed once. Where that fails, this is why. */
async function whyNoEditor() {
  try {
    installHost();
    await installChromium();
    return undefined;
  } catch (error) {
    return error.message.trim();
  }
}

/** Not run, which is told as such; a failure where everything must run. */
function withoutEditor(why) {
  const mustRun = process.env.AGENT_STACK_REQUIRE_ALL !== undefined;
  console.error(`\nThe extension was not tried in VS Code, which could not be installed:\n${why}`);
  const fullName = `the extension in a real VS Code (${why.split('\n')[0]})`;
  return {
    status: mustRun ? 1 : 0,
    report: {
      testResults: [{ status: mustRun ? 'failed' : 'passed', assertionResults: [{ fullName, status: mustRun ? 'failed' : 'skipped' }] }],
      numFailedTests: mustRun ? 1 : 0,
      numPassedTests: 0,
    },
  };
}

/** A real workbench on a busy machine now and then swallows a key: the files that failed are run once more, by themselves, and that counts. */
function triedAgain(run) {
  const files = run.report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
  if (files.length === 0) return run;
  console.log(`\nTried again, by themselves:\n${files.map((file) => `  - ${relative(root, file)}`).join('\n')}`);
  const again = runSuite('e2e-again', [...inEditor, ...files]);
  const testResults = [...run.report.testResults.filter(({ name }) => !files.includes(name)), ...again.report.testResults];
  const count = (wanted) =>
    testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === wanted).length;
  return { status: again.status, report: { testResults, numPassedTests: count('passed'), numFailedTests: count('failed') } };
}

function runSuite(name, args, prepare) {
  const reportFile = join(scratch, `${name}.json`);
  const prepared = prepare?.();
  if (prepared && prepared.status !== 0) {
    console.error(`${prepared.stdout}${prepared.stderr}`);
    return { status: 1, report: nothing };
  }
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    return { status, report: JSON.parse(readFileSync(reportFile, 'utf8')) };
  } catch (error) {
    console.error(`The test runner left no report (exit ${status}): ${error.message}`);
    return { status: 1, report: nothing };
  }
}
