import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { offlineProfile, toneAgent } from '../../cli/command.js';
import { type Editor, openEditor } from '../support/editor.js';
import { expand, notification, openFile, runCommand, screenshot } from './workbench.js';

const agent = 'config/agents/Tone/v1.json';
let editor: Editor;
let page: Page;

beforeAll(async () => {
  editor = await openEditor({
    files: {
      [agent]: JSON.stringify({ ...toneAgent, llm_config_id: 'offline' }, null, 2),
      'config/llms/offline.json': JSON.stringify(offlineProfile),
      'config/payloads/Tone/greeting.json': JSON.stringify({ input: { text: 'A friendly hello to all of you' } }),
    },
  });
  page = await editor.open();
});
afterAll(async () => editor?.close());

const toolbar = () => page.locator('.debug-toolbar');
const variable = (text: string | RegExp) => page.locator('.debug-variables .monaco-list-row', { hasText: text }).first();

test('F5 on an agent stops before its call with the request, and continue ends the run', async () => {
  await openFile(page, agent);
  await page.keyboard.press('F5');
  await page.locator('.monaco-editor .debug-top-stack-frame-line').first().waitFor();
  await runCommand(page, 'View: Show Run and Debug');
  await page.locator('.debug-call-stack .monaco-list-row', { hasText: 'Tone@v1: before call 1' }).waitFor();
  await expand(variable('messages'));
  await expand(variable('"role":"user"'));
  await variable(/^content.*A friendly hello to all of you/).waitFor();
  await screenshot(page, 'debug-stopped');

  await page.keyboard.press('F5');
  await toolbar().waitFor({ state: 'hidden' });
  await runCommand(page, 'Debug Console: Focus on Debug Console View');
  await page.locator('.repl .monaco-list-row', { hasText: 'completed' }).first().waitFor();
  await screenshot(page, 'debug-ended');
});

test('F5 on a file that nothing can run says what to open', async () => {
  await openFile(page, 'config/llms/offline.json');
  await page.keyboard.press('F5');
  const refusal = await notification(page, 'Nothing to debug: open an agent');
  expect(await refusal.innerText()).toContain('"orchestration"');
});
