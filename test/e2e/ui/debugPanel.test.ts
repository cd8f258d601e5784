// The run panel stops a run at its calls: looks, changes, steps, continues.
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../core/json.js';
import { type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor, root } from '../support/editor.js';
import { resultsIn, toolCallReply } from '../support/toolCalls.js';
import { violations } from './axe.js';
import { answer, openFile, pick, screenshot, setTheme, webview } from './workbench.js';

const clerk = 'config/agents/Clerk/v1.json';
const json = (value: unknown) => JSON.stringify(value, null, 2);
let editor: Editor;
let page: Page;
let model: LoopbackServer;
const sent: JsonObject[] = [];

beforeAll(async () => {
  model = await startLoopbackOpenAi(
    ({ body }) => {
      sent.push(body);
      const results = resultsIn(body);
      if (results.length > 1) return { text: `The last tool said: ${results.at(-1)}` };
      return {
        ...toolCallReply({ name: 'read_text_file', args: { path: join(editor.workspace, 'notes/hello.md') } }, `c${results.length}`),
        // Long enough to press the button meanwhile.
        delay_ms: results.length === 0 ? 6_000 : 0,
      };
    },
    { lenient: true },
  );
  const server = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
  editor = await openEditor({
    files: {
      'notes/hello.md': 'The shop opens at nine.\n',
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
        enabled_tools: ['read_text_file'],
        timeout_ms: 60_000,
      }),
    },
  });
  page = await editor.open();
});
afterAll(async () => {
  await editor?.close();
  await model?.close();
});

async function run(): Promise<Frame> {
  sent.length = 0;
  await page.keyboard.press('Control+1');
  await openFile(page, clerk);
  await page.keyboard.press('Control+Alt+R');
  await answer(page, 'When does the shop open?', /A message to the agent/);
  await pick(page, /^loopback/);
  const dialog = page.locator('.monaco-dialog-box');
  if (sent.length === 0)
    await dialog
      .locator('.monaco-button', { hasText: 'Start' })
      .click({ timeout: 3_000 })
      .catch(() => undefined);
  // The first call is being made.
  await expect.poll(() => sent.length, { timeout: 20_000 }).toBe(1);
  return webview(page, /^Run: .*running/);
}

const stop = (frame: Frame) => frame.locator('section.stop');

describe('Pause Before Next Call', () => {
  test('shows what is about to be sent, takes an edit, refuses a wrong one, steps and continues', async () => {
    const frame = await run();
    await frame.getByRole('button', { name: 'Pause Before Next Call' }).click();
    await stop(frame).getByText('Stopped before Clerk@v1 calls read_text_file').waitFor();
    await screenshot(page, 'panel-stop-tool');
    await stop(frame)
      .getByRole('button', { name: /^Edit / })
      .click();
    const area = stop(frame).locator('textarea');
    await area.fill('{"path": 3}');
    await stop(frame).getByRole('button', { name: 'Apply' }).click();
    await stop(frame).locator('[role=alert]').waitFor();
    await screenshot(page, 'panel-stop-wrong');
    await area.fill(json({ path: join(editor.workspace, 'notes/hello.md'), head: 1 }));
    await stop(frame).getByRole('button', { name: 'Apply' }).click();
    await stop(frame).getByText('Changed: the run is marked').waitFor();
    await stop(frame).getByRole('button', { name: 'Step' }).click();
    await frame.getByRole('button', { name: 'Allow for This Run' }).click();
    await stop(frame).getByText('Stopped after Clerk@v1 has called read_text_file').waitFor();
    await stop(frame)
      .getByRole('button', { name: /^Edit / })
      .click();
    await area.fill('The shop opens at <b>ten</b>.');
    await stop(frame).getByRole('button', { name: 'Apply' }).click();
    await stop(frame).getByText('The shop opens at <b>ten</b>.').waitFor();
    await stop(frame).getByRole('button', { name: 'Step' }).click();
    await stop(frame).getByText('Stopped before call 2 of Clerk@v1').waitFor();
    await stop(frame).locator('h3', { hasText: '1 system' }).waitFor();
    for (const theme of ['dark', 'hc', 'light'] as const) {
      await setTheme(page, theme);
      await screenshot(page, `panel-stop-${theme}`);
    }
    expect(await violations(frame)).toEqual([]);
    await stop(frame).getByRole('button', { name: 'Continue' }).click();
    await frame.locator('.badge.completed').waitFor();
    expect(await stop(frame).isVisible()).toBe(false);
    expect(JSON.stringify(sent[1])).toContain('<b>ten</b>');
  });

  test('End Run ends it at the stop', async () => {
    const frame = await run();
    await frame.getByRole('button', { name: 'Pause Before Next Call' }).click();
    await stop(frame).getByRole('button', { name: 'End Run' }).click();
    await frame.locator('.badge.cancelled').waitFor();
    expect(await stop(frame).isVisible()).toBe(false);
  });
});
