import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import { openFile, runCommand, screenshot } from './workbench.js';

const pathOf = (name: string) => `config/agents/${name}/v1.json`;
const agent = pathOf('ReleaseNotes');

let editor: Editor;
let page: Page;

beforeAll(async () => {
  editor = await openEditor({ settings: { 'files.autoSave': 'off' } });
  page = await editor.open();
  await openFile(page, agent);
});
afterAll(() => editor?.close());

const purpose = (name = 'ReleaseNotes'): string => JSON.parse(readFileSync(join(editor.workspace, pathOf(name)), 'utf8')).purpose_text;
const text = () => page.locator('.monaco-editor[data-uri^="agent-stack-text:"]');
const source = () => page.locator(`.monaco-editor[data-uri$="${agent}"]`);

async function openText(): Promise<void> {
  await source().locator('.codelens-decoration a', { hasText: 'Edit as Markdown' }).click();
  await page.locator('.tab', { hasText: 'ReleaseNotes v1 · purpose_text.md' }).waitFor();
}

/** Types at the beginning of an editor. */
async function typeFirst(at: ReturnType<typeof text>, typed: string): Promise<void> {
  await at.locator('.view-line').first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type(typed);
}

test('lines of a text are lines on the screen, in its file too', async () => {
  await source().locator('.view-line', { hasText: 'How to decide:' }).waitFor();
  const lines = await source().locator('.view-line').allTextContents();
  // The editor shows blanks as no-break spaces.
  expect(lines.map((line) => line.replaceAll('\u00a0', ' '))).toContainEqual(expect.stringMatching(/^\s*How to decide:\\n$/));
});

test('a lens opens the text, and saving it changes the file', async () => {
  const before = purpose();
  await openText();
  await typeFirst(text(), 'First.\n');
  await screenshot(page, 'edit-as-markdown');
  await page.keyboard.press('Control+S');
  await expect.poll(() => purpose(), { timeout: 20_000 }).toBe(`First.\n${before}`);
  await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
});

/** Changes the text at its beginning and takes back in the file what was `saved` there last; then saves the text. */
async function changeBoth(saved: string): Promise<void> {
  const before = purpose();
  await typeFirst(text(), 'Mine.');
  await source().locator('.view-line', { hasText: saved }).click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+Z');
  await source().locator('.view-line', { hasText: saved }).waitFor({ state: 'detached' });
  await text().locator('.view-line').first().click();
  await page.keyboard.press('Control+S');
  await runCommand(page, 'Notifications: Show Notifications');
  const question = page.locator('.notification-list-item', { hasText: 'purpose_text.md' });
  await question.locator('.monaco-button', { hasText: 'Overwrite' }).waitFor();
  expect(purpose()).toBe(before);
  await question.locator('.monaco-button', { hasText: 'Overwrite' }).click();
  await source()
    .locator('.view-line', { hasText: `Mine.${saved}` })
    .waitFor();
  await source().locator('.view-line').first().click();
  await page.keyboard.press('Control+S');
  await expect.poll(() => purpose(), { timeout: 20_000 }).toBe(`Mine.${before}`);
}

test('when text and file have both changed, VS Code asks which one counts', () => changeBoth('First.'));

test('a text opens with the window, before anything has asked for the extension', async () => {
  // Of an agent that no test has changed: VS Code restores what was not saved.
  const uri = (await text().getAttribute('data-uri'))!.replaceAll('ReleaseNotes', 'A2');
  await page.close();
  page = await editor.open({ payload: [['openFile', uri]] });
  await text().locator('.view-line', { hasText: 'How to decide:' }).waitFor();
  const before = purpose('A2');
  await typeFirst(text(), 'First.\n');
  await page.keyboard.press('Control+S');
  await expect.poll(() => purpose('A2'), { timeout: 20_000 }).toBe(`First.\n${before}`);
});
