import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import { runFiles, usage } from '../support/runFiles.js';
import { violations } from './axe.js';
import { answer, reloadWindow, runCommand, screenshot, setTheme, webview } from './workbench.js';

let editor: Editor;
let page: Page;

const today = new Date().toISOString();

const files = {
  ...runFiles(
    4,
    { name: 'A2', llm_id: 'openai', context: { timestamp: today, case: 'parser' }, input: { task: 'parse logs' } },
    {
      status: 'completed',
      output: { system: 'Friend', tone: 'direct', confidence: 'low' },
      reasoning: { smoothness: 1, confidence: 1 },
      metadata: {
        model_name: 'gpt-5',
        provider: 'openai',
        execution_time_ms: 2000,
        estimated_cost_usd: 0.002,
        iterations: 1,
        ...usage(607, 40),
      },
    },
  ),
  ...runFiles(
    3,
    { name: 'A2', llm_id: 'gemini', context: { timestamp: today, case: 'cloud_costs' }, input: { task: 'sum the refunds' } },
    {
      status: 'completed',
      output: { system: 'Expert', tone: 'direct' },
      reasoning: { smoothness: 0.9, confidence: 0.9 },
      metadata: {
        model_name: 'gemini-3',
        provider: 'gemini',
        execution_time_ms: 1000,
        estimated_cost_usd: 0.003,
        iterations: 1,
        ...usage(590, 60),
      },
    },
  ),
  ...runFiles(
    2,
    { name: 'IssueLabels', llm_id: 'openai', context: { timestamp: today }, input: { title: 'x' } },
    {
      status: 'failed',
      output: null,
      error: { code: 'llm', message: 'Incorrect API key provided.', details: { reason: 'auth', attempts: 1 }, recoverable: false },
      metadata: { model_name: 'gpt-5', provider: 'openai', execution_time_ms: 90, estimated_cost_usd: 0, iterations: 0, ...usage(0, 0) },
    },
  ),
  ...runFiles(
    1,
    { name: 'A2', llm_id: 'openai', context: { timestamp: today, case: 'cloud_costs' }, input: { task: 'stop me' } },
    {
      status: 'cancelled',
      output: null,
      error: { code: 'cancelled', message: 'The run was cancelled.', recoverable: true },
      metadata: {
        model_name: 'gpt-5',
        provider: 'openai',
        execution_time_ms: 5000,
        estimated_cost_usd: 0.004,
        iterations: 0,
        token_usage_incomplete: true,
        ...usage(180, 1240),
      },
    },
  ),
};

beforeAll(async () => {
  editor = await openEditor({ files });
  page = await editor.open();
});
afterAll(async () => {
  await editor?.close();
});

const pane = () => page.locator('.pane', { hasText: 'Runs' });
const rows = () => pane().locator('.monaco-list-row');
/** Without those of groups, which have costs too. */
const runRows = () => rows().filter({ hasText: '@v1' });
const panel = (): Promise<Frame> => webview(page, /^Run: /);
/** What the rows of runs say, without those of groups. */
const listed = async () => (await rows().allInnerTexts()).filter((text) => /@v1/.test(text)).map((text) => text.replaceAll(/\s+/g, ' '));

/** Opens the run whose row has this text, in a tab of this name. */
async function open(row: string, tab: string): Promise<Frame> {
  await runRows().filter({ hasText: row }).first().click();
  await page.locator('.tab.active', { hasText: `Run: ${tab}` }).waitFor();
  return panel();
}

describe('the history', () => {
  test('names the input and the profile of each run, and what it used as far as it is known', async () => {
    await runCommand(page, 'Agent Stack: Focus on Runs View');
    await rows().filter({ hasText: 'IssueLabels@v1' }).waitFor();
    const [cancelled, failed, second, first] = await listed();
    expect(cancelled).toContain('A2@v1cloud_costs · openai');
    expect(cancelled).toContain('at least 1,420 tokens · at least 0.004 USD');
    expect(failed).toContain('IssueLabels@v1');
    expect(second).toContain('A2@v1cloud_costs · gemini');
    expect(first).toContain('647 tokens · 0.002 USD');
  });

  test('is filtered by status, agent, input and profile', async () => {
    await runCommand(page, 'Agent Stack: Filter Runs...');
    const row = (text: string) => page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
    await row('cloud_costs').waitFor();
    await screenshot(page, 'runs-filter');
    await row('failed').click();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await listed()).length).toBe(1);
    expect((await listed())[0]).toContain('IssueLabels@v1');
    await pane().locator('.description', { hasText: 'failed' }).first().waitFor();
    await runCommand(page, 'Agent Stack: Show All Runs');
    await expect.poll(async () => (await listed()).length).toBe(4);
  });

  test('is searched for a text of the input or the answer', async () => {
    await runCommand(page, 'Agent Stack: Search Runs...');
    await answer(page, 'REFUNDS', /A text in the input/);
    await expect.poll(listed).toEqual([expect.stringContaining('gemini')]);
    await runCommand(page, 'Agent Stack: Search Runs...');
    await answer(page, 'nowhere', /A text in the input/);
    await pane().locator('.message', { hasText: 'No run fits the filter.' }).waitFor();
    await screenshot(page, 'runs-none');
    await runCommand(page, 'Agent Stack: Show All Runs');
    await expect.poll(async () => (await listed()).length).toBe(4);
  });
});

describe('a run of the history', () => {
  test('that failed says why as a person would, with the code behind it', async () => {
    const frame = await open('IssueLabels@v1', 'IssueLabels@v1 · openai');
    await frame.locator('.problem.error h2', { hasText: 'The key was refused' }).waitFor();
    expect(await frame.locator('.problem.error code').innerText()).toContain('llm/auth');
    await screenshot(page, 'run-refused-key');
  });

  test('that was cancelled tells what it used at least, and is not red', async () => {
    const frame = await open('at least', 'A2@v1 · cloud_costs · openai');
    await frame.locator('.badge.cancelled').waitFor();
    const facts = await frame.locator('dl.facts').innerText();
    expect(facts).toMatch(/at least 180 in, 1,240 out/);
    expect(facts).toMatch(/at least 0\.004 USD/);
    const colours = await frame.evaluate<boolean>(
      `getComputedStyle(document.querySelector('.badge')).color === getComputedStyle(document.body).color`,
    );
    expect(colours).toBe(true);
    await screenshot(page, 'run-cancelled');
  });

  test('whose answer says how sure it is has no second number beside that', async () => {
    const frame = await open('0.002 USD', 'A2@v1 · parser · openai');
    await frame.locator('.badge.completed').waitFor();
    expect(await frame.locator('meter').count()).toBe(0);
    expect(await frame.locator('.course').isVisible()).toBe(false);
    expect(await frame.locator('button', { hasText: 'Continue Conversation' }).isVisible()).toBe(false);
    const other = await open('0.003 USD', 'A2@v1 · cloud_costs · gemini');
    await other.locator('.course', { hasText: 'Smoothness of the run: 90 %' }).waitFor();
  });
});

describe('several runs', () => {
  const table = (): Promise<Frame> => webview(page, /^Compare: /);

  test('are compared in a table that marks what differs', async () => {
    await runRows().filter({ hasText: '0.002 USD' }).click();
    await runRows()
      .filter({ hasText: '0.003 USD' })
      .click({ modifiers: ['Control'] });
    await rows()
      .filter({ hasText: 'IssueLabels' })
      .click({ modifiers: ['Control'] });
    await runCommand(page, 'Agent Stack: Compare Runs...');
    const frame = await table();
    const line = (name: string) => frame.locator('tr', { has: frame.locator('th', { hasText: new RegExp(`^≠?${name}$`) }) });
    await line('Profile').waitFor();
    expect(await frame.locator('thead th').count()).toBe(4);
    expect(await line('Profile').getAttribute('class')).toBe('differs');
    // Against the first run.
    expect(
      await line('Profile')
        .locator('td')
        .evaluateAll((cells) => cells.map(({ className }) => className)),
    ).toEqual(['', 'other', '']);
    expect(await line('Cost').locator('td').allInnerTexts()).toEqual(['0.002 USD', '0.003 USD (+50 %)', '0 USD (-100 %)']);
    expect(await line('Error').innerText()).toContain('The key was refused: Incorrect API key provided.');
    await frame.locator('label', { hasText: 'Only what differs' }).click();
    await expect.poll(() => frame.locator('tbody tr:not(.part):not(.differs)').count()).toBe(0);
  });

  test.each(['light', 'dark', 'hc'] as const)('can be read in %s', async (theme) => {
    await setTheme(page, theme);
    const frame = await table();
    expect(await violations(frame)).toEqual([]);
    await screenshot(page, `compare-${theme}`);
  });

  test('are there again after the window was reloaded', async () => {
    await setTheme(page, 'light');
    await reloadWindow(page);
    const frame = await table();
    await frame.locator('thead th').nth(3).waitFor();
    expect(await frame.locator('thead th').count()).toBe(4);
  });

  test('can be read in a narrow window', async () => {
    await page.setViewportSize({ width: 720, height: 800 });
    try {
      const frame = await table();
      const overflows = () => frame.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
      await expect.poll(overflows).toBe(false);
      await screenshot(page, 'compare-720');
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });
});
