import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserServer, chromium } from 'playwright-core';
import { chromiumArgs, installChromium } from '../../../scripts/chromium.mjs';
import { installExtension } from '../../../scripts/vscodeHost.mjs';

export interface SharedByEditors {
  /** Where a browser waits for connections. */
  readonly browser: string;
  /** A folder of extensions that holds the packaged one. */
  readonly extensions: string;
}

const root = join(import.meta.dirname, '../../..');

/**
 * One browser, in which each page has a context of its own, and one installation of dist/agent-stack-<version>.vsix.
 *
 * @param more files of extensions to install as well
 */
export async function openShared(more: readonly string[] = []): Promise<SharedByEditors & { close(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), 'agent-stack-extensions-'));
  const folders = { extensions: join(home, 'extensions'), user: join(home, 'user'), server: join(home, 'server') };
  mkdirSync(folders.extensions);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const file of [join(root, 'dist', `agent-stack-${version}.vsix`), ...more]) installExtension(folders, file);
  const browser = await launchBrowser();
  return {
    extensions: folders.extensions,
    browser: browser.wsEndpoint(),
    async close() {
      await browser.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

export async function launchBrowser(): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath: await installChromium(), args: [...chromiumArgs] });
}
