import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openFile, until } from './support.js';

/** Called by lenses, trees and problems with arguments that a user cannot type, so not in the palette. */
const internal = [
  'agentStack.showMoreRuns',
  'agentStack.showReferences',
  'agentStack.showRunInHistory',
  'agentStack.showRunIssue',
  'agentStack.showRunSnapshot',
  'agentStack.showRunSource',
];

describe('The extension', () => {
  const extension = () => {
    const found = vscode.extensions.getExtension('agent-stack.agent-stack');
    assert.ok(found, 'it is installed');
    return found;
  };
  const titled = (): string[] => extension().packageJSON.contributes.commands.map(({ command }: { command: string }) => command);

  it('is activated by a project and exports nothing', async () => {
    await openFile('config/agents/A2/v1.json');
    await until(() => extension().isActive, 'the extension to be active');
    assert.equal(extension().exports, undefined);
  });

  it('registers every command it has a title for', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      titled().filter((id) => !registered.has(id)),
      [],
    );
  });

  it('registers no command without a title but those of the language server and of its own links', async () => {
    await until(async () => (await vscode.commands.getCommands(true)).includes('agentStack.server.compose'), "the server's commands");
    const registered = await vscode.commands.getCommands(true);
    const views: string[] = Object.values<{ id: string }[]>(extension().packageJSON.contributes.views).flatMap((list) =>
      list.map(({ id }) => id),
    );
    const unexpected = registered.filter(
      (id) =>
        id.startsWith('agentStack.') &&
        !id.startsWith('agentStack.server.') &&
        !titled().includes(id) &&
        !internal.includes(id) &&
        // VS Code makes some for every view: focus, open, resetViewLocation and the like.
        !views.some((view) => id.startsWith(`${view}.`)),
    );
    assert.deepEqual(unexpected, []);
  });

  it('has a title, and not its key, for every command', () => {
    for (const { command, title, category } of extension().packageJSON.contributes.commands) {
      assert.ok(title.length > 0 && !title.includes('%'), command);
      assert.equal(category, 'Agent Stack', command);
    }
  });
});
