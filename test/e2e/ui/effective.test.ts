import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Editor, openEditor, root } from '../support/editor.js';
import {
  caret,
  focusEditor,
  openFile,
  pick,
  revert,
  runCommand,
  screenshot,
  screenshotInThemes,
  selectText,
  typeInEditor,
  visibleText,
} from './workbench.js';

let editor: Editor;
let page: Page;

const agent = 'config/agents/A2/v1.json';
const orchestration = 'config/orchestrations/issue_intake.json';

/** The editor of an effective config. */
const shown = (name: string) => page.locator(`.monaco-editor[data-uri^="agent-stack-effective:/${encodeURIComponent(name)}"]`);
/** What effective configs have on the screen, with the lines that are wrapped put together again. */
const unwrapped = async () => (await visibleText(page, '.monaco-editor[data-uri^="agent-stack-effective:"]')).replaceAll('\n', '');
const hints = (text: string | RegExp) =>
  page.locator('.monaco-editor[data-uri^="agent-stack-effective:"] .view-line span', { hasText: text });

beforeAll(async () => {
  editor = await openEditor();
  page = await editor.open({ width: 1500, height: 950 });
  await openFile(page, orchestration);
  await page.locator('.codelens-decoration', { hasText: 'Effective' }).filter({ visible: true }).first().waitFor();
});
afterAll(async () => editor?.close());

describe('the effective configuration', () => {
  test('opens beside its file from the lens, with where each line comes from', async () => {
    await page.locator('.codelens-decoration a', { hasText: 'Effective' }).filter({ visible: true }).first().click();
    await shown('issue_intake').waitFor();
    await expect.poll(unwrapped).toMatch(/SHA-256 [0-9a-f]{64}/);
    const text = await unwrapped();
    expect(text).toMatch(/\/\/ Effective configuration of issue_intake, environment dev/);
    expect(text).toMatch(/\/\/ SHA-256 [0-9a-f]{64}/);
    // What the file itself says needs no word.
    expect(text).not.toContain('orchestration: orchestrations/');
    await page.locator('.codelens-decoration', { hasText: 'Environment: dev' }).filter({ visible: true }).first().waitFor();
    // An agent is marked at its first line.
    await shown('issue_intake').locator('.view-line').first().click();
    await selectText(page, '"triage/labels": {');
    const shownHint = () =>
      hints(/agent:\sagents\//)
        .first()
        .waitFor({ state: 'attached' });
    await shownHint();
    await screenshotInThemes(page, 'effective-orchestration', shownHint);
  });

  test('goes to where a value is written, and says what other layers say of it', async () => {
    await openFile(page, agent);
    await runCommand(page, 'Agent Stack: Show Effective Configuration');
    await shown('A2@v1').waitFor();
    await page.locator('.monaco-editor.focused[data-uri^="agent-stack-effective:/A2"]').waitFor();
    await selectText(page, '"timeout_ms": 60000');
    await page.keyboard.press('Control+K');
    await page.keyboard.press('Control+I');
    const hover = page.locator('.monaco-hover-content', { hasText: 'Layer system: config/system.json at /agent_defaults/timeout_ms' });
    await hover.first().waitFor();
    await screenshot(page, 'effective-hover');
    await page.keyboard.press('Escape');
    await page.keyboard.press('F12');
    await page.locator('.monaco-editor.focused[data-uri$="config/system.json"]').waitFor();
    expect((await caret(page)).line).toBe(4);
  });

  test('wraps its lines, and finds a field by its name', async () => {
    await runCommand(page, 'View: Close All Editors');
    await openFile(page, orchestration);
    await runCommand(page, 'Agent Stack: Show Effective Configuration');
    await shown('issue_intake').waitFor();
    await page.locator('.codelens-decoration a', { hasText: 'Find Field...' }).filter({ visible: true }).first().click();
    await page.locator('.quick-input-widget:visible input').fill('@max_output_tokens');
    await pick(page, 'max_output_tokens');
    await page.locator('.view-line', { hasText: '"max_output_tokens"' }).first().waitFor();
    expect((await caret(page)).line).toBeGreaterThan(20);
    await screenshot(page, 'effective-find');
    // A line that goes on in the next has no number there.
    const [lines, numbers] = await Promise.all(['.view-line', '.line-numbers'].map((part) => shown('issue_intake').locator(part).count()));
    expect(lines).toBeGreaterThan(numbers ?? 0);
  });

  test('follows what is typed, and shows errors on top', async () => {
    await runCommand(page, 'View: Close All Editors');
    await openFile(page, agent);
    await runCommand(page, 'Agent Stack: Show Effective Configuration');
    await shown('A2@v1').waitFor();
    await page.keyboard.press('Control+1');
    await page.locator(`.monaco-editor.focused[data-uri$="${agent}"]`).waitFor();
    await selectText(page, '"gpt-5.4-mini"');
    await typeInEditor(page, '7');
    const error = shown('A2@v1').locator('.view-line', { hasText: /v1\.json:\d+:\d+\sschema/ });
    await error.first().waitFor();
    await screenshot(page, 'effective-error');
    await revert(page);
    await error.first().waitFor({ state: 'detached' });
  });

  test('is shown for another environment in its place, and compared with it', async () => {
    await runCommand(page, 'View: Close All Editors');
    await openFile(page, agent);
    await runCommand(page, 'Agent Stack: Show Effective Configuration');
    await page.locator('.monaco-editor.focused[data-uri^="agent-stack-effective:/A2"]').waitFor();
    await runCommand(page, 'Agent Stack: Switch Environment of Effective Configuration...');
    await screenshot(page, 'effective-environments');
    await pick(page, /^prod/);
    await shown('A2@v1 prod').waitFor();
    await expect.poll(unwrapped).toMatch(/environment\sprod/);
    await page.locator('.tab', { hasText: /^A2@v1\.effective\.jsonc/ }).waitFor({ state: 'detached' });
    await focusEditor(page);
    await runCommand(page, 'Agent Stack: Compare Effective Configurations...');
    await screenshot(page, 'effective-compare');
    await pick(page, /^dev/);
    await page.locator('.tab', { hasText: '↔' }).waitFor();
    await page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
    await expect.poll(unwrapped).toMatch(/environment\sdev/);
    await screenshotInThemes(page, 'effective-diff');
  });

  test('has the hash that the command line prints', async () => {
    await runCommand(page, 'View: Close All Editors');
    await openFile(page, orchestration);
    await runCommand(page, 'Agent Stack: Show Effective Configuration');
    await shown('issue_intake').waitFor();
    await page.locator('.view-line', { hasText: 'SHA-256' }).first().waitFor();
    await expect.poll(unwrapped).toMatch(/SHA-256 [0-9a-f]{64}/);
    const hash = /SHA-256 ([0-9a-f]{64})/.exec(await unwrapped())?.[1];
    const printed = execFileSync(process.execPath, [join(root, 'dist/cli.cjs'), 'snapshot', 'issue_intake'], {
      cwd: editor.workspace,
      encoding: 'utf8',
    });
    expect(printed).toContain(String(hash));
  });
});
