import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import {
  focusEditor,
  goTo,
  lightBulb,
  openFile,
  revert,
  runCommand,
  screenshot,
  typeInEditor,
  visibleText,
  waitForFinding,
} from './workbench.js';

const path = 'config/agents/A2/v1.json';
let editor: Editor;
let page: Page;

beforeAll(async () => {
  editor = await openEditor();
  page = await editor.open();
  await openFile(page, path);
});
afterAll(async () => editor?.close());
afterEach(async () => {
  if (page) await revert(page);
});

/** Types a property into a line of its own below the version, as a user does: quotes close themselves and are typed over. */
async function typeProperty(text: string): Promise<void> {
  await goTo(page, 3);
  await page.keyboard.press('End');
  await typeInEditor(page, `\n${text}`);
}

describe('A wrong value', () => {
  test('gets a squiggle as it is typed, which says what would be right', async () => {
    await typeProperty('"agent_type": "single_shoot",');
    await waitForFinding(page);
    await goTo(page, 4, 22);
    await page.keyboard.press('Control+K');
    await page.keyboard.press('Control+I');
    const hover = page.locator('.monaco-hover', { hasText: 'single_shoot' });
    await hover.waitFor();
    const text = await hover.innerText();
    expect(text).toContain('"single_shoot" is not one of "single_shot", "react", "orchestrating". Did you mean "single_shot"?');
    expect(text).toContain('agentstack');
    await page.keyboard.press('Escape');
  });

  test('is listed among the problems, with a way there', async () => {
    await typeProperty('"agent_type": "single_shoot",');
    await waitForFinding(page);
    await page.keyboard.press('Control+Shift+M');
    const row = page.locator('.markers-panel .monaco-list-row', { hasText: 'is not one of' });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/Ln 4, Col \d+/);
    await row.dblclick();
    await page.locator('#status\\.editor\\.selection', { hasText: 'Ln 4,' }).waitFor();
    await page.keyboard.press('Control+J');
    await page.locator('.markers-panel').waitFor({ state: 'hidden' });
  });

  test('is put right from the light bulb', async () => {
    await typeProperty('"agent_type": "single_shoot",');
    await waitForFinding(page);
    await goTo(page, 4, 22);
    await lightBulb(page).click();
    await page.locator('.action-widget .monaco-list-row', { hasText: 'Change to "single_shot"' }).click();
    await page.locator('.squiggly-error').waitFor({ state: 'detached' });
    expect(await visibleText(page)).toContain('"agent_type": "single_shot",');
  });

  test('is put right by keyboard alone', async () => {
    await typeProperty('"agent_type": "single_shoot",');
    await waitForFinding(page);
    const explanation = page.locator('.marker-widget', { hasText: 'single_shoot' });
    // The first finding may still be that of a property half typed.
    await expect
      .poll(async () => {
        await page.keyboard.press('F8');
        return await explanation.isVisible();
      })
      .toBe(true);
    await page.locator('#status\\.editor\\.selection', { hasText: 'Ln 4,' }).waitFor();
    // Out of the explanation, back to the text it is about.
    await page.keyboard.press('Escape');
    await explanation.waitFor({ state: 'detached' });
    await focusEditor(page);
    await page.keyboard.press('Control+.');
    await page.locator('.action-widget .monaco-list-row.focused', { hasText: 'Change to "single_shot"' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.squiggly-error').waitFor({ state: 'detached' });
    expect(await visibleText(page)).toContain('"agent_type": "single_shot",');
  });
});

describe('The rule of a finding', () => {
  test('is explained by a page that opens rendered', async () => {
    await typeProperty('"agent_type": "single_shoot",');
    await waitForFinding(page);
    await page.keyboard.press('Control+Shift+M');
    const row = page.locator('.markers-panel .monaco-list-row', { hasText: 'is not one of' });
    await row.waitFor();
    await row.locator('a', { hasText: /^schema$/ }).click();
    const rendered = page.frameLocator('iframe.webview').frameLocator('#active-frame');
    await rendered.locator('h1', { hasText: /^schema$/ }).waitFor();
    await screenshot(page, 'rule-page');
    await runCommand(page, 'View: Close Editor');
    await page.keyboard.press('Control+J');
    await page.locator('.markers-panel').waitFor({ state: 'hidden' });
  });
});

describe('Prose', () => {
  test('gets no words of other texts suggested', async () => {
    await goTo(page, 4);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await typeInEditor(page, ' decid');
    await page.keyboard.press('Control+Space');
    await page.locator('.monaco-editor-overlaymessage, .suggest-widget', { hasText: 'No suggestions' }).filter({ visible: true }).waitFor();
    await page.keyboard.press('Escape');
  });
});

describe('Completion', () => {
  test('offers what is there and takes it by keyboard', async () => {
    await typeProperty('"persona_key": "');
    await page.keyboard.press('Control+Space');
    await page.locator('.suggest-widget.visible .monaco-list-row.focused', { hasText: 'technical_editor' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => visibleText(page)).toContain('"persona_key": "technical_editor"');
  });

  test('writes a property whole, with the values it may have', async () => {
    await goTo(page, 3);
    await page.keyboard.press('End');
    await typeInEditor(page, '\n"tool_p');
    await page.locator('.suggest-widget.visible .monaco-list-row.focused', { hasText: 'tool_protocol' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => visibleText(page)).toMatch(/"tool_protocol": "?\w*/);
  });
});

describe('Rename', () => {
  test('of an agent moves its files', async () => {
    await openFile(page, 'config/agents/IncidentExtractor/v1.json');
    await goTo(page, 2, 20);
    await page.keyboard.press('F2');
    await page.locator('.rename-box input').fill('IncidentRecorder');
    await page.keyboard.press('Enter');
    await page.locator('.monaco-editor[data-uri$="config/agents/IncidentRecorder/v1.json"]').waitFor();
    const read = (file: string) => {
      try {
        return readFileSync(join(editor.workspace, file), 'utf8');
      } catch {
        return '';
      }
    };
    await expect.poll(() => read('config/agents/IncidentRecorder/v1.json')).toContain('"agent_name": "IncidentRecorder"');
    await expect.poll(() => read('config/orchestrations/issue_intake.json')).toContain('"IncidentRecorder@v1"');
    await expect.poll(() => read('config/agents/IncidentExtractor/v1.json')).toBe('');
    expect(read('config/payloads/IncidentRecorder/checkout_outage.json')).not.toBe('');
  });
});
