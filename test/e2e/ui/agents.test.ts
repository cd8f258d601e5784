import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import { answer, clickUntil, collapse, expand, openFile, pick, runCommand, screenshotInThemes } from './workbench.js';

const key = 'sk-never-to-be-seen-3f1c';
const goodAnswer = { system: 'Friend', audience: 'Self', tone: 'friendly', response_depth: 'short', confidence: 'high' };

let editor: Editor;
let page: Page;
let server: Server;
const sent: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    sent.push(request.headers.authorization);
    const chunk = (delta: object, finish_reason: string | null) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    const text = `${chunk({ role: 'assistant', content: JSON.stringify(goodAnswer) }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`;
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const local = { llm_id: 'local', provider: 'openai', model_name: 'gpt-4.1-mini', base_url, api_key: 'secret://local_key' };
  editor = await openEditor({
    files: {
      'config/llms/local.json': JSON.stringify(local, null, 2),
      'config/agents/A2/v2.json': '{ "agent_name": "A2", "version": "v2", "mode": "Guesser" }\n',
      'config/agents/Keyed/v1.json': JSON.stringify({
        agent_name: 'Keyed',
        version: 'v1',
        mode: 'Chooser',
        description: 'Needs a key.',
        system_text: 'You choose.',
        purpose_text: 'Choose a tone.',
        llm_config_id: 'local',
        output_schema: { type: 'object', required: ['tone'], properties: { tone: { type: 'string', enum: ['friendly', 'formal'] } } },
        enums: { tone: ['friendly', 'formal'] },
      }),
      'config/payloads/Keyed/empty.json': '{ "input": {} }',
      'config/mcp.json':
        '{\n  "servers": {\n    "github": { "type": "http", "url": "https://mcp.example.com" },\n    "files": { "command": "files" }\n  }\n}\n',
      'config/llms/tsconfig.json': '{ "compilerOptions": {} }\n',
    },
  });
  page = await editor.open();
  page.setDefaultTimeout(15_000);
  await openFile(page, 'config/agents/ReleaseNotes/v1.json');
});

afterAll(async () => {
  await editor?.close();
  server?.close();
});

/** The row of a tree whose label is exactly this. */
const row = (label: string) =>
  page.locator('.pane-body .monaco-list-row', { has: page.locator('.label-name', { hasText: new RegExp(`^${label}$`) }) });

async function status(): Promise<string> {
  await page.locator('#status\\.languageStatus').hover();
  const hover = page.locator('.hover-language-status').first();
  await hover.waitFor();
  const text = (await page.locator('.hover-language-status').allInnerTexts()).join('\n');
  await page.mouse.move(600, 400);
  // While it closes it takes the focus from what is opened next.
  await hover.waitFor({ state: 'hidden' });
  return text;
}

describe('the agents view', () => {
  test('shows what the project has, the newest version first', async () => {
    await page.locator('.activitybar a[aria-label^="Agent Stack"]').click();
    await row('A2').waitFor();
    expect(await row('A2').locator('.label-description').innerText()).toBe('v2 · 2 versions');
    await expand(row('A2'));
    await row('v1').waitFor();
    const labels = await page.locator('.pane-body .monaco-list-row .label-name').allInnerTexts();
    expect(labels.slice(labels.indexOf('A2'), labels.indexOf('A2') + 5)).toEqual(['A2', 'v2', 'v1', 'cloud_costs', 'parser']);
    expect(await row('v2').locator('.label-description').innerText()).toBe('current');
  });

  test('marks what has findings', async () => {
    await row('v2').locator('[class*="monaco-decoration"]').first().waitFor({ state: 'attached' });
  });

  test('opens a file on click, an MCP server at its line', async () => {
    await clickUntil(row('v1'), page.locator('.tab.active', { hasText: 'A2 v1' }));
    await collapse(row('A2'));
    await expand(row('MCP Servers'));
    await clickUntil(row('github'), page.locator('.tab.active', { hasText: 'mcp.json' }));
    await page.locator('#status\\.editor\\.selection', { hasText: 'Ln 3' }).waitFor();
    await collapse(row('MCP Servers'));
  });

  test('says what an agent is for when the pointer rests on it', async () => {
    await row('ReleaseNotes').hover();
    const hover = page.locator('.workbench-hover', { hasText: 'ReleaseNotes@v1' });
    await hover.waitFor();
    expect(await hover.innerText()).toMatch(
      /Type: single_shot · Writer[\s\S]*LLM profile: offline[\s\S]*File: config\/agents\/ReleaseNotes\/v1\.json/,
    );
    await page.mouse.move(600, 400);
  });

  test('keeps up with files and folders that come and go', async () => {
    const folder = join(editor.workspace, 'config/agents');
    mkdirSync(join(folder, 'Newcomer'));
    writeFileSync(join(folder, 'Newcomer/v1.json'), '{}');
    await row('Newcomer').waitFor();
    renameSync(join(folder, 'Newcomer'), join(folder, 'Renamed'));
    await row('Renamed').waitFor();
    await row('Newcomer').waitFor({ state: 'detached' });
    rmSync(join(folder, 'Renamed'), { recursive: true });
    await row('Renamed').waitFor({ state: 'detached' });
    await screenshotInThemes(page, 'agents', () => row('LLM Profiles').scrollIntoViewIfNeeded());
  });
});

describe('the language status', () => {
  test('says project, environment, model, and that the key is missing', async () => {
    await openFile(page, 'config/agents/Keyed/v1.json');
    await expect.poll(status, { timeout: 20_000 }).toMatch(/openai · gpt-4\.1-mini/);
    const text = await status();
    expect(text).toContain('sample');
    expect(text).toContain('dev');
    expect(text).toContain('LLM profile local, key local_key missing');
  });

  test('says that a file of another tool is left alone', async () => {
    await openFile(page, 'config/llms/tsconfig.json');
    await expect.poll(status, { timeout: 20_000 }).toContain('Left alone by Agent Stack');
  });
});

describe('a key', () => {
  test('is asked for by the run that needs it, once', async () => {
    await openFile(page, 'config/agents/A2/v1.json');
    await runCommand(page, 'Agent Stack: Run Agent');
    await pick(page, /^parser/);
    await pick(page, /^local/);
    await answer(page, key, /API Key local_key for openai/);
    await expect.poll(() => sent, { timeout: 20_000 }).toEqual([`Bearer ${key}`]);
    await openFile(page, 'config/agents/Keyed/v1.json');
    await expect.poll(status, { timeout: 20_000 }).toContain('key local_key stored');
  });

  test('that holds a space is not taken', async () => {
    await runCommand(page, 'Agent Stack: Set API Key...');
    await pick(page, 'local_key');
    const box = page.locator('.quick-input-widget', { hasText: 'API Key local_key' });
    await box.waitFor();
    await box.locator('input').last().fill('two words');
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-message', { hasText: 'no spaces' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('is removed on request', async () => {
    await runCommand(page, 'Agent Stack: Remove API Key...');
    await pick(page, 'local_key');
    await page.keyboard.press('Enter');
    await page.locator('.statusbar-item', { hasText: 'Removed: local_key' }).waitFor();
    await openFile(page, 'config/agents/Keyed/v1.json');
    await expect.poll(status, { timeout: 20_000 }).toContain('key local_key missing');
  });
});
