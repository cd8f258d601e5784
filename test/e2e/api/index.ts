import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** What a test of the suite came to, for the runner outside. */
export interface ApiResult {
  readonly title: string;
  /** Undefined when it passed. */
  readonly error: string | undefined;
  readonly milliseconds: number;
}

/**
 * The suite inside the extension host: `extensionTestsPath` of a desktop VS Code (`@vscode/test-electron`) and of the host in `.vscode-test`
 * alike. Which files run is in AGENT_STACK_E2E_SUITE (`trusted`, `untrusted` or `walk`), where the results go in AGENT_STACK_E2E_RESULTS;
 * AGENT_STACK_E2E_GREP leaves out the tests whose titles do not match it.
 */
export async function run(): Promise<void> {
  const only = process.env.AGENT_STACK_E2E_GREP;
  const mocha = new Mocha({ ui: 'bdd', timeout: 120_000, reporter: 'min', ...(only !== undefined && { grep: only }) });
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, '', mocha);
  const suite = process.env.AGENT_STACK_E2E_SUITE;
  if (suite === 'untrusted') await import('./untrusted.js');
  else if (suite === 'walk') await import('./walk.js');
  else await import('./trusted.js');
  const results: ApiResult[] = [];
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    const { EVENT_TEST_PASS, EVENT_TEST_FAIL } = Mocha.Runner.constants;
    runner.on(EVENT_TEST_PASS, (test) => results.push({ title: test.fullTitle(), error: undefined, milliseconds: test.duration ?? 0 }));
    runner.on(EVENT_TEST_FAIL, (test, error) =>
      results.push({ title: test.fullTitle(), error: error.stack ?? error.message, milliseconds: test.duration ?? 0 }),
    );
  });
  const file = process.env.AGENT_STACK_E2E_RESULTS;
  if (file !== undefined) writeFileSync(file, JSON.stringify(results));
  if (failures > 0) throw new Error(`${failures} tests failed`);
}
