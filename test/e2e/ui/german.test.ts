// The extension in an editor that speaks German: lenses, hints, graph and panels, with numbers as German writes them.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { type Editor, openEditor } from '../support/editor.js';
import { answer, openFile, pick, runCommand, screenshot, webview } from './workbench.js';

const agent = 'config/agents/Ansage/v1.json';

let editor: Editor;
let page: Page;
let model: LoopbackServer;

beforeAll(async () => {
  const usage = { prompt_tokens: 1240, completion_tokens: 30, total_tokens: 1270 };
  model = await startLoopbackOpenAi(() => ({ text: '{"text": "Hallo."}', usage }), { lenient: true });
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  const profile = { llm_id: 'loopback', provider: 'openai_compatible', base_url: model.url, model_name: 'tiny', max_output_tokens: 2000 };
  editor = await openEditor({
    language: 'de',
    files: {
      'config/llms/loopback.json': json({ ...profile, price: { input: 10, output: 20 } }),
      [agent]: json({
        agent_name: 'Ansage',
        version: 'v1',
        mode: 'Writer',
        system_text: `Du sprichst Deutsch. ${'Wort '.repeat(1500)}`,
        purpose_text: 'Begrüße.',
        llm_config_id: 'loopback',
        output_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
      }),
    },
  });
  page = await editor.open();
  await openFile(page, agent);
});
afterAll(async () => {
  await editor?.close();
  await model?.close();
});

const lens = (text: string | RegExp) => page.locator('.codelens-decoration', { hasText: text }).filter({ visible: true }).first();

test('lenses and hints are German, and so are their numbers', async () => {
  await lens('Ausführen').waitFor();
  await lens(/höchstens 1 Aufruf, 0,\d+ USD/).waitFor();
  await lens(/etwa 1\.\d{3} Tokens/).waitFor();
  await lens('keine Verweise').waitFor();
  await screenshot(page, 'german-lenses');
});

test('the graph is German', async () => {
  await openFile(page, 'config/orchestrations/issue_intake.json');
  await runCommand(page, 'Agent Stack: Graph anzeigen');
  const graph = await webview(page, /^Graph /);
  await graph.locator('.node.start', { hasText: 'Einstieg' }).waitFor();
  await graph.getByRole('button', { name: 'Einpassen' }).waitFor();
  await screenshot(page, 'german-graph');
});

test('the preview and a run are German, with German numbers', async () => {
  await openFile(page, agent);
  await runCommand(page, 'Agent Stack: Prompt-Vorschau');
  const preview = await webview(page, /Vorschau/);
  await preview.locator('.facts', { hasText: /1\.\d{3} Tokens/ }).waitFor();
  await screenshot(page, 'german-preview');
  await runCommand(page, 'Agent Stack: Agent ausführen');
  await answer(page, 'Hallo', 'Eine Nachricht an den Agent');
  await pick(page, 'loopback');
  const run = await webview(page, /^Lauf: /);
  await run.locator('.badge.completed').waitFor();
  const facts = await run.locator('dl.facts').innerText();
  expect(facts).toContain('1.240 gesendet, 30 empfangen');
  expect(facts).toContain('0,013 USD');
  expect(facts).toContain('Kosten');
  await screenshot(page, 'german-run');
});
