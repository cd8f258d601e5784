// What scripts/test.mjs reads of a run of Vitest: each file with its time and its tests, and whether a test passed on its first try.
import { writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export default class TestReport {
  onTestRunEnd(modules, unhandledErrors) {
    const report = { files: modules.map(toFile), errors: unhandledErrors.map(firstLine) };
    writeFileSync(process.env.AGENT_STACK_TEST_REPORT, JSON.stringify(report));
  }
}

/** `ms` is the time for imports, hooks and tests. `errors` are those outside of tests: in imports and hooks. */
function toFile(module) {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  const suites = [module, ...module.children.allSuites()];
  return {
    file: relative(root, module.moduleId),
    ms: collectDuration + setupDuration + duration,
    errors: suites.flatMap((suite) => suite.errors()).map(firstLine),
    tests: [...module.children.allTests()].map(toTest),
  };
}

/** `state` is passed, failed, skipped or pending, the last for a test that never ran, as after a failed hook. */
function toTest(test) {
  const { state, errors = [] } = test.result();
  return { name: test.fullName, state, errors: errors.map(firstLine), retries: test.diagnostic()?.retryCount ?? 0 };
}

function firstLine({ message = '' }) {
  return message.split('\n')[0];
}
