import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { fileUri, openFile, until } from './support.js';

const orchestration = 'config/orchestrations/issue_intake.json';
const agent = 'config/agents/IncidentExtractor/v1.json';
const errors = (uri: vscode.Uri) =>
  vscode.languages.getDiagnostics(uri).filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);

describe('The language server', () => {
  it('follows a file that is changed outside the editor', async () => {
    const { fsPath } = fileUri(agent);
    const text = readFileSync(fsPath, 'utf8');
    const document = await openFile(orchestration);
    await until(() => errors(document.uri).length === 0, 'an orchestration without errors');
    try {
      writeFileSync(fsPath, text.replace('"version": "v1"', '"version": "v2"'));
      await until(() => errors(fileUri(agent)).length > 0 || errors(document.uri).length > 0, 'a finding about the changed file');
    } finally {
      writeFileSync(fsPath, text);
    }
    await until(() => errors(fileUri(agent)).length === 0 && errors(document.uri).length === 0, 'no finding once the file is as it was');
  });

  it('finds the same after it was restarted', async () => {
    const document = await openFile('config/agents/A2/v1.json');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(1, 2), '"top_p": 9, ');
    await vscode.workspace.applyEdit(edit);
    await until(() => errors(document.uri).length > 0, 'a finding');
    const before = errors(document.uri).map(({ message }) => message);
    await vscode.commands.executeCommand('agentStack.restartServer');
    await until(
      () =>
        isDeepStrictEqual(
          errors(document.uri).map(({ message }) => message),
          before,
        ),
      'the same findings again',
    );
    // It reads what is typed now, not what it knew.
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(() => errors(document.uri).length === 0, 'no finding after the edit is taken back');
  });
});
