import { spawnSync } from 'node:child_process';
import { test } from 'vitest';

/**
 * A test that needs a system program. Without it the test is reported as not run, never as passed; where everything must
 * run (`AGENT_STACK_REQUIRE_ALL`, set by `.ci/run`, which installs them all) it fails.
 */
export function testWith(program: string, name: string, body: () => Promise<void> | void): void {
  if (isInstalled(program)) test(name, body);
  else if (process.env.AGENT_STACK_REQUIRE_ALL) {
    test(name, () => {
      throw new Error(`${program} is not installed, and .ci/run must install it`);
    });
  } else test.skip(`${name} (needs ${program})`, body);
}

function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0;
}
