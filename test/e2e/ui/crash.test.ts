// A language server that keeps crashing: the editor says so, and does not look like a project without problems.
import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import { goTo, openFile, runCommand, screenshot, screenshotInThemes, typeInEditor, waitForFinding } from './workbench.js';

/** By it the server of this editor is found. */
const mark = `AGENT_STACK_CRASHES=${process.pid}`;

let editor: Editor;
let page: Page;

beforeAll(async () => {
  editor = await openEditor({ env: { AGENT_STACK_CRASHES: String(process.pid) } });
  page = await editor.open();
});
afterAll(() => editor?.close());

function serverProcess(): number | undefined {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const line = readFileSync(`/proc/${entry}/cmdline`, 'utf8');
      if (line.includes('server.cjs') && readFileSync(`/proc/${entry}/environ`, 'utf8').includes(mark)) return Number(entry);
    } catch {
      // It has ended meanwhile.
    }
  }
}

test('after five crashes an error in the status bar says that it has stopped, and starts it again', async () => {
  await openFile(page, 'config/agents/A2/v1.json');
  await goTo(page, 3);
  await page.keyboard.press('End');
  await typeInEditor(page, '\n"agent_type": "single_shoot",');
  await waitForFinding(page);
  const stopped = page.locator('.statusbar-item', { hasText: 'Agent Stack has stopped' });
  let last: number | undefined;
  for (let crash = 1; crash <= 5; crash++) {
    await expect.poll(() => serverProcess() !== undefined && serverProcess() !== last).toBe(true);
    await waitForFinding(page);
    last = serverProcess();
    process.kill(last!, 'SIGKILL');
  }
  await stopped.waitFor();
  expect(await stopped.getAttribute('class')).toContain('has-background-color');
  await screenshotInThemes(page, 'server-stopped');
  await stopped.click();
  await stopped.waitFor({ state: 'detached' });
  await waitForFinding(page);
  await screenshot(page, 'server-again');
});

test('a restart in the moment in which the server ends comes to an end as well', async () => {
  await expect.poll(() => serverProcess() !== undefined).toBe(true);
  const last = serverProcess();
  const restart = runCommand(page, 'Agent Stack: Restart Language Server');
  process.kill(last!, 'SIGKILL');
  await restart;
  await expect.poll(() => serverProcess() !== undefined && serverProcess() !== last).toBe(true);
  await waitForFinding(page);
});
