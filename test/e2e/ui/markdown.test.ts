// Answers of a model as Markdown: nothing in them may do more than be read.
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor } from '../support/editor.js';
import { violations } from './axe.js';
import { openFile, pick, answer as reply, screenshot, setTheme, themes, webview } from './workbench.js';

const answer = `# Which agent shapes prompts

**A2** chooses the *system*, the audience and the tone; see [the docs](https://docs.example/a2) or https://example.org/plain.

1. It reads the task.
2. It picks \`system\`:
   - one of the \`enums\`
   - never free text

| field | values |
| :---- | -----: |
| tone  |      9 |

> What the input says outright wins.

\`\`\`json
{ "system": "Friend", "confidence": 0.9 }
\`\`\`

<img src="https://evil.example/a.png" onerror="alert(1)"> ![a picture](https://evil.example/b.png)
[no command](command:workbench.action.quit) [no script](javascript:alert(1)) <script>alert(1)</script>
`;

let editor: Editor;
let page: Page;
let model: LoopbackServer;
let run: Frame;
const asked: string[] = [];
/** The answer stops halfway and never ends. */
let hangs = false;

beforeAll(async () => {
  model = await startLoopbackOpenAi(() => ({ text: answer.match(/.{1,40}/gs) ?? [], ...(hangs && { fault: 'hang-mid-body' as const }) }), {
    lenient: true,
  });
  const profile = { llm_id: 'loopback', provider: 'openai_compatible', base_url: model.url, model_name: 'tiny' };
  editor = await openEditor({ files: { 'config/llms/loopback.json': JSON.stringify(profile) } });
  page = await editor.open({ width: 1280, height: 1000 });
  page.on('request', (request) => asked.push(request.url()));
  await openFile(page, 'config/agents/DocsHelper/v1.json');
  await page.locator('.codelens-decoration', { hasText: 'Run' }).filter({ visible: true }).first().waitFor();
  await page.keyboard.press('Control+Alt+R');
  await pick(page, /Type it in/);
  await reply(page, 'Which agent shapes prompts?', 'message');
  await pick(page, /^loopback/);
  run = await webview(page, /^Run: /);
  await run.locator('.badge.completed').waitFor();
});
afterAll(async () => {
  await editor?.close();
  await model?.close();
});

const shown = () => run.locator('section[aria-labelledby=answer-title] .markdown');

describe('an answer that is Markdown', () => {
  test('is rendered, and its code coloured', async () => {
    await shown().locator('h1', { hasText: 'Which agent shapes prompts' }).waitFor();
    expect(await shown().locator('strong').first().innerText()).toBe('A2');
    expect(await shown().locator('ol > li > ul > li').allInnerTexts()).toEqual(['one of the enums', 'never free text']);
    expect(await shown().locator('td').allInnerTexts()).toEqual(['tone', '9']);
    expect(await shown().locator('pre .code-key').allInnerTexts()).toEqual(['"system"', '"confidence"']);
  });

  test('has no HTML, no picture and no link but into the web, each with its target', async () => {
    expect(await shown().locator('img, script, a, iframe').count()).toBe(0);
    const text = await shown().innerText();
    expect(text).toContain('<img src="https://evil.example/a.png" onerror="alert(1)">');
    expect(text).toContain('a picture (https://evil.example/b.png)');
    expect(text).toContain('no command (command:workbench.action.quit)');
    expect(text).toContain('the docs (https://docs.example/a2)');
    expect(await shown().locator('button.link').allInnerTexts()).toEqual([
      'the docs',
      'https://example.org/plain',
      'https://evil.example/a.png',
    ]);
    expect(asked.filter((url) => url.includes('evil.example'))).toEqual([]);
  });

  test('opens a link only after VS Code has asked', async () => {
    await shown().locator('button.link', { hasText: 'the docs' }).click();
    const dialog = page.locator('.monaco-dialog-box', { hasText: 'https://docs.example/a2' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('is there as it came, one click away', async () => {
    const section = run.locator('section[aria-labelledby=answer-title]');
    await section.getByRole('button', { name: 'Show as Text' }).click();
    expect(await section.locator('.long-text').innerText()).toContain('**A2** chooses the *system*');
    expect(await shown().isVisible()).toBe(false);
    await section.getByRole('button', { name: 'Show Rendered' }).click();
    await shown().waitFor();
    expect(await section.locator('.long-text').isVisible()).toBe(false);
  });

  test.each(Object.keys(themes) as (keyof typeof themes)[])('can be read in the theme %s', async (theme) => {
    await setTheme(page, theme);
    await shown().scrollIntoViewIfNeeded();
    await screenshot(page, `markdown-${theme}`);
    expect(await violations(run)).toEqual([]);
    expect(await run.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
  });
});

test('an answer in text is read as it comes, and stays when it is cancelled', async () => {
  hangs = true;
  await run.getByRole('button', { name: 'Run Again' }).click();
  await run.locator('.badge.running').waitFor();
  const draft = run.locator('section[aria-labelledby=answer-title] .long-text.prose');
  await draft.filter({ hasText: 'chooses the *system*' }).waitFor();
  expect(await run.getByText('There is no answer.').isVisible()).toBe(false);
  await screenshot(page, 'text-streaming');
  await run.getByRole('button', { name: 'Cancel' }).click();
  await run.locator('.badge.cancelled').waitFor();
  expect(await draft.innerText()).toContain('chooses the *system*');
});
