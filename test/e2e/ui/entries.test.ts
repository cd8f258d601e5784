// What can be done with the files of a project from the view, from their tabs and from their editors.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Editor, openEditor } from '../support/editor.js';
import {
  answer,
  chooseInMenu,
  collapse,
  drag,
  expand,
  focusEditor,
  notification,
  openFile,
  openMenu,
  pick,
  runCommand,
  screenshot,
  webview,
} from './workbench.js';

let editor: Editor;
let page: Page;

beforeAll(async () => {
  editor = await openEditor({ files: { 'config/mcp.json': '{\n  "servers": {\n    "files": { "command": "files" }\n  }\n}\n' } });
  // Tall enough that every row of the view is in the page.
  page = await editor.open({ width: 1400, height: 1800 });
  await openFile(page, 'config/agents/ReleaseNotes/v1.json');
  await page.locator('.activitybar a[aria-label^="Agent Stack"]').click();
  await row('A2').waitFor();
});

afterAll(async () => editor?.close());

beforeEach(async () => runCommand(page, 'View: Close All Editors'));

/** The row of a tree whose label is exactly this. */
const row = (label: string) =>
  page.locator('.pane-body .monaco-list-row', { has: page.locator('.label-name', { hasText: new RegExp(`^${label}$`) }) });
const tab = (label: string) => page.locator('.tab.active', { hasText: new RegExp(`^${label}$`) });
const onDisk = (path: string) => join(editor.workspace, path);
const read = (path: string) => readFileSync(onDisk(path), 'utf8');

/** The words of the menu of a row. */
async function menuOf(label: string): Promise<readonly string[]> {
  const menu = await openMenu(row(label));
  const words = await menu.locator('.action-label:not(.separator)').allInnerTexts();
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

const choose = (label: string, action: string) => chooseInMenu(row(label), new RegExp(`^\\s*${action.replaceAll('.', '\\.')}`));

const dialog = () => page.locator('.monaco-dialog-box');

describe('tabs', () => {
  test.each([
    ['config/agents/A2/v1.json', 'A2 v1'],
    ['config/prompts/issue_triage/v1.json', 'issue_triage v1'],
    ['config/payloads/A2/parser.json', 'A2: parser'],
    ['config/llms/openai.json', 'openai.json'],
    ['config/system.json', 'system.json'],
    ['agentstack.json', 'agentstack.json'],
  ])('%s is called %s', async (path, label) => {
    await openFile(page, path);
    await tab(label).waitFor();
  });
});

describe('menus', () => {
  test('an agent has all that can be done with it', async () => {
    expect(await menuOf('A2')).toEqual([
      'Run Agent',
      'Preview Prompt',
      'List Tools',
      'Run and Record',
      'Replay Recording...',
      'Chat with Agent...',
      'Create Next Version',
      'Create Payload...',
      'Show Effective Configuration',
      'Compare Prompts...',
      'Compare Effective Configurations...',
      'Compare Behaviour with...',
      'Rename...',
      'Duplicate...',
      'Delete',
      'Reveal in Explorer',
    ]);
    await screenshot(page, 'agent-menu');
    await page.keyboard.press('Escape');
  });

  test.each([
    ['LLM Profiles', 'openai', ['Set API Key...', 'Rename...', 'Duplicate...', 'Delete', 'Reveal in Explorer']],
    ['LLM Profiles', 'offline', ['Rename...', 'Duplicate...', 'Delete', 'Reveal in Explorer']],
    ['Prompts', 'issue_triage', ['Create Next Version', 'Rename...', 'Duplicate...', 'Delete', 'Reveal in Explorer']],
    [
      'MCP Servers',
      'files',
      ['List Tools', 'Label Tool...', 'Manage Tool Permissions', 'Rename...', 'Duplicate...', 'Delete', 'Reveal in Explorer'],
    ],
    [
      'Orchestrations',
      'issue_intake',
      [
        'Run Orchestration',
        'Show Graph',
        'Run and Record',
        'Replay Recording...',
        'Create Payload...',
        'Show Effective Configuration',
        'Compare Effective Configurations...',
        'Compare Behaviour with...',
        'Rename...',
        'Duplicate...',
        'Delete',
        'Reveal in Explorer',
      ],
    ],
  ])('below %s, %s has its own', async (group, label, words) => {
    await expand(row(group));
    expect(await menuOf(label)).toEqual(words);
    await page.keyboard.press('Escape');
    await collapse(row(group));
  });
});

describe('an agent', () => {
  test('is copied with its payloads, and the copy is renamed everywhere', async () => {
    await choose('IssueLabels', 'Duplicate...');
    await answer(page, 'Copied', /name of the copy/);
    await tab('Copied v1').waitFor();
    expect(JSON.parse(read('config/agents/Copied/v1.json')).agent_name).toBe('Copied');
    expect(existsSync(onDisk('config/payloads/Copied/login_loop.json'))).toBe(true);
    await row('Copied').waitFor();
    await choose('Copied', 'Rename...');
    await answer(page, 'Renamed', /new name/);
    await row('Renamed').waitFor();
    await expect.poll(() => existsSync(onDisk('config/agents/Renamed/v1.json'))).toBe(true);
    await expect.poll(() => JSON.parse(read('config/agents/Renamed/v1.json')).agent_name).toBe('Renamed');
    await expect.poll(() => existsSync(onDisk('config/agents/Copied'))).toBe(false);
  });

  test('is not renamed to one that is there: the server says so', async () => {
    await choose('A2', 'Rename...');
    await answer(page, 'ReleaseNotes', /new name/);
    await notification(page, 'The agent "ReleaseNotes" already exists');
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  test('is deleted after a question that says what refers to it', async () => {
    await choose('IncidentExtractor', 'Delete');
    await dialog().waitFor();
    expect(await dialog().innerText()).toMatch(/Delete agent IncidentExtractor\?[\s\S]*refer to it[\s\S]*issue_intake\.json/);
    await screenshot(page, 'delete-question');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(existsSync(onDisk('config/agents/IncidentExtractor/v1.json'))).toBe(true);
  });
});

describe('several things', () => {
  test('are deleted together', async () => {
    await expand(row('A2'));
    await row('parser').click();
    await row('cloud_costs').click({ modifiers: ['ControlOrMeta'] });
    await page.keyboard.press('Delete');
    await dialog().waitFor();
    expect(await dialog().innerText()).toMatch(/Delete 2 items[\s\S]*payload parser of A2|Delete 2 items[\s\S]*payload parser of agent A2/);
    await dialog()
      .locator('.monaco-button', { hasText: /^Delete$/ })
      .click();
    // The server of the browser has no trash.
    await dialog()
      .locator('.monaco-button', { hasText: /^Delete Permanently$/ })
      .click();
    await row('parser').waitFor({ state: 'detached' });
    expect(existsSync(onDisk('config/payloads/A2/parser.json'))).toBe(false);
    writeFileSync(onDisk('config/payloads/A2/shaper.json'), '{ "input": { "task": "t", "purpose": "p", "context": "c" } }\n', {
      flag: 'w',
    });
  });
});

describe('an orchestration', () => {
  const place = 'config/payloads/intake/fire.json';
  const confirm = async () => {
    for (const label of [/^Delete$/, /^Delete Permanently$/]) await dialog().locator('.monaco-button', { hasText: label }).click();
  };

  test('gets a payload with its context, which is run, recorded and replayed as one of an agent is', async () => {
    await expand(row('Orchestrations'));
    await choose('issue_intake', 'Create Payload...');
    await answer(page, 'fire', /Its name/);
    await tab('issue_intake: fire').waitFor();
    const { context } = JSON.parse(read('config/payloads/issue_intake/fire.json'));
    expect(Object.keys(context)).toEqual(['title', 'body', 'repository']);
    await expand(row('issue_intake'));
    expect(await menuOf('fire')).toEqual([
      'Run Agent',
      'Run and Record',
      'Replay Recording...',
      'Create Payload...',
      'Rename...',
      'Duplicate...',
      'Delete',
      'Reveal in Explorer',
    ]);
    await page.keyboard.press('Escape');
  });

  test('is copied with its payloads, renamed with them, and deleted with them', async () => {
    await choose('issue_intake', 'Duplicate...');
    await answer(page, 'copied', /name of the copy/);
    await tab('copied.json').waitFor();
    expect(JSON.parse(read('config/orchestrations/copied.json')).name).toBe('copied');
    expect(read('config/payloads/copied/fire.json')).toBe(read('config/payloads/issue_intake/fire.json'));
    await choose('copied', 'Rename...');
    await answer(page, 'intake', /new name/);
    await expect.poll(() => existsSync(onDisk(place))).toBe(true);
    await expect.poll(() => existsSync(onDisk('config/payloads/copied'))).toBe(false);
    expect(JSON.parse(read('config/orchestrations/intake.json')).name).toBe('intake');
    await row('intake').waitFor();
    await choose('intake', 'Delete');
    await dialog().waitFor();
    expect(await dialog().innerText()).toMatch(/Delete orchestration intake\?[\s\S]*intake: payloads 4/);
    await confirm();
    await row('intake').waitFor({ state: 'detached' });
    expect([existsSync(onDisk('config/orchestrations/intake.json')), existsSync(onDisk('config/payloads/intake'))]).toEqual([false, false]);
  });

  test('has its graph where an agent has a prompt, also for a payload of it', async () => {
    await openFile(page, 'config/payloads/issue_intake/typo.json');
    await runCommand(page, 'Agent Stack: Preview Prompt');
    await (await webview(page, /issue_intake/)).locator('svg').first().waitFor();
  });

  test('is not copied to a name that has payloads', async () => {
    await choose('issue_intake', 'Duplicate...');
    await page.locator('.quick-input-widget', { hasText: /name of the copy/ }).waitFor();
    await page.locator('.quick-input-widget .quick-input-box input').fill('ReleaseNotes');
    await page.locator('.quick-input-widget', { hasText: 'ReleaseNotes already exists.' }).waitFor();
    await page.keyboard.press('Escape');
    await collapse(row('Orchestrations'));
  });
});

describe('a key', () => {
  const box = () => page.locator('.quick-input-widget').filter({ visible: true });

  // Of the view VS Code tells an extension the selection only, and arrow keys move the focus only.
  test('is meant for the row that has the focus, also where another is selected', async () => {
    await row('A2').click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.locator('.pane-body .monaco-list-row.focused', { hasText: 'Agents' }).waitFor();
    await row('IssueLabels').click();
    await row('DocsHelper').waitFor();
    await page.keyboard.press('ArrowUp');
    const focused = page.locator('.pane-body .monaco-list-row.focused');
    const name = (await focused.locator('.label-name').innerText()).trim();
    expect(name).not.toBe('IssueLabels');
    await page.keyboard.press('F2');
    await box()
      .filter({ hasText: `Rename agent ${name}` })
      .waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Delete');
    await dialog().waitFor();
    expect(await dialog().innerText()).toContain(`Delete agent ${name}?`);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  test('previews and runs, and Enter opens', async () => {
    await row('ReleaseNotes').click();
    await runCommand(page, 'View: Close All Editors');
    await row('ReleaseNotes').click();
    await page.keyboard.press('Control+K');
    await page.keyboard.press('V');
    await (await webview(page, /Preview/)).locator('.piece').first().waitFor();
    await row('ReleaseNotes').click();
    await page.keyboard.press('Control+Alt+R');
    await box().filter({ hasText: 'Run ReleaseNotes' }).waitFor();
    await page.keyboard.press('Escape');
    await row('ReleaseNotes').click();
    await page.keyboard.press('ArrowDown');
    const name = (await page.locator('.pane-body .monaco-list-row.focused .label-name').innerText()).trim();
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: name }).waitFor();
  });
});

describe('a payload', () => {
  const path = 'config/payloads/ReleaseNotes/spring_release.json';

  test('is run and previewed from its own editor', async () => {
    await openFile(page, path);
    await page.locator('.codelens-decoration a', { hasText: 'Run' }).first().waitFor();
    await page.locator('.codelens-decoration a', { hasText: 'Preview' }).click();
    const frame = await webview(page, /Preview/);
    await frame
      .locator('.piece', { hasText: /Tidewater|tide/i })
      .first()
      .waitFor();
    await page.locator('.tab', { hasText: 'Preview ReleaseNotes@v1' }).waitFor();
    await page.locator('.tab', { hasText: 'ReleaseNotes: spring_release' }).waitFor();
    await screenshot(page, 'payload-preview');
  });

  test('is created with what the agent takes', async () => {
    await choose('ReleaseNotes', 'Create Payload...');
    await answer(page, 'mine', /Its name/);
    await tab('ReleaseNotes: mine').waitFor();
    const { input } = JSON.parse(read('config/payloads/ReleaseNotes/mine.json'));
    expect(Object.keys(input)).toEqual(Object.keys(JSON.parse(read(path)).input));
  });

  test('goes to another agent by dragging it there', async () => {
    await expand(row('ReleaseNotes'));
    await drag(row('mine'), row('IssueReply'));
    await expect.poll(() => existsSync(onDisk('config/payloads/IssueReply/mine.json'))).toBe(true);
    expect(existsSync(onDisk('config/payloads/ReleaseNotes/mine.json'))).toBe(false);
  });
});

describe('create commands', () => {
  const made: readonly (readonly [string, readonly (string | RegExp)[], string])[] = [
    ['Create Persona...', ['reviewer'], 'config/personas/reviewer.json'],
    ['Create Prompt...', ['review'], 'config/prompts/review/v1.md'],
    ['Create Environment...', ['staging'], 'config/environments/staging.json'],
  ];

  test.each(made)('%s', async (title, [name], path) => {
    await runCommand(page, `Agent Stack: ${title}`);
    await answer(page, String(name), /Its name/);
    await expect.poll(() => existsSync(onDisk(path))).toBe(true);
  });

  test('an LLM profile of a provider', async () => {
    await runCommand(page, 'Agent Stack: Create LLM Profile...');
    await pick(page, /^openai_compatible/);
    await answer(page, 'ollama', /Its id/);
    await tab('ollama.json').waitFor();
    expect(JSON.parse(read('config/llms/ollama.json'))).toMatchObject({ llm_id: 'ollama', base_url: 'http://127.0.0.1:11434/v1' });
  });

  test('an orchestration of an agent', async () => {
    await runCommand(page, 'Agent Stack: Create Orchestration...');
    await answer(page, 'mine', /Its name/);
    await pick(page, /^IssueLabels/);
    await tab('mine.json').waitFor();
    expect(JSON.parse(read('config/orchestrations/mine.json')).name).toBe('mine');
  });

  test('an MCP server beside the others', async () => {
    await runCommand(page, 'Agent Stack: Create MCP Server...');
    await answer(page, 'docs', /Its id/);
    await answer(page, 'https://mcp.example.com', /address/);
    await tab('mcp.json').waitFor();
    expect(JSON.parse(read('config/mcp.json')).servers).toEqual({
      files: { command: 'files' },
      docs: { type: 'http', url: 'https://mcp.example.com' },
    });
  });

  test('an agent, whose preview is one key away', async () => {
    await runCommand(page, 'Agent Stack: Create Agent...');
    await answer(page, 'Sorter', /Name of the agent/);
    await pick(page, /^Chooser/);
    await tab('Sorter v1').waitFor();
    await notification(page, 'Sorter is ready. Ctrl+K V shows its prompt');
    await runCommand(page, 'Notifications: Clear All Notifications');
    await focusEditor(page);
    await page.keyboard.press('Control+K');
    await page.keyboard.press('V');
    const frame = await webview(page, /Preview/);
    await frame.locator('.piece', { hasText: 'Sorter' }).first().waitFor();
  });
});
