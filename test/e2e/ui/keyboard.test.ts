import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import { webview } from './workbench.js';

let editor: Editor;
let page: Page;

beforeAll(async () => {
  editor = await openEditor();
  page = await editor.open();
});
afterAll(async () => editor?.close());

const input = () => page.locator('.quick-input-widget input');
const focusedRow = (text: string | RegExp) => page.locator('.quick-input-list .monaco-list-row.focused', { hasText: text });
const press = (...keys: readonly string[]) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

/** What has the focus in the page of a webview, by its role or tag and its name. */
const focusedIn = `(() => {
  const { activeElement: found } = document;
  return found === null || found === document.body ? '' : (found.getAttribute('aria-label') ?? found.textContent ?? '').trim();
})()`;

// From an empty window to the answer of a model: this test has no mouse.
test('an agent is opened, read, run and its answer copied by keyboard alone', async () => {
  await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
  await press('Control+P');
  await input().waitFor();
  await page.keyboard.type('A2/v1.json');
  await focusedRow(/A2 v1.*config\/agents\/A2/).waitFor();
  await press('Enter');
  await page.locator('.monaco-editor.focused[data-uri$="config/agents/A2/v1.json"]').waitFor();
  await page.locator('.codelens-decoration', { hasText: 'Preview' }).filter({ visible: true }).first().waitFor();

  // The preview beside it, and the focus into it and through it.
  await press('Control+K', 'V');
  const preview = await webview(page, /Preview/);
  await preview.locator('.piece').first().waitFor();
  await press('Control+2');
  await expect.poll(() => preview.evaluate('document.hasFocus()')).toBe(true);
  const seen: string[] = [];
  for (let step = 0; step < 8; step++) {
    await press('Tab');
    seen.push(String(await preview.evaluate(focusedIn)));
  }
  expect(seen.filter((name) => name !== '').length, seen.join(' | ')).toBeGreaterThan(3);

  // Back to the editor, and run.
  await press('Control+1');
  await page.locator('.monaco-editor.focused[data-uri$="config/agents/A2/v1.json"]').waitFor();
  await press('Control+Alt+R');
  await input().waitFor();
  await page.keyboard.type('parser');
  await focusedRow('parser').waitFor();
  await press('Enter');
  await page.keyboard.type('offline');
  await focusedRow('offline').waitFor();
  await press('Enter');
  const run = await webview(page, /^Run: /);
  await run.locator('.badge.completed').waitFor();
  expect(await run.locator('[role=status]').innerText()).toMatch(/^Completed/);

  // To the button that copies the answer, wherever the focus is in the panel.
  await page.locator('.tab.active', { hasText: 'Run: A2' }).first().waitFor();
  await press('Control+2');
  await expect.poll(() => run.evaluate('document.hasFocus()')).toBe(true);
  for (let step = 0; step < 12; step++) {
    if (String(await run.evaluate(focusedIn)).startsWith('Copy')) break;
    await press('Tab');
  }
  expect(await run.evaluate(focusedIn)).toMatch(/^Copy/);
  await press('Enter');
  await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toContain('"confidence"');
  const answer = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'));
  expect(Object.keys(answer)).toEqual(['system', 'audience', 'tone', 'response_depth', 'confidence']);
});
