import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openFile, until } from './support.js';

describe('Findings', () => {
  it('appear while a file is typed, before it is saved', async () => {
    const document = await openFile('config/agents/A2/v1.json');
    assert.equal(document.languageId, 'agent-config');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(1, 2), '"top_p": 9, ');
    await vscode.workspace.applyEdit(edit);
    const findings = () =>
      vscode.languages.getDiagnostics(document.uri).filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    await until(() => findings().length > 0, 'a finding');
    assert.equal(document.getText(findings()[0]!.range), '9');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(() => findings().length === 0, 'no finding after the edit is taken back');
  });
});
