// A repository without a project of ours: what other tools have in it is checked all the same.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import { caret, goTo, openFile, revert, runCommand, screenshot, typeInEditor, visibleText } from './workbench.js';

let editor: Editor;
let page: Page;
const folder = mkdtempSync(join(tmpdir(), 'agent-stack-stranger-'));
const files = {
  '.mcp.json': '{\n  "mcpServers": {\n    "docs": { "type": "http", "url": "https://mcp.example.com/v2" }\n  }\n}\n',
  '.cursor/mcp.json':
    '{\n  "mcpServers": {\n    "docs": { "url": "https://mcp.example.com/v1" },\n    "broken": { "cmd": "docs-mcp" }\n  }\n}\n',
  '.claude/settings.json': '{\n  "permissions": {\n    "allow": ["mcp__docs__search"]\n  }\n}\n',
  '.zed/settings.json': '{\n  "context_servers": {\n    "notes": { "command": "notes-mcp" }\n  }\n}\n',
  'crew.jsonc': '{\n  "agents": ["writer"],\n  "tasks": [{ "description": "Write", "expected_output": "A page", "agent": "writer" }]\n}\n',
  'agents/writer.jsonc': '{ "role": "Writer", "goal": "Write", "backstory": "You write." }\n',
  '.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews a change\ntools: Read, Gerp\n---\n\nReview the change.\n',
};

beforeAll(async () => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  editor = await openEditor();
  page = await editor.open({ width: 1400, height: 900, folder });
});

afterAll(async () => {
  await editor?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the findings in files of other tools are in the Problems view, open or not', async () => {
  await runCommand(page, 'Problems: Focus on Problems View');
  const problems = page.locator('.markers-panel');
  await problems.locator('.monaco-list-row', { hasText: 'another one in' }).waitFor();
  for (const text of ['Gerp', 'neither a command nor a url']) await problems.locator('.monaco-list-row', { hasText: text }).waitFor();
  expect(await page.locator('.pane-header', { hasText: 'Agents' }).count()).toBeLessThan(2);
  await screenshot(page, 'strangers');
});

test('a permission leads to the server that its tool belongs to, and tells how it is reached', async () => {
  await openFile(page, '.claude/settings.json');
  await goTo(page, 3, 22);
  await runCommand(page, 'Show or Focus Hover');
  const hover = page.locator('.monaco-hover-content', { hasText: 'of this server' });
  await hover.waitFor();
  expect(await hover.innerText()).toContain('https://mcp.example.com');
  await screenshot(page, 'strangers-hover');
  await page.keyboard.press('Escape');
  await page.keyboard.press('F12');
  await page.locator('.tab.active', { hasText: '.mcp.json' }).waitFor();
  expect(await caret(page)).toMatchObject({ line: 3 });
});

test('so does a task of a crew, and the settings of Zed describe their servers', async () => {
  await openFile(page, 'crew.jsonc');
  await goTo(page, 3, 80);
  await page.keyboard.press('F12');
  await page.locator('.tab.active', { hasText: 'writer.jsonc' }).waitFor();
  await openFile(page, '.zed/settings.json');
  await goTo(page, 3, 7);
  await runCommand(page, 'Show or Focus Hover');
  await page.locator('.monaco-hover-content', { hasText: 'notes-mcp' }).waitFor();
  await page.keyboard.press('Escape');
});

test('Check Project checks them without a project', async () => {
  await runCommand(page, 'Agent Stack: Check Project');
  await page.locator('.single-terminal-tab, .terminal-tabs-entry', { hasText: 'check' }).first().waitFor();
  await screenshot(page, 'strangers-check');
  await runCommand(page, 'Problems: Focus on Problems View');
});

test('the tools of an agent are offered while they are typed, and what is typed is checked before it is saved', async () => {
  await openFile(page, '.claude/agents/reviewer.md');
  await goTo(page, 4, 18);
  await typeInEditor(page, ', mcp_');
  await page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'mcp__docs__search' }).waitFor();
  await screenshot(page, 'strangers-completion');
  await page.locator('.suggest-widget.visible .monaco-list-row.focused', { hasText: 'mcp__docs' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => visibleText(page)).toContain('tools: Read, Gerp, mcp__docs');
  await typeInEditor(page, ', Wirte');
  await runCommand(page, 'Problems: Focus on Problems View');
  await page.locator('.markers-panel .monaco-list-row', { hasText: 'Wirte' }).waitFor();
  await revert(page);
  await page.locator('.markers-panel .monaco-list-row', { hasText: 'Wirte' }).waitFor({ state: 'detached' });
});

test('nothing else is claimed for the languages of these files', async () => {
  await openFile(page, '.claude/agents/reviewer.md');
  await runCommand(page, 'Format Document');
  const dialog = page.locator('.monaco-dialog-box', { hasText: /There is no formatter for '\w+' files installed/ });
  await dialog.waitFor();
  await screenshot(page, 'strangers-formatter');
  await dialog.locator('.monaco-button', { hasText: 'Cancel' }).click();
});

test('one setting turns all of it off and on again, while the files are open', async () => {
  const choose = (isOn: boolean) => {
    mkdirSync(join(folder, '.vscode'), { recursive: true });
    writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify({ 'agentStack.otherTools': isOn }));
  };
  await openFile(page, '.claude/settings.json');
  choose(false);
  await runCommand(page, 'Problems: Focus on Problems View');
  await page.locator('.markers-panel .monaco-list-row', { hasText: 'Gerp' }).waitFor({ state: 'detached' });
  await goTo(page, 3, 22);
  // With no one to ask, VS Code does nothing.
  await page.keyboard.press('F12');
  await goTo(page, 3, 10);
  expect(await page.locator('.tab.active', { hasText: 'settings.json' }).count()).toBe(1);
  choose(true);
  await page.locator('.markers-panel .monaco-list-row', { hasText: 'Gerp' }).waitFor();
  await goTo(page, 3, 22);
  await page.keyboard.press('F12');
  await page.locator('.tab.active', { hasText: '.mcp.json' }).waitFor();
});
