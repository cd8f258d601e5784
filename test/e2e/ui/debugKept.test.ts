// What was kept is debugged without a key and without cost: recordings and runs; launch.json names them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { offlineProfile, toneAgent } from '../../cli/command.js';
import { type Editor, openEditor } from '../support/editor.js';
import { violations } from './axe.js';
import { answer, chooseInMenu, goTo, openFile, pick, runCommand, screenshot, setTheme, webview } from './workbench.js';

const agent = 'config/agents/Tone/v1.json';
const recording = 'config/recordings/A2/parser/own/1.jsonl';
const json = (value: unknown) => JSON.stringify(value, null, 2);
let editor: Editor;
let page: Page;

beforeAll(async () => {
  editor = await openEditor({
    settings: { 'agentStack.runs.durable': true },
    files: {
      [agent]: json({ ...toneAgent, llm_config_id: 'offline' }),
      'config/llms/offline.json': json(offlineProfile),
      'config/payloads/Tone/greeting.json': json({ input: { text: 'A friendly hello to all of you' } }),
    },
  });
  page = await editor.open();
});
afterAll(async () => editor?.close());

const frame = (hasText: string) => page.locator('.debug-call-stack .monaco-list-row', { hasText }).first();

async function stop(): Promise<void> {
  await page.keyboard.press('Shift+F5');
  await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
}

/** What is offered between the quotes of a field of launch.json. */
async function offered(field: string, line: number): Promise<readonly string[]> {
  await goTo(page, line, field.length + 12);
  await page.keyboard.press('Control+Space');
  const rows = page.locator('.suggest-widget.visible .monaco-list-row');
  await rows.first().waitFor();
  const texts = await rows.evaluateAll((all) => all.map((row) => row.querySelector('.label-name')?.textContent ?? ''));
  await page.keyboard.press('Escape');
  return texts;
}

test('F5 on a recording stops before its calls', async () => {
  await openFile(page, recording);
  await page.keyboard.press('F5');
  await runCommand(page, 'View: Show Run and Debug');
  await frame('A2@v1: before call 1').waitFor();
  await screenshot(page, 'debug-recording');
  await stop();
});

test('a kept run is debugged from its panel and from the view of runs', async () => {
  await openFile(page, agent);
  await page.keyboard.press('Control+Alt+R');
  await pick(page, /^greeting/);
  await pick(page, /^offline/);
  const panel = await webview(page, /^Run: /);
  await panel.locator('.badge.completed').waitFor();
  await screenshot(page, 'debug-run-panel');
  await panel.getByRole('button', { name: 'Debug' }).click();

  await runCommand(page, 'View: Show Run and Debug');
  await frame('Tone@v1: before call 1').waitFor();
  await stop();

  await runCommand(page, 'Agent Stack: Focus on Runs View');
  await chooseInMenu(page.locator('.pane', { hasText: 'Runs' }).locator('.monaco-list-row', { hasText: 'Tone@v1' }).first(), 'Debug Run');
  await runCommand(page, 'View: Show Run and Debug');
  await frame('Tone@v1: before call 1').waitFor();
  await page.locator('.debug-toolbar .action-label[aria-label="Fork Run..."]').waitFor();
  await screenshot(page, 'debug-run');
  await stop();
});

test('a kept run is forked where a file has changed, after its plan was agreed to', async () => {
  const changed = json({ ...toneAgent, llm_config_id: 'offline', purpose_text: 'Choose the tone, and nothing else.' });
  writeFileSync(join(editor.workspace, agent), changed);
  await runCommand(page, 'Agent Stack: Focus on Runs View');
  const dialog = page.locator('.monaco-dialog-box');
  await chooseInMenu(page.locator('.pane', { hasText: 'Runs' }).locator('.monaco-list-row', { hasText: 'Tone@v1' }).first(), 'Fork Run...');
  await dialog.filter({ hasText: 'Fork Tone@v1?' }).waitFor();
  expect(await dialog.innerText()).toContain(`Live from model call 1 of Tone@v1: purpose_text (${agent})`);
  await screenshot(page, 'fork-plan');
  await dialog.locator('.monaco-button', { hasText: 'Fork Several Times...' }).click();
  await answer(page, '2', /How often/);
  const table = await webview(page, /^Compare: /);
  await table.locator('th', { hasText: 'Step 1, live from here on' }).waitFor();
  for (const theme of ['dark', 'hc', 'light'] as const) {
    await setTheme(page, theme);
    await screenshot(page, `fork-${theme}`);
  }
  expect(await violations(table)).toEqual([]);
  expect(await table.locator('thead th').count()).toBe(4);
});

test('a run that is stopped in the debugger is forked from there', async () => {
  await openFile(page, agent);
  await page.keyboard.press('F5');
  await runCommand(page, 'View: Show Run and Debug');
  await frame('Tone@v1: before call 1').waitFor();
  await page.locator('.debug-toolbar .action-label[aria-label="Fork Run..."]').click();
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.filter({ hasText: 'Fork Tone@v1?' }).waitFor();
  expect(await dialog.innerText()).toContain('Live from model call 1 of Tone@v1');
  await screenshot(page, 'fork-here');
  await dialog.locator('.monaco-button', { hasText: 'Fork Once' }).click();
  const table = await webview(page, /^Compare: /);
  await table.locator('th', { hasText: 'Step 1, live from here on' }).waitFor();
  await stop();
});

test('launch.json offers what the project has', async () => {
  const launch = { type: 'agent-stack', request: 'launch', name: 'Mine', agent: '', case: '', recording: '', run: '' };
  mkdirSync(join(editor.workspace, '.vscode'));
  writeFileSync(join(editor.workspace, '.vscode/launch.json'), json({ version: '0.2.0', configurations: [launch] }));
  await openFile(page, '.vscode/launch.json');
  expect(await offered('agent', 8)).toEqual(expect.arrayContaining(['"A2"', '"A2@v1"', '"Tone"']));
  await screenshot(page, 'debug-launch');
  expect((await offered('recording', 10)).join()).toContain('config/recordings/');
  expect((await offered('run', 11)).length).toBeGreaterThan(0);
});
