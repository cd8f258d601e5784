import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LoopbackReply, type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor } from '../support/editor.js';
import { answer, openFile, pick, runCommand, webview } from './workbench.js';

// No fixed text that could be a key: one is made for each run.
const secret = ['sk', 'proj', 'e2e', Math.random().toString(36).slice(2), Math.random().toString(36).slice(2)].join('-');
/** Answers by profile, as a provider would give them. */
const echoed: LoopbackReply = { status: 401, error: { message: `Incorrect API key provided: ${secret}.`, code: 'invalid_api_key' } };
let reply: LoopbackReply = {
  text: JSON.stringify({ system: 'Friend', audience: 'Self', tone: 'friendly', response_depth: 'short', confidence: 'high' }),
};
let editor: Editor;
let page: Page;
let server: LoopbackServer;
/** What the extension and the workbench wrote to the browser's console. */
const lines: string[] = [];

beforeAll(async () => {
  server = await startLoopbackOpenAi(() => reply, { lenient: true });
  const profile = {
    llm_id: 'guarded',
    provider: 'openai_compatible',
    base_url: server.url,
    model_name: 'tiny',
    api_key: 'secret://E2E_KEY',
  };
  editor = await openEditor({
    files: { 'config/llms/guarded.json': JSON.stringify(profile) },
    settings: { 'agentStack.trace.server': 'verbose' },
  });
  page = await editor.open();
  page.on('console', (message) => lines.push(message.text()));
  await openFile(page, 'config/agents/A2/v1.json');
});
afterAll(async () => {
  await editor?.close();
  await server?.close();
});

/** Every file below the folders that holds the text. */
function filesWith(text: string, folders: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const folder of folders) {
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const file = join(folder, path);
      if (statSync(file).isFile() && readFileSync(file).includes(text)) found.push(file);
    }
  }
  return found;
}

/** Everything that is drawn, in the workbench and in every webview. */
async function everythingShown(): Promise<string> {
  const texts = await Promise.all(page.frames().map((frame) => frame.content().catch(() => '')));
  return texts.join('\n');
}

async function run(): Promise<void> {
  await openFile(page, 'config/agents/A2/v1.json');
  await page.keyboard.press('Control+Alt+R');
  await pick(page, /^parser/);
  await pick(page, /^guarded/);
}

test('a key that was set reaches the provider, and nothing else', async () => {
  await runCommand(page, 'Agent Stack: Set API Key...');
  await pick(page, 'E2E_KEY');
  await answer(page, secret, 'E2E_KEY');
  await page.locator('.statusbar-item', { hasText: 'The key E2E_KEY is stored.' }).waitFor();

  await run();
  await (await webview(page, /^Run: /)).locator('.badge.completed').waitFor();
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`);

  // A provider that repeats the key in its error is not repeated.
  reply = echoed;
  await run();
  const panel = await webview(page, /^Run: /);
  await panel.locator('.badge.failed').waitFor();
  expect(await panel.locator('body').innerText()).toContain('Incorrect API key provided');

  // What a user would copy, and the log.
  await runCommand(page, 'Agent Stack: Preview Prompt');
  await (await webview(page, /Preview/)).locator('.piece').first().waitFor();
  await runCommand(page, 'Agent Stack: Show Log');
  await page.locator('.monaco-editor[data-uri^="output:"] .view-line').first().waitFor();

  expect(await everythingShown()).not.toContain(secret);
  expect(lines.join('\n')).not.toContain(secret);
  expect(filesWith(secret, [editor.workspace, editor.folders.user, editor.folders.server])).toEqual([]);
  // The same search finds what is there: the name of the key in its profile.
  expect(filesWith('secret://E2E_KEY', [editor.workspace])).toContain(join(editor.workspace, 'config/llms/guarded.json'));
});

test('a key is typed unseen', async () => {
  await runCommand(page, 'Agent Stack: Set API Key...');
  await pick(page, 'E2E_KEY');
  const box = page.locator('.quick-input-widget .quick-input-box input');
  await page.locator('.quick-input-widget', { hasText: 'secret storage' }).waitFor();
  expect(await box.getAttribute('type')).toBe('password');
  await box.fill(secret);
  expect(await everythingShown()).not.toContain(secret);
  await page.keyboard.press('Escape');
});
