import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The suites in the extension host take longest, as short as their files are; then the longest files. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSuite = ({ moduleId }: TestSpecification) => !moduleId.includes('/ui/');
    const sorted = await super.sort(files);
    return [...sorted.filter(isSuite), ...sorted.filter((file) => !isSuite(file))];
  }
}

// The extension in a real VS Code: two editors beside each other, since each waits most of the time. Needs dist/ and the .vsix.
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    // Its scenes are made of what the others test: it runs when the pictures of the README are wanted.
    exclude: process.env.UPDATE_SCREENSHOTS === '1' ? [] : ['test/e2e/ui/screenshots.test.ts'],
    globalSetup: 'test/e2e/support/setup.ts',
    testTimeout: 120_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 2,
    // One process for each, which loads what drives the browser once.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // As long as Playwright waits for anything: the default, a second, is too short on a busy machine.
    expect: { poll: { timeout: 90_000, interval: 100 } },
    retry: 1,
  },
});
