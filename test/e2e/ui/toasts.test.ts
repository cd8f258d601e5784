// Notifications as they come up by themselves, in an editor without the smoke-test driver, which keeps them back.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import { openFile, runCommand, screenshot, setTheme, themes, typeInEditor } from './workbench.js';

const agent = 'config/agents/A2/v1.json';

let editor: Editor;
let page: Page;

beforeAll(async () => {
  editor = await openEditor({ driver: 'none' });
  page = await editor.open();
  await openFile(page, agent);
  await page.locator('.codelens-decoration', { hasText: 'Run' }).filter({ visible: true }).first().waitFor();
});
afterAll(async () => editor?.close());

const toast = (text: string): Locator => page.locator('.notifications-toasts .notification-toast', { hasText: text }).first();

test.each(Object.keys(themes) as (keyof typeof themes)[])('the language server tells when it is back, in the theme %s', async (theme) => {
  await setTheme(page, theme);
  await runCommand(page, 'Agent Stack: Restart Language Server');
  await toast('The language server is back.').waitFor();
  await screenshot(page, `toast-restart-${theme}`);
  await runCommand(page, 'Notifications: Clear All Notifications');
  await toast('The language server is back.').waitFor({ state: 'detached' });
});

test('a refusal names the way out on its buttons', async () => {
  await openFile(page, agent);
  await typeInEditor(page, ' ');
  await runCommand(page, 'Agent Stack: Run Agent');
  const refusal = toast('has changes that are not saved');
  await refusal.waitFor();
  expect(await refusal.locator('.monaco-button').allInnerTexts()).toContain('Save and Run');
  await screenshot(page, 'toast-unsaved');
});
