// The first steps of a stranger: the sample project from an empty window, and the walkthrough that goes on in it.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import { chooseFolder, notification, runCommand, screenshot, webview } from './workbench.js';

let editor: Editor;
let page: Page;
const parent = mkdtempSync(join(tmpdir(), 'agent-stack-first-'));

beforeAll(async () => {
  editor = await openEditor();
  page = await editor.open({ width: 1400, height: 900 });
  page.setDefaultTimeout(20_000);
  // A window without a folder.
  await page.goto(`${editor.host.url}/?ew=true`);
  await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
});

afterAll(async () => {
  await editor?.close();
  rmSync(parent, { recursive: true, force: true });
});

/** A step of the walkthrough by its title, with whether it is done. */
const step = (title: string) => page.locator('.getting-started-step', { hasText: title });
const isDone = (title: string) => step(title).locator('.codicon-getting-started-step-checked').first();

describe('Open Sample Project', () => {
  test('opens A2 with its preview, the view Agents, and goes on with the walkthrough', async () => {
    await runCommand(page, 'Agent Stack: Open Sample Project');
    await chooseFolder(page, parent, 'Create Here');
    await page.waitForURL(/agent-stack-sample/, { timeout: 60_000, waitUntil: 'commit' });
    await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
    await page.locator('.tab.active', { hasText: 'A2 v1' }).waitFor();
    const frame = await webview(page, /Preview/);
    await frame.locator('.piece').first().waitFor();
    await page.locator('.pane-header', { hasText: 'Agents' }).first().waitFor();
    await page.locator('.pane-body .monaco-list-row', { hasText: 'IssueReply' }).waitFor();
    expect(existsSync(join(parent, 'agent-stack-sample/README.md'))).toBe(true);
    expect(readdirSync(join(parent, 'agent-stack-sample')).sort()).toEqual(['README.md', 'agentstack.json', 'config']);
    await screenshot(page, 'sample-opened');
  });

  test('its tests pass, answered by the recordings it comes with', async () => {
    await runCommand(page, 'Testing: Focus on Test Explorer View');
    const rows = page.locator('.test-explorer .monaco-list-row');
    await rows.filter({ hasText: 'A2' }).first().waitFor();
    await runCommand(page, 'Test: Run All Tests');
    await page.locator('.test-explorer .result-summary', { hasText: '43/43' }).waitFor({ timeout: 60_000 });
    await rows.filter({ hasText: 'A2' }).first().click();
    await page.keyboard.press('ArrowRight');
    await rows.filter({ hasText: 'parser' }).first().filter({ hasText: 'replayed' }).waitFor();
    await screenshot(page, 'sample-tests');
  });

  test('the walkthrough marks what has been done, and nothing else', async () => {
    const notice = await notification(page, 'A2 is one of the agents');
    await notice.locator('.monaco-button', { hasText: 'Continue with the Walkthrough' }).click();
    await step('See a mistake, and fix it').first().waitFor();
    await screenshot(page, 'walkthrough');
    await isDone('Open the sample project').waitFor();
    await isDone('See the prompt as it is sent').waitFor();
    for (const title of ['See a mistake, and fix it', 'Run an agent', 'Create your own agent', 'See how agents work together'])
      expect(await step(title).locator('.codicon-getting-started-step-checked').count(), title).toBe(0);
    await screenshot(page, 'walkthrough');
  });
});
