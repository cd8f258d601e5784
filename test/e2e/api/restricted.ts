import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fileUri, openFile, until } from './support.js';

describe('A workspace that is not trusted', () => {
  it('still shows what is wrong in a file', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const document = await openFile('config/agents/A2/v1.json');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(1, 2), '"top_p": 9, ');
    await vscode.workspace.applyEdit(edit);
    await until(() => vscode.languages.getDiagnostics(document.uri).some(({ source }) => source === 'agentstack'), 'a finding');
  });

  it('still shows the prompt of an agent', async () => {
    await openFile('config/agents/ReleaseNotes/v1.json');
    await vscode.commands.executeCommand('agentStack.previewAsText');
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /^\[system\]\nYou are a technical editor/);
  });

  it('still shows the graph of an orchestration', async () => {
    await vscode.commands.executeCommand('agentStack.showGraph', fileUri('config/orchestrations/issue_intake.json'));
    const isShown = () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label === 'Graph issue_intake'));
    await until(isShown, 'the graph');
  });

  it('still shows what another model changes', async () => {
    const uri = fileUri('config/llms/openai.json').toString();
    await vscode.commands.executeCommand('agentStack.migrateModel', { uri, from: 'gpt-5.4-mini' });
    const isShown = () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label === 'Migrate: gpt-5.4-mini'));
    await until(isShown, 'the migration');
  });

  it('still shows the effective configuration', async () => {
    await openFile('config/agents/A2/v1.json');
    await vscode.commands.executeCommand('agentStack.showEffectiveConfig');
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /^\/\/ Effective configuration of A2@v1, environment dev\n\/\/ SHA-256 [0-9a-f]{64}\n/);
  });
});
