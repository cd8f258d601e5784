import type { TestProject } from 'vitest/node';
import { bundleSuite } from './bundleSuite.mjs';
import { launchBrowser, openShared } from './sharedByEditors.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** One for each worker: pages of one browser share its clipboard. */
    browsers: readonly string[];
    extensions: string;
    /** The API suite as one file, which an extension host can load. */
    suite: string;
  }
}

/** What all test files share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = await openShared();
  const more = await Promise.all(Array.from({ length: project.config.maxWorkers - 1 }, launchBrowser));
  project.provide('browsers', [shared.browser, ...more.map((browser) => browser.wsEndpoint())]);
  project.provide('extensions', shared.extensions);
  project.provide('suite', await bundleSuite());
  return async () => {
    await Promise.all(more.map((browser) => browser.close()));
    await shared.close();
  };
}
