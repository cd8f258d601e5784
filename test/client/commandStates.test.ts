import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';

/** No command is offered where it can only refuse: menus say where it works, and a refusal names the way out. */

const shown: { readonly text: string; readonly buttons: readonly string[] }[] = [];
let pressed: string | undefined;
vi.mock('vscode', () => ({
  CancellationError: class extends Error {},
  l10n: { t: (text: string, ...values: readonly unknown[]) => text.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)])) },
  window: {
    showWarningMessage: async (text: string, ...buttons: readonly string[]) => {
      shown.push({ text, buttons });
      return buttons.find((button) => button === pressed);
    },
  },
}));
const { Refusal } = await import('../../client/refusal.js');
const { reportFailure } = await import('../../client/reportFailure.js');
const { pickRun, pickRuns } = await import('../../client/views/runs/pickRun.js');

interface MenuItem {
  readonly command?: string;
  readonly when?: string;
}
const { contributes } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const menus = contributes.menus as Readonly<Record<string, readonly MenuItem[]>>;
const conditions = new Map((menus.commandPalette ?? []).map(({ command, when }) => [command, when]));

describe('a menu offers a command', () => {
  test('of the palette without a project only where it needs none, or begins one', () => {
    const commands = (contributes.commands as readonly { readonly command: string }[]).map(({ command }) => command);
    const always = commands
      .filter((command) => conditions.get(command) === undefined)
      .map((command) => command.slice('agentStack.'.length));
    expect(always.sort()).toEqual([
      'applyImport',
      'checkProject',
      'createAgent',
      'importAgent',
      'openSample',
      'removeApiKey',
      'restartServer',
      'runAgent',
      'setApiKey',
      'showOutput',
    ]);
  });

  test.each(['editor/title', 'editor/context'])('of %s for files alone, not for their earlier states or drafts', (menu) => {
    const ours = (menus[menu] ?? []).filter(({ when = '' }) => when.includes('agent-config') || when.includes('jsonl'));
    expect(ours.length).toBeGreaterThan(6);
    for (const { command, when } of ours) expect(when, command).toContain('resourceScheme == file && ');
  });

  test.each([
    ['showGraph', '/home/orchestrations/shop/config/llms/main.json', false],
    ['showGraph', '/shop/config/orchestrations/intake.json', true],
    ['showEffectiveConfig', '/home/agents/shop/config/llms/main.json', false],
    ['showEffectiveConfig', '/shop/config/agents/A2/v1.json', true],
    ['replayRecording', '/shop/.agentstack/runs/20261127/events.jsonl', false],
    ['replayRecording', '/shop/.agentstack/recordings/A2@v1.jsonl', true],
    ['debugRecording', '/shop/.agentstack/runs/20261127/events.jsonl', false],
    ['debugRecording', '/shop/.agentstack/recordings/A2@v1.jsonl', true],
  ])('%s of the title of %s: %s', (name, path, isOffered) => {
    const item = (menus['editor/title'] ?? []).find(({ command }) => command === `agentStack.${name}`);
    const pattern = /resourcePath =~ \/(.*?)\/(?= &&|$)/.exec(item?.when ?? '')?.[1] ?? '';
    // A when clause is read as a string once more.
    expect(new RegExp(pattern.replaceAll('\\\\', '\\')).test(path)).toBe(isOffered);
  });

  test.each([
    ['setApiKey', 'llm', true],
    ['setApiKey', 'llm.keyless', false],
    ['renameEntry', 'llm.keyless', true],
    ['duplicateEntry', 'llm.keyless', true],
    ['runAgain', 'run.pinned', true],
    ['runAgain', 'run.live', false],
    ['runAgain', 'run.unknown', false],
    ['debugRun', 'run.pinned', true],
    ['debugRun', 'run.live', false],
    ['saveCase', 'run.pinned.unknown', false],
    ['continueConversation', 'run.teams', false],
    ['continueConversation', 'run', true],
    ['deleteRun', 'run.unknown', true],
  ])('%s of an entry %s: %s', (name, item, isOffered) => {
    const patterns = (menus['view/item/context'] ?? [])
      .filter(({ command }) => command === `agentStack.${name}`)
      .map(({ when = '' }) => /viewItem =~ \/(.*?)\/(?= &&|$)/.exec(when)?.[1] ?? '');
    expect(patterns.some((pattern) => new RegExp(pattern).test(item))).toBe(isOffered);
  });
});

describe('a refusal', () => {
  const run = (id: string) => ({ run_id: id, folder: { root: '/' }, summary: { started: null, name: id, version: null } });
  const services = (...runs: readonly object[]) => ({ runs: { view: { newest: async () => runs } } }) as never;
  const question = { title: '', placeholder: '', isOffered: () => true };
  const refusedBy = (work: Promise<unknown>) => work.then(undefined, (error: InstanceType<typeof Refusal>) => error);

  test('of a comparison says that there is only one run, and not that there is none', async () => {
    const none = new Refusal('There is only one.');
    expect(await refusedBy(pickRuns(services(run('a')), { ...question, least: 2, none }))).toBe(none);
    expect(await refusedBy(pickRuns(services(), { ...question, least: 2, none }))).toMatchObject({ message: 'There are no runs yet.' });
    expect(await refusedBy(pickRun(services(run('a')), { ...question, isOffered: () => false, none }))).toBe(none);
  });

  test('of what its own button does is told like any other', async () => {
    pressed = 'Chat';
    const chat = async () => {
      throw new Refusal('A2 cannot run.');
    };
    const tools = { log: { error: vi.fn() }, cover: { apply: (text: string) => text } };
    await reportFailure(tools as never, 'agentStack.openChat', new Refusal('No conversation.', [{ title: 'Chat', run: chat }]));
    expect(shown).toEqual([
      { text: 'No conversation.', buttons: ['Chat'] },
      { text: 'A2 cannot run.', buttons: [] },
    ]);
    expect(tools.log.error).not.toHaveBeenCalled();
  });
});
