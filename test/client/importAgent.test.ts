import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { importAgent } from '../../client/commands/importAgent.js';
import { ProjectFolder } from '../../client/projects.js';
import type { Services } from '../../client/services.js';
import { listFiles, offlineProfile, read, temporaryProject, write } from '../cli/command.js';
import { fixture } from '../import/support.js';

/** What the user does and sees. */
const user = vi.hoisted(() => ({
  confirms: true as boolean,
  picked: undefined as string | undefined,
  named: undefined as string | undefined,
  shown: [] as string[],
  asked: [] as string[],
  page: '',
  changed: [] as string[],
}));

vi.mock('vscode', () => {
  class Uri {
    readonly scheme: string;
    readonly fsPath: string;
    readonly path: string;
    constructor(scheme: string, fsPath: string) {
      this.scheme = scheme;
      this.fsPath = fsPath;
      this.path = fsPath;
    }
    static file = (fsPath: string) => new Uri('file', fsPath);
    static from = ({ scheme, path }: { scheme: string; path: string }) => new Uri(scheme, path);
    toString = () => `${this.scheme}:${this.fsPath}`;
  }
  class Disposable {
    dispose = () => undefined;
  }
  class TabInputText {}
  class EventEmitter {
    event = () => new Disposable();
  }
  let provider: { provideTextDocumentContent(uri: unknown): string } | undefined;
  const t = (text: string, ...values: readonly unknown[]) => text.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)]));
  return {
    Uri,
    Disposable,
    EventEmitter,
    TabInputText,
    CancellationError: class extends Error {},
    ProgressLocation: { Window: 10 },
    l10n: { t },
    workspace: {
      workspaceFolders: [],
      textDocuments: [],
      asRelativePath: (uri: Uri) => uri.fsPath.split('/').at(-1),
      registerTextDocumentContentProvider: (_scheme: string, given: typeof provider) => {
        provider = given;
        return new Disposable();
      },
    },
    commands: {
      async executeCommand(command: string, title: string, changes: readonly (readonly [Uri, Uri | undefined, Uri])[]) {
        if (command !== 'vscode.changes') return;
        user.asked.push(title);
        user.page = provider?.provideTextDocumentContent(changes[0]![2]) ?? '';
        user.changed = changes.slice(1).map(([, before]) => (before === undefined ? 'new' : 'changed'));
      },
    },
    window: {
      activeTextEditor: undefined,
      tabGroups: { all: [], close: async () => true, onDidChangeTabs: () => new Disposable() },
      withProgress: (_options: unknown, work: () => unknown) => work(),
      async showTextDocument(uri: Uri) {
        user.shown.push(uri.fsPath);
      },
      async showInformationMessage(text: string, ...buttons: readonly string[]) {
        user.asked.push(text);
        return user.confirms ? buttons[0] : buttons[1];
      },
      async showQuickPick(items: readonly { readonly id?: string }[]) {
        user.asked.push(items.map(({ id }) => id).join(', '));
        return items.find(({ id }) => id === user.picked);
      },
      async showInputBox() {
        return user.named;
      },
    },
  };
});

beforeEach(() => Object.assign(user, { confirms: true, picked: undefined, named: undefined, shown: [], asked: [], page: '' }));

const { Uri } = await import('vscode');

function workspace(sources: Readonly<Record<string, unknown>>) {
  const root = temporaryProject({ 'project/agentstack.json': {}, 'project/config/llms/offline.json': offlineProfile });
  for (const [path, text] of Object.entries(sources)) write(root, `theirs/${path}`, text);
  const project = join(root, 'project');
  const folder = new ProjectFolder(project);
  const services = { projects: { list: async () => [folder], of: () => undefined } } as unknown as Services;
  return { project, services, source: (path: string) => Uri.file(join(root, 'theirs', path)) };
}

test('shows what would be written and what is different, writes it, and opens the first agent', async () => {
  const { project, services, source } = workspace(fixture('claude-code'));
  await importAgent(services, source('.claude/agents'));
  expect(user.page).toContain('- config/agents/code-reviewer/v1.json (new)');
  expect(user.page).toContain('- .claude/agents/code-reviewer.md:8:1 "permissionMode" has no counterpart.');
  expect(user.page).toContain('## Findings in the files');
  expect(user.asked).toEqual(['Import from agents', 'Write 3 files from agents?']);
  expect(user.changed).toEqual(['new', 'new', 'new']);
  expect(user.shown).toEqual([join(project, 'config/agents/code-reviewer/v1.json')]);
  expect(read(project, 'config/agents/test-generator/v1.json')).toContain('You write unit tests.');
});

test('writes nothing without the confirmation', async () => {
  const { project, services, source } = workspace(fixture('claude-code'));
  const before = listFiles(project);
  user.confirms = false;
  expect(await importAgent(services, source('.claude/agents'))).toBeUndefined();
  expect(listFiles(project)).toEqual(before);
});

test('asks for the tool where a file may be of two, and for another name where an agent is there', async () => {
  const { project, services, source } = workspace({ 'a.json': { role: 'r', goal: 'g', name: 'Helper', system_prompt: 'You help.' } });
  write(project, 'config/agents/Helper/v1.json', { agent_name: 'Helper', version: 'v1', system_text: 'Mine.' });
  Object.assign(user, { picked: 'aurite', named: 'Helper2' });
  await importAgent(services, source('a.json'));
  expect(user.asked).toEqual(['crewai, aurite', 'Import from a.json', 'Write 1 file from a.json?']);
  expect(read(project, 'config/agents/Helper2/v1.json')).toContain('You help.');
  expect(read(project, 'config/agents/Helper/v1.json')).toContain('Mine.');
});

test('a program gives the source and the name, and is not asked', async () => {
  const { project, services, source } = workspace(fixture('kiro'));
  const given = { source: source('.kiro/agents/builder.json'), name: 'Mason' };
  await importAgent(services, given);
  expect(user.asked).toEqual([]);
  expect(listFiles(project)).toContain('config/agents/Mason/v1.json');
  await importAgent(services, given);
  expect(user.asked).toEqual(['Everything in builder.json has been imported already.']);
  write(project, 'config/agents/Mason/v1.json', { agent_name: 'Mason', version: 'v1' });
  await expect(importAgent(services, given)).rejects.toThrow(/^Nothing was written\. config\/agents\/Mason\/v1\.json is there already/);
});

test('a file that is broken is told with its place', async () => {
  const { services, source } = workspace({ 'a.json': '{' });
  await expect(importAgent(services, source('a.json'))).rejects.toThrow(/^a\.json:1:1: /);
  await expect(importAgent(services, source('none.json'))).rejects.toThrow(/^There is no file /);
});
