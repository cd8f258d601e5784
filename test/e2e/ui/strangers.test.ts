// A repository without a project of ours: what other tools have in it is checked all the same.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import { runCommand, screenshot } from './workbench.js';

let editor: Editor;
let page: Page;
const folder = mkdtempSync(join(tmpdir(), 'agent-stack-stranger-'));
const files = {
  '.mcp.json': '{\n  "mcpServers": {\n    "docs": { "type": "http", "url": "https://mcp.example.com/v2" }\n  }\n}\n',
  '.cursor/mcp.json':
    '{\n  "mcpServers": {\n    "docs": { "url": "https://mcp.example.com/v1" },\n    "broken": { "cmd": "docs-mcp" }\n  }\n}\n',
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
