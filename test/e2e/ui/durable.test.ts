// Runs that go on where they were interrupted, with a call that may not silently be made twice; leave that tasks of teams ask for; agents whose
// steps are kept.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoopbackReply, type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor, root } from '../support/editor.js';
import { resultsIn, toolCallReply } from '../support/toolCalls.js';
import { violations } from './axe.js';
import { chooseInMenu, notification, openFile, openMenu, pick, runCommand, screenshot, setTheme, themes, webview } from './workbench.js';

const orchestration = 'config/orchestrations/notify.json';
const scribe = 'config/agents/Scribe/v1.json';

/** An MCP server with a tool that is not idempotent. It writes down each mail, and answers unless a file says that it is to hold them. */
const mailServer = `
const { appendFileSync, existsSync } = require('node:fs');
const { join } = require('node:path');
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const mail = {
  name: 'send_mail',
  description: 'Sends a mail.',
  inputSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
  annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: true },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize')
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'mail', version: '1' } } });
  else if (method === 'tools/list') send({ id, result: { tools: [mail] } });
  else if (method === 'tools/call') {
    appendFileSync(join(__dirname, 'sent.log'), params.arguments.to + '\\n');
    if (!existsSync(join(__dirname, 'hold'))) send({ id, result: { content: [{ type: 'text', text: 'sent to ' + params.arguments.to }] } });
  } else if (id !== undefined) send({ id, result: {} });
});
`;

let editor: Editor;
let page: Page;
let model: LoopbackServer;
let fault: LoopbackReply['fault'];

beforeAll(async () => {
  model = await startLoopbackOpenAi(
    ({ body }) => {
      if (fault !== undefined) return { fault };
      if (JSON.stringify(body).includes('You are Scribe.')) return { text: JSON.stringify({ note: 'Written down.' }) };
      const results = resultsIn(body);
      if (results.length === 0) return toolCallReply({ name: 'send_mail', args: { to: 'ann@example.org' } }, 'call_1');
      return { text: JSON.stringify({ said: results.at(-1) ?? '' }) };
    },
    { lenient: true },
  );
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const anyText = (field: string) => ({ type: 'object', required: [field], properties: { [field]: { type: 'string' } } });
  editor = await openEditor({
    settings: { 'agentStack.runs.durable': true },
    files: {
      'mail/server.cjs': mailServer,
      'config/mcp.json': json({
        servers: { mail: { type: 'stdio', command: process.execPath, args: ['${workspaceFolder}/mail/server.cjs'] } },
      }),
      'config/llms/loopback.json': json({ llm_id: 'loopback', provider: 'openai_compatible', base_url: model.url, model_name: 'loop-1' }),
      'config/agents/Sender/v1.json': json({
        agent_name: 'Sender',
        version: 'v1',
        agent_type: 'react',
        system_text: 'You send mails.',
        purpose_text: 'Send one.',
        output_schema: anyText('said'),
        llm_config_id: 'loopback',
        client_ids: ['mail'],
        timeout_ms: 120_000,
      }),
      [scribe]: json({
        agent_name: 'Scribe',
        version: 'v1',
        mode: 'Writer',
        llm_config_id: 'loopback',
        system_text: 'You are Scribe.',
        purpose_text: 'Write it down.',
        input_keys: ['topic'],
        output_schema: anyText('note'),
        timeout_ms: 120_000,
      }),
      'config/payloads/Scribe/short.json': json({ input: { topic: 'Mails' } }),
      [orchestration]: json({
        name: 'notify',
        entry_team: 'out',
        max_total_teams: 2,
        context: { topic: 'Mails' },
        teams: { out: { name: 'Out', tasks: [{ name: 'mail', agent: 'Sender@v1' }], routing: { default: null } } },
      }),
    },
  });
  // A run in a terminal that is killed while a mail is on its way, and one of an agent while its model answers.
  writeFileSync(file('mail/hold'), '');
  await interrupt(['orchestrate', 'notify', '--allow-tools'], () => mails() === 1);
  rmSync(file('mail/hold'));
  fault = 'hang';
  const asked = model.requests.length;
  await interrupt(['run', 'Scribe', '--case', 'short', '--durable'], () => model.requests.length > asked);
  fault = undefined;
  page = await editor.open({ width: 1280, height: 860 });
}, 180_000);
afterAll(async () => {
  await editor?.close();
  await model?.close();
});

const file = (path: string) => join(editor.workspace, path);
/** How many mails were sent. */
const mails = () => (existsSync(file('mail/sent.log')) ? readFileSync(file('mail/sent.log'), 'utf8').trim().split('\n').length : 0);
const panel = (): Promise<Frame> => webview(page, /^Run: /);
const dialog = (): Locator => page.locator('.monaco-dialog-box');
const button = (text: string) => dialog().locator('.monaco-button', { hasText: text });

/** Runs the command line until something has happened, then kills it as no process can prevent. */
async function interrupt(args: readonly string[], until: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'dist/cli.cjs'), ...args, '--json'], { cwd: editor.workspace, stdio: 'ignore' });
  for (const end = Date.now() + 60_000; !until(); ) {
    if (Date.now() > end || child.exitCode !== null) throw new Error(`agent-stack ${args.join(' ')} did not get as far as it should.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('a run of an agent whose steps were kept', () => {
  test('is offered with those of orchestrations, and goes on', async () => {
    await openFile(page, scribe);
    const notice = await notification(page, '2 runs were interrupted, the last of them of Scribe.');
    await notice.locator('.monaco-button', { hasText: /^Resume$/ }).click();
    const frame = await panel();
    await frame.locator('.badge.completed').waitFor();
    expect(await frame.locator('h1').textContent()).toBe('Scribe@v1');
    expect(await frame.locator('section[aria-labelledby=answer-title]').innerText()).toContain('Written down.');
    await screenshot(page, 'durable-agent');
  });
});

describe('a call that may not silently be made twice', () => {
  test('is asked about when the run goes on: going back on it leaves the run as it is', async () => {
    await runCommand(page, 'Agent Stack: Resume Run');
    await pick(page, 'notify');
    // Its server is started for the first time here.
    await button('Start').click();
    await dialog().filter({ hasText: 'It is unknown whether the call of send_mail happened.' }).waitFor();
    const text = await dialog().innerText();
    expect(text).toContain('It had begun in out / mail');
    expect(text).toContain('ann@example.org');
    // What Enter would say does no harm.
    expect(await dialog().locator('.monaco-button:focus').innerText()).toBe('Treat It as Failed');
    await screenshot(page, 'durable-unfinished');
    await button('Cancel').click();
    const frame = await panel();
    await frame.locator('.badge.failed').waitFor();
    await frame.getByRole('button', { name: 'Resume' }).waitFor();
    expect(mails()).toBe(1);
  });

  test('is made again only after the user says so', async () => {
    await (await panel()).getByRole('button', { name: 'Resume' }).click();
    await button('Call Again').click();
    const frame = await panel();
    await frame.locator('.badge.completed').waitFor();
    expect(mails()).toBe(2);
  });
});

describe('a task that calls a tool', () => {
  test.each(Object.keys(themes) as (keyof typeof themes)[])(
    'asks for leave with its team, its name and its agent, in %s',
    async (theme) => {
      await setTheme(page, theme);
      await openFile(page, orchestration);
      await runCommand(page, 'Agent Stack: Run Orchestration');
      await pick(page, 'With the context of the file');
      await pick(page, 'Each agent with its own');
      const frame = await panel();
      const question = frame.locator('.approval');
      await question.waitFor();
      expect(await question.innerText()).toContain('Asked for in out / mail by Sender@v1.');
      expect(await frame.locator('[role=status]').innerText()).toBe('send_mail in out / mail waits for your approval.');
      await frame.locator(`body.vscode-${theme === 'hc' ? 'high-contrast' : theme}`).waitFor();
      await screenshot(page, `durable-approval-${theme}`);
      expect(await violations(frame)).toEqual([]);
      await question.getByRole('button', { name: 'Deny' }).click();
      await frame.locator('.badge.completed').waitFor();
      expect(mails()).toBe(2);
    },
  );
});

describe('an agent that is run durably', () => {
  test('can be cancelled and resumed, as its setting says', async () => {
    await setTheme(page, 'light');
    fault = 'hang';
    const asked = model.requests.length;
    await openFile(page, scribe);
    await runCommand(page, 'Agent Stack: Run Agent');
    await pick(page, 'short');
    await pick(page, /^loopback/);
    await expect.poll(() => model.requests.length).toBeGreaterThan(asked);
    await (await panel()).getByRole('button', { name: 'Cancel' }).click();
    const frame = await panel();
    await frame.locator('.badge.cancelled').waitFor();
    fault = undefined;
    await frame.getByRole('button', { name: 'Resume' }).click();
    await (await panel()).locator('.badge.completed').waitFor();
  });
});

describe('the list of runs', () => {
  const row = (name: string) => page.locator('.pane', { hasText: 'Runs' }).locator('.monaco-list-row', { hasText: name }).first();

  test('leads from a run of an orchestration to its way in the graph', async () => {
    await runCommand(page, 'Agent Stack: Focus on Runs View');
    await chooseInMenu(row('notify'), 'Show Run in Graph');
    const graph = await webview(page, /^Graph /);
    await graph.locator('.run-bar').waitFor();
    await graph.locator('.node.team.done', { hasText: 'out' }).waitFor();
    expect(await page.locator('.editor-group-container').count()).toBe(2);
    await screenshot(page, 'durable-graph');
  });

  test('has no graph of an agent', async () => {
    const menu = await openMenu(row('Scribe'));
    await menu.locator('.action-item', { hasText: 'Pin' }).first().waitFor();
    expect(await menu.locator('.action-item', { hasText: 'Show Run in Graph' }).count()).toBe(0);
    await page.keyboard.press('Escape');
  });
});
