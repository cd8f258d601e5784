import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { offlineProfile, toneAgent } from '../../cli/command.js';
import { type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor, root } from '../support/editor.js';
import { resultsIn, toolCallReply } from '../support/toolCalls.js';
import { expand, goTo, notification, openFile, runCommand, screenshot } from './workbench.js';

const agent = 'config/agents/Tone/v1.json';
const clerk = 'config/agents/Clerk/v1.json';
const teams = 'config/orchestrations/judge.json';
const json = (value: unknown) => JSON.stringify(value, null, 2);
let editor: Editor;
let page: Page;
let model: LoopbackServer;

beforeAll(async () => {
  model = await startLoopbackOpenAi(
    ({ body }) =>
      resultsIn(body).length > 0
        ? { text: 'Written.' }
        : toolCallReply({ name: 'write_file', args: { path: join(editor.workspace, 'notes/new.md'), content: 'closed' } }, 'call_1'),
    { lenient: true },
  );
  const server = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
  editor = await openEditor({
    files: {
      [agent]: json({ ...toneAgent, llm_config_id: 'offline' }),
      'config/llms/offline.json': json(offlineProfile),
      'config/payloads/Tone/greeting.json': json({ input: { text: 'A friendly hello to all of you' } }),
      'notes/schema.json': '{}',
      'notes/hello.md': '# Hello\n',
      'config/mcp.json': json({
        servers: { files: { type: 'stdio', command: process.execPath, args: [server, '${workspaceFolder}/notes'] } },
      }),
      'config/llms/loopback.json': json({ llm_id: 'loopback', provider: 'openai_compatible', base_url: model.url, model_name: 'tiny' }),
      [clerk]: json({
        agent_name: 'Clerk',
        version: 'v1',
        agent_type: 'react',
        system_text: 'You keep the notes of a shop.',
        llm_config_id: 'loopback',
        client_ids: ['files'],
        enabled_tools: ['read_text_file', 'write_file'],
        timeout_ms: 60_000,
      }),
      [teams]: json({
        name: 'judge',
        entry_team: 'listen',
        input_keys: ['text'],
        teams: {
          listen: {
            name: 'Listen',
            tasks: [{ name: 'tone', agent: 'Tone@v1', input: { text: '{{context.text}}' } }],
            routing: {
              rules: [
                { condition: { task: 'tone', status: 'failure' }, next_team: null },
                { condition: { task: 'tone', output_field: 'tone', operator: 'equals', value: 'friendly' }, next_team: null },
              ],
            },
          },
        },
      }),
      'config/payloads/judge/hello.json': json({ input: { text: 'A friendly hello' } }),
      'config/payloads/Clerk/hours.json': json({ input: { message: 'Write down the hours.' } }),
    },
  });
  page = await editor.open();
  await runCommand(page, 'View: Show Run and Debug');
});
afterAll(async () => {
  await editor?.close();
  await model?.close();
});

const toolbar = () => page.locator('.debug-toolbar');
const dialog = () => page.locator('.monaco-dialog-box');
const variable = (text: string | RegExp) => page.locator('.debug-variables .monaco-list-row', { hasText: text }).first();
const frame = (hasText: string) => page.locator('.debug-call-stack .monaco-list-row', { hasText }).first();
const lineOf = (file: string, text: string) =>
  readFileSync(join(editor.workspace, file), 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text)) + 1;

/** Clicks into the margin, as a user does. */
async function setBreakpoint(file: string, line: number): Promise<void> {
  await openFile(page, file);
  await goTo(page, line);
  const glyph = page.locator('.monaco-editor.focused .codicon-debug-breakpoint').first();
  for (let attempt = 1; ; attempt++) {
    await clickMargin(line);
    try {
      await glyph.waitFor({ timeout: attempt < 4 ? 3_000 : 15_000 });
      return;
    } catch (error) {
      // A click is lost while the margin is drawn anew.
      if (attempt === 4) throw error;
    }
  }
}

async function clickMargin(line: number): Promise<void> {
  const margin = page.locator('.monaco-editor.focused .margin');
  const number = margin.locator('.line-numbers', { hasText: new RegExp(`^${line}$`) }).first();
  const [left, at] = [await margin.boundingBox(), await number.boundingBox()];
  await page.mouse.click((left?.x ?? 0) + 10, (at?.y ?? 0) + 8);
}

/** The run has stopped there: its yellow line is the line with this number. */
async function stoppedAt(where: string, line: number): Promise<void> {
  await frame(where).waitFor();
  await page
    .locator('.debug-call-stack .monaco-list-row', { hasText: where })
    .filter({ hasText: `${line}:1` })
    .first()
    .waitFor();
  const yellow = await page.locator('.monaco-editor .debug-top-stack-frame-line').first().boundingBox();
  const number = await page
    .locator('.margin .line-numbers', { hasText: new RegExp(`^${line}$`) })
    .first()
    .boundingBox();
  expect(Math.abs((yellow?.y ?? 0) - (number?.y ?? -100))).toBeLessThan(4);
}

async function goOn(): Promise<void> {
  await page.keyboard.press('F5');
}

async function ended(hasText: string): Promise<void> {
  await toolbar().waitFor({ state: 'hidden' });
  await runCommand(page, 'Debug Console: Focus on Debug Console View');
  await page.locator('.repl .monaco-list-row', { hasText }).last().waitFor();
}

test('F5 on an agent stops before its call with the request, and continue ends the run', async () => {
  await openFile(page, agent);
  await page.keyboard.press('F5');
  await page.locator('.monaco-editor .debug-top-stack-frame-line').first().waitFor();
  await frame('Tone@v1: before call 1').waitFor();
  await expand(variable('messages'));
  await expand(variable(/"?role"?: ?"user"/));
  await variable(/^content.*A friendly hello to all of you/).waitFor();
  await screenshot(page, 'debug-stopped');
  await page
    .locator('.view-line', { hasText: /^\s*"text"$/ })
    .locator('span', { hasText: 'text' })
    .last()
    .hover();
  await page.locator('.debug-hover-widget', { hasText: 'A friendly hello to all of you' }).waitFor();
  await screenshot(page, 'debug-hover');
  await goOn();
  await ended('completed');
  await screenshot(page, 'debug-ended');
});

describe('A breakpoint in the margin', () => {
  test('at a value of an enum stops when an answer has it, after a message was changed', async () => {
    const line = lineOf(agent, '"enums"') + 3;
    await setBreakpoint(agent, line);
    await page.keyboard.press('F5');
    await frame('before call 1').waitFor();
    await expand(variable('messages'));
    await expand(variable(/"?role"?: ?"user"/));
    await variable(/^content/).dblclick();
    await page.locator('.debug-variables .monaco-inputbox input').fill('A formal letter');
    await page.keyboard.press('Enter');
    await variable(/^content.*A formal letter/).waitFor();
    await goOn();
    await stoppedAt('answer of call 1', line);
    await screenshot(page, 'debug-enum');
    await goOn();
    await ended('completed, 1 changed by hand');
  });

  test('at a tool stops before it is called, and the call is asked about', async () => {
    const line = lineOf(clerk, '"write_file"');
    await setBreakpoint(clerk, line);
    await page.keyboard.press('F5');
    await dialog().locator('.monaco-button', { hasText: 'Start' }).click();
    await frame('before call 1').waitFor();
    await goOn();
    await stoppedAt('before the tool write_file', line);
    await screenshot(page, 'debug-tool');
    await goOn();
    expect(await dialog().innerText()).toContain('Clerk@v1 wants to call write_file of files.');
    await dialog().locator('.monaco-button', { hasText: 'Allow for This Run' }).click();
    await frame('before call 2').waitFor();
    expect(existsSync(join(editor.workspace, 'notes/new.md'))).toBe(true);
    await goOn();
    await ended('completed');
  });

  test('at a rule of an orchestration stops when it was chosen', async () => {
    const line = lineOf(teams, '"operator": "equals"');
    await setBreakpoint(teams, line);
    await page.keyboard.press('F5');
    await frame('Tone@v1: before call 1').waitFor();
    await frame('team listen').waitFor();
    await goOn();
    await stoppedAt('route of listen', line);
    await screenshot(page, 'debug-route');
    await page.keyboard.press('Shift+F5');
    await toolbar().waitFor({ state: 'hidden' });
  });

  test('is offered in the files of servers, prompts in Markdown and schemas', async () => {
    for (const file of ['config/mcp.json', 'notes/hello.md', 'notes/schema.json']) {
      await setBreakpoint(file, 1);
      await clickMargin(1);
    }
  });
});

test('without debugging nothing stops', async () => {
  await setBreakpoint(agent, lineOf(agent, '"purpose_text"'));
  await page.keyboard.press('Control+F5');
  await ended('completed');
});

test('F5 on a file that nothing can run says what to open', async () => {
  await openFile(page, 'config/llms/offline.json');
  await page.keyboard.press('F5');
  const refusal = await notification(page, 'Nothing to debug: open an agent');
  expect(await refusal.innerText()).toContain('"orchestration"');
});

test('in a window that is not trusted VS Code asks for trust before anything is debugged', async () => {
  const untrusted = await openEditor({ isTrusting: false });
  try {
    page = await untrusted.open();
    await openFile(page, 'config/agents/A2/v1.json');
    await page.keyboard.press('F5');
    await dialog().filter({ hasText: 'Debugging executes build tasks and program code' }).waitFor();
    await dialog().locator('.monaco-button', { hasText: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await toolbar().isVisible()).toBe(false);
  } finally {
    await untrusted.close();
  }
});
