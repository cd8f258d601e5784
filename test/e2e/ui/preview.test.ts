import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Editor, openEditor, root } from '../support/editor.js';
import {
  caret,
  focusEditor,
  goTo,
  openFile,
  reloadWindow,
  revert,
  runCommand,
  screenshot,
  screenshotInThemes,
  selectText,
  setTheme,
  themes,
  typeInEditor,
  webview,
} from './workbench.js';

let editor: Editor;
let page: Page;
let preview: Frame;

const agent = 'config/agents/A2/v1.json';

beforeAll(async () => {
  const sample = JSON.parse(readFileSync(join(root, agent), 'utf8'));
  const asked = { ...sample, agent_name: 'Asked', llm_config_id: 'openai' };
  editor = await openEditor({
    files: { 'config/agents/Asked/v1.json': JSON.stringify(asked, null, 2) },
    // Whether a typed quote takes the place of the closing one or stands beside it depends on how far the editor has coloured the file.
    settings: { 'editor.autoClosingQuotes': 'never', 'editor.autoSurround': 'never' },
  });
  page = await editor.open({ width: 1280, height: 900 });
  await openFile(page, agent);
  // Its commands are there once the extension is.
  await page.locator('.codelens-decoration', { hasText: 'Preview' }).filter({ visible: true }).first().waitFor();
  await runCommand(page, 'Agent Stack: Preview Prompt');
  preview = await webview(page, /Preview/);
  await preview.locator('.piece').first().waitFor();
});
afterAll(async () => editor?.close());

const pieces = (text: string | RegExp) => preview.locator('.piece', { hasText: text });

/** What is selected in the editor, as it is copied. */
async function selection(): Promise<string> {
  await page.keyboard.press('Control+C');
  return page.evaluate<string>('navigator.clipboard.readText()');
}

describe('the preview', () => {
  test('follows what is typed into the JSON', async () => {
    await selectText(page, 'the first stage of a prompt pipeline');
    await typeInEditor(page, 'typed just now');
    await pieces('You are A2 PromptShaper, typed just now.').waitFor();
    await revert(page);
    await pieces('the first stage of a prompt pipeline').waitFor();
  });

  test('selects the JSON a stretch came from, escapes counted', async () => {
    await pieces(/^4\. An empty or missing part/).click();
    await expect.poll(selection).toBe('4. An empty or missing part is no evidence. Decide from the rest and lower confidence.\\n');
    await pieces(/^exhaustive$/)
      .first()
      .click();
    await expect.poll(selection).toBe('exhaustive');
    await preview
      .locator('.message')
      .nth(1)
      .locator('.piece', { hasText: /^tone$/ })
      .first()
      .click();
    await expect.poll(selection).toBe('tone');
  });

  test('lights up what the caret is in', async () => {
    await selectText(page, 'Where the parts disagree');
    await page.keyboard.press('ArrowRight');
    await preview.locator('.piece.is-lit', { hasText: '3. Where the parts disagree, purpose wins' }).waitFor();
    expect(await preview.locator('.piece.is-lit').count()).toBe(1);
    await goTo(page, 5, 6);
    await preview.locator('.piece.is-lit').waitFor({ state: 'detached' });
  });

  test('can be walked through and left by keyboard alone', async () => {
    await pieces(/^1\. Judge by/).focus();
    await page.keyboard.press('ArrowDown');
    await preview.locator('.piece:focus', { hasText: /^2\. What the input says/ }).waitFor();
    const described = await preview.locator('.piece:focus').getAttribute('aria-description');
    expect(described).toBe('From Agent file: config/agents/A2/v1.json purpose_text');
    await page.keyboard.press('Enter');
    await expect.poll(selection).toContain('2. What the input says outright');
    expect((await caret(page)).line).toBe(7);
  });

  test('keeps the last good prompt while the file is broken, and nothing in it moves', async () => {
    const places = () =>
      preview.evaluate<string>(`JSON.stringify([...document.querySelectorAll('.facts, .input, .tabs, .message')]
      .map((part) => Math.round(part.getBoundingClientRect().top)))`);
    const state = preview.locator('.problems');
    await state.getByText('No errors.').waitFor();
    await selectText(page, '"mode": "Chooser",');
    await preview.locator('.piece.is-lit').waitFor({ state: 'detached' });
    const before = await places();
    await typeInEditor(page, 'oops');
    await preview.locator('.problems.stale', { hasText: 'Last good state.' }).waitFor();
    expect(await places()).toBe(before);
    expect(await pieces('You are A2 PromptShaper').count()).toBe(1);
    const error = state.locator('.state-line button');
    expect(await error.textContent()).toContain('v1.json:5:');
    await screenshot(page, 'preview-broken');
    await state.getByRole('button', { name: 'Show All' }).click();
    await preview.locator('#errors', { hasText: 'json-syntax' }).waitFor();
    expect(await places()).toBe(before);
    await screenshot(page, 'preview-errors');
    await page.keyboard.press('Escape');
    await preview.locator('#errors').waitFor({ state: 'hidden' });
    await error.click();
    await expect.poll(async () => (await caret(page)).line).toBe(5);
    await revert(page);
    await state.getByText('No errors.').waitFor();
    expect(await places()).toBe(before);
  });

  test('does not flicker while a value is typed', async () => {
    await preview.evaluate(`new MutationObserver(() => { window.wasWrong ||= document.querySelector('.problems').classList.contains('stale'); })
      .observe(document.querySelector('.problems'), { attributes: true })`);
    // A machine that is busy may take longer for the word than a state has to be broken until it is told.
    for (let attempt = 1; ; attempt++) {
      await preview.evaluate('window.wasWrong = false');
      await selectText(page, '"Chooser"');
      // Without its end the string takes the rest of the line, until it is typed.
      await typeInEditor(page, '"Writer"');
      await preview.locator('.problems').getByText('No errors.').waitFor();
      const hasFlickered = await preview.evaluate('window.wasWrong === true');
      await revert(page);
      if (!hasFlickered) break;
      expect(attempt).toBeLessThan(8);
    }
  });

  test('composes with what is typed as input, and tells what is wrong with it at the field', async () => {
    await preview.locator('.input summary').click();
    await preview.getByLabel('task', { exact: true }).fill('Say "hi"\nand go');
    await pieces('"Say \\"hi\\"\\nand go"').waitFor();
    await preview.getByRole('button', { name: 'Read task as JSON instead of text' }).click();
    await preview.locator('.field', { hasText: 'task' }).locator('.issue').waitFor();
    await preview.getByLabel('task', { exact: true }).fill('{"of": ["any", "type"]}');
    await pieces('{"of":["any","type"]}').waitFor();
    await preview.getByLabel('Case', { exact: true }).selectOption('parser');
    await pieces('parses our nginx access log').waitFor();
  });

  test('saves the input as a new payload, and never over another', async () => {
    await preview.getByLabel('context', { exact: true }).fill('none');
    await preview.getByRole('button', { name: 'Save As...' }).click();
    await page.locator('.quick-input-widget', { hasText: 'Name of the payload' }).waitFor();
    const box = page.locator('.quick-input-widget');
    await box.locator('input').fill('parser');
    await box.getByText('The payload parser already exists.').waitFor();
    await box.locator('input').fill('mine');
    await box.getByText('The payload parser already exists.').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await expect.poll(() => preview.getByLabel('Case', { exact: true }).inputValue()).toBe('=mine');
    const saved = JSON.parse(readFileSync(join(editor.workspace, 'config/payloads/A2/mine.json'), 'utf8'));
    expect(saved.input).toMatchObject({ task: expect.stringContaining('nginx'), context: 'none' });
  });

  test('shows the request of a profile that sends one, its key masked', async () => {
    // Where the focus is, a file is opened: not in place of the preview.
    await focusEditor(page);
    await openFile(page, 'config/agents/Asked/v1.json');
    await preview.locator('h1', { hasText: 'Asked' }).waitFor();
    await preview.getByRole('tab', { name: 'cURL' }).click();
    await preview.locator('#panel-curl .code', { hasText: '--header "Authorization: Bearer $OPENAI_API_KEY"' }).waitFor();
    await preview.getByRole('tab', { name: 'Request' }).click();
    await preview.locator('#panel-request .code', { hasText: '"model": "gpt-5.4-mini"' }).waitFor();
    await preview.locator('#panel-request .code-key', { hasText: /^"model"$/ }).waitFor();
    await preview.locator('#panel-request .code-string', { hasText: '"gpt-5.4-mini"' }).waitFor();
    await screenshotInThemes(page, 'preview-request');
    await screenshotInThemes(page, 'preview-curl', () => preview.getByRole('tab', { name: 'cURL' }).click());
    await preview.getByRole('tab', { name: 'Response Format' }).click();
    await preview.locator('#panel-format h2', { hasText: 'Asked_v1' }).waitFor();
    await preview.getByRole('tab', { name: 'Prompt' }).click();
    await preview.locator('[role=meter]').waitFor();
    await focusEditor(page);
    await openFile(page, agent);
    await preview.locator('h1', { hasText: 'A2' }).waitFor();
  });

  test.each(Object.keys(themes) as (keyof typeof themes)[])('can be read in the theme %s', async (theme) => {
    await setTheme(page, theme);
    await selectText(page, 'Where the parts disagree');
    await preview.locator('.piece.is-lit').waitFor();
    await screenshot(page, `preview-${theme}`);
    // Nothing is cut off at the side.
    expect(await preview.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
  });

  test('is there again after a reload', async () => {
    await reloadWindow(page);
    preview = await webview(page, /Preview/);
    await pieces('You are A2 PromptShaper').waitFor();
    expect(await preview.getByLabel('Case', { exact: true }).inputValue()).toBe('=mine');
  });
});
