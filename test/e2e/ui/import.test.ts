// Agents of other tools, imported in a real editor.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import { chooseFolder, notification, pick, runCommand, screenshot } from './workbench.js';

const reviewer = `---
name: code-reviewer
description: Use this agent when a pull request is ready.
tools: Read, Grep, Bash
---
You review \${LANGUAGE} code.
`;

let editor: Editor;
let page: Page;

beforeAll(async () => {
  editor = await openEditor({ files: { '.claude/agents/code-reviewer.md': reviewer } });
  page = await editor.open({ width: 1280, height: 800 });
});
afterAll(async () => editor?.close());

const written = () => join(editor.workspace, 'config/agents/code-reviewer/v1.json');

async function begin(isFound: boolean): Promise<void> {
  await runCommand(page, 'Agent Stack: Import Agent...');
  // What is in the workspace is offered; a folder elsewhere is chosen.
  if (isFound) await pick(page, /^\.claude\/agents/);
  else {
    await pick(page, 'Folder...');
    await chooseFolder(page, join(editor.workspace, '.claude/agents'), 'Import');
  }
}

/** The question, once the plan is shown. */
async function question() {
  await page.locator('.tab.active', { hasText: 'Import from .claude/agents' }).waitFor();
  return notification(page, 'Write 1 file from .claude/agents?');
}

test('a plan is shown, with what is different here, and nothing is written before it is confirmed', async () => {
  await begin(false);
  const asked = await question();
  await page.locator('.multiDiffEntry', { hasText: 'v1.json' }).first().waitFor();
  const plan = (await page.locator('.multiDiffEntry').allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
  expect(plan).toContain('config/agents/code-reviewer/v1.json');
  expect(plan).toContain('"Bash" is not a tool here');
  await screenshot(page, 'import-plan');
  expect(existsSync(written())).toBe(false);
  await asked.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.locator('.tab', { hasText: 'Import from' }).waitFor({ state: 'detached' });
  expect(existsSync(written())).toBe(false);
});

test('the button in the title stays when the notification has gone, and a closed diff writes nothing', async () => {
  await begin(true);
  await question();
  await runCommand(page, 'Notifications: Clear All Notifications');
  await page.locator('.editor-actions .action-label[aria-label^="Write the Files of the Import"]').waitFor();
  await screenshot(page, 'import-button');
  await runCommand(page, 'View: Close Editor');
  await page.locator('.editor-actions .action-label[aria-label^="Write the Files of the Import"]').waitFor({ state: 'detached' });
  expect(existsSync(written())).toBe(false);
});

test('it is written and opened when it is confirmed, and known the next time', async () => {
  await begin(true);
  await question();
  await page.locator('.editor-actions .action-label[aria-label^="Write the Files of the Import"]').click();
  await page.locator('.tab.active', { hasText: 'code-reviewer v1' }).waitFor();
  expect(JSON.parse(readFileSync(written(), 'utf8'))).toMatchObject({
    agent_name: 'code-reviewer',
    system_text: expect.stringMatching(/^You review \$\{DOLLAR:-\$\}\{LANGUAGE\} code\./),
    enabled_tools: ['read_file', 'search_files'],
  });
  await begin(true);
  await notification(page, 'Everything in .claude/agents has been imported already.');
});
