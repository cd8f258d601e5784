import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumArgs, installChromium } from '../../../scripts/chromium.mjs';
import { installExtension } from '../../../scripts/vscodeHost.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a browser waits for connections. */
    browser: string;
    /** A folder of extensions that holds the packaged one. */
    extensions: string;
  }
}

const root = join(import.meta.dirname, '../../..');

/** What all test files share: one browser, in which each page has a context of its own, and one installation of dist/agent-stack-<version>.vsix. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), 'agent-stack-extensions-'));
  const folders = { extensions: join(home, 'extensions'), user: join(home, 'user'), server: join(home, 'server') };
  mkdirSync(folders.extensions);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  installExtension(folders, join(root, 'dist', `agent-stack-${version}.vsix`));
  project.provide('extensions', folders.extensions);
  const browser = await chromium.launchServer({ executablePath: await installChromium(), args: [...chromiumArgs] });
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  };
}
