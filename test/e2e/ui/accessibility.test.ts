// Every page must be usable without a mouse and with a screen reader, and harmless with any content.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor } from '../support/editor.js';
import { violations } from './axe.js';
import { openFile, runCommand, setTheme, webview } from './workbench.js';

/** Would run if any of it were taken for HTML. */
const markup = '<img src="x" onerror="window.wasRun = 1"><script>window.wasRun = 2</script><a href="javascript:window.wasRun=3">go</a>';
const file = 'config/agents/ReleaseNotes/v1.json';

let editor: Editor;
let page: Page;
let model: LoopbackServer;
/** Where no page may get through to. */
let outside: Server;
let visits = 0;

beforeAll(async () => {
  const answer = {
    headline: markup,
    summary: markup,
    breaking_changes: [{ change: markup, action: markup }],
    improvements: [markup],
    fixes: [],
  };
  model = await startLoopbackOpenAi({ text: JSON.stringify(answer) }, { lenient: true });
  outside = createServer((_request, response) => {
    visits++;
    response.setHeader('access-control-allow-origin', '*').end('reached');
  });
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  const profile = { llm_id: 'hostile', provider: 'openai_compatible', base_url: model.url, model_name: markup };
  editor = await openEditor({
    files: {
      'config/llms/hostile.json': JSON.stringify(profile),
      'config/payloads/ReleaseNotes/markup.json': JSON.stringify({ input: { product: markup, version: '1', changes: [markup] } }),
    },
  });
  page = await editor.open();
  await openFile(page, file);
  await runCommand(page, 'Agent Stack: Preview Prompt');
  const preview = await webview(page, /Preview/);
  await preview.locator('.piece').first().waitFor();
  await startRun();
  await (await webview(page, /^Run: /)).locator('.badge.completed').waitFor();
});
afterAll(async () => {
  await editor?.close();
  await model?.close();
  outside?.close();
});

/** A list that was just opened closes again when something else takes the focus, as pages do when they are drawn: then it is opened once more. */
async function startRun(): Promise<void> {
  const list = page.locator('.quick-input-widget:not([style*="display: none"]) .monaco-list-row');
  for (let attempt = 1; ; attempt++) {
    await openFile(page, file);
    await runCommand(page, 'Agent Stack: Run Agent');
    try {
      await list.filter({ hasText: 'markup' }).first().click({ timeout: 15_000 });
      await list.filter({ hasText: 'hostile' }).first().click({ timeout: 15_000 });
      return;
    } catch (error) {
      if (attempt === 4) throw error;
      await page.keyboard.press('Escape');
    }
  }
}

/** Everything that is folded away is looked at too. */
const unfold = `for (const box of document.querySelectorAll('details')) box.open = true`;

/** The pages, and how each is brought to the front, drawn whole. */
const pages: Readonly<Record<string, () => Promise<Frame>>> = {
  'the preview': async () => {
    await page.locator('.tab', { hasText: 'Preview' }).first().click();
    const frame = await webview(page, /Preview/);
    await frame.locator('.piece').first().waitFor();
    await frame.evaluate(unfold);
    return frame;
  },
  'the run panel': async () => {
    await page.locator('.tab', { hasText: 'Run: ' }).first().click();
    const frame = await webview(page, /^Run: /);
    await frame.locator('.badge.completed').waitFor();
    await frame.evaluate(unfold);
    return frame;
  },
};

/** Everything one can act on, in the order of the document: role, name, and what is wrong with it. */
const controls = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex], [role=button], [role=tab]')]
  .filter((found) => found.checkVisibility())
  .map((found) => ({
    tag: found.outerHTML.slice(0, 120),
    tabindex: found.tabIndex,
    name: (found.getAttribute('aria-label') ??
      (found.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim() ??
      '') || [...(found.labels ?? [])].map((label) => label.textContent).join(' ').trim() || found.textContent.trim() || found.title,
  }))`;

/** Presses Tab until the focus has gone around and tells the places in the document of what had it. */
async function tabOrder(frame: Frame): Promise<readonly number[]> {
  // From the very top, where the mouse put the focus on nothing.
  await frame.locator('body').click({ position: { x: 12, y: 4 } });
  const seen: number[] = [];
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press('Tab');
    const place = Number(
      await frame.evaluate(
        `document.hasFocus() && document.activeElement !== document.body ? [...document.querySelectorAll('*')].indexOf(document.activeElement) : -1`,
      ),
    );
    if (place === -1 || seen.includes(place)) break;
    seen.push(place);
  }
  return seen;
}

describe.each(Object.keys(pages))('%s', (name) => {
  const show = async () => pages[name]!();

  test('has a name for everything one can act on, and no order of its own', async () => {
    const found = await (await show()).evaluate<readonly { tag: string; name: string; tabindex: number }[]>(controls);
    expect(found.length).toBeGreaterThan(3);
    expect(found.filter((control) => control.name === '')).toEqual([]);
    expect(found.filter(({ tabindex }) => tabindex > 0)).toEqual([]);
  });

  test('is walked through by Tab from top to bottom', async () => {
    const order = await tabOrder(await show());
    expect(order.length).toBeGreaterThan(3);
    expect(order).toEqual([...order].sort((left, right) => left - right));
  });

  test('says what changes to a screen reader, politely', async () => {
    const live = await (await show()).evaluate(
      `[...document.querySelectorAll('[aria-live], [role=status], [role=log], [role=alert]')].map((region) => region.getAttribute('aria-live') ?? region.getAttribute('role'))`,
    );
    expect(live).not.toEqual([]);
    expect(live).not.toContain('assertive');
  });

  test.each(['dark', 'light', 'hc'] as const)('keeps the rules of WCAG in the theme %s', async (theme) => {
    await setTheme(page, theme);
    const frame = await show();
    // The colours of the theme come with a message.
    await frame.locator(`body.vscode-${theme === 'hc' ? 'high-contrast' : theme}`).waitFor();
    expect(await violations(frame)).toEqual([]);
  });

  test('lets no script in and nothing out', async () => {
    const frame = await show();
    const target = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/`;
    expect(await (await fetch(target)).text()).toBe('reached');
    const before = visits;
    const blocked = await frame.evaluate<readonly string[]>(`new Promise((resolve) => {
      const blocked = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => blocked.push(effectiveDirective));
      const inline = document.createElement('script');
      inline.textContent = 'window.wasRun = 4';
      const remote = document.createElement('script');
      remote.src = '${target}script.js';
      const image = document.createElement('img');
      image.src = '${target}image.png';
      const frame = document.createElement('iframe');
      frame.src = '${target}';
      const button = document.createElement('button');
      button.setAttribute('onclick', 'window.wasRun = 5');
      document.body.append(inline, remote, image, frame, button);
      button.click();
      const requests = [fetch('${target}data'), new Promise((done) => { const socket = new XMLHttpRequest(); socket.onloadend = done; socket.open('GET', '${target}xhr'); socket.send(); })];
      const wanted = ['connect-src', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem'];
      const end = Date.now() + 5_000;
      // What was blocked is told a little later than it is blocked.
      const look = () => {
        if (!wanted.every((directive) => blocked.includes(directive)) && Date.now() < end) return setTimeout(look, 20);
        for (const added of [inline, remote, image, frame, button]) added.remove();
        resolve([...new Set(blocked)].sort());
      };
      Promise.allSettled(requests).then(look);
    })`);
    expect(blocked).toEqual(['connect-src', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem']);
    expect(await frame.evaluate('window.wasRun')).toBeUndefined();
    expect(visits).toBe(before);
  });
});

describe('Hostile text', () => {
  test('in the answer of a model stays text', async () => {
    const frame = await pages['the run panel']!();
    expect(await frame.locator('body').innerText()).toContain('<script>window.wasRun = 2</script>');
    expect(await frame.locator('img, a[href^=javascript], main script').count()).toBe(0);
    expect(await frame.evaluate('window.wasRun')).toBeUndefined();
  });

  test('in a payload stays text in the preview', async () => {
    const frame = await pages['the preview']!();
    await frame.getByLabel('Case', { exact: true }).selectOption('markup');
    await frame.locator('.piece', { hasText: 'window.wasRun' }).first().waitFor();
    expect(await frame.locator('img, a[href^=javascript], main script').count()).toBe(0);
    expect(await frame.evaluate('window.wasRun')).toBeUndefined();
  });
});
