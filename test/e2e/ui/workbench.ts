// What the tests do in the workbench, by keyboard and by what is to be seen. Nothing here waits a fixed time.
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';

const quickInput = '.quick-input-widget:not([style*="display: none"])';

/** Opens a file of the workspace by its path, as Go to File does, and waits until its editor has the focus. */
export async function openFile(page: Page, path: string): Promise<void> {
  await readyForInput(page);
  // Agents, prompts and payloads are called by their own names, with the path beside them.
  const row = page.locator(`${quickInput} .monaco-list-row`, { hasText: path.split('/').slice(0, -1).join('/') });
  const editor = page.locator(`.monaco-editor.focused[data-uri$="${path}"]`);
  for (let attempt = 1; ; attempt++) {
    await askByKey(page, 'Control+P');
    try {
      // On a busy machine the box may be gone again before it is filled.
      await page.locator(`${quickInput} input`).fill(path, { timeout: 10_000 });
      await row.first().click({ timeout: attempt < 4 ? 10_000 : 30_000 });
      await editor.waitFor({ timeout: attempt < 4 ? 5_000 : 30_000 });
      return;
    } catch (error) {
      // Before the list is filtered, its first row may be another file of that folder.
      if (attempt === 4) throw error;
    }
  }
}

/** Runs a command from the palette by its whole title, category included: `Agent Stack: Run Agent`. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await readyForInput(page);
  // Titles alike may come first, and the list changes while its last entries arrive: only the row itself is sure.
  const row = page
    .locator(`${quickInput} .monaco-list-row`, { has: page.locator('.label-name', { hasText: new RegExp(`^${literal(title)}$`) }) })
    .first();
  for (let attempt = 1; ; attempt++) {
    await askByKey(page, 'F1');
    try {
      await page.locator(`${quickInput} input`).fill(`>${title}`, { timeout: 10_000 });
      await row.click({ timeout: attempt < 10 ? 3_000 : 15_000 });
      return;
    } catch (error) {
      if (attempt === 10) throw error;
      // The palette lists what there was when it opened; a command of an extension that starts meanwhile is in the next one.
      await page.keyboard.press('Escape');
    }
  }
}

/** Chooses an entry of the pick list that is open, by (part of) its text, without filtering the list. `^` is where its words begin. */
export async function pick(page: Page, text: string | RegExp): Promise<void> {
  // An icon before the words leaves a space behind.
  const hasText = typeof text === 'string' ? text : new RegExp(text.source.replace(/^\^/, '^\\s*'), text.flags);
  await page.locator(`${quickInput} .monaco-list-row`, { hasText }).first().click();
}

/** Answers the question in the input box that is open. `prompt` is (part of) the text around the box, so that no other box is meant. */
export async function answer(page: Page, text: string, prompt: string | RegExp): Promise<void> {
  await page.locator(quickInput, { hasText: prompt }).waitFor();
  await page.locator(`${quickInput} .quick-input-box input`).fill(text);
  await page.keyboard.press('Enter');
}

/** The themes as their picker calls them. */
export const themes = { light: 'Light Modern', dark: 'Dark Modern', hc: 'Dark High Contrast' } as const;

export async function setTheme(page: Page, theme: keyof typeof themes): Promise<void> {
  await runCommand(page, 'Preferences: Color Theme');
  await page
    .locator(`${quickInput} .monaco-list-row`, { hasText: /Modern/ })
    .first()
    .waitFor();
  await page.locator(`${quickInput} input`).fill(themes[theme]);
  await pick(page, new RegExp(`^${themes[theme]}`));
  await page.locator(`.monaco-workbench.${{ light: 'vs', dark: 'vs-dark', hc: 'hc-black' }[theme]}`).waitFor();
  await page.locator(quickInput).waitFor({ state: 'hidden' });
}

/** The squiggle of a finding in the editor that is open. */
export async function waitForFinding(page: Page, severity: 'error' | 'warning' | 'info' = 'error'): Promise<Locator> {
  const squiggle = page.locator(`.monaco-editor .squiggly-${severity}`).first();
  await squiggle.waitFor({ state: 'attached' });
  return squiggle;
}

/** The light bulb, which is in the margin where it would cover text. */
export function lightBulb(page: Page): Locator {
  return page.locator('.lightBulbWidget, [class*="codicon-gutter-lightbulb"]').filter({ visible: true }).first();
}

/**
 * The document inside a webview, found by its `<title>`, once the page has drawn something. A webview that is hidden without
 * `retainContextWhenHidden` gets a new document when it is shown again: ask again then.
 */
export async function webview(page: Page, title: string | RegExp, milliseconds = 30_000): Promise<Frame> {
  const isWanted = (found: string) => (typeof title === 'string' ? found === title : title.test(found));
  const seen = new Set<string>();
  for (const end = Date.now() + milliseconds; Date.now() < end; ) {
    for (const frame of page.frames()) {
      if (frame.parentFrame()?.parentFrame() !== page.mainFrame()) continue;
      // A frame may go away while it is asked.
      const found = await frame.title().catch(() => '');
      seen.add(found);
      if (
        isWanted(found) &&
        (await frame
          .locator('body > :not(script, style)')
          .count()
          .catch(() => 0)) > 0
      )
        return frame;
    }
    await page.waitForTimeout(50);
  }
  throw new Error(`No webview is titled ${title}; there are: ${[...seen].join(', ') || 'none'}`);
}

/** A notification, on the screen or, where it has been there for a while, in the list of all of them. */
export async function notification(page: Page, hasText: string): Promise<Locator> {
  const found = page.locator('.notification-list-item', { hasText }).first();
  for (const end = Date.now() + 60_000; !(await found.isVisible()); ) {
    if (Date.now() > end) throw new Error(`No notification says "${hasText}".`);
    await runCommand(page, 'Notifications: Show Notifications');
  }
  return found;
}

/** Puts the caret of the editor at a place (both 1-based). */
export async function goTo(page: Page, line: number, column = 1): Promise<void> {
  await focusEditor(page);
  await askByKey(page, 'Control+G');
  await page.locator(`${quickInput} input`).fill(`:${line}:${column}`);
  await page.keyboard.press('Enter');
  await page.locator('#status\\.editor\\.selection', { hasText: `Ln ${line}, Col ${column}` }).waitFor();
  // The box gives the keyboard back a moment after the caret is there.
  await page.locator(quickInput).waitFor({ state: 'hidden' });
  await focusEditor(page);
}

/** Where the caret is, as the status bar says (both 1-based). */
export async function caret(page: Page): Promise<{ readonly line: number; readonly column: number }> {
  await focusEditor(page);
  const text = await page.locator('#status\\.editor\\.selection').innerText();
  const match = /Ln (\d+), Col (\d+)/.exec(text);
  if (match === null) throw new Error(`The status bar names no place: ${text}`);
  return { line: Number(match[1]), column: Number(match[2]) };
}

/** Selects the first place in the editor that has exactly this text, with the editor's own search. */
export async function selectText(page: Page, text: string): Promise<void> {
  await focusEditor(page);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+F');
  const widget = page.locator('.editor-widget.find-widget.visible');
  // What was looked for before would not be looked for again.
  await widget.locator('.find-part textarea').fill('');
  await widget.locator('.matchesCount', { hasText: /^No results/ }).waitFor({ state: 'attached' });
  await widget.locator('.find-part textarea').fill(text);
  // A narrow editor counts them too, but does not show it.
  await widget.locator('.matchesCount', { hasText: /^1 of/ }).waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await widget.waitFor({ state: 'hidden' });
  await page.locator('#status\\.editor\\.selection', { hasText: 'selected' }).waitFor();
  await focusEditor(page);
}

/** Types as a user does, key by key, in place of what is selected. Quotes and brackets close themselves as they do for a user. */
export async function typeInEditor(page: Page, text: string): Promise<void> {
  await focusEditor(page);
  await page.keyboard.type(text);
}

/** Gives the keyboard to the editor of the first group, unless an editor has it. */
export async function focusEditor(page: Page): Promise<void> {
  // An editor may have the focus while a panel beside it still counts as the active one.
  const focused = page.locator('.editor-group-container.active .monaco-editor.focused[data-uri]');
  if ((await focused.count()) > 0) return;
  await page.keyboard.press('Control+1');
  await focused.waitFor();
}

/** Reverts the active editor to what is on disk. */
export async function revert(page: Page): Promise<void> {
  await focusEditor(page);
  await runCommand(page, 'File: Revert File');
  await page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
}

/** The lines of the editors that are on the screen, from top to bottom. All are read at once: editors take lines away at any moment. */
export async function visibleText(page: Page, editor = '.monaco-editor[data-uri]'): Promise<string> {
  const lines = await page
    .locator(`${editor} .view-line`)
    .evaluateAll((found) => found.map((line) => ({ style: line.getAttribute('style') ?? '', text: line.textContent ?? '' })));
  return lines
    .map(({ style, text }) => ({ top: Number.parseFloat(/top:\s*([\d.]+)/.exec(style)?.[1] ?? '0'), text: text.replaceAll('\u00a0', ' ') }))
    .sort((left, right) => left.top - right.top)
    .map(({ text }) => text)
    .join('\n');
}

/**
 * Saves a screenshot in AGENT_STACK_PICTURES, by default a temporary folder, and returns its path. The pictures of the README are made by
 * screenshots.test.ts.
 */
export async function screenshot(page: Page, name: string): Promise<string> {
  const folder = process.env.AGENT_STACK_PICTURES ?? join(tmpdir(), 'agent-stack-pictures');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, caret: 'hide', animations: 'disabled' });
  return path;
}

/** Opens an input box by its key. A key that reaches a webview just as it comes or goes is lost: then it is pressed again. */
async function askByKey(page: Page, key: string): Promise<void> {
  const box = page.locator(`${quickInput} input`);
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press(key);
    try {
      await box.waitFor({ timeout: attempt < 5 ? 3_000 : 15_000 });
      return;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

/** Until then keys go nowhere, and the commands of the extension are not there. */
async function readyForInput(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor();
  await page
    .locator('.part.sidebar .monaco-list-row, .monaco-editor, .editor-group-watermark, iframe.webview')
    .filter({ visible: true })
    .first()
    .waitFor();
  // VS Code asks its webviews every 250 ms whether they have the focus: only then is their column the active one, where files open.
  await page.waitForFunction(columnOfFocusedWebviewIsActive);
}

/** As an expression, since it runs in the page. A webview lies over its column, not in it. */
const columnOfFocusedWebviewIsActive = `(() => {
  const webview = document.activeElement?.closest('iframe.webview')?.getBoundingClientRect();
  if (webview === undefined) return true;
  const [x, y] = [webview.x + webview.width / 2, webview.y + webview.height / 2];
  const columns = [...document.querySelectorAll('.editor-group-container')].filter((column) => {
    const { left, right, top, bottom } = column.getBoundingClientRect();
    return left <= x && x <= right && top <= y && y <= bottom;
  });
  return columns.every(({ classList }) => classList.contains('active'));
})()`;

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
