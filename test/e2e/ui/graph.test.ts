// The graph beside an orchestration, and runs of orchestrations: as people see them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoopbackReply, type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor, root } from '../support/editor.js';
import { violations } from './axe.js';
import {
  caret,
  goTo,
  notification,
  openFile,
  pick,
  revert,
  runCommand,
  screenshot,
  screenshotInThemes,
  selectText,
  themes,
  typeInEditor,
  webview,
} from './workbench.js';

const sample = 'config/orchestrations/issue_intake.json';
const loopFile = 'config/orchestrations/review_loop.json';

const text = (name: string, more: object = {}) => ({
  agent_name: name,
  version: 'v1',
  mode: 'Writer',
  llm_config_id: 'loopback',
  system_text: `You are ${name}.`,
  purpose_text: 'Do it.',
  ...more,
});
const writer = text('Draft', {
  output_schema: { type: 'object', additionalProperties: false, required: ['text'], properties: { text: { type: 'string' } } },
});
const judge = text('Judge', {
  mode: 'Chooser',
  enums: { verdict: ['good', 'again'] },
  output_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['verdict'],
    properties: { verdict: { type: 'string', enum: ['good', 'again'] } },
  },
});
const loop = {
  name: 'review_loop',
  entry_team: 'draft',
  max_total_teams: 8,
  max_recursion_depth: 3,
  context: { topic: 'Graphs', round: 0 },
  teams: {
    draft: {
      name: 'Draft',
      tasks: [{ name: 'write', agent: 'Draft@v1', input: { topic: '{{context.topic}}' } }],
      routing: { default: 'review' },
    },
    review: {
      name: 'Review',
      tasks: [
        { name: 'judge', agent: 'Judge@v1', input: { topic: '{{context.topic}}' } },
        { name: 'facts', agent: 'Judge@v1', input: { topic: '{{context.topic}}' }, depends_on: ['judge'] },
      ],
      routing: {
        rules: [
          {
            condition: { task: 'judge', output_field: 'verdict', operator: 'equals', value: 'again' },
            next_team: 'draft',
            context_updates: { round: 1 },
          },
          { condition: { task: 'judge', status: 'failure' }, next_team: 'desk' },
        ],
        default: null,
      },
    },
    desk: { name: 'Desk', tasks: [{ name: 'note', agent: 'Draft@v1', input: { topic: 'x' } }], routing: { default: null } },
    archive: { name: 'Archive', tasks: [{ name: 'keep', agent: 'Draft@v1', input: { topic: 'x' } }], routing: { default: null } },
  },
};

let editor: Editor;
let page: Page;
let model: LoopbackServer;
let graph: Frame;
/** What the model says to a judge, in turn; writers get a text. */
let verdicts: string[] = [];
let fault: LoopbackReply['fault'];

beforeAll(async () => {
  model = await startLoopbackOpenAi(
    ({ body }) => {
      const isJudge = JSON.stringify(body).includes('You are Judge.');
      if (isJudge && fault !== undefined) return { fault };
      return { text: JSON.stringify(isJudge ? { verdict: verdicts.shift() ?? 'good' } : { text: 'A graph has nodes.' }) };
    },
    { lenient: true },
  );
  const profile = { llm_id: 'loopback', provider: 'openai_compatible', base_url: model.url, model_name: 'loop-1' };
  const files = {
    'config/llms/loopback.json': profile,
    'config/agents/Draft/v1.json': writer,
    'config/agents/Judge/v1.json': judge,
    [loopFile]: loop,
    'config/payloads/review_loop/saved.json': { input: { topic: 'Saved topics' } },
  };
  editor = await openEditor({
    settings: { 'workbench.colorTheme': themes.light },
    files: Object.fromEntries(Object.entries(files).map(([path, value]) => [path, `${JSON.stringify(value, null, 2)}\n`])),
  });
  await interruptRun();
  page = await editor.open({ width: 1280, height: 860 });
}, 180_000);
afterAll(async () => {
  await editor?.close();
  await model?.close();
});

/** A run in a terminal that is killed while its second team waits for the model. */
async function interruptRun(): Promise<void> {
  fault = 'hang';
  const before = model.requests.length;
  const child = spawn(process.execPath, [join(root, 'dist/cli.cjs'), 'orchestrate', 'review_loop', '--json'], {
    cwd: editor.workspace,
    stdio: 'ignore',
  });
  for (const end = Date.now() + 60_000; model.requests.length - before < 2; ) {
    if (Date.now() > end || child.exitCode !== null) throw new Error('The run did not get to its second team.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  fault = undefined;
}

const runIds = () => readdirSync(join(editor.workspace, '.agentstack/runs')).sort();
const node = (id: string) => graph.locator('.node.team', { has: graph.locator(`.head .id:text-is("${id}")`) });
const runPanel = () => webview(page, /^Run: /);

async function openGraph(path: string): Promise<void> {
  await openFile(page, path);
  await page.locator('.codelens-decoration a', { hasText: 'Graph' }).filter({ visible: true }).first().waitFor();
  await runCommand(page, 'Agent Stack: Show Graph');
  graph = await webview(page, /^Graph /);
  await graph.locator('.node').first().waitFor();
}

describe('a run that was interrupted', () => {
  test('is offered when VS Code opens, and goes on from what it has finished', async () => {
    await openFile(page, loopFile);
    const notice = await notification(page, 'was interrupted');
    await screenshot(page, 'resume-offer');
    const [first] = runIds();
    const asked = model.requests.length;
    await notice.locator('.monaco-button', { hasText: /^Resume$/ }).click();
    const frame = await runPanel();
    await frame.locator('.badge.completed').waitFor();
    expect(runIds()).toEqual([first]);
    // The draft was finished: only the two judges are asked.
    expect(model.requests.length - asked).toBe(2);
    expect(await frame.locator('.other').first().textContent()).toContain('Resumed: ');
    await screenshot(page, 'run-team-resumed');
  });
});

describe('the graph', () => {
  test('shows teams, tasks and routes beside the file', async () => {
    await openGraph(sample);
    await expect.poll(() => graph.locator('.node.team .head .id').allTextContents()).toEqual(['triage', 'incident']);
    expect(await node('triage').getAttribute('class')).toContain('entry');
    expect(await graph.locator('.label').first().textContent()).toContain('1. labels: failure');
    await screenshotInThemes(page, 'graph');
  });

  test('follows the active orchestration, marks what is wrong and what cannot be reached', async () => {
    await openFile(page, loopFile);
    await node('archive').waitFor();
    expect(await node('archive').getAttribute('class')).toContain('unreachable');
    await node('archive').locator('.mark.warning').waitFor();
    await selectText(page, 'desk');
    await typeInEditor(page, 'dusk');
    await graph.locator('.node.missing', { hasText: 'dusk' }).waitFor();
    await graph.locator('.label .mark.error').waitFor();
    await screenshot(page, 'graph-findings');
    await revert(page);
    await graph.locator('.node.missing').waitFor({ state: 'detached' });
  });

  test('keeps the last good picture while the file is broken, and nothing in it moves', async () => {
    const places = () =>
      graph.evaluate<string>(`JSON.stringify([...document.querySelectorAll('header, .picture, .node, .label, .details')]
      .map((part) => part.getBoundingClientRect()).map(({ top, left }) => [Math.round(top), Math.round(left)]))`);
    await selectText(page, '"entry_team"');
    // The marks of the findings come after the picture, and make what they are on wider.
    await graph.locator('.label .mark.error').waitFor({ state: 'detached' });
    await node('archive').locator('.mark.warning').waitFor();
    const before = await places();
    await typeInEditor(page, 'oops');
    await graph.locator('.problems.stale', { hasText: 'Last good state.' }).waitFor();
    expect(await node('review').count()).toBe(1);
    await expect.poll(places).toBe(before);
    await screenshot(page, 'graph-broken');
    await revert(page);
    await graph.locator('.problems.fine', { hasText: loopFile }).waitFor();
    await expect.poll(places).toBe(before);
  });

  test('names a file of which there is nothing to show yet, instead of the one before', async () => {
    writeFileSync(join(editor.workspace, 'config/orchestrations/half.json'), '{ "name": ');
    await openFile(page, 'config/orchestrations/half.json');
    await graph.locator('.start', { hasText: 'There is nothing to show yet: Line 1' }).waitFor();
    expect(await graph.locator('h1').textContent()).toBe('half');
    expect(await graph.locator('.node').filter({ visible: true }).count()).toBe(0);
    expect(await graph.getByRole('button').filter({ visible: true }).count()).toBe(0);
    await screenshot(page, 'graph-nothing');
    await openFile(page, loopFile);
    await node('archive').waitFor();
    await graph.getByRole('button', { name: 'Run', exact: true }).waitFor();
  });

  test('leads to the JSON, and shows what the caret is in', async () => {
    await openFile(page, loopFile);
    await node('review').locator('.task', { hasText: 'facts' }).click();
    const lines = readFileSync(join(editor.workspace, loopFile), 'utf8').split('\n');
    const task = lines.findIndex((one) => one.includes('"facts"'));
    // The object that its name is the first member of.
    await expect.poll(async () => (await caret(page)).line).toBe(task);
    const rule = lines.findIndex((one) => one.includes('"equals"')) + 1;
    await goTo(page, rule, 12);
    await graph.locator('.label.is-lit', { hasText: 'judge.verdict equals again' }).waitFor();
  });

  test('can be walked through by keyboard alone', async () => {
    await graph.locator('.node.start').focus();
    const focused = () =>
      graph.evaluate<string>(
        '[document.activeElement?.getAttribute("aria-roledescription"), document.activeElement?.textContent].join(" ")',
      );
    const press = async (key: string, words: string) => {
      await graph.locator(':focus').press(key);
      await expect.poll(focused).toContain(words);
    };
    await press('ArrowDown', 'team draft');
    await press('ArrowDown', 'task write');
    await press('ArrowDown', 'route default, from draft to review');
    await press('ArrowDown', 'team review');
    await press('ArrowDown', 'task judge');
    await press('ArrowDown', 'task facts');
    await press('ArrowDown', 'route 1. judge.verdict equals againℹ\ufe0e, from review to draft');
    expect(await graph.locator('.details').textContent()).toContain('{"round":1}');
    await press('ArrowDown', 'team draft');
    await press('End', ' End');
    await press('Home', 'Entry');
    await screenshot(page, 'graph-focus');
    await press('ArrowDown', 'team draft');
    await graph.locator(':focus').press('Enter');
    await expect.poll(async () => (await caret(page)).line).toBe(11);
  });

  test('is as good as a list, and nothing stands in the way of a screen reader', async () => {
    expect(await violations(graph)).toEqual([]);
    await graph.getByRole('button', { name: 'List', exact: true }).click();
    await graph.getByRole('button', { name: /^Rule 1: from review to draft when judge\.verdict equals again/ }).waitFor();
    expect(await violations(graph)).toEqual([]);
    await screenshot(page, 'graph-list');
    await graph.getByRole('button', { name: 'Diagram', exact: true }).click();
  });

  test('is zoomed by buttons, keys and the wheel', async () => {
    const scale = graph.locator('.scale');
    await graph.getByRole('button', { name: 'Original size (1)' }).or(graph.locator('.scale')).first().click();
    await expect.poll(() => scale.textContent()).toBe('100 %');
    await graph.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => scale.textContent()).toBe('125 %');
    await graph.locator('.node.start').press('-');
    await expect.poll(() => scale.textContent()).toBe('100 %');
    await graph.locator('.node.start').hover();
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -40);
    await page.keyboard.up('Control');
    await expect.poll(() => scale.textContent()).not.toBe('100 %');
    await graph.getByRole('button', { name: 'Fit' }).click();
  });

  test('is copied as Mermaid', async () => {
    await graph.locator('.menu summary').click();
    await screenshot(page, 'graph-export');
    const isInside = '(({ left, right }) => left >= 0 && right <= innerWidth)(document.querySelector(".entries").getBoundingClientRect())';
    expect(await graph.evaluate(isInside)).toBe(true);
    await graph.getByRole('button', { name: 'Copy as Mermaid' }).click();
    await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toContain('flowchart TD');
  });

  test.each([
    ['Save as SVG', 'review_loop.svg', '<svg'],
    ['Save as Mermaid', 'review_loop.mmd', 'flowchart TD'],
    ['Save as Mermaid', 'way.md', '```mermaid\nflowchart TD'],
  ])('is written by %s to %s', async (entry, name, start) => {
    await graph.locator('.menu summary').click();
    await graph.getByRole('button', { name: entry }).click();
    const box = page.locator('.quick-input-widget:not([style*="display: none"]) .quick-input-box input');
    await box.waitFor();
    const path = join(editor.workspace, name);
    // What is offered comes a moment after the box, and would take the place of what was typed.
    await expect.poll(() => box.inputValue()).toContain(join(editor.workspace, 'review_loop.'));
    await box.fill(path);
    await page.keyboard.press('Enter');
    await notification(page, `The graph is in ${name}.`);
    expect(readFileSync(path, 'utf8').slice(0, start.length)).toBe(start);
    await runCommand(page, 'Notifications: Clear All Notifications');
  });
});

describe('a run of an orchestration', () => {
  test('lights up the graph, and is a tree in its panel', async () => {
    verdicts = ['again', 'good', 'good', 'good'];
    await graph.getByRole('button', { name: 'Run', exact: true }).click();
    await pick(page, 'saved');
    await pick(page, 'Each agent with its own');
    const frame = await runPanel();
    await frame.locator('.badge.completed').waitFor();
    expect(await frame.locator('section[aria-labelledby=context-title]').innerText()).toContain('Saved topics');
    // The panel of the run before lay over the graph: now both are to be seen.
    await graph.locator('.run-bar', { hasText: 'Completed' }).waitFor();
    expect(await frame.locator('.team > summary h3').allTextContents()).toEqual(['Team draft', 'Team review', 'Team draft', 'Team review']);
    expect(await frame.locator('.team').last().locator('.task > summary h4').allTextContents()).toEqual(['Task judge', 'Task facts']);
    expect(await frame.locator('.team').last().locator('.route').textContent()).toContain('No rule matched: the run ends');
    await screenshotInThemes(page, 'run-team');
    await frame.evaluate(`for (const box of document.querySelectorAll('details')) box.open = true`);
    expect(await violations(frame)).toEqual([]);
  });

  test('leaves its way in the graph, with counts', async () => {
    await (await runPanel()).getByRole('button', { name: 'Show in Graph' }).click();
    graph = await webview(page, /^Graph /);
    await node('review').locator('.count', { hasText: '×2' }).waitFor();
    expect(await node('review').getAttribute('class')).toContain('done');
    expect(await graph.locator('.way.taken').count()).toBe(4);
    await screenshotInThemes(page, 'graph-run');
    expect(await violations(graph)).toEqual([]);
  });

  test('shows where it is, can be cancelled, and be resumed', async () => {
    await graph.getByRole('button', { name: 'Hide' }).click();
    fault = 'hang';
    await graph.getByRole('button', { name: 'Run', exact: true }).click();
    await pick(page, 'With the context of the file');
    await pick(page, 'Each agent with its own');
    const before = await runPanel();
    // What was picked lay above a tab, whose hover would cover the panel.
    await page.mouse.move(640, 700);
    await before.locator('.task[data-state="running"]', { hasText: 'judge' }).waitFor();
    await screenshot(page, 'run-team-running');
    await before.getByRole('button', { name: 'Show in Graph' }).click();
    graph = await webview(page, /^Graph /);
    await graph.locator('.node.team.running', { hasText: 'review' }).waitFor();
    await screenshot(page, 'graph-running');
    // It is found again after another orchestration was looked at.
    await openFile(page, sample);
    await node('incident').waitFor();
    expect(await graph.locator('.node.team.running').count()).toBe(0);
    await openFile(page, loopFile);
    await graph.locator('.node.team.running', { hasText: 'review' }).waitFor();
    await graph.getByRole('button', { name: 'Show Run' }).click();
    await (await runPanel()).getByRole('button', { name: 'Cancel' }).click();
    await graph.locator('.run-bar', { hasText: 'Cancelled' }).waitFor();
    fault = undefined;
    await graph.getByRole('button', { name: 'Show Run' }).click();
    const frame = await runPanel();
    await frame.locator('.badge.cancelled').waitFor();
    await frame.getByRole('button', { name: 'Resume' }).click();
    await (await runPanel()).locator('.badge.completed').waitFor();
  });

  test('fits a narrow window', async () => {
    graph = await webview(page, /^Graph /);
    await page.setViewportSize({ width: 700, height: 760 });
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await screenshot(page, 'run-team-narrow');
    await graph.locator('.node').first().waitFor();
    // What was fitted to a wide window is fitted to the narrow one.
    await graph.getByRole('button', { name: 'Fit' }).click();
    const whole = 'document.querySelector(".viewport").scrollWidth <= document.querySelector(".viewport").clientWidth';
    await expect.poll(() => graph.evaluate(whole)).toBe(true);
    await page.setViewportSize({ width: 640, height: 760 });
    await expect.poll(() => graph.evaluate(whole)).toBe(true);
    await screenshot(page, 'graph-narrow');
    expect(await graph.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});
