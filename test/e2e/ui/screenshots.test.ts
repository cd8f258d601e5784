// The pictures of the README: the installed extension after real input. UPDATE_SCREENSHOTS=1 writes them into docs/images; otherwise each
// scene is taken once all the same, into a folder that is thrown away, so that a change which makes one impossible is seen.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../core/json.js';
import { type LoopbackReply, type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor, root } from '../support/editor.js';
import { toSmallPng } from '../support/smallPng.js';
import { resultsIn, type ScriptedCall, toolCallReply } from '../support/toolCalls.js';
import {
  goTo,
  lightBulb,
  openFile,
  pick,
  answer as reply,
  revert,
  runCommand,
  selectText,
  setTheme,
  type themes,
  waitForFinding,
  webview,
} from './workbench.js';

const isKept = process.env.UPDATE_SCREENSHOTS === '1';
const folder = isKept ? join(root, 'docs/images') : mkdtempSync(join(tmpdir(), 'agent-stack-pictures-'));
const mostBytes = 150 * 1024;
const a2 = 'config/agents/A2/v1.json';
const notes = 'config/agents/ReleaseNotes/v1.json';
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

const lookUps: readonly ScriptedCall[] = [
  { name: 'search_files', args: { query: 'prompt', path: 'config/agents' }, thought: 'I look for agents that speak of prompts.' },
  { name: 'fetch_document', args: { id: 'config/agents/A2/v1.json' }, thought: 'A2 could be the one: I read its file before I say so.' },
];

let editor: Editor;
let page: Page;
let model: LoopbackServer;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify(answer, null, 2).match(/.{1,12}/gs) ?? [];
  const usage = { prompt_tokens: 512, completion_tokens: 171 };
  model = await startLoopbackOpenAi(({ body }) => (Array.isArray(body.tools) ? lookUp(body) : { text, usage }), { lenient: true });
  const price = { input: 0.2, output: 0.6 };
  const profile = { llm_id: 'local', provider: 'openai_compatible', base_url: model.url, model_name: 'qwen3-32b', price };
  editor = await openEditor({
    files: { 'config/llms/local.json': `${JSON.stringify(profile, null, 2)}\n` },
    settings: { 'editor.minimap.enabled': false },
  });
  page = await editor.open({ width: 1280, height: 800 });
  await openFile(page, a2);
});
afterAll(async () => {
  await editor?.close();
  await model?.close();
  if (!isKept) rmSync(folder, { recursive: true, force: true });
});

/** A model that looks before it answers. */
function lookUp(body: JsonObject): LoopbackReply {
  const done = resultsIn(body).length;
  const call = lookUps[done];
  const usage = { prompt_tokens: 840 + 610 * done, completion_tokens: 64, total_tokens: 904 + 610 * done };
  if (call !== undefined) return toolCallReply(call, `call_${done}`, usage);
  const said = 'A2 shapes prompts: it chooses the system, the audience and the tone for a task. (config/agents/A2/v1.json)';
  return { text: said.match(/.{1,12}/gs) ?? [], usage };
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
  await openFile(page, a2);
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
  await openFile(page, a2);
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
  await openFile(page, notes);
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
  await openFile(page, 'config/agents/DocsHelper/v1.json');
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
  await openFile(page, a2);
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
  { name: 'agents', show: agents, shows: 'parser', themes: ['light', 'dark'] },
];

const taken = isKept ? (['light', 'dark', 'hc'] as const) : (['light'] as const);

describe.each(taken)('Pictures in the theme %s', (theme) => {
  beforeAll(() => setTheme(page, theme));

  test.each(scenes.filter(({ themes }) => themes.includes(theme)))('$name', async ({ name, show, shows }) => {
    expect(await show()).toContain(shows);
    await picture(pictureName(name, theme));
  });
});

/** The names under which the docs show the pictures. */
function pictureName(scene: string, theme: keyof typeof themes): string {
  if (scene === 'agents') return theme === 'light' ? 'agents-view' : `agents-view-${theme}`;
  return `${scene}-${theme}`;
}
