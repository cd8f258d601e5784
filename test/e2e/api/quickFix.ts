import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openFile, replaceText, undoAll, until } from './support.js';

describe('A quick fix', () => {
  afterEach(undoAll);

  it('is offered for a misspelt property and puts it right', async () => {
    const document = await openFile('config/agents/A2/v1.json');
    await replaceText(document, '"purpose_text"', '"purpose_txt"');
    const finding = await until(
      () => vscode.languages.getDiagnostics(document.uri).find(({ range }) => document.getText(range) === '"purpose_txt"'),
      'the finding',
    );
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      finding.range,
      vscode.CodeActionKind.QuickFix.value,
      // What an edit is gets worked out when its fix is chosen: of so many at once.
      10,
    );
    const edit = fixes.find(({ isPreferred }) => isPreferred)?.edit;
    assert.ok(edit, `a preferred fix with an edit among ${fixes.map(({ title }) => title).join(', ')}`);
    await vscode.workspace.applyEdit(edit);
    assert.match(document.getText(), /"purpose_text"/);
    await until(
      () => !vscode.languages.getDiagnostics(document.uri).some(({ severity }) => severity === vscode.DiagnosticSeverity.Error),
      'no finding once it is fixed',
    );
  });

  it('of all findings of a file is one source action', async () => {
    const document = await openFile('config/agents/A2/v1.json');
    await replaceText(document, '"context"],', '"context",],');
    await until(() => vscode.languages.getDiagnostics(document.uri).length > 0, 'the finding');
    await vscode.commands.executeCommand('editor.action.fixAll');
    await until(() => document.getText().includes('"context"],'), 'the repaired text');
  });
});
