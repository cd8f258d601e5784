// Cases of an agent, run in the Test Explorer of a real editor, and what is shown of them. UPDATE_SCREENSHOTS=1 writes the pictures of docs/evals.md.
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor, root } from '../support/editor.js';
import { toSmallPng } from '../support/smallPng.js';
import { violations } from './axe.js';
import {
  chooseFolder,
  chooseInMenu,
  goTo,
  notification,
  openFile,
  openMenu,
  pick,
  runCommand,
  screenshot,
  selectText,
  setTheme,
  type themes,
  webview,
} from './workbench.js';

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
let recordings: string;
/** For the recordings. */
let alreadyAsked = 0;

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
    description: 'Labels a ticket.',
    system_text: 'You label tickets.',
    purpose_text: 'Choose the label that fits the ticket.',
    input_keys: ['ticket'],
    output_schema: {
      type: 'object',
      additionalProperties: false,
      required: ['label'],
      properties: { label: { type: 'string', enum: ['bug', 'feature', 'question'] } },
    },
    enums: { label: ['bug', 'feature', 'question'] },
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
    settings: { 'editor.minimap.enabled': false, 'testing.automaticallyOpenTestResults': 'neverOpen' },
  });
  // Recordings to replay. What was kept goes, and the model begins anew.
  recordings = join(editor.workspace, 'recorded');
  const options = ['eval', 'TicketLabels', '--record', recordings];
  // The exit code is 1: a case fails.
  await promisify(execFile)(process.execPath, [join(root, 'dist/cli.cjs'), ...options], { cwd: editor.workspace }).catch(
    (error: { readonly code?: number }) => expect(error.code).toBe(1),
  );
  rmSync(join(editor.workspace, '.agentstack'), { recursive: true, force: true });
  asked.clear();
  alreadyAsked = model.requests.length;
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
    expect(await agree()).toMatch(/Ask 4 cases\?[\s\S]*at most 20 calls, [\d.]+ USD/);
    await outcome('log file', '2/5, 95 % 12–77 %');
    await outcome('slow export', '4/5, 95 % 38–96 %');
    expect(model.requests.length - alreadyAsked).toBe(20);
  });

  test('shows at the expectation what was answered, and the difference', async () => {
    await openFile(page, cases);
    await goTo(page, 43);
    await page.locator('.monaco-editor[data-uri$="tickets.json"]', { hasText: 'bug\u00a0!=\u00a0question' }).waitFor();
    await runCommand(page, 'Test: Peek Output');
    const peek = page.locator('.test-output-peek');
    await peek.locator('.monaco-diff-editor').waitFor();
    expect(await peek.locator('.view-line').allInnerTexts()).toEqual(expect.arrayContaining(['question', 'bug']));
    await page.keyboard.press('Escape');
  });
});

describe.each(['light', 'dark', 'hc'] as const)('The page of evals in the theme %s', (theme: keyof typeof themes) => {
  let frame: Frame;
  beforeAll(async () => {
    await setTheme(page, theme);
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Agent Stack: Show Evals');
    frame = await webview(page, /^Evals: /);
    await frame.locator('tbody tr').first().waitFor();
  });

  test('has failures first, with their runs', async () => {
    expect(await frame.locator('tbody tr').first().innerText()).toMatch(
      /log file[\s\S]*label is "bug"; expected: equals "question"[\s\S]*failed/,
    );
    await picture(`evals-${theme}`);
    await screenshot(page, `evals-${theme}`);
  });

  test('has links that are underlined, targets of 24 pixels, and no bullets before links', async () => {
    const measured: readonly unknown[] = await frame.evaluate(`[...document.querySelectorAll('summary, button, select')].map((target) => {
      const { width, height } = target.getBoundingClientRect();
      const isUnderlined = getComputedStyle(target).textDecorationLine === 'underline';
      const list = target.closest('li');
      return [Math.min(width, height) >= 24 || height === 0, isUnderlined === target.matches('.link'), list === null || getComputedStyle(list).listStyleType === 'none'];
    })`);
    expect(measured.length).toBeGreaterThan(5);
    expect(measured.flat()).not.toContain(false);
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

describe('The cases of an agent', () => {
  test('are replayed from recordings, without a call', async () => {
    const before = model.requests.length;
    await runWithProfile('Replay');
    await chooseFolder(page, recordings, 'Replay');
    await outcome('log file', 'replayed, 2/5, 95 % 12–77 %');
    expect(model.requests.length).toBe(before);
  });

  test('show in the margin of the agent which values they reach', async () => {
    await openFile(page, agent);
    await runWithProfile('Run with Coverage');
    await agree();
    await page.locator('.coverage-deco-gutter.coverage-deco-hit').first().waitFor();
  });

  test('take over what was answered as expected', async () => {
    // A case that passed has nothing to accept.
    const menu = await openMenu(rows().filter({ hasText: 'login' }).first());
    expect(await menu.locator('.action-item', { hasText: 'Accept as Expected' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await chooseInMenu(rows().filter({ hasText: 'log file' }).first(), 'Accept as Expected');
    const notice = await notification(page, 'Expect of tickets/log file what it answered?');
    await page.locator('.monaco-diff-editor').first().waitFor();
    await notice.getByRole('button', { name: 'Accept', exact: true }).click();
    await expect.poll(() => JSON.parse(readFileSync(join(editor.workspace, cases), 'utf8')).cases[2].expect[0].value).toBe('bug');
  });

  test('are asked again after a save that can change an answer, and judged again after one that cannot', async () => {
    await runCommand(page, 'Test: Start Continuous Run');
    let before = model.requests.length;
    await openFile(page, agent);
    await selectText(page, 'You label tickets.');
    await page.keyboard.type('You label every ticket.');
    await page.keyboard.press('Control+S');
    await agree();
    await expect.poll(() => model.requests.length).toBe(before + 20);
    await outcome('log file', '3/5');
    before = model.requests.length;
    await openFile(page, cases);
    await selectText(page, 'feature');
    await page.keyboard.type('bug');
    await page.keyboard.press('Control+S');
    await outcome('dark theme', '0/5');
    expect(model.requests.length).toBe(before);
    await runCommand(page, 'Test: Stop Continuous Run');
  });
});

test('the page of an eval is there again after the window was loaded anew', async () => {
  await runCommand(page, 'Agent Stack: Show Evals');
  await webview(page, /^Evals: /);
  await Promise.all([page.waitForEvent('load'), runCommand(page, 'Developer: Reload Window')]);
  const frame = await webview(page, /^Evals: /, 60_000);
  await frame.locator('tbody tr').first().waitFor();
});

/** Runs the data set with another profile, as its menu offers them. */
async function runWithProfile(profile: string): Promise<void> {
  await runCommand(page, 'Testing: Focus on Test Explorer View');
  await chooseInMenu(rows().filter({ hasText: 'tickets' }).first(), 'Using Profile');
  await pick(page, profile);
}

/** Agrees to the cost. @returns what was asked */
async function agree(): Promise<string> {
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.waitFor();
  const text = await dialog.innerText();
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  return text;
}

async function outcome(name: string, text: string): Promise<void> {
  await rows().filter({ hasText: name }).first().filter({ hasText: text }).waitFor({ timeout: 60_000 });
}
