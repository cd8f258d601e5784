// What the tests do in the workbench, by keyboard and by what is to be seen. Nothing here waits a fixed time.
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';

const quickInput = '.quick-input-widget:not([style*="display: none"])';

/** Opens a file of the workspace by its path, as Go to File does, and waits until its editor has the focus. */
export async function openFile(page: Page, path: string): Promise<void> {
  await readyForInput(page);
  // Agents, prompts and payloads are called by their own names, with the whole path beside them, others have the folder there. Before the list is
  // filtered it holds other files as well.
  const beside = new RegExp(`^${literal(dirname(path))}(/${literal(basename(path))})?$`);
  const row = page
    .locator(`${quickInput} .monaco-list-row`, {
      has: page.locator('.label-name', { hasText: basename(path).replace(/\.(?:json|md)$/, '') }),
    })
    .filter(path.includes('/') ? { has: page.locator('.label-description', { hasText: beside }) } : {});
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

/** Reloads the window as a user does. A reload by the browser does not wait until the editors that are open have been saved. */
export async function reloadWindow(page: Page): Promise<void> {
  await page.evaluate('window.isBeforeReload = true');
  await runCommand(page, 'Developer: Reload Window');
  await page.waitForFunction('window.isBeforeReload === undefined', undefined, { timeout: 60_000 });
  await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
}

/** Chooses an entry of the pick list that is open, by (part of) its text, without filtering the list. `^` is where its words begin. */
export async function pick(page: Page, text: string | RegExp): Promise<void> {
  // An icon before the words leaves a space behind.
  const hasText = typeof text === 'string' ? text : new RegExp(text.source.replace(/^\^/, '^\\s*'), text.flags);
  await page.locator(`${quickInput} .monaco-list-row`, { hasText }).first().click();
}

/**
 * Answers the question in the input box that is open. `prompt` is (part of) the text around the box, so that no other box is meant. The answer is
 * taken once the extension has judged it, which is when the box goes; whatever opens before, such as the palette, takes the question back.
 */
export async function answer(page: Page, text: string, prompt: string | RegExp): Promise<void> {
  const question = page.locator(quickInput, { hasText: prompt });
  await question.waitFor();
  const box = page.locator(`${quickInput} .quick-input-box input`);
  await box.fill(text);
  await box.press('Enter');
  await question.waitFor({ state: 'hidden' });
}

/** Chooses a folder in the dialog that is open. Its button takes the folder that has been read, which is the one whose folders are listed. */
export async function chooseFolder(page: Page, path: string, button: string): Promise<void> {
  const dialog = page.locator(quickInput);
  const box = dialog.locator('input').first();
  const rows = dialog.locator('.monaco-list-row');
  // A row may still hold the second line of what it showed before, unseen.
  const listed = () => rows.evaluateAll((all) => all.map((row) => row.querySelector('.label-name')?.textContent ?? '').sort());
  const inside = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const wanted = ['..', ...inside.map(({ name }) => name)].sort().join();
  // The dialog begins in a folder of its own: what is typed before that one has been read is lost.
  await rows.first().waitFor();
  for (const end = Date.now() + 60_000; (await listed()).join() !== wanted; await page.waitForTimeout(50)) {
    if (Date.now() > end) throw new Error(`The dialog does not list ${path}, but ${await box.inputValue()}: ${await listed()}`);
    if ((await box.inputValue()) !== `${path}/`) await box.fill(`${path}/`);
  }
  await dialog.getByRole('button', { name: button }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Opens the context menu of a row. A click while the tree is drawn anew opens none: then it is made again. */
export async function openMenu(row: Locator): Promise<Locator> {
  const menu = row.page().locator('.context-view .monaco-menu');
  for (let attempt = 1; ; attempt++) {
    await restPointer(row.page());
    await row.click({ button: 'right' });
    try {
      await menu.waitFor({ timeout: attempt < 4 ? 5_000 : 30_000 });
      return menu;
    } catch (error) {
      if (attempt === 4) throw error;
    }
  }
}

/** Chooses an entry of the context menu of a row, by the keyboard: a menu takes no click in its first tenth of a second. */
export async function chooseInMenu(row: Locator, hasText: string | RegExp): Promise<void> {
  const menu = await openMenu(row);
  await menu.locator('.action-item', { hasText }).first().hover();
  await menu.locator('.action-item.focused', { hasText }).waitFor();
  await row.page().keyboard.press('Enter');
  await menu.waitFor({ state: 'hidden' });
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

/** A notification, on the screen or, where it has been there for a while, in the list of all of them, which follows what comes. */
export async function notification(page: Page, hasText: string): Promise<Locator> {
  const found = page.locator('.notification-list-item', { hasText }).first();
  for (let attempt = 1; ; attempt++) {
    if (!(await found.isVisible())) await runCommand(page, 'Notifications: Show Notifications');
    try {
      await found.waitFor({ timeout: 5_000 });
      return found;
    } catch (error) {
      if (attempt === 12) throw error;
    }
  }
}

/** Puts the caret of the editor at a place (both 1-based). */
export async function goTo(page: Page, line: number, column = 1): Promise<void> {
  await focusEditor(page);
  await askByKey(page, 'Control+G');
  const box = page.locator(`${quickInput} input`);
  await box.fill(`:${line}:${column}`);
  await box.press('Enter');
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
 * Takes a picture for people to look at, into the folder AGENT_STACK_PICTURES; without it, none. The pictures of the README are made by
 * screenshots.test.ts.
 */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.AGENT_STACK_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), caret: 'hide', animations: 'disabled' });
}

/** The same in every theme, `show` having brought to the front what is to be seen. The light one is the last. */
export async function screenshotInThemes(page: Page, name: string, show?: () => Promise<unknown>): Promise<void> {
  if (process.env.AGENT_STACK_PICTURES === undefined) return;
  for (const theme of ['hc', 'dark', 'light'] as const) {
    await setTheme(page, theme);
    await show?.();
    await screenshot(page, `${name}-${theme}`);
  }
}

/** Unfolds a row of a tree. */
export function expand(row: Locator): Promise<void> {
  return setExpanded(row, 'true');
}

/** Folds a row of a tree. */
export function collapse(row: Locator): Promise<void> {
  return setExpanded(row, 'false');
}

/** Clicks a row until its click has shown something: one is lost when the tree is drawn anew between its two halves. */
export async function clickUntil(row: Locator, shown: Locator): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await row.click();
    try {
      await shown.waitFor({ timeout: attempt < 4 ? 5_000 : 30_000 });
      return;
    } catch (error) {
      if (attempt === 4) throw error;
    }
  }
}

/** A click is lost when the tree is drawn anew between its two halves: then it is made again. */
async function setExpanded(row: Locator, wanted: 'true' | 'false'): Promise<void> {
  await row.waitFor();
  const changed = row.and(row.page().locator(`[aria-expanded=${wanted}]`));
  for (let attempt = 1; (await row.getAttribute('aria-expanded')) !== wanted; attempt++) {
    await row.locator('.monaco-tl-twistie').click();
    try {
      await changed.waitFor({ timeout: attempt < 4 ? 5_000 : 30_000 });
    } catch (error) {
      if (attempt === 4) throw error;
    }
  }
  await restPointer(row.page());
}

/** Moves the pointer to the lower edge of the window: where it rests on a row, the hover of that row comes to cover those below. */
async function restPointer(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 2, height: 1 };
  await page.mouse.move(width / 2, height - 1);
}

/** Drags a row onto another, and lets go when that one says that it takes it. */
export async function drag(row: Locator, to: Locator): Promise<void> {
  const { mouse } = row.page();
  await row.hover();
  await mouse.down();
  const target = await to.boundingBox();
  if (target === null) throw new Error('The row to drag to is not to be seen.');
  const [x, y] = [target.x + 60, target.y + target.height / 2];
  const taken = to.and(row.page().locator('.drop-target'));
  // Whether it fits is asked at each move.
  for (let move = 0; (await taken.count()) === 0; move++) {
    if (move === 100) throw new Error('The row takes nothing.');
    await mouse.move(x + (move % 2) * 4, y + (move % 2) * 2, { steps: 4 });
  }
  await mouse.up();
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
