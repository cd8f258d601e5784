import { defineConfig } from 'vitest/config';

// The extension in a real VS Code: one editor at a time, since each takes a core of its own. Needs dist/ and the .vsix.
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    pool: 'forks',
    fileParallelism: false,
    // As long as Playwright waits for anything: a second, the default, is over before a busy machine has drawn what is looked at.
    expect: { poll: { timeout: 30_000, interval: 100 } },
    // A real workbench on a busy machine now and then swallows a key or closes a list that was just opened; what fails three times is broken.
    retry: 2,
  },
});
