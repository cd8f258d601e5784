// A prompt as a text file: what the editor does in Markdown that is a prompt of a project.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import {
  caret,
  goTo,
  openFile,
  runCommand,
  screenshot,
  selectText,
  typeInEditor,
  visibleText,
  waitForFinding,
  webview,
} from './workbench.js';

let editor: Editor;
let page: Page;
const folder = mkdtempSync(join(tmpdir(), 'agent-stack-prompt-'));
const path = 'config/prompts/reviewer/v1.md';
const files = {
  'agentstack.json': '{}\n',
  'config/agents/Reviewer/v1.json':
    '{\n  "input_keys": ["language", "code"],\n  "llm_config_id": "offline",\n  "prompts": { "system_prompt": "reviewer@v1" }\n}\n',
  'config/llms/offline.json': '{ "llm_id": "offline", "provider": "offline", "model_name": "offline" }\n',
  [path]: '---\nvariables: ["input.language"]\n---\n\n# Task\n\nYou review {{input.langauge}} code.\n\nSay **what** is wrong.\n',
};

beforeAll(async () => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  editor = await openEditor();
  page = await editor.open({ width: 1400, height: 900, folder });
});

afterAll(async () => {
  await editor?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a misspelt path has a squiggle and a fix, and the next one is completed', async () => {
  await openFile(page, path);
  await waitForFinding(page);
  await page.locator('.codelens-decoration', { hasText: 'tokens' }).first().waitFor();
  await screenshot(page, 'prompt-text');
  await goTo(page, 7, 20);
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget .monaco-list-row', { hasText: 'Change to {{input.language}}' }).click();
  await page.locator('.monaco-editor .squiggly-error').first().waitFor({ state: 'detached' });
  await goTo(page, 9);
  await page.keyboard.press('End');
  await typeInEditor(page, ' Now {{');
  await runCommand(page, 'Trigger Suggest');
  const row = page.locator('.suggest-widget .monaco-list-row', { hasText: 'input.code' });
  await row.waitFor();
  await screenshot(page, 'prompt-text-completion');
  await row.click();
  expect(await visibleText(page)).toContain('Now {{input.code}}');
  await runCommand(page, 'File: Save');
  await expect
    .poll(() => readFileSync(join(folder, path), 'utf8'))
    .toBe(files[path].replace('langauge', 'language').replace('wrong.', 'wrong. Now {{input.code}}'));
});

test('the preview of its agent shows the text, and each part leads to its line', async () => {
  await openFile(page, 'config/agents/Reviewer/v1.json');
  await page.locator('.codelens-decoration', { hasText: 'Preview' }).filter({ visible: true }).first().waitFor();
  await runCommand(page, 'Agent Stack: Preview Prompt');
  const preview = await webview(page, /Preview/);
  const pieces = (text: string | RegExp) => preview.locator('.piece', { hasText: text });
  await pieces('Say **what** is wrong.').waitFor();
  const system = await preview.locator('.message').first().textContent();
  expect(system).toContain('# Task');
  expect(system).not.toContain('variables');
  await pieces('Say **what** is wrong.').click();
  const editor = page.locator(`.monaco-editor.focused[data-uri$="${path}"]`);
  await editor.waitFor();
  await page.keyboard.press('Control+C');
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^Say \*\*what\*\* is wrong\./);
  expect((await caret(page)).line).toBe(9);
  await screenshot(page, 'prompt-text-preview');
  // The caret in the text lights up what it is in, and typing there changes the prompt.
  await goTo(page, 5, 4);
  await preview.locator('.piece.is-lit', { hasText: '# Task' }).waitFor();
  expect(await preview.locator('.piece.is-lit').count()).toBe(1);
  await goTo(page, 2, 3);
  await preview.locator('.piece.is-lit').first().waitFor({ state: 'detached' });
  await selectText(page, '# Task');
  await typeInEditor(page, '# Duty');
  await pieces('# Duty').waitFor();
  await runCommand(page, 'File: Revert File');
  await pieces('# Task').waitFor();
});
