// The status bar: which environment applies, what the runs of today have cost, and the budget of a day.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor } from '../support/editor.js';
import { openFile, pick, runCommand, screenshot, screenshotInThemes, webview } from './workbench.js';

const agent = 'config/agents/A2/v1.json';
const text = JSON.stringify({ system: 'Friend', audience: 'Self', tone: 'friendly', response_depth: 'short', confidence: 'high' });

let editor: Editor;
let page: Page;
let model: LoopbackServer;

beforeAll(async () => {
  model = await startLoopbackOpenAi({ text, usage: { prompt_tokens: 100_000, completion_tokens: 10_000 } }, { lenient: true });
  const profile = {
    llm_id: 'loopback',
    provider: 'openai_compatible',
    base_url: model.url,
    model_name: 'tiny',
    price: { input: 1, output: 2 },
  };
  editor = await openEditor({
    files: { 'config/llms/loopback.json': JSON.stringify(profile) },
    settings: { 'agentStack.budget.daily': 0.2 },
  });
  page = await editor.open();
});
afterAll(async () => {
  await editor?.close();
  await model?.close();
});

const item = (id: string) => page.locator(`.statusbar-item[id$="agentStack.${id}"]`);

function runs(): number {
  const folder = join(editor.workspace, '.agentstack/runs');
  return existsSync(folder) ? readdirSync(folder).length : 0;
}

async function run(profile: string): Promise<void> {
  await page.keyboard.press('Control+1');
  await openFile(page, agent);
  await page.keyboard.press('Control+Alt+R');
  await pick(page, /^\s*parser/);
  await pick(page, new RegExp(`^\\s*${profile}`));
}

async function ended(count: number): Promise<void> {
  await expect.poll(runs).toBe(count);
  await (await webview(page, /^Run: /)).locator('.badge.completed').waitFor();
}

describe('The status bar', () => {
  test('says which environment applies, and that nothing was spent', async () => {
    await openFile(page, agent);
    await item('environment').getByText('dev').waitFor();
    await expect.poll(() => item('spending').innerText()).toContain('0 USD of 0.2');
    await item('environment').click();
    await page.locator('.quick-input-title', { hasText: 'Select Environment' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('adds up what the runs of today have cost', async () => {
    await run('loopback');
    await ended(1);
    await expect.poll(() => item('spending').innerText()).toMatch(/0\.12\S* USD of 0\.2/);
  });

  test('warns when the budget of the day is used up', async () => {
    await run('loopback');
    await ended(2);
    await expect.poll(() => item('spending').innerText()).toMatch(/0\.24\S* USD of 0\.2/);
    await runCommand(page, 'Notifications: Show Notifications');
    await page.locator('.notification-list-item', { hasText: 'is used up' }).first().waitFor();
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  test('is followed by a question before a run that can cost more, not before a simulated one', async () => {
    await run('offline');
    await ended(3);
    await run('loopback');
    const dialog = page.locator('.monaco-dialog-box', { hasText: 'The budget of today is used up.' });
    await dialog.waitFor();
    await screenshot(page, 'spending-question');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(runs()).toBe(3);
    await run('loopback');
    await dialog.getByRole('button', { name: 'Run Anyway', exact: true }).click();
    await ended(4);
    await screenshotInThemes(page, 'spending');
  });
});
