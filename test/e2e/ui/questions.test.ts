// What a tool of an MCP server asks during a call: the user answers value by value, or declines.
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor, root } from '../support/editor.js';
import { resultsIn, toolCallReply } from '../support/toolCalls.js';
import { answer, openFile, pick, runCommand, screenshot, webview } from './workbench.js';

const agent = 'config/agents/Shipper/v1.json';

let editor: Editor;
let page: Page;
let model: LoopbackServer;

beforeAll(async () => {
  model = await startLoopbackOpenAi(
    ({ body }) => {
      const said = resultsIn(body).at(-1);
      return said === undefined
        ? toolCallReply({ name: 'deploy', args: {}, thought: 'I ship it.' }, 'call_1')
        : { text: `It said ${said}` };
    },
    { lenient: true },
  );
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  editor = await openEditor({
    files: {
      'config/mcp.json': json({ servers: { ships: { command: process.execPath, args: [join(root, 'test/fixtures/mcp/modern.mjs')] } } }),
      'config/llms/loopback.json': json({ llm_id: 'loopback', provider: 'openai_compatible', base_url: model.url, model_name: 'tiny' }),
      [agent]: json({
        agent_type: 'react',
        system_text: 'You ship.',
        llm_config_id: 'loopback',
        client_ids: ['ships'],
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

/** @param isFirst whether the server has not been started before, which the user is asked about */
async function runUntilAsked(isFirst: boolean): Promise<Frame> {
  await page.keyboard.press('Control+1');
  await openFile(page, agent);
  await page.keyboard.press('Control+Alt+R');
  await answer(page, 'Ship it.', /A message to the agent/);
  await pick(page, /^loopback/);
  if (isFirst) await page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Start' }).click();
  const frame = await webview(page, /^Run: /);
  await frame.getByRole('button', { name: 'Allow Once' }).click();
  await page.locator('.quick-input-widget', { hasText: 'The MCP server ships asks: Which branch?' }).waitFor();
  return frame;
}

test('a question is answered value by value, and the run goes on with the answers', async () => {
  const frame = await runUntilAsked(true);
  await screenshot(page, 'question');
  await pick(page, /^Answer/);
  await page.locator('.quick-input-widget', { hasText: 'ships: branch (1/4)' }).waitFor();
  await pick(page, /^next/);
  const count = page.locator('.quick-input-widget', { hasText: 'ships: count (2/4)' });
  await count.waitFor();
  await page.keyboard.type('many');
  await page.locator('.quick-input-widget', { hasText: 'Type a whole number.' }).waitFor();
  await screenshot(page, 'question-number');
  await answer(page, '3', /ships: count/);
  await pick(page, /^Yes/);
  await answer(page, '', /ships: note/);
  await frame.locator('.badge.completed').waitFor();
  const text = await frame.locator('section[aria-labelledby=answer-title]').innerText();
  expect(text.replaceAll(/\s/g, '')).toContain('"content":{"branch":"next","count":3,"sure":true}');
});

test('a question is declined, which the server is told', async () => {
  const frame = await runUntilAsked(false);
  await pick(page, /^Decline/);
  await frame.locator('.badge.completed').waitFor();
  expect(await frame.locator('section[aria-labelledby=answer-title]').innerText()).toContain('"decline"');
  await runCommand(page, 'View: Close All Editors');
});
