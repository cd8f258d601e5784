// Every page in a column of 360 pixels, as beside a file on a small screen: nothing is cut off, and nothing has to be scrolled sideways to.
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor } from '../support/editor.js';
import { runFiles, usage } from '../support/runFiles.js';
import { openFile, pick, runCommand, screenshot, webview } from './workbench.js';

const wide = { width: 1280, height: 900 };
/** With the bar of activities, the only one that is left. */
const narrow = { width: 408, height: 900 };

const said = [
  '## What to do',
  '',
  'Set `agentStack.budget.daily` in **settings.json**, then run `npx agent-stack check --max-cost 0.50 --environment production`.',
  '',
  '| Setting | Default | Meaning |',
  '|---|---|---|',
  '| `agentStack.budget.daily` | `null` | budget for the runs of a day in USD, for all agents of the project |',
  '',
  '```json',
  '{ "agentStack.budget.daily": 5, "agentStack.environment": "production", "agentStack.runs.durable": true }',
  '```',
].join('\n');

let editor: Editor;
let page: Page;
let model: LoopbackServer;

beforeAll(async () => {
  model = await startLoopbackOpenAi({ text: said, usage: { prompt_tokens: 120, completion_tokens: 30 } }, { lenient: true });
  const profile = {
    llm_id: 'loopback',
    provider: 'openai_compatible',
    base_url: model.url,
    model_name: 'a-model-with-a-long-name:70b-instruct',
  };
  const guide = {
    agent_name: 'Guide',
    version: 'v1',
    agent_type: 'react',
    system_text: 'You help with the docs.',
    llm_config_id: 'loopback',
    include_history: true,
  };
  const run = (at: number, llm_id: string, output: object) =>
    runFiles(
      at,
      { name: 'A2', llm_id, context: { timestamp: new Date().toISOString(), case: 'parser' }, input: { task: 'parse logs' } },
      {
        status: 'completed',
        output: { system: 'Friend', ...output },
        reasoning: { smoothness: 1, confidence: 1 },
        metadata: {
          model_name: 'gpt-4.1-mini-2025-04-14',
          provider: 'openai',
          execution_time_ms: 2000,
          estimated_cost_usd: 0.002,
          iterations: 1,
          ...usage(607, 40),
        },
      },
    );
  editor = await openEditor({
    files: {
      'config/llms/loopback.json': JSON.stringify(profile),
      'config/agents/Guide/v1.json': JSON.stringify(guide, null, 2),
      ...run(2, 'openai', { tone: 'direct' }),
      ...run(1, 'anthropic', { tone: 'an answer that is so long that it has to be wrapped in a column of this width' }),
    },
  });
  page = await editor.open(wide);
  await openFile(page, 'config/agents/A2/v1.json');
  await page.locator('.codelens-decoration', { hasText: 'Run' }).filter({ visible: true }).first().waitFor();
  await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
});
afterAll(async () => {
  await editor?.close();
  await model?.close();
});

/** What sticks out on the right, apart from what scrolls in a box of its own. */
const outside = `[...document.querySelectorAll('body *')].filter((one) => {
  const { right, width, height } = one.getBoundingClientRect();
  if (width === 0 || height === 0 || right <= innerWidth + 1) return false;
  for (let box = one.parentElement; box !== null && box !== document.body; box = box.parentElement)
    if (/auto|scroll|hidden/.test(getComputedStyle(box).overflowX)) return false;
  return true;
}).map((one) => one.outerHTML.slice(0, 120))`;

/** Shows the page alone in a narrow window, looks at it, and makes room again. */
async function inNarrow(name: string, title: string | RegExp, look: (frame: Frame) => Promise<unknown>): Promise<void> {
  await webview(page, title);
  // The tab that is active is the one that is seen when all are in one group.
  await page.locator('.tab', { hasText: title }).first().click();
  await runCommand(page, 'View: Join All Editor Groups');
  await page.setViewportSize(narrow);
  const frame = await webview(page, title);
  await look(frame);
  await expect.poll(() => frame.evaluate<number>('innerWidth')).toBeLessThanOrEqual(361);
  await screenshot(page, `narrow-${name}`);
  const found = await frame.evaluate<readonly string[]>(outside);
  const overflow = await frame.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  await page.setViewportSize(wide);
  await runCommand(page, 'View: Close All Editors');
  expect(found).toEqual([]);
  expect(overflow).toBeLessThanOrEqual(0);
}

test('the preview', async () => {
  await runCommand(page, 'Agent Stack: Preview Prompt');
  await inNarrow('preview', /Preview/, (frame) => frame.locator('.piece').first().waitFor());
});

test('a run', async () => {
  await openFile(page, 'config/payloads/A2/parser.json');
  await runCommand(page, 'Agent Stack: Run Agent');
  await pick(page, /offline/);
  await inNarrow('run', /^Run: /, (frame) => frame.locator('.badge.completed').waitFor());
});

test('a run of an orchestration', async () => {
  await openFile(page, 'config/orchestrations/issue_intake.json');
  await runCommand(page, 'Agent Stack: Run Orchestration');
  await pick(page, /./);
  await pick(page, /offline/);
  await inNarrow('team-run', /^Run: /, (frame) => frame.locator('.badge').first().waitFor());
});

test('a graph', async () => {
  await openFile(page, 'config/orchestrations/issue_intake.json');
  await runCommand(page, 'Agent Stack: Show Graph');
  await inNarrow('graph', /^Graph /, (frame) => frame.locator('.node').first().waitFor());
});

test('a chat', async () => {
  await openFile(page, 'config/agents/Guide/v1.json');
  await runCommand(page, 'Agent Stack: Chat with Agent...');
  const frame = await webview(page, 'Chat: Guide@v1');
  const box = frame.getByLabel('Message to Guide');
  await box.fill('How do I limit what a day costs? I would like to know what the setting is called and what it takes.');
  await box.press('Enter');
  await frame.locator('.turn[data-state=completed]').waitFor();
  await inNarrow('chat', 'Chat: Guide@v1', (shown) => shown.locator('.turn').first().waitFor());
});

test('a comparison of runs', async () => {
  await runCommand(page, 'Agent Stack: Focus on Runs View');
  const row = (profile: string) => page.locator('.pane-body .monaco-list-row', { hasText: `parser · ${profile}` }).first();
  await row('openai').click();
  await row('anthropic').click({ modifiers: ['ControlOrMeta'] });
  await runCommand(page, 'Agent Stack: Compare Runs...');
  await webview(page, /^Compare: /);
  await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
  await inNarrow('compare', /^Compare: /, (frame) => frame.locator('table').waitFor());
});

test('an effective configuration, which is an editor that wraps', async () => {
  await openFile(page, 'config/agents/A2/v1.json');
  await runCommand(page, 'Agent Stack: Show Effective Configuration');
  await page.locator('.monaco-editor[data-uri^="agent-stack-effective:"]').waitFor();
  await runCommand(page, 'View: Join All Editor Groups');
  await page.setViewportSize(narrow);
  const lines = page.locator('.monaco-editor[data-uri^="agent-stack-effective:"] .view-lines');
  await expect.poll(async () => (await lines.boundingBox())?.width).toBeLessThanOrEqual(narrow.width);
  await screenshot(page, 'narrow-effective');
  await page.setViewportSize(wide);
});
