import type { TestProject } from 'vitest/node';
import { openShared } from './sharedByEditors.js';

declare module 'vitest' {
  interface ProvidedContext {
    browser: string;
    extensions: string;
  }
}

/** What all test files share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { extensions, browser, close } = await openShared();
  project.provide('extensions', extensions);
  project.provide('browser', browser);
  return close;
}
