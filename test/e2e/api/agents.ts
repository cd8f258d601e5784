import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { fileUri, openFile, undoAll, until, workspaceRoot } from './support.js';

describe('Agents', () => {
  const read = (path: string) => readFileSync(join(workspaceRoot(), path), 'utf8');
  const shown = () => vscode.window.activeTextEditor?.document.uri.fsPath;

  it('are made, opened, and free of findings', async () => {
    try {
      await vscode.commands.executeCommand('agentStack.createAgent', { name: 'Sorter', mode: 'Extractor' });
      assert.equal(shown(), fileUri('config/agents/Sorter/v1.json').fsPath);
      assert.equal(JSON.parse(read('config/agents/Sorter/v1.json')).mode, 'Extractor');
      assert.ok(JSON.parse(read('config/payloads/Sorter/example.json')).input);
      assert.equal(vscode.window.activeTextEditor?.document.languageId, 'agent-config');
      const result = await vscode.commands.executeCommand<{ success: boolean }>('agentStack.runAgent', {
        uri: fileUri('config/agents/Sorter/v1.json'),
        case: 'example',
        llm: 'offline',
      });
      assert.equal(result.success, true);
    } finally {
      for (const kind of ['agents', 'payloads']) rmSync(join(workspaceRoot(), `config/${kind}/Sorter`), { recursive: true, force: true });
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('get a next version with what is typed but not saved, and nothing else changed', async () => {
    const document = await openFile('config/agents/A2/v1.json');
    try {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(1, 2), '"top_p": 0.5, ');
      await vscode.workspace.applyEdit(edit);
      await vscode.commands.executeCommand('agentStack.createVersion', document.uri);
      assert.equal(shown(), fileUri('config/agents/A2/v2.json').fsPath);
      assert.equal(read('config/agents/A2/v2.json'), document.getText().replace('"version": "v1"', '"version": "v2"'));
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await vscode.window.showTextDocument(document);
      await undoAll();
      rmSync(join(workspaceRoot(), 'config/agents/A2/v2.json'), { force: true });
    }
  });

  it('have an environment, kept in the settings of the workspace', async () => {
    const chosen = () => vscode.workspace.getConfiguration('agentStack', fileUri('agentstack.json')).inspect<string>('environment');
    const node = { kind: 'environment', name: 'prod' };
    await openFile('config/agents/A2/v1.json');
    await vscode.commands.executeCommand('agentStack.selectEnvironment', node);
    await until(() => chosen()?.workspaceValue === 'prod', 'the setting');
    await vscode.workspace.getConfiguration('agentStack').update('environment', undefined, vscode.ConfigurationTarget.Workspace);
    await until(() => chosen()?.workspaceValue === undefined, 'the setting to be gone');
  });

  it('come as a sample, into a new folder each time', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'agent-stack-sample-of-tests-'));
    try {
      const copies: string[] = [];
      for (let count = 0; count < 2; count++) {
        const folder = await vscode.commands.executeCommand<vscode.Uri>('agentStack.openSample', vscode.Uri.file(parent));
        copies.push(folder.path.slice(vscode.Uri.file(parent).path.length + 1));
      }
      assert.deepEqual(copies, ['agent-stack-sample', 'agent-stack-sample-2']);
      assert.ok(existsSync(join(parent, 'agent-stack-sample-2/config/agents/A2/v1.json')));
      assert.ok(existsSync(join(parent, 'agent-stack-sample-2/agentstack.json')));
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  });
});
