// An agent with the tools of a real MCP server: asked before it starts, asked before it is called, listed, pinned, changed, accepted.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../core/json.js';
import { type LoopbackReply, type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor, root } from '../support/editor.js';
import { resultsIn, type ScriptedCall, toolCallReply } from '../support/toolCalls.js';
import { violations } from './axe.js';
import { answer, openFile, pick, runCommand, screenshot, setTheme, waitForFinding, webview } from './workbench.js';

const agent = 'config/agents/Clerk/v1.json';
const lock = 'config/mcp.lock.json';

let editor: Editor;
let page: Page;
let model: LoopbackServer;
/** What the model asks for, call by call; then it answers. */
let wanted: readonly ScriptedCall[] = [];
const token = 'vErY-sEcReT-42';

beforeAll(async () => {
  model = await startLoopbackOpenAi(({ body }) => replyTo(body), { lenient: true });
  const server = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  editor = await openEditor({
    files: {
      'notes/hello.md': '# Hello\n\nThe shop opens at nine.\n',
      'config/mcp.json': json({
        inputs: [{ id: 'notes_token', type: 'promptString', description: 'Token of the notes', password: true }],
        servers: {
          files: {
            type: 'stdio',
            command: process.execPath,
            args: [server, '${workspaceFolder}/notes'],
            env: { NOTES_TOKEN: '${input:notes_token}' },
          },
        },
      }),
      'config/llms/loopback.json': json({ llm_id: 'loopback', provider: 'openai_compatible', base_url: model.url, model_name: 'tiny' }),
      [agent]: json({
        agent_name: 'Clerk',
        version: 'v1',
        agent_type: 'react',
        system_text: 'You keep the notes of a shop.',
        llm_config_id: 'loopback',
        client_ids: ['files'],
        timeout_ms: 60_000,
        include_history: true,
      }),
    },
  });
  page = await editor.open();
});
afterAll(async () => {
  await editor?.close();
  await model?.close();
});

/** Asks for the next tool that has not been answered since the last message of the user, else answers. */
function replyTo(body: JsonObject): LoopbackReply {
  const results = resultsIn(body);
  const next = wanted[results.length];
  if (next === undefined) return { text: `Done. The last tool said: ${(results.at(-1) ?? 'nothing').slice(0, 80)}` };
  return toolCallReply({ ...next, thought: 'I look into the notes.' }, `call_${results.length}`);
}

const panel = (): Promise<Frame> => webview(page, /^Run: /);
const file = (path: string) => join(editor.workspace, path);
const dialog = (): Locator => page.locator('.monaco-dialog-box');

async function openAgent(): Promise<void> {
  await page.keyboard.press('Control+1');
  await openFile(page, agent);
}

async function say(message: string): Promise<void> {
  await openAgent();
  await page.keyboard.press('Control+Alt+R');
  await answer(page, message, /A message to the agent/);
  await pick(page, /^loopback/);
}

async function notification(text: string): Promise<Locator> {
  await runCommand(page, 'Notifications: Show Notifications');
  const found = page.locator('.notifications-center .notification-list-item', { hasText: text }).first();
  await found.waitFor();
  return found;
}

/** The call of a tool in the steps of a run, with what came of it. */
function call(frame: Frame, tool: string): Locator {
  return frame.locator('.fold.tool', { has: frame.locator('.tool-name', { hasText: tool }) }).last();
}

describe('A server', () => {
  test('is asked for before it starts the first time, with its command line', async () => {
    await say('When does the shop open?');
    await dialog().waitFor();
    expect(await dialog().innerText()).toContain('server-filesystem');
    await screenshot(page, 'tools-server');
    await dialog().locator('.monaco-button', { hasText: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(existsSync(file('.agentstack/runs'))).toBe(false);
  });
});

describe('A call of a tool', () => {
  test('is asked for in the panel, and denied: the model is told, and the run goes on', async () => {
    wanted = [{ name: 'write_file', args: { path: file('notes/new.md'), content: 'closed' } }];
    await say('Write that the shop is closed.');
    await dialog().locator('.monaco-button', { hasText: 'Start' }).click();
    // What the server needs is asked for once, hidden.
    const box = page.locator('.quick-input-widget', { hasText: 'Token of the notes' });
    await box.waitFor();
    expect(await box.locator('input').first().getAttribute('type')).toBe('password');
    await answer(page, token, /Token of the notes/);
    const frame = await panel();
    const question = frame.locator('.approval');
    await question.waitFor();
    expect(await question.innerText()).toContain('Offered by the MCP server files');
    expect(await question.locator('.long-text').innerText()).toContain('"content": "closed"');
    expect(await frame.locator('[role=status]').innerText()).toBe('write_file waits for your approval.');
    await question.getByRole('button', { name: 'Deny' }).click();
    await frame.locator('.badge.completed').waitFor();
    await question.waitFor({ state: 'detached' });
    await frame.getByText('Unfold All').click();
    expect(await call(frame, 'write_file').getAttribute('class')).toContain('failed');
    expect(await call(frame, 'write_file').innerText()).toContain('did not allow');
    expect(existsSync(file('notes/new.md'))).toBe(false);
  });

  test.each(['light', 'dark', 'hc'] as const)('can be judged in %s', async (theme) => {
    await setTheme(page, theme);
    wanted = [{ name: 'write_file', args: { path: file('notes/new.md'), content: 'Open from nine to five.' } }];
    await say('Write down the hours.');
    const frame = await panel();
    await frame.locator('.approval').waitFor();
    await frame.locator(`body.vscode-${theme === 'hc' ? 'high-contrast' : theme}`).waitFor();
    // Nothing is left of the run before, whose panel it is.
    expect(await frame.locator('section[aria-labelledby=answer-title]').innerText()).not.toContain('Done.');
    await screenshot(page, `tools-approval-${theme}`);
    expect(await violations(frame)).toEqual([]);
    await frame.getByRole('button', { name: 'Cancel' }).click();
    await frame.locator('.badge.cancelled').waitFor();
    // What is cancelled asks no more.
    await frame.locator('.approval').waitFor({ state: 'detached' });
  });

  test('is allowed by keyboard for the run, and the next of the same tool is not asked for', async () => {
    const write = (name: string) => ({ name: 'write_file', args: { path: file(`notes/${name}.md`), content: name } });
    wanted = [write('one'), write('two')];
    await say('Write two notes.');
    const frame = await panel();
    await frame.getByRole('button', { name: 'Allow for This Run' }).focus();
    await page.keyboard.press('Enter');
    await frame.locator('.badge.completed').waitFor();
    expect(readFileSync(file('notes/one.md'), 'utf8')).toBe('one');
    expect(readFileSync(file('notes/two.md'), 'utf8')).toBe('two');
    expect(await frame.locator('.steps > li').count()).toBe(3);
    expect(await frame.locator('section[aria-labelledby=answer-title]').innerText()).toContain('Done.');
    await frame.getByText('Unfold All').click();
    for (const line of await frame.locator('.fold > summary').all()) await line.click();
    await screenshot(page, 'tools-steps');
    expect(await violations(frame)).toEqual([]);
    // A column as narrow as they get.
    await page.setViewportSize({ width: 700, height: 800 });
    try {
      await expect.poll(() => frame.evaluate('document.documentElement.clientWidth')).toBeLessThan(400);
      expect(await frame.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')).toBe(false);
      await screenshot(page, 'tools-narrow');
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  test('of a tool that is allowed for good is never asked for again, until that is taken back', async () => {
    wanted = [{ name: 'read_text_file', args: { path: file('notes/hello.md') } }];
    await say('Read it.');
    let frame = await panel();
    await frame.getByRole('button', { name: 'Always for This Tool' }).click();
    await frame.locator('.badge.completed').waitFor();
    const asked = model.requests.length;
    await say('Read it again.');
    // The panel may still show the run before: this one is over when the model has answered its two calls.
    await expect.poll(() => model.requests.length).toBe(asked + 2);
    frame = await panel();
    await expect.poll(() => frame.locator('section[aria-labelledby=answer-title]').innerText()).toContain('Done.');
    expect(await frame.locator('.approval').count()).toBe(0);

    await runCommand(page, 'Agent Stack: Manage Tool Permissions');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'notes_token' }).waitFor();
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: 'read_text_file' });
    await row.locator('.quick-input-list-checkbox, .monaco-checkbox').first().click();
    await page.locator('.quick-input-action .monaco-button', { hasText: 'OK' }).click();
    await say('Read it once more.');
    frame = await panel();
    await frame.locator('.approval').waitFor();
    await frame.getByRole('button', { name: 'Allow Once' }).click();
    await frame.locator('.badge.completed').waitFor();
  });

  test('waits while the panel is hidden, and says so', async () => {
    wanted = [{ name: 'read_text_file', args: { path: file('notes/hello.md') } }];
    await say('Read it.');
    await (await panel()).locator('.approval').waitFor();
    await runCommand(page, 'View: Close All Editors');
    const message = await notification('wants to call');
    await message.locator('.monaco-button', { hasText: 'Show' }).click();
    const frame = await panel();
    await frame.getByRole('button', { name: 'Allow Once' }).click();
    await frame.locator('.badge.completed').waitFor();
  }, 120_000);
});

describe('A conversation', () => {
  test('is opened from the panel of a run, with what was said so far, and goes on in the chat', async () => {
    wanted = [];
    await say('My name is Ada.');
    const frame = await panel();
    await frame.locator('.badge.completed').waitFor();
    await frame.getByRole('button', { name: 'Continue Conversation' }).click();
    const chat = await webview(page, /^Chat: /);
    await chat.locator('.turn:nth-child(1)', { hasText: 'My name is Ada.' }).waitFor();
    await chat.locator('textarea').fill('What is my name?');
    await chat.locator('textarea').press('Enter');
    await chat.locator('.turn:nth-child(2)[data-state=completed]').waitFor();
    const said = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(said).toContain('My name is Ada.');
    expect(said).toContain('What is my name?');
  });
});

describe('The tools of a server', () => {
  test('are listed from the preview, which then shows them, and pinned', async () => {
    await openAgent();
    await runCommand(page, 'Agent Stack: Preview Prompt');
    const frame = await webview(page, /Preview/);
    await frame.getByRole('tab', { name: /^Tools/ }).click();
    await frame.getByRole('button', { name: 'List Tools' }).click();
    await expect.poll(() => existsSync(file(lock))).toBe(true);
    await frame.locator('.tool h2', { hasText: 'write_file' }).waitFor();
    expect(await frame.locator('.unlisted').count()).toBe(0);
    await screenshot(page, 'tools-preview');
    await frame.getByRole('tab', { name: 'Request' }).click();
    await frame.locator('pre.code[aria-label="Request"]', { hasText: '"tools"' }).waitFor();
    await frame.getByText('at most 10 calls').first().waitFor();
  });

  test('are pinned: one that its server describes otherwise stops the run before it begins', async () => {
    const pinned = JSON.parse(readFileSync(file(lock), 'utf8'));
    pinned.servers.files.tools.write_file.description = 'Writes a note.';
    writeFileSync(file(lock), JSON.stringify(pinned, null, 2));
    wanted = [];
    await say('Write a note.');
    const frame = await panel();
    await frame.locator('.badge.failed').waitFor();
    expect(await frame.locator('.problem.error').innerText()).toContain('write_file');
    await frame.getByRole('button', { name: 'List Tools' }).waitFor();
  });

  test('are compared with what was pinned, and accepted', async () => {
    await openAgent();
    await runCommand(page, 'Agent Stack: List Tools');
    await notification('1 changed');
    await openAgent();
    await waitForFinding(page, 'warning');
    await screenshot(page, 'tools-drift');
    await runCommand(page, 'Agent Stack: Show Tool Difference');
    await pick(page, 'write_file');
    await page.locator('.monaco-diff-editor .view-line', { hasText: 'Writes a note.' }).first().waitFor();
    await screenshot(page, 'tools-difference');
    await page
      .locator('.editor-actions a[aria-label^="Accept Changed Tool"], .title-actions a[aria-label^="Accept Changed Tool"]')
      .first()
      .click();
    await expect.poll(() => readFileSync(file(lock), 'utf8')).not.toContain('Writes a note.');
    expect(readFileSync(file(lock), 'utf8')).not.toContain('"changed"');
    await openAgent();
    await page.locator('.monaco-editor .squiggly-warning').waitFor({ state: 'detached' });
  });
});

describe('What a tool does', () => {
  const labels = () => JSON.parse(readFileSync(file(lock), 'utf8')).servers.files.tools.write_file.labels;
  const row = (label: string) =>
    page.locator('.quick-input-list .monaco-list-row', { has: page.locator('.label-name', { hasText: new RegExp(`^${label}$`) }) });

  const chooseTool = async () => {
    await runCommand(page, 'Agent Stack: Label Tool...');
    // The list shows the first of many only.
    await page.locator('.quick-input-widget input[placeholder="Which tool?"]').fill('write_file');
    await pick(page, 'write_file');
  };

  test('is said in one list, and kept beside the pin', async () => {
    await chooseTool();
    for (const label of ['changes', 'destroys']) await row(label).locator('.quick-input-list-checkbox, .monaco-checkbox').first().click();
    await screenshot(page, 'tools-label');
    await page.locator('.quick-input-action .monaco-button', { hasText: 'OK' }).click();
    await expect.poll(labels).toEqual({ changes: true, destroys: true });
    // What is set is ticked, and escape changes nothing.
    await chooseTool();
    await row('sends').locator('.quick-input-list-checkbox, .monaco-checkbox').first().click();
    expect(await page.locator('.quick-input-list .monaco-list-row .checked').count()).toBe(3);
    await page.keyboard.press('Escape');
    expect(labels()).toEqual({ changes: true, destroys: true });
  });
});

test('What was typed for a server is in no file of the project', () => {
  const files = readdirSync(editor.workspace, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(10);
  const found = files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => readFileSync(path, 'utf8').includes(token));
  expect(found).toEqual([]);
});
