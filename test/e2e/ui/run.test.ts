import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoopbackReply, type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor } from '../support/editor.js';
import { violations } from './axe.js';
import { openFile, pick, runCommand, screenshot, screenshotInThemes, setTheme, webview } from './workbench.js';

const agent = 'config/agents/A2/v1.json';
const goodAnswer = { system: 'Friend', audience: 'Self', tone: 'friendly', response_depth: 'short', confidence: 'high' };
const badAnswer = { ...goodAnswer, tone: 'loud' };

let editor: Editor;
let page: Page;
let server: LoopbackServer;
let reply: LoopbackReply = {};

beforeAll(async () => {
  server = await startLoopbackOpenAi(() => reply, { lenient: true });
  const profile = { llm_id: 'loopback', provider: 'openai_compatible', base_url: server.url, model_name: 'tiny' };
  const teller = { agent_name: 'Teller', version: 'v1', system_text: 'You answer in text.', llm_config_id: 'loopback' };
  editor = await openEditor({
    files: {
      'config/llms/loopback.json': JSON.stringify(profile),
      'config/agents/Teller/v1.json': JSON.stringify(teller),
      'config/payloads/Teller/story.json': JSON.stringify({ input: { text: 'Tell me.' } }),
    },
  });
  page = await editor.open();
});
afterAll(async () => {
  await editor?.close();
  await server?.close();
});

/** The run panel that is to be seen. */
function panel(): Promise<Frame> {
  return webview(page, /^Run: /);
}

/** A notification, looked for where all are: in a window without the focus VS Code shows none by itself. */
async function notification(text: string): Promise<Locator> {
  await runCommand(page, 'Notifications: Show Notifications');
  const found = page.locator('.notifications-center .notification-list-item', { hasText: text }).first();
  await found.waitFor();
  return found;
}

/** In the first column, beside which panels are. */
async function openAgent(): Promise<void> {
  await page.keyboard.press('Control+1');
  await openFile(page, agent);
}

async function runWith(input: string, profile: string): Promise<Frame> {
  await openAgent();
  await page.keyboard.press('Control+Alt+R');
  // The input itself, not the line on top that has it as the last one.
  await pick(page, new RegExp(`^\\s*${input}`));
  await pick(page, new RegExp(`^\\s*${profile}`));
  return panel();
}

function runIds(): readonly string[] {
  return readdirSync(join(editor.workspace, '.agentstack/runs')).sort();
}

describe('Run Agent', () => {
  test('from the palette streams an answer into a panel, field by field', async () => {
    // Half of the answer comes, the rest never does.
    reply = { text: JSON.stringify(goodAnswer).match(/.{1,8}/g) ?? [], fault: 'hang-mid-body' };
    await openAgent();
    await runCommand(page, 'Agent Stack: Run Agent');
    await pick(page, 'parser');
    await pick(page, 'loopback');
    const frame = await panel();
    await frame.locator('.badge.running').waitFor();
    await frame.locator('.fields dt', { hasText: 'system' }).waitFor();
    expect(await frame.locator('.fields dd').first().innerText()).toBe('Friend');
    expect(await frame.locator('.long-text').innerText()).toContain('"system":"Friend"');
    await screenshot(page, 'run-streaming');

    await frame.locator('button', { hasText: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await frame.locator('.badge.cancelled').waitFor();
    // The focus is on the button that took the place of Cancel.
    expect(await frame.evaluate('document.activeElement?.textContent')).toBe('Run Again');
    expect(await frame.locator('[role=status]').innerText()).toBe('Cancelled.');
  });

  test('again, from the panel, takes the same panel and ends with the whole answer', async () => {
    reply = { text: JSON.stringify(goodAnswer) };
    await (await panel()).locator('button', { hasText: 'Run Again' }).click();
    const frame = await panel();
    await frame.locator('.badge.completed').waitFor();
    expect(await frame.locator('section[aria-labelledby=answer-title] dt').allInnerTexts()).toHaveLength(5);
    expect(await frame.locator('.verdict.valid').count()).toBe(5);
    expect(await page.locator('.tab', { hasText: 'Run: A2' }).count()).toBe(1);
    await expect.poll(() => frame.title()).toMatch(/^Run: A2@v1 · parser · .* · completed$/);
    expect(runIds()).toHaveLength(2);
  });

  test('twice is two key strokes', async () => {
    await openAgent();
    await page.keyboard.press('Control+Alt+R');
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'As last time' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => runIds().length).toBe(3);
    await (await panel()).locator('.badge.completed').waitFor();
  });

  test('leads from what the schema refuses to the line that says so', async () => {
    reply = { text: JSON.stringify(badAnswer) };
    const frame = await runWith('cloud_costs', 'loopback');
    await frame.locator('.badge.failed').waitFor();
    expect(await frame.locator('.verdict.invalid').count()).toBe(1);
    await screenshot(page, 'run-failed');
    // The panel and its page are named after the run that they show now.
    await expect.poll(() => frame.title()).toMatch(/^Run: A2@v1 · cloud_costs · .* · failed$/);
    await page.locator('.tab', { hasText: /^Run: A2@v1 · cloud_costs · .* · failed$/ }).waitFor();
    await frame.locator('button.link', { hasText: '/tone' }).click();
    await page.locator('#status\\.editor\\.selection', { hasText: 'selected' }).waitFor();
    // The file does not cover the panel.
    await page.locator('.tab.active', { hasText: 'Run: A2@v1' }).waitFor();
    await page.locator('.tab.active', { hasText: 'A2 v1' }).waitFor();
  });

  test('from the lens above the agent', async () => {
    await openAgent();
    const before = runIds().length;
    await page.keyboard.press('Control+Home');
    const lens = page
      .locator('.codelens-decoration a', { hasText: /^\s*Run$/ })
      .filter({ visible: true })
      .first();
    const inputs = page.locator('.quick-input-list .monaco-list-row', { hasText: 'cloud_costs' }).first();
    // A lens that VS Code is just about to replace does nothing.
    await expect
      .poll(
        async () => {
          if (!(await inputs.isVisible())) await lens.click();
          return inputs.isVisible();
        },
        { timeout: 20_000, interval: 1_000 },
      )
      .toBe(true);
    await pick(page, /^\s*cloud_costs/);
    await pick(page, /^\s*offline/);
    await (await panel()).locator('.badge.simulated', { hasText: 'Simulated' }).waitFor();
    await expect.poll(() => runIds().length).toBe(before + 1);
  });

  test('refuses what is not saved, and runs it once it is', async () => {
    await openAgent();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' ');
    await page.keyboard.press('Control+Alt+R');
    const notice = await notification('not saved');
    await screenshot(page, 'run-unsaved');
    await notice.locator('.monaco-button', { hasText: 'Save and Run' }).click();
    await pick(page, 'As last time');
    await (await panel()).locator('.badge.completed').waitFor();
  });

  test('refuses an agent with errors and shows the squiggle', async () => {
    const file = join(editor.workspace, agent);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"temperature": 0', '"temperature": 9'));
    try {
      await openAgent();
      await page.locator('.monaco-editor .squiggly-error').first().waitFor({ state: 'attached' });
      await page.keyboard.press('Control+Alt+R');
      const notice = await notification('cannot run');
      await notice.locator('.monaco-button', { hasText: 'Show' }).click();
      await page.locator('#status\\.editor\\.selection', { hasText: '1 selected' }).waitFor();
    } finally {
      writeFileSync(file, text);
    }
    await page.locator('.monaco-editor .squiggly-error').first().waitFor({ state: 'detached' });
  });

  test('with the keyboard alone, and the panel too', async () => {
    await openAgent();
    await page.keyboard.press('Control+Alt+R');
    const before = runIds().length;
    const focusedRow = page.locator('.quick-input-list .monaco-list-row.focused');
    await focusedRow.filter({ hasText: 'As last time' }).waitFor();
    await page.keyboard.type('parser');
    await focusedRow.filter({ hasText: /^\s*parser/ }).waitFor();
    await page.keyboard.press('Enter');
    await focusedRow.filter({ hasText: 'needs no key' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => runIds().length).toBe(before + 1);
    const frame = await panel();
    await frame.locator('.badge.completed').waitFor();
    await page.keyboard.press('Control+2');
    const focused = () => frame.evaluate('document.activeElement?.textContent');
    // The keyboard reaches a page a moment after its column; before that, Tab would be typed elsewhere.
    const hasFocus = () => frame.evaluate<boolean>('document.hasFocus()');
    await expect.poll(hasFocus).toBe(true);
    await expect
      .poll(async () => {
        // The editor may take it back once, and would take the Tab for text.
        await page.keyboard.press((await hasFocus()) ? 'Tab' : 'Control+2');
        return focused();
      })
      .toBe('Run Again');
    const runs = runIds().length;
    await page.keyboard.press('Enter');
    await expect.poll(() => runIds().length).toBe(runs + 1);
  });

  test('goes on when its panel is closed, with a notification that can cancel it', async () => {
    reply = { text: JSON.stringify(goodAnswer), fault: 'hang-mid-body' };
    const frame = await runWith('parser', 'loopback');
    await frame.locator('.badge.running').waitFor();
    await page.keyboard.press('Control+2');
    await runCommand(page, 'View: Close Editor');
    const notice = await notification('Running A2@v1');
    await notice.locator('.monaco-button', { hasText: 'Cancel' }).click();
    await notice.waitFor({ state: 'detached' });
    const last = join(editor.workspace, '.agentstack/runs', runIds().at(-1) ?? '', 'result.json');
    await expect.poll(() => JSON.parse(readFileSync(last, 'utf8')).status).toBe('cancelled');
  });

  test('tells, once, when git would take the runs in', async () => {
    const ignore = join(editor.workspace, '.agentstack/.gitignore');
    expect(readFileSync(ignore, 'utf8')).toBe('*\n');
    expect(spawnSync('git', ['init', '--quiet'], { cwd: editor.workspace }).status).toBe(0);
    writeFileSync(ignore, '');
    await runWith('parser', 'offline');
    const notice = await notification('Git does not ignore');
    await notice.locator('.monaco-button', { hasText: 'Ignore Them' }).click();
    await expect.poll(() => readFileSync(ignore, 'utf8')).toBe('*\n');
  });

  test('stays quick while a megabyte arrives', async () => {
    const long = JSON.stringify({ ...badAnswer, tone: 'many words '.repeat(95_000) });
    reply = { text: long.match(/.{1,400}/g) ?? [] };
    const frame = await runWith('parser', 'loopback');
    let slowest = 0;
    while ((await frame.locator('.badge.running').count()) > 0 || (await frame.locator('.badge').count()) === 0) {
      const began = performance.now();
      await frame.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
      slowest = Math.max(slowest, performance.now() - began);
    }
    await frame.locator('.badge.failed').waitFor();
    expect(
      await frame
        .locator('.long-text')
        .last()
        .evaluate((text) => text.textContent?.length),
    ).toBe(long.length);
    expect(slowest).toBeLessThan(2_000);
  });
});

describe('The runs view', () => {
  const rows = () => page.locator('.pane', { hasText: 'Runs' }).locator('.monaco-list-row');

  test('has every run, newest first, by the keyboard', async () => {
    await runCommand(page, 'Agent Stack: Focus on Runs View');
    await rows().filter({ hasText: 'A2@v1' }).first().waitFor();
    expect(await rows().filter({ hasText: 'A2@v1' }).count()).toBe(runIds().length);
    await rows().filter({ hasText: 'Today' }).waitFor();
    await screenshot(page, 'runs-view');
  });

  test('opens, pins, and deletes a run after asking', async () => {
    const first = rows().filter({ hasText: 'A2@v1' }).first();
    await first.click();
    await (await panel()).locator('.badge').first().waitFor();
    await first.hover();
    await first.locator('.action-label[aria-label^="Pin Run"]').click();
    await rows().filter({ hasText: 'Pinned' }).waitFor();
    const before = runIds().length;
    await rows().filter({ hasText: 'A2@v1' }).last().click();
    await page.keyboard.press('Delete');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await dialog.locator('.monaco-button', { hasText: 'Delete' }).click();
    const forGood = dialog.locator('.monaco-button', { hasText: 'Permanently' });
    await expect
      .poll(async () => {
        if ((await forGood.count()) > 0) await forGood.click();
        return runIds().length;
      })
      .toBe(before - 1);
  });
});

describe('The run panel', () => {
  test.each(['light', 'dark', 'hc'] as const)('can be read in %s', async (theme) => {
    await setTheme(page, theme);
    reply = { text: JSON.stringify(goodAnswer) };
    const frame = await runWith('parser', 'loopback');
    // The run before may have completed in the same panel.
    const text = () => frame.evaluate<string>('document.body.innerText');
    for (const value of Object.values(goodAnswer).flat()) await expect.poll(text).toContain(String(value));
    await frame.locator('.badge.completed').waitFor();
    expect(await violations(frame)).toEqual([]);
    await screenshot(page, `run-${theme}`);
  });

  test('can be read in a narrow column and in a wide one', async () => {
    const frame = await panel();
    const overflows = () => frame.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    try {
      for (const width of [720, 1280, 1900]) {
        await page.setViewportSize({ width, height: 800 });
        await expect.poll(overflows).toBe(false);
        await screenshot(page, `run-${width}`);
      }
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  test('links the files of the workspace that an answer names', async () => {
    const words =
      'I have read **agentstack.json:2**, `config/agents/A2/v1.json` and README.md:3. See https://example.com/README.md for more.';
    reply = { text: words };
    await page.keyboard.press('Control+1');
    await openFile(page, 'config/agents/Teller/v1.json');
    await page.keyboard.press('Control+Alt+R');
    await pick(page, 'story');
    await pick(page, 'loopback');
    const frame = await webview(page, /^Run: Teller@v1/);
    const answer = frame.locator('section[aria-labelledby=answer-title]');
    await frame.locator('.badge.completed').waitFor();
    const links = answer.locator('.markdown button');
    await expect
      .poll(() => links.allInnerTexts())
      .toEqual(['agentstack.json:2', 'config/agents/A2/v1.json', 'https://example.com/README.md']);
    await screenshotInThemes(page, 'run-file-links');
    await links.first().click();
    await page.locator('.tab.active', { hasText: 'agentstack.json' }).waitFor();
    await page.locator('.statusbar-item', { hasText: 'Ln 2, Col 1' }).waitFor();
  });
});
