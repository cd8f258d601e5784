// `npm test`: every suite with coverage, then what was not run and why, then one plain closing line.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const scratch = mkdtempSync(join(tmpdir(), 'agent-stack-test-'));
const reportFile = join(scratch, 'report.json');

const vitest = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--coverage',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
);

const report = readReport();
const notRun = report.testResults.flatMap((file) =>
  file.assertionResults.filter(({ status }) => status === 'pending' || status === 'skipped' || status === 'todo'),
);
// A file that could not even be loaded has failed, though it holds no failed test.
const unloadable = report.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'),
);
const failed = report.numFailedTests + unloadable.length;

if (notRun.length > 0) {
  console.log(`\nNot run (${notRun.length}), because something they need is missing here:`);
  for (const { fullName } of notRun) console.log(`  - ${fullName}`);
}
if (vitest.status !== 0 && failed === 0)
  console.log('\nEvery test passed, but the run failed: see the coverage thresholds or errors above.');
console.log(`\n${report.numPassedTests} passed, ${failed} failed${notRun.length > 0 ? `, ${notRun.length} skipped` : ''}`);
process.exitCode = vitest.status === 0 && failed === 0 ? 0 : 1;

function readReport() {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch (error) {
    console.error(`The test runner left no report (exit ${vitest.status}): ${error.message}`);
    return { testResults: [], numFailedTests: 1, numPassedTests: 0 };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
