// What concerns many files at once: the check of a project in which much is wrong, and files and folders that move; and notifications as they come
// up by themselves, in an editor without the smoke-test driver, which keeps them back.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import { collapse, drag, expand, openFile, pick, runCommand, screenshot, typeInEditor } from './workbench.js';

const count = 300;
/** Agents with three errors each, in a project of their own. */
const faulty = Object.fromEntries(
  Array.from({ length: count / 3 }, (_, at) => {
    const agent = { agent_name: `Faulty${at}`, version: 'v1', mode: 'Choser', system_text: 'x', purpose_text: 'y' };
    return [`faulty/config/agents/Faulty${at}/v1.json`, JSON.stringify({ ...agent, temperature: 9, persona_key: 'nobody' }, null, 2)];
  }),
);

let editor: Editor;
let page: Page;

beforeAll(async () => {
  editor = await openEditor({
    driver: 'none',
    // Rows of the terminal that are in the page.
    settings: { 'terminal.integrated.gpuAcceleration': 'off' },
    files: {
      ...faulty,
      'faulty/agentstack.json': '{}\n',
      'config/payloads/Notes/spring_release.json': '{ "input": {} }\n',
    },
  });
  page = await editor.open({ width: 1400, height: 900 });
  await openFile(page, 'faulty/config/agents/Faulty7/v1.json');
});
afterAll(async () => editor?.close());

const onDisk = (path: string) => join(editor.workspace, path);
const toast = (text: string): Locator => page.locator('.notifications-toasts .notification-toast', { hasText: text }).first();
const row = (label: string) =>
  page.locator('.pane-body .monaco-list-row', { has: page.locator('.label-name', { hasText: new RegExp(`^${label}$`) }) });

/** What stands in the terminal; its last lines are on the screen only if nothing scrolls. */
async function allPrinted(): Promise<string> {
  await runCommand(page, 'Terminal: Focus Terminal');
  await runCommand(page, 'Terminal: Select All');
  await runCommand(page, 'Terminal: Copy Selection');
  return page.evaluate<string>('navigator.clipboard.readText()');
}

describe(`Check Project with ${count} findings`, () => {
  test('leaves Problems as they are, and prints every one of them', async () => {
    const problems = page.locator('#status\\.problems');
    // With the payload of no agent in the other project.
    await problems.filter({ hasText: String(count + 1) }).waitFor();
    const seen = await page.evaluateHandle<readonly string[]>(`(() => {
      const found = document.getElementById('status.problems');
      const seen = [found.innerText];
      new MutationObserver(() => seen.push(document.getElementById('status.problems').innerText)).observe(found, { subtree: true, childList: true, characterData: true });
      return seen;
    })()`);
    // Of a process that has ended, VS Code gives up reading after a quarter of a second without output, which a busy machine takes.
    let printed = '';
    for (let attempt = 1; attempt <= 4 && !printed.includes(`${count} errors`); attempt++) {
      const before = printed;
      await runCommand(page, 'Agent Stack: Check Project');
      const isOver = async () => {
        printed = await allPrinted();
        return printed !== before && printed.includes('Terminal will be reused by tasks');
      };
      await expect.poll(isOver).toBe(true);
    }
    expect(printed).toContain(`${count} errors`);
    await screenshot(page, 'check-300');
    const places = new Set(printed.match(/faulty\/config\/agents\/Faulty\d+\/v1\.json:\d+:\d+ error/g));
    expect(places.size).toBe(count);
    expect(new Set((await seen.jsonValue()).map((text) => text.trim()))).toEqual(new Set([String((await problems.innerText()).trim())]));
    await runCommand(page, 'View: Toggle Panel Visibility');
  });
});

describe('a folder of an agent that is renamed in the Explorer', () => {
  /** Gives the folder of an agent another name, as one does there. */
  async function renameFolder(from: string, to: string): Promise<void> {
    await openFile(page, `config/agents/${from}/v1.json`);
    await runCommand(page, 'File: Reveal Active File in Explorer View');
    const folder = page.locator('.explorer-folders-view .monaco-list-row', { hasText: new RegExp(`^${from}$`) }).first();
    await folder.click();
    await page.keyboard.press('F2');
    const box = page.locator('.explorer-folders-view .monaco-inputbox input');
    await box.fill(to);
    await box.press('Enter');
    await box.waitFor({ state: 'detached' });
    await page.locator('.monaco-dialog-box', { hasText: 'wants to make refactoring changes' }).getByRole('button', { name: 'OK' }).click();
  }

  test('leaves its payloads where others would be in their place, and a toast says so', async () => {
    await renameFolder('ReleaseNotes', 'Notes');
    await toast('The payloads of ReleaseNotes stay where they are: config/payloads/Notes/spring_release.json already exists.').waitFor();
    await screenshot(page, 'toast-payloads-stay');
    await expect.poll(() => existsSync(onDisk('config/agents/Notes/v1.json'))).toBe(true);
    expect(existsSync(onDisk('config/payloads/ReleaseNotes/spring_release.json'))).toBe(true);
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  test('takes its payloads along, and leaves no empty folder behind', async () => {
    await renameFolder('IssueReply', 'Answers');
    await expect.poll(() => existsSync(onDisk('config/payloads/Answers/login_loop.json'))).toBe(true);
    await expect.poll(() => existsSync(onDisk('config/payloads/IssueReply'))).toBe(false);
    await expect.poll(() => existsSync(onDisk('config/agents/IssueReply'))).toBe(false);
  });
});

describe('several payloads', () => {
  test('are run at once when they are selected', async () => {
    await page.locator('.activitybar a[aria-label^="Agent Stack"]').click();
    await row('sample').first().waitFor();
    await expand(row('A2'));
    await row('parser').click();
    await row('cloud_costs').click({ modifiers: ['ControlOrMeta'] });
    await page.keyboard.press('Control+Alt+R');
    await pick(page, /offline/);
    await pick(page, /offline/);
    const folder = onDisk('.agentstack/runs');
    const results = () => (existsSync(folder) ? readdirSync(folder).filter((id) => existsSync(join(folder, id, 'result.json'))) : []);
    await expect.poll(() => results().length).toBe(2);
    await page
      .locator('.tab', { hasText: /parser/ })
      .first()
      .waitFor();
    await screenshot(page, 'run-several');
  });

  test('cannot be moved to an agent that has some of their names, which a toast says', async () => {
    writeFileSync(onDisk('config/payloads/DocsHelper/parser.json'), '{ "input": { "message": "Which exit codes are there?" } }\n');
    // Known as soon as the agent has another case in the view.
    await expand(row('DocsHelper'));
    await expect.poll(() => row('parser').count()).toBe(2);
    await collapse(row('DocsHelper'));
    await drag(row('parser').first(), row('DocsHelper'));
    await toast('The payload could not be moved: DocsHelper may have one of that name.').waitFor();
    expect(existsSync(onDisk('config/payloads/A2/parser.json'))).toBe(true);
  });
});

describe('a notification', () => {
  test('tells when the language server is back', async () => {
    await runCommand(page, 'Agent Stack: Restart Language Server');
    await toast('The language server is back.').waitFor();
    await screenshot(page, 'toast-restart');
    await runCommand(page, 'Notifications: Clear All Notifications');
    await toast('The language server is back.').waitFor({ state: 'detached' });
  });

  test('of a refusal names the way out on its buttons', async () => {
    await openFile(page, 'config/agents/A2/v1.json');
    await typeInEditor(page, ' ');
    await runCommand(page, 'Agent Stack: Run Agent');
    const refusal = toast('has changes that are not saved');
    await refusal.waitFor();
    expect(await refusal.locator('.monaco-button').allInnerTexts()).toContain('Save and Run');
    await screenshot(page, 'toast-unsaved');
  });
});
