// What a change of files does, compared with commits, environments and runs in a real editor.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gitIn } from '../../support/gitIn.js';
import { type Editor, openEditor } from '../support/editor.js';
import { violations } from './axe.js';
import { answer, chooseInMenu, openFile, pick, reloadWindow, runCommand, screenshot, setTheme, webview } from './workbench.js';

const agent = 'config/agents/A2/v1.json';
const command = 'Agent Stack: Compare Behaviour with...';

let editor: Editor;
let page: Page;

const read = (path: string) => readFileSync(join(editor.workspace, path), 'utf8');
const change = (path: string, from: string, to: string) => {
  expect(read(path)).toContain(from);
  writeFileSync(join(editor.workspace, path), read(path).replace(from, to));
};
const behaviour = (): Promise<Frame> => webview(page, /^Behaviour: /);

beforeAll(async () => {
  editor = await openEditor({ settings: { 'git.enabled': true } });
  gitIn(editor.workspace, 'init', '--quiet', '--initial-branch=main');
  gitIn(editor.workspace, 'add', '.');
  gitIn(editor.workspace, 'commit', '--quiet', '-m', 'Begin');
  gitIn(editor.workspace, 'tag', 'v1.0');
  change(agent, 'You never answer a request yourself.', 'You answer short requests yourself.');
  change(agent, '["direct", "friendly", "formal"]', '["direct", "friendly"]');
  change(agent, '"tone": ["direct", "friendly", "formal"]', '"tone": ["direct", "friendly"]');
  change(agent, '"max_output_tokens": 256', '"max_output_tokens": 2048');
  page = await editor.open({ width: 1280, height: 900 });
});
afterAll(() => editor?.close());

describe('the behaviour of a project', () => {
  test('is compared with the last commit, from the palette', async () => {
    await openFile(page, agent);
    await runCommand(page, command);
    await pick(page, 'Last commit');
    const frame = await behaviour();
    await frame.getByRole('heading', { level: 1, name: /^1 agent changes/ }).waitFor();
    expect(await frame.getByRole('heading', { level: 2 }).allInnerTexts()).toContainEqual(expect.stringMatching(/^Agent A2@v1/));
    expect(await frame.locator('del').allInnerTexts()).toContainEqual(expect.stringContaining('never'));
    await frame.getByText('nothing that is sent changes, by equal hashes').waitFor();
  });

  test('has lines that lead to their places', async () => {
    const frame = await behaviour();
    await frame
      .getByRole('button', { name: /^System prompt/ })
      .first()
      .click();
    await page.locator(`.monaco-editor[data-uri$="${agent}"] .selected-text`).first().waitFor();
  });

  test('follows what is saved, and keeps the focus where it was', async () => {
    change(agent, 'the first stage of a prompt pipeline', 'the very first stage of a prompt pipeline');
    const frame = await behaviour();
    await frame.locator('ins', { hasText: 'very' }).waitFor();
    gitIn(editor.workspace, 'commit', '--quiet', '-am', 'Change');
    await frame.getByRole('heading', { level: 1, name: 'Nothing that is sent changes' }).waitFor();
  });

  test('is compared with another commit, from the source control view', async () => {
    await runCommand(page, 'View: Close All Editors');
    change(agent, '"temperature": 0,', '"temperature": 1,');
    await page.keyboard.press('Control+Shift+G');
    const group = page.locator('.scm-view .monaco-list-row', { hasText: /^Changes/ }).first();
    await group.waitFor();
    await chooseInMenu(group, 'Compare Behaviour with');
    await pick(page, 'Another branch, tag or commit...');
    await answer(page, 'v1.0', /Branch, tag or commit/);
    const frame = await behaviour();
    await frame
      .getByText(/^Settings/)
      .first()
      .waitFor();
    expect(await frame.locator('p.muted').first().innerText()).toMatch(/^The working tree, compared with v1\.0 \([0-9a-f]{7}\)\.$/);
  });

  test('shows the old text of what is gone', async () => {
    const frame = await behaviour();
    await frame
      .getByRole('button', { name: /no longer has enums\.tone/ })
      .first()
      .click();
    const old = page.locator('.monaco-editor[data-uri^="agentstack-commit:"]');
    await old.waitFor();
    expect((await old.innerText()).replaceAll('\u00a0', ' ')).toContain('You never answer');
  });

  test.each(['light', 'dark', 'hc'] as const)('can be read in %s, with a screen reader and without a mouse', async (theme) => {
    await setTheme(page, theme);
    const frame = await behaviour();
    expect(await violations(frame)).toEqual([]);
    const small = await frame
      .locator('button, summary, select')
      .evaluateAll((targets) => targets.filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 24).length);
    expect(small).toBe(0);
    await screenshot(page, `behaviour-${theme}`);
  });

  test('can be read in a narrow window', async () => {
    await setTheme(page, 'light');
    // The page alone: the file that it led to is beside it.
    await runCommand(page, 'View: Join All Editor Groups');
    await page
      .getByRole('tab', { name: /^Behaviour: / })
      .first()
      .click();
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await page.setViewportSize({ width: 480, height: 800 });
    try {
      const frame = await behaviour();
      await expect.poll(() => frame.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')).toBe(false);
      await screenshot(page, 'behaviour-480');
    } finally {
      await page.setViewportSize({ width: 1280, height: 900 });
      await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    }
  });

  test('is there again after the window was loaded anew', async () => {
    await reloadWindow(page);
    await (await behaviour())
      .getByRole('button', { name: /^System prompt/ })
      .first()
      .waitFor();
  });
});

test('the behaviour of an agent is compared with another environment', async () => {
  await runCommand(page, 'View: Close All Editors');
  await runCommand(page, 'Agent Stack: Focus on Agents View');
  const row = page.locator('.part.sidebar .monaco-list-row', { hasText: /^A2/ }).first();
  await chooseInMenu(row, 'Compare Behaviour with');
  await pick(page, 'prod');
  const frame = await behaviour();
  await frame.getByRole('heading', { level: 1 }).waitFor();
  expect(await frame.locator('p.muted').first().innerText()).toMatch(
    /^Agent A2@v1, environment \w+, compared with agent A2@v1, environment prod\.$/,
  );
  await screenshot(page, 'behaviour-environment');
});
