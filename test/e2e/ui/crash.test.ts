// A language server that keeps crashing: the editor says so, and does not look like a project without problems.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import { goTo, openFile, runCommand, screenshot, screenshotInThemes, typeInEditor, waitForFinding } from './workbench.js';

/** By this variable the server of an editor is found. */
const mark = 'AGENT_STACK_CRASHES';

let editor: Editor;
let page: Page;

beforeAll(async () => {
  editor = await openEditor({ env: { [mark]: String(process.pid) } });
  page = await editor.open();
});
afterAll(() => editor?.close());

function serverProcess(value = `${process.pid}`): number | undefined {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const line = readFileSync(`/proc/${entry}/cmdline`, 'utf8');
      if (line.includes('server.cjs') && readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0').includes(`${mark}=${value}`))
        return Number(entry);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/**
 * The second server ends just before the client writes to it which documents are open: to end it from here in that moment takes luck. The folder is
 * that of all editors, in which nothing changes without the variable, the file that then names the server.
 */
function endAsDocumentsOpen(folder: string): void {
  const extension = readdirSync(folder).find((name) => name.startsWith('agent-stack'))!;
  const file = join(folder, extension, 'dist/commands/vendor/languageClient.cjs');
  const call = 'this.initializeFeatures(';
  const end = `process.env.AGENT_STACK_ENDS && (globalThis.starts = (globalThis.starts ?? 0) + 1) === 2 && (
    process.kill(this._serverProcess.pid, "SIGKILL"),
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100),
    require("fs").writeFileSync(process.env.AGENT_STACK_ENDS, String(this._serverProcess.pid))
  ),`;
  const code = readFileSync(file, 'utf8');
  if (code.includes('AGENT_STACK_ENDS')) return;
  expect(code.split(call)).toHaveLength(2);
  writeFileSync(`${file}.new`, code.replace(call, end + call));
  renameSync(`${file}.new`, file);
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

test('a server that ends while several documents are opened in it is started again', async () => {
  const value = `${process.pid}-opening`;
  const ended = join(tmpdir(), `agent-stack-ended-${process.pid}`);
  rmSync(ended, { force: true });
  const ending = await openEditor({ env: { [mark]: value, AGENT_STACK_ENDS: ended } });
  try {
    endAsDocumentsOpen(ending.folders.extensions);
    const opened = await ending.open();
    for (const name of ['DocsHelper', 'IssueReply', 'IssueLabels', 'A2']) {
      await openFile(opened, `config/agents/${name}/v1.json`);
      await runCommand(opened, 'View: Keep Editor');
    }
    await goTo(opened, 3);
    await opened.keyboard.press('End');
    await typeInEditor(opened, '\n"agent_type": "single_shoot",');
    await waitForFinding(opened);
    process.kill(serverProcess(value)!, 'SIGKILL');
    await expect.poll(() => existsSync(ended)).toBe(true);
    await expect.poll(() => serverProcess(value)).toBeGreaterThan(Number(readFileSync(ended, 'utf8')));
    await waitForFinding(opened);
  } finally {
    await ending.close();
    rmSync(ended, { force: true });
  }
});
