import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that change or end their process (mocked modules, another user, signals), so each file has a process of its own. */
const changeTheirProcess = [
  'test/adversarial/**/*.test.ts',
  'test/cli/terminal.test.ts',
  'test/client/debounce.test.ts',
  'test/client/runAgent.test.ts',
  'test/client/servedServers.test.ts',
  'test/llm/vscodeTools.test.ts',
  'test/node/**/*.test.ts',
];
const dbos = 'test/dbos/**/*.test.ts';
const e2e = 'test/e2e/**';
/** Installed by `npm run bench`, with tests of their own. */
const peers = 'test/bench/peers/**';

export default defineConfig({
  define: { 'process.env.AGENT_STACK_VERSION': JSON.stringify('test') },
  test: {
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // More than two cores need: tests of processes and databases mostly wait.
    maxWorkers: Math.max(3, availableParallelism()),
    projects: [
      {
        extends: true,
        // What the files import is loaded once per worker, not once per file.
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: [e2e, dbos, peers, ...changeTheirProcess], isolate: false },
      },
      { extends: true, test: { name: 'alone', include: changeTheirProcess } },
      { extends: true, test: { name: 'dbos', include: [dbos], globalSetup: 'test/dbos/setup.ts' } },
    ],
    coverage: {
      provider: 'v8',
      include: ['core/**/*.ts'],
      exclude: ['core/generated/**'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 80, statements: 80, functions: 80, branches: 80 },
    },
  },
});
