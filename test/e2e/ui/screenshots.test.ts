// The pictures of the README: the installed extension after real input, written into docs/images. Runs with UPDATE_SCREENSHOTS=1 only.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../core/json.js';
import { type LoopbackReply, type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor, root } from '../support/editor.js';
import { runFiles, usage } from '../support/runFiles.js';
import { type Shot, toMovingPng, toSmallPng } from '../support/smallPng.js';
import { resultsIn, type ScriptedCall, toolCallReply } from '../support/toolCalls.js';
import {
  expand,
  goTo,
  lightBulb,
  openFile,
  pick,
  answer as reply,
  revert,
  runCommand,
  screenshot,
  selectText,
  setTheme,
  type themes,
  waitForFinding,
  webview,
} from './workbench.js';

const folder = join(root, 'docs/images');
const mostBytes = 150 * 1024;
const a2 = 'config/agents/A2/v1.json';
const notes = 'config/agents/ReleaseNotes/v1.json';
const helper = 'config/agents/DocsHelper/v1.json';
const answer = {
  headline: 'Tidewater CLI 3.0.0: keep two folders in step with --watch',
  summary: 'This version syncs continuously and much faster. Everybody who has a ~/.tiderc has to move it once.',
  breaking_changes: [{ change: 'Configuration is read from ~/.config/tide/config.toml.', action: 'Run `tide migrate` once.' }],
  improvements: [
    '`tide sync --watch` keeps two folders in step while it runs.',
    'The first sync of 100,000 files takes 9 s instead of 31 s.',
  ],
  fixes: ['Sync no longer stops at file names with a line break.', 'The exit code is 1 when at least one file could not be copied.'],
};

/** The agent of the moving picture. */
const triage = 'config/agents/Triage/v1.json';
const triageText = `{
  "system_text": "You sort the messages that reach the support desk of a web shop.",
  "user_text": "{{input.text}}",
  "output_schema": {
    "type": "object",
    "additionalProperties": false,
    "required": ["category", "urgency"],
    "properties": {
      "category": { "type": "string", "enum": ["order", "refund", "other"] },
      "urgency": { "type": "string", "enum": ["low", "high"] }
    }
  },
  "provider": "openai",
  "model_name": "gpt-5.4-mini",
  "max_output_tokens": 200
}
`;

const lookUps: readonly ScriptedCall[] = [
  { name: 'search_files', args: { query: 'prompt', path: 'config/agents' }, thought: 'I look for agents that speak of prompts.' },
  { name: 'fetch_document', args: { id: 'config/agents/A2/v1.json' }, thought: 'A2 could be the one: I read its file before I say so.' },
];

/** The same input, answered by three models: yesterday, so that they are below what the pictures run. */
const compared = [
  { llm_id: 'openai', model_name: 'gpt-4.1-mini', depth: 'detailed', confidence: 'high', time: 1840, cost: 0.00041, spent: usage(607, 58) },
  {
    llm_id: 'anthropic',
    model_name: 'claude-haiku-4-5',
    depth: 'detailed',
    confidence: 'high',
    time: 2210,
    cost: 0.0009,
    spent: usage(640, 61),
  },
  {
    llm_id: 'gemini',
    model_name: 'gemini-2.5-flash',
    depth: 'short',
    confidence: 'medium',
    time: 960,
    cost: 0.00033,
    spent: usage(598, 55),
  },
];

function keptRuns(): Record<string, string> {
  const { input } = JSON.parse(readFileSync(join(root, 'config/payloads/A2/parser.json'), 'utf8'));
  const files = compared.map(({ llm_id, model_name, depth, confidence, time, cost, spent }, index) => {
    const at = 24 * 60 + 3 - index;
    const timestamp = new Date(Date.now() - at * 60_000).toISOString();
    const output = { system: 'Python_Programmer', audience: 'Developer', tone: 'direct', response_depth: depth, confidence };
    const metadata = { model_name, provider: llm_id, execution_time_ms: time, estimated_cost_usd: cost, iterations: 1, ...spent };
    const run = { name: 'A2', llm_id, context: { timestamp, case: 'parser' }, input };
    return runFiles(at, run, { status: 'completed', output, reasoning: { smoothness: 1, confidence: 1 }, metadata });
  });
  return Object.assign({}, ...files);
}

let editor: Editor;
let page: Page;
let model: LoopbackServer;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify(answer, null, 2).match(/.{1,12}/gs) ?? [];
  const spent = { prompt_tokens: 512, completion_tokens: 171 };
  model = await startLoopbackOpenAi(({ body }) => (Array.isArray(body.tools) ? lookUp(body) : { text, usage: spent }), { lenient: true });
  const price = { input: 0.2, output: 0.6 };
  const profile = { llm_id: 'local', provider: 'openai_compatible', base_url: model.url, model_name: 'qwen3-32b', price };
  editor = await openEditor({
    files: {
      'config/llms/local.json': `${JSON.stringify(profile, null, 2)}\n`,
      // The chat asks the agent's own model.
      [helper]: readFileSync(join(root, helper), 'utf8').replace('"input_keys"', '"llm_config_id": "local",\n  "input_keys"'),
      [triage]: triageText,
      'config/payloads/Triage/refund.json': '{ "input": { "text": "My order came broken. I want my money back." } }\n',
      ...keptRuns(),
    },
    settings: { 'editor.minimap.enabled': false },
  });
  page = await editor.open({ width: 1280, height: 800 });
  await openFile(page, a2);
});
afterAll(async () => {
  await editor?.close();
  await model?.close();
});

/** A model that looks before it answers. */
function lookUp(body: JsonObject): LoopbackReply {
  const last = JSON.stringify((body.messages as readonly unknown[]).at(-1));
  if (last.includes('release notes')) return { text: said(releaseAnswer), usage: { prompt_tokens: 1310, completion_tokens: 33 } };
  const done = resultsIn(body).length;
  const call = lookUps[done];
  const spent = { prompt_tokens: 840 + 610 * done, completion_tokens: 64, total_tokens: 904 + 610 * done };
  if (call !== undefined) return toolCallReply(call, `call_${done}`, spent);
  return {
    text: said('A2 shapes prompts: it chooses the system, the audience and the tone for a task. (config/agents/A2/v1.json)'),
    usage: spent,
  };
}

const releaseAnswer = '**ReleaseNotes** writes them, from a list of changes. It is a *Writer*: each field of its answer is free text.';

function said(text: string): string[] {
  return text.match(/.{1,12}/gs) ?? [];
}

/** Opens an agent, with the lenses above it. */
async function openAgent(path: string): Promise<void> {
  await openFile(page, path);
  await page.locator('.codelens-decoration', { hasText: 'at most' }).filter({ visible: true }).first().waitFor();
}

async function picture(name: string): Promise<void> {
  // Not over anything that would explain itself; what does so already goes.
  await page.mouse.move(640, 799);
  await page.locator('.workbench-hover-container').waitFor({ state: 'hidden' });
  const png = toSmallPng(await page.screenshot({ caret: 'hide', animations: 'disabled' }));
  writeFileSync(join(folder, `${name}.png`), png);
  expect(png.length).toBeGreaterThan(10 * 1024);
  expect(png.length).toBeLessThan(mostBytes);
}

/** A wrong value, typed, and what the editor says about it. */
async function findings(): Promise<string> {
  await closeAll();
  await openAgent(a2);
  await goTo(page, 3);
  await page.keyboard.press('End');
  await page.keyboard.type('\n"agent_type": "single_shoot",');
  await waitForFinding(page);
  await goTo(page, 4, 22);
  // What can be done about it is asked for with the caret on it, and told in the hover once it is known.
  await lightBulb(page).waitFor();
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Control+I');
  const hover = page.locator('.monaco-hover', { hasText: 'Did you mean' });
  await hover.waitFor();
  return hover.innerText();
}

/** The caret in a sentence of the JSON, which lights up in the prompt. */
async function preview(): Promise<string> {
  await closeAll();
  await hideSideBar();
  await openAgent(a2);
  await runCommand(page, 'Agent Stack: Preview Prompt');
  const frame = await webview(page, /Preview/);
  await frame.locator('.piece').first().waitFor();
  await selectText(page, 'Where the parts disagree');
  await page.keyboard.press('ArrowRight');
  const lit = frame.locator('.piece.is-lit');
  await lit.waitFor();
  return lit.innerText();
}

/** The answer of a model, field by field. */
async function run(): Promise<string> {
  await closeAll();
  await hideSideBar();
  await openAgent(notes);
  await page.keyboard.press('Control+Alt+R');
  await pick(page, /^spring_release/);
  await pick(page, /^local/);
  const frame = await webview(page, /^Run: /);
  await frame.locator('.badge.completed').waitFor();
  return frame.locator('body').innerText();
}

/** An agent that looks into the project, step by step. */
async function tools(): Promise<string> {
  await closeAll();
  await hideSideBar();
  await openAgent(helper);
  await page.keyboard.press('Control+Alt+R');
  await pick(page, /Type it in/);
  await reply(page, 'Which agent shapes prompts?', 'message');
  await pick(page, /^local/);
  const frame = await webview(page, /^Run: /);
  await frame.locator('.badge.completed').waitFor();
  await frame.locator('.step > summary').nth(1).click();
  await frame.locator('.steps').scrollIntoViewIfNeeded();
  return frame.locator('.steps').innerText();
}

/** A conversation: a question, what the agent looked up, and what it was asked next. */
async function chat(): Promise<string> {
  await closeAll();
  await hideSideBar();
  await openAgent(helper);
  await runCommand(page, 'Agent Stack: Chat with Agent...');
  const frame = await webview(page, /^Chat: /);
  const box = frame.getByLabel('message', { exact: true });
  await frame.getByText('Write a message to begin the conversation.').waitFor();
  for (const [index, message] of ['Which agent shapes prompts?', 'And which one writes the release notes?'].entries()) {
    await box.fill(message);
    await box.press('Enter');
    await frame.locator(`.turn:nth-child(${index + 1})[data-state=completed]`).waitFor();
  }
  return frame.locator('body').innerText();
}

/** The answers of three models to one input, side by side. */
async function comparison(): Promise<string> {
  await closeAll();
  await runCommand(page, 'View: Show Agent Stack');
  const rows = page.locator('.pane', { hasText: 'Runs' }).locator('.monaco-list-row');
  const yesterday = rows.filter({ hasText: 'Yesterday' });
  await expand(yesterday);
  await rows.filter({ hasText: 'openai' }).first().click();
  for (const name of ['anthropic', 'gemini'])
    await rows
      .filter({ hasText: name })
      .first()
      .click({ modifiers: ['Control'] });
  await runCommand(page, 'Agent Stack: Compare Runs...');
  const frame = await webview(page, /^Compare: /);
  await frame.locator('tr.differs').first().waitFor();
  // The tabs of the runs that were selected on the way are of no interest.
  await hideSideBar();
  return frame.locator('body').innerText();
}

/** The teams of an orchestration, and the route that the caret is in. */
async function graph(): Promise<string> {
  await closeAll();
  await hideSideBar();
  await openFile(page, 'config/orchestrations/issue_intake.json');
  // It opens where it was left in the theme before.
  await goTo(page, 1);
  // One of an editor that is closed may still be in the page, unseen.
  await page.locator('.codelens-decoration a', { hasText: 'Graph' }).filter({ visible: true }).first().waitFor();
  await runCommand(page, 'Agent Stack: Show Graph');
  const frame = await webview(page, /^Graph /);
  await frame.locator('.node').first().waitFor();
  await selectText(page, '"critical"');
  const lit = frame.locator('.label.is-lit');
  await lit.waitFor();
  return (await lit.textContent()) ?? '';
}

/** What the project has. */
async function agents(): Promise<string> {
  await closeAll();
  await openAgent(a2);
  await runCommand(page, 'View: Show Agent Stack');
  const row = (label: string) =>
    page.locator('.pane-body .monaco-list-row', { has: page.locator('.label-name', { hasText: new RegExp(`^${label}$`) }) });
  await row('A2').first().click();
  await page.keyboard.press('ArrowRight');
  await row('parser').first().waitFor();
  return page.locator('.pane-body').filter({ visible: true }).first().innerText();
}

async function closeAll(): Promise<void> {
  if ((await page.locator('.tab.dirty').count()) > 0) await revert(page);
  await runCommand(page, 'View: Close All Editors');
  await page.locator('.tab').first().waitFor({ state: 'detached' });
  await runCommand(page, 'View: Show Explorer');
  await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
}

async function hideSideBar(): Promise<void> {
  await page.keyboard.press('Control+B');
  await page.locator('.part.sidebar').waitFor({ state: 'hidden' });
}

interface Scene {
  readonly name: string;
  /** Brings the scene about and returns the text it is about, as the user reads it. */
  readonly show: () => Promise<string>;
  readonly shows: string;
  readonly themes: readonly (keyof typeof themes)[];
}

const scenes: readonly Scene[] = [
  { name: 'findings', show: findings, shows: 'single_shot', themes: ['light', 'dark'] },
  { name: 'preview', show: preview, shows: 'Where the parts disagree', themes: ['light', 'dark', 'hc'] },
  { name: 'run', show: run, shows: answer.headline, themes: ['light', 'dark', 'hc'] },
  { name: 'run-tools', show: tools, shows: 'search_files', themes: ['light', 'dark', 'hc'] },
  { name: 'graph', show: graph, shows: 'critical', themes: ['light', 'dark', 'hc'] },
  { name: 'chat', show: chat, shows: 'ReleaseNotes', themes: ['light'] },
  { name: 'compare', show: comparison, shows: 'claude-haiku-4-5', themes: ['light'] },
  { name: 'agents', show: agents, shows: 'parser', themes: ['light', 'dark'] },
];

describe.each(['light', 'dark', 'hc'] as const)('Pictures in the theme %s', (theme) => {
  beforeAll(() => setTheme(page, theme));

  test.each(scenes.filter(({ themes }) => themes.includes(theme)))('$name', async ({ name, show, shows }) => {
    expect(await show()).toContain(shows);
    await picture(pictureName(name, theme));
  });
});

test('The moving picture: a typo, what is said of it, its fix, the prompt and what it costs', async () => {
  await setTheme(page, 'light');
  await page.setViewportSize({ width: 1040, height: 600 });
  await closeAll();
  await hideSideBar();
  await openAgent(triage);
  const shots: Shot[] = [];
  const shoot = async (milliseconds: number) => {
    await page.mouse.move(520, 599);
    shots.push({ png: await page.screenshot({ animations: 'disabled' }), milliseconds });
    await screenshot(page, `tour-${shots.length}`);
  };
  await goTo(page, 15);
  await page.keyboard.press('End');
  await shoot(1800);
  for (const piece of [',\n"defaults": {', ' "urgency": ', '"normal" }']) {
    await page.keyboard.type(piece);
    await shoot(350);
  }
  await waitForFinding(page);
  await lightBulb(page).waitFor();
  await shoot(900);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Control+I');
  await page.locator('.monaco-hover', { hasText: 'must be' }).waitFor();
  await shoot(2800);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget').first().waitFor();
  await shoot(1400);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.squiggly-error').count()).toBe(0);
  await shoot(900);
  await runCommand(page, 'Agent Stack: Preview Prompt');
  const frame = await webview(page, /Preview/);
  await frame.locator('.piece').first().waitFor();
  await shoot(1600);
  await selectText(page, 'web shop.');
  await page.keyboard.press('ArrowRight');
  for (const piece of [' Judge by', ' what the sender', ' wants to happen.']) {
    await page.keyboard.type(piece);
    await frame.getByText(piece.trim()).first().waitFor();
    await shoot(500);
  }
  await shoot(3500);
  const png = toMovingPng(shots);
  writeFileSync(join(folder, 'tour-light.png'), png);
  expect(png.length).toBeLessThan(400 * 1024);
});

/** The names under which the docs show the pictures. */
function pictureName(scene: string, theme: keyof typeof themes): string {
  if (scene === 'agents') return theme === 'light' ? 'agents-view' : `agents-view-${theme}`;
  return `${scene}-${theme}`;
}
