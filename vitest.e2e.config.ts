import { defineConfig } from 'vitest/config';

// The extension in a real VS Code: one editor at a time, since each takes a core of its own. Needs dist/ and the .vsix.
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: 'test/e2e/support/setup.ts',
    testTimeout: 120_000,
    hookTimeout: 300_000,
    pool: 'forks',
    fileParallelism: false,
    // As long as Playwright waits for anything: the default, a second, is too short on a busy machine.
    expect: { poll: { timeout: 30_000, interval: 100 } },
    retry: 1,
  },
});
