// A conversation with an agent that remembers, in the chat panel: asked, answered with a tool, edited, stopped, begun anew, brought back.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../core/json.js';
import { type LoopbackReply, type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor } from '../support/editor.js';
import { resultsIn, toolCallReply } from '../support/toolCalls.js';
import { violations } from './axe.js';
import { openFile, runCommand, screenshot, setTheme, themes, webview } from './workbench.js';

const agent = 'config/agents/Guide/v1.json';
const planner = 'config/agents/Planner/v1.json';
const usage = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 };

let editor: Editor;
let page: Page;
let model: LoopbackServer;
let reply: (body: JsonObject) => LoopbackReply = () => ({ text: 'Yes.', usage });

beforeAll(async () => {
  model = await startLoopbackOpenAi(({ body }) => reply(body), { lenient: true });
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  const profile = { llm_id: 'loopback', provider: 'openai_compatible', base_url: model.url, model_name: 'tiny' };
  editor = await openEditor({
    files: {
      'config/llms/loopback.json': json({ ...profile, price: { input: 1, output: 2 } }),
      [agent]: json({
        agent_name: 'Guide',
        version: 'v1',
        agent_type: 'react',
        system_text: 'You help with the docs.',
        llm_config_id: 'loopback',
        enabled_tools: ['calculator'],
        include_history: true,
      }),
      [planner]: json({
        agent_name: 'Planner',
        version: 'v1',
        agent_type: 'orchestrating',
        llm_config_id: 'loopback',
        execution_plan: { steps: [{ name: 'reply', llm: 'Answer: {{input.message}}', on_error: 'retry' }] },
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

function chat(): Promise<Frame> {
  return webview(page, 'Chat: Guide@v1');
}

async function say(text: string): Promise<Frame> {
  const frame = await chat();
  const box = frame.getByLabel('Message to Guide');
  await box.fill(text);
  await box.press('Enter');
  return frame;
}

/** Waits for this many turns, the last of which has ended like this. */
async function ended(frame: Frame, turns: number, state = 'completed'): Promise<void> {
  await frame.locator(`.turn:nth-child(${turns})[data-state=${state}]`).waitFor();
  expect(await frame.locator('.turn').count()).toBe(turns);
}

function lastMessages(): string {
  return JSON.stringify(model.requests.at(-1)?.body.messages);
}

describe('A conversation', () => {
  test('begins with a message, and shows the answer, the call of a tool folded, and what it has cost', async () => {
    reply = (body) =>
      resultsIn(body).length === 0
        ? toolCallReply({ name: 'calculator', args: { expression: '6*7' }, thought: 'I count.' }, 'call_1', usage)
        : { text: ['It is ', '42.'], usage };
    await openFile(page, agent);
    await runCommand(page, 'Agent Stack: Chat with Agent...');
    const frame = await chat();
    await frame.getByText('Write a message to begin the conversation.').waitFor();
    await say('How much is six times seven?');
    await ended(frame, 1);
    expect(await frame.locator('.turn .answer').innerText()).toContain('It is 42.');
    expect(await frame.locator('.turn .long-text:visible', { hasText: 'It is 42.' }).count()).toBe(1);
    expect(await frame.locator('.fold.tool.done[open]').count()).toBe(0);
    await frame.locator('.fold.tool > summary').click();
    await frame.getByText('"6*7"').last().waitFor();
    expect(await frame.locator('.totals').innerText()).toMatch(/^240 in, 60 out, .*0\.00036/);
    expect(await frame.locator('[role=status]').innerText()).toBe('Guide has answered: It is 42.');
  });

  test('goes on: the agent is sent what was said before', async () => {
    reply = () => ({ text: 'You asked for six times seven.', usage });
    const frame = await say('What did I ask?');
    await ended(frame, 2);
    expect(lastMessages()).toContain('six times seven?');
    expect(await frame.getByLabel('Message to Guide').inputValue()).toBe('');
  });

  test('goes on from an earlier turn that is edited, with the history of that turn alone', async () => {
    const frame = await chat();
    await frame.getByRole('button', { name: 'Edit and Ask Again, Turn 2' }).click();
    const box = frame.getByLabel('Message to Guide');
    expect(await box.inputValue()).toBe('What did I ask?');
    await box.press('Escape');
    expect(await box.inputValue()).toBe('');
    // The up arrow edits the last turn.
    await box.press('ArrowUp');
    await frame.getByText('You are editing turn 2').waitFor();
    await screenshot(page, 'chat-editing');
    reply = () => ({ text: 'In another way.', usage });
    await say('Say it in another way.');
    await ended(frame, 2);
    await expect.poll(() => frame.locator('.turn:nth-child(2) .answer').innerText()).toContain('In another way.');
    expect(lastMessages()).toContain('six times seven?');
    expect(lastMessages()).not.toContain('What did I ask?');
    const sessions = join(editor.workspace, '.agentstack/sessions');
    const texts = readdirSync(sessions).map((name) => readFileSync(join(sessions, name), 'utf8'));
    expect(texts.filter((text) => text.includes('What did I ask?'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('In another way.'))).toHaveLength(1);
  });

  test('is still there when its panel was hidden, with what was being typed', async () => {
    await (await chat()).getByLabel('Message to Guide').fill('half a sent');
    await page.locator('.tab', { hasText: 'Chat: Guide' }).click();
    await runCommand(page, 'File: New Untitled Text File');
    await page.locator('.tab', { hasText: 'Chat: Guide' }).click();
    const frame = await chat();
    await ended(frame, 2);
    await expect.poll(() => frame.getByLabel('Message to Guide').inputValue()).toBe('half a sent');
  });

  test('is stopped in the middle of an answer, and goes on after that', async () => {
    reply = () => ({ text: ['Once ', 'upon ', 'a ', 'time'], fault: 'hang-mid-body' });
    const frame = await say('Tell me a story.');
    await frame.getByText('Once').waitFor();
    await frame.getByRole('button', { name: 'Stop' }).click();
    await ended(frame, 3, 'cancelled');
    expect(await frame.locator('.totals').innerText()).toMatch(/^at least /);
    reply = () => ({ text: 'Here I am.', usage });
    await say('Are you there?');
    await ended(frame, 4);
  });

  test.each(Object.keys(themes) as (keyof typeof themes)[])('can be read by everybody in the theme %s', async (theme) => {
    await setTheme(page, theme);
    await page.locator('.tab', { hasText: 'Chat: Guide' }).click();
    const frame = await chat();
    await ended(frame, 4);
    expect(await violations(frame)).toEqual([]);
    await screenshot(page, `chat-${theme}`);
    await page.setViewportSize({ width: 700, height: 800 });
    await screenshot(page, `chat-${theme}-narrow`);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('is begun anew', async () => {
    const frame = await chat();
    await frame.getByRole('button', { name: 'New Conversation' }).click();
    await frame.getByText('Write a message to begin the conversation.').waitFor();
    await say('Hello.');
    await ended(frame, 1);
    expect(lastMessages()).not.toContain('story');
  });

  test('has nothing of a try that failed half way in the answer of the next', async () => {
    let tries = 0;
    reply = () => {
      tries += 1;
      return { text: ['The Nautilus sails ', 'below the sea.'], usage, ...(tries === 1 && { fault: 'close-mid-body' as const }) };
    };
    await openFile(page, planner);
    await runCommand(page, 'Agent Stack: Chat with Agent...');
    const frame = await webview(page, 'Chat: Planner@v1');
    await frame.getByLabel('Message to Planner').fill('What does it do?');
    await frame.getByLabel('Message to Planner').press('Enter');
    await ended(frame, 1);
    expect(tries).toBe(2);
    await screenshot(page, 'chat-retry');
    expect(await frame.locator('.work .prose').allTextContents()).toEqual(['The Nautilus sails below the sea.']);
  });

  test('is switched on for an agent that keeps none, if the user wants that', async () => {
    await openFile(page, 'config/agents/A2/v1.json');
    await runCommand(page, 'Agent Stack: Chat with Agent...');
    await runCommand(page, 'Notifications: Show Notifications');
    const refusal = page.locator('.notification-list-item', { hasText: 'A2 keeps no conversation' }).first();
    await refusal.waitFor();
    await screenshot(page, 'chat-switch-on');
    await refusal.locator('.monaco-button', { hasText: 'Switch It On and Chat' }).click();
    const frame = await webview(page, /^Chat: A2/);
    await frame.getByText('Write a message to begin the conversation.').waitFor();
    expect(JSON.parse(readFileSync(join(editor.workspace, 'config/agents/A2/v1.json'), 'utf8'))).toMatchObject({ include_history: true });
  });
});
