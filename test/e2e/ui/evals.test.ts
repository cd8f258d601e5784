// Cases of an agent, run in the Test Explorer of a real editor, and what is shown of them. UPDATE_SCREENSHOTS=1 writes the pictures of docs/evals.md.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor, root } from '../support/editor.js';
import { toSmallPng } from '../support/smallPng.js';
import { violations } from './axe.js';
import { openFile, runCommand, setTheme, type themes, webview } from './workbench.js';

const isKept = process.env.UPDATE_SCREENSHOTS === '1';
const cases = 'config/payloads/TicketLabels/tickets.json';
const agent = 'config/agents/TicketLabels/v1.json';

/** What the model answers, a label for each run of a case in turn; the third case is labelled otherwise most of the time. */
const answers: Readonly<Record<string, readonly string[]>> = {
  'The login page shows an error 500': ['bug'],
  'Please add a dark theme': ['feature'],
  'Where is the log file?': ['bug', 'question', 'bug', 'bug', 'question'],
  'The export is slow for large projects': ['bug', 'bug', 'feature', 'bug', 'bug'],
};
const wanted = ['bug', 'feature', 'question', 'bug'];

let editor: Editor;
let page: Page;
let model: LoopbackServer;

beforeAll(async () => {
  const asked = new Map<string, number>();
  model = await startLoopbackOpenAi(
    ({ body }) => {
      const sent = JSON.stringify(body.messages);
      const [text = '', labels = []] = Object.entries(answers).find(([ticket]) => sent.includes(ticket)) ?? [];
      const count = asked.get(text) ?? 0;
      asked.set(text, count + 1);
      return { text: JSON.stringify({ label: labels[count % labels.length] }), usage: { prompt_tokens: 180, completion_tokens: 8 } };
    },
    { lenient: true },
  );
  const profile = {
    llm_id: 'local',
    provider: 'openai_compatible',
    base_url: model.url,
    model_name: 'qwen3-32b',
    price: { input: 0.2, output: 0.6 },
    max_output_tokens: 200,
  };
  const labels = {
    agent_name: 'TicketLabels',
    version: 'v1',
    mode: 'Chooser',
    llm_config_id: 'local',
    system_text: 'Choose the label that fits the ticket.',
    input_keys: ['ticket'],
    output_schema: { type: 'object', properties: { label: { type: 'string', enum: ['bug', 'feature', 'question'] } }, required: ['label'] },
  };
  const set = {
    repeats: 5,
    pass_rate: 0.8,
    tags: ['labels'],
    cases: Object.keys(answers).map((ticket, index) => ({
      name: ['login', 'dark theme', 'log file', 'slow export'][index],
      input: { ticket },
      expect: [{ output_field: 'label', operator: 'equals', value: wanted[index] }],
    })),
  };
  const text = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  editor = await openEditor({
    files: { 'config/llms/local.json': text(profile), [agent]: text(labels), [cases]: text(set) },
    settings: { 'editor.minimap.enabled': false },
  });
  page = await editor.open({ width: 1280, height: 800 });
});
afterAll(async () => {
  await editor?.close();
  await model?.close();
});

const rows = () => page.locator('.test-explorer .monaco-list-row');

async function picture(name: string): Promise<void> {
  if (!isKept) return;
  await page.mouse.move(640, 799);
  await page.locator('.workbench-hover-container').waitFor({ state: 'hidden' });
  writeFileSync(join(root, 'docs/images', `${name}.png`), toSmallPng(await page.screenshot({ caret: 'hide', animations: 'disabled' })));
}

describe('The Test Explorer', () => {
  test('lists the cases of a data set, below its file and its agent', async () => {
    await openFile(page, cases);
    await runCommand(page, 'Testing: Focus on Test Explorer View');
    const labels = rows().filter({ hasText: 'TicketLabels' });
    await labels.first().click();
    await page.keyboard.press('ArrowRight');
    await rows().filter({ hasText: 'tickets' }).first().click();
    await page.keyboard.press('ArrowRight');
    await rows().filter({ hasText: 'slow export' }).first().waitFor();
    expect(await rows().filter({ hasText: 'log file' }).count()).toBe(1);
  });

  test('runs them after what it may cost was agreed on, and says how sure each rate is', async () => {
    await openFile(page, cases);
    await runCommand(page, 'Test: Run Tests in Current File');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    expect(await dialog.innerText()).toMatch(/Ask 4 cases\?[\s\S]*at most 20 calls, [\d.]+ USD/);
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    const row = rows().filter({ hasText: 'log file' }).first();
    await row.filter({ hasText: '2/5, 95 % 12–77 %' }).waitFor({ timeout: 60_000 });
    expect(await rows().filter({ hasText: 'slow export' }).first().innerText()).toContain('4/5, 95 % 38–96 %');
    expect(model.requests.length).toBe(20);
  });

  test('shows the failure at the expectation, as a difference of two values', async () => {
    const failed = page.locator('.monaco-editor .test-message-inline-content, .monaco-editor [class*="test-message-inline"]').first();
    await openFile(page, cases);
    await failed.waitFor();
    const lens = page.locator('.codelens-decoration', { hasText: 'last 2/5' }).filter({ visible: true });
    await lens.first().waitFor();
  });
});

describe.each(['light', 'dark', 'hc'] as const)('The page of evals in the theme %s', (theme: keyof typeof themes) => {
  let frame: Frame;
  beforeAll(async () => {
    await setTheme(page, theme);
    await runCommand(page, 'Agent Stack: Show Evals');
    frame = await webview(page, /^Evals: /);
    await frame.locator('tbody tr').first().waitFor();
  });

  test('has failures first, with their runs', async () => {
    expect(await frame.locator('tbody tr').first().innerText()).toMatch(
      /log file[\s\S]*label is "bug"; expected: equals "question"[\s\S]*failed/,
    );
    await picture(`evals-${theme}`);
  });

  test('can be used with a screen reader and without a mouse', async () => {
    expect(await violations(frame)).toEqual([]);
    const summary = frame.locator('summary').last();
    await summary.focus();
    await page.keyboard.press('Enter');
    await frame
      .locator('details[open]', { has: frame.getByText('Repeat 5') })
      .last()
      .waitFor();
  });
});

test('a run of a case is shown with what it was asked and what it answered', async () => {
  const frame = await webview(page, /^Evals: /);
  await frame.getByRole('button', { name: 'Repeat 1' }).first().click();
  const shown = page.locator('.monaco-editor[data-uri^="agentstack-eval:"]');
  await shown.waitFor();
  expect((await shown.innerText()).replaceAll('\u00a0', ' ')).toContain('"case": "tickets/log file"');
});
