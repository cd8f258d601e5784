// A model that ends is replaced from its finding in a real editor: the page, the prices, one edit that one undo takes back.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import { violations } from './axe.js';
import {
  answer,
  goTo,
  notification,
  openFile,
  pick,
  reloadWindow,
  runCommand,
  screenshot,
  setTheme,
  typeInEditor,
  visibleText,
  waitForFinding,
  webview,
} from './workbench.js';

const profile = 'config/llms/acme.json';
const agent = 'config/agents/Greeter/v1.json';
const poet = 'config/agents/Poet/v1.json';
const next = 'config/agents/Greeter/v2.json';
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const facts = { context_window: 128000, max_output_tokens: 16384 };
const output_schema = {
  type: 'object',
  properties: { greeting: { type: 'string' } },
  required: ['greeting'],
  additionalProperties: false,
};
const texts = { mode: 'Writer', system_text: 'You greet.', purpose_text: 'Greet the user.', input_keys: ['name'] };
const agentText = (name: string, more: object) => json({ agent_name: name, version: 'v1', ...texts, ...more, output_schema });
const files = {
  'agentstack.json': json({
    models: {
      'acme-3': { ...facts, price: { input: 2, output: 8 }, ends: '2026-01-14', successor: 'acme-4' },
      'acme-4': { ...facts, price: { input: 2.5, output: 8 }, unsupported: ['temperature'] },
    },
  }),
  [profile]: json({ llm_id: 'acme', provider: 'openai', model_name: 'acme-3', temperature: 0.2 }),
  'config/llms/contract.json': json({ llm_id: 'contract', provider: 'openai', model_name: 'acme-3', price: { input: 1, output: 2 } }),
  [agent]: agentText('Greeter', { model_name: 'acme-3', expose: true }),
  [poet]: agentText('Poet', { model_name: 'acme-3' }),
  'config/agents/Writer/v1.json': agentText('Writer', { llm_config_id: 'acme' }),
  'config/agents/Contractor/v1.json': agentText('Contractor', { llm_config_id: 'contract' }),
};

let editor: Editor;
let page: Page;

const pathOf = (path: string) => join(editor.workspace, path);
const read = (path: string) => readFileSync(pathOf(path), 'utf8');
const changed = 'Files have changed since the page was made, so nothing was written.';
const migration = (): Promise<Frame> => webview(page, /^Migrate: /);
const dialog = () => page.locator('.monaco-dialog-box');

beforeAll(async () => {
  editor = await openEditor({ files });
  page = await editor.open({ width: 1280, height: 900 });
});
afterAll(() => editor?.close());

/** From the light bulb of the finding, by keyboard. */
async function openFromFinding(): Promise<Frame> {
  await openFile(page, agent);
  await waitForFinding(page);
  const line = read(agent)
    .split('\n')
    .findIndex((text) => text.includes('acme-3'));
  await goTo(page, line + 1, 20);
  // Until the server has read the whole project, the list is not complete.
  const fix = page.locator('.action-widget .monaco-list-row.focused', { hasText: 'Migrate to acme-4...' });
  const isOffered = async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+.');
    const shown = fix.waitFor({ timeout: 5_000 });
    return shown.then(() => true).catch(() => false);
  };
  await expect.poll(isOffered, { timeout: 60_000 }).toBe(true);
  await screenshot(page, 'migration-fix');
  await page.keyboard.press('Enter');
  const frame = await migration();
  await frame.getByRole('heading', { level: 1, name: /agents/ }).waitFor();
  return frame;
}

/** Until the page has the files of now, it refuses. */
async function ask(frame: Frame): Promise<void> {
  const isAsked = async () => {
    await frame.getByRole('button', { name: 'Migrate 3 Files...' }).click();
    const shown = dialog().waitFor({ timeout: 5_000 });
    return shown.then(() => true).catch(() => false);
  };
  await expect.poll(isAsked, { timeout: 60_000 }).toBe(true);
}

describe('a model that ends', () => {
  test('leads from its finding to what its successor changes', async () => {
    const frame = await openFromFinding();
    expect(await frame.getByRole('heading', { level: 1 }).innerText()).toBe('4 agents: 3 fit, 1 is not known.');
    expect(await frame.getByRole('heading', { level: 2 }).first().innerText()).toBe('acme-3 → acme-4 (openai)');
    await frame.getByRole('note').getByText('Prices rise by at most 25 %.').waitFor();
    await frame.getByText(/acme-3 ended on 2026-01-14, \d+ days? ago; its provider names the successor\./).waitFor();
    await frame.getByRole('row', { name: /Contractor@v1 .*The profile writes a price of its own/ }).waitFor();
  });

  test.each(['light', 'dark', 'hc'] as const)(
    'has a page that can be read in %s, with a screen reader and without a mouse',
    async (theme) => {
      await setTheme(page, theme);
      const frame = await migration();
      expect(await violations(frame)).toEqual([]);
      const small = await frame
        .locator('button, summary, select')
        .evaluateAll(
          (targets) => targets.filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 24).length,
        );
      expect(small).toBe(0);
      await screenshot(page, `migration-${theme}`);
    },
  );

  test('has a page that can be read in a narrow window', async () => {
    await setTheme(page, 'light');
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await page.setViewportSize({ width: 480, height: 800 });
    try {
      const frame = await migration();
      await expect.poll(() => frame.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')).toBe(false);
      await screenshot(page, 'migration-480');
    } finally {
      await page.setViewportSize({ width: 1280, height: 900 });
      await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    }
  });

  test('has its changes shown before anything is written', async () => {
    await (await migration()).getByRole('button', { name: 'Show Changes' }).click();
    const changes = page.locator('.monaco-editor .view-line', { hasText: '"model_name": "acme-4"' });
    await changes.first().waitFor();
    await screenshot(page, 'migration-changes');
    await runCommand(page, 'View: Close Editor');
    expect(read(profile)).toBe(files[profile]);
  });

  test('has a question with the price, which can be answered with no', async () => {
    const frame = await migration();
    await frame.getByRole('button', { name: 'Migrate 3 Files...' }).click();
    await dialog().waitFor();
    const question = await dialog().innerText();
    expect(question).toContain('Prices rise by at most 25 %. Write 3 files?');
    expect(question).toContain(profile);
    expect(question).toContain(next);
    await screenshot(page, 'migration-question');
    await dialog().locator('.monaco-button', { hasText: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect([read(profile), existsSync(pathOf(next))]).toEqual([files[profile], false]);
  });

  test('is not replaced in a file that has changed while the question was open', async () => {
    await ask(await migration());
    writeFileSync(pathOf(profile), files[profile].replace('0.2', '0.3'));
    await dialog().locator('.monaco-button', { hasText: 'Migrate' }).click();
    await notification(page, changed);
    expect([read(profile), existsSync(pathOf(next))]).toEqual([files[profile].replace('0.2', '0.3'), false]);
    writeFileSync(pathOf(profile), files[profile]);
  });

  test('is replaced in all files at once, and one undo takes all back', async () => {
    await page.getByRole('tab', { name: /^Migrate: / }).click();
    await ask(await migration());
    await dialog().locator('.monaco-button', { hasText: 'Migrate' }).click();
    await expect.poll(() => read(profile)).toContain('"acme-4"');
    expect(read(profile)).not.toContain('temperature');
    expect(JSON.parse(read(next))).toMatchObject({ version: 'v2', model_name: 'acme-4' });
    expect(read(agent)).toBe(files[agent]);
    await (await migration())
      .getByText(/older version than v2/)
      .first()
      .waitFor();
    await screenshot(page, 'migration-applied');
    expect(read(poet)).toContain('"acme-4"');
    await openFile(page, profile);
    await page.keyboard.press('Control+Z');
    await expect.poll(() => existsSync(pathOf(next))).toBe(false);
    // VS Code opens the other file that it took back, too.
    await expect.poll(() => page.locator('.tab.dirty').count()).toBe(2);
    await runCommand(page, 'File: Save All Files');
    await expect.poll(() => [read(profile), read(poet)]).toEqual([files[profile], files[poet]]);
  });

  test('is replaced in unsaved text, too, which stays unsaved', async () => {
    await openFile(page, profile);
    await goTo(page, 2);
    await page.keyboard.press('End');
    await typeInEditor(page, '\n"timeout_ms": 5000,');
    await page.getByRole('tab', { name: /^Migrate: / }).click();
    await ask(await migration());
    await dialog().locator('.monaco-button', { hasText: 'Migrate' }).click();
    await notification(page, `Not saved, since it had unsaved changes already: ${profile}.`);
    expect([read(profile), existsSync(pathOf(next))]).toEqual([files[profile], true]);
    await openFile(page, profile);
    expect(await visibleText(page)).toMatch(/"timeout_ms": 5000,[\s\S]*"acme-4"/);
    await page.keyboard.press('Control+Z');
    await expect.poll(() => existsSync(pathOf(next))).toBe(false);
    await expect.poll(() => page.locator('.tab.dirty').count()).toBe(2);
    await runCommand(page, 'File: Save All Files');
    await expect.poll(() => read(poet)).toEqual(files[poet]);
    writeFileSync(pathOf(profile), files[profile]);
  });

  test('has a page that comes back when the window is loaded anew, and follows the files', async () => {
    await page.getByRole('tab', { name: /^Migrate: / }).click();
    await reloadWindow(page);
    const frame = await migration();
    await frame.getByRole('heading', { level: 1, name: '4 agents: 3 fit, 1 is not known.' }).waitFor();
    writeFileSync(pathOf(profile), files[profile].replace('acme-3', 'acme-4'));
    await frame.getByRole('heading', { level: 1, name: '3 agents: 2 fit, 1 is not known.' }).waitFor();
    writeFileSync(pathOf(profile), files[profile]);
    await frame.getByRole('heading', { level: 1, name: '4 agents: 3 fit, 1 is not known.' }).waitFor();
  });

  test('may be replaced by another model, and what is not known is written only when it is included', async () => {
    const frame = await migration();
    await frame.getByRole('button', { name: 'Another Model...' }).click();
    await answer(page, 'nobody', 'Another Model for acme-3');
    await frame.getByText('There is nothing to write.').waitFor();
    await frame.getByRole('button', { name: 'Include What Is Not Known' }).click();
    await frame.getByRole('note').getByText('How prices change is not known.').waitFor();
    await screenshot(page, 'migration-unknown');
  });

  test('is found from the palette, in one page for each model', async () => {
    await runCommand(page, 'Agent Stack: Migrate Model...');
    await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'acme-3' }).waitFor();
    await screenshot(page, 'migration-pick');
    await pick(page, 'acme-3');
    await expect.poll(() => page.getByRole('tab', { name: /^Migrate: / }).count()).toBe(1);
  });
});
