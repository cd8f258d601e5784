import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { fileUri, openFile, place, until, workspaceRoot } from './support.js';

const orchestration = 'config/orchestrations/issue_intake.json';

describe('Rename', () => {
  it('of an output field changes every file that reads it', async () => {
    const path = 'config/agents/IssueLabels/v1.json';
    assert.match(onDisk(orchestration), /"output_field": "priority"/);
    await rename(path, '"priority": {', 'urgency');
    assert.match(onDisk(path), /"urgency": \{/);
    assert.match(onDisk(orchestration), /"output_field": "urgency"/);
    assert.doesNotMatch(onDisk(orchestration), /"output_field": "priority"/);
    await rename(path, '"urgency": {', 'priority');
    assert.match(onDisk(orchestration), /"output_field": "priority"/);
  });

  it('of a file changes who names its agent', async () => {
    const folder = 'config/agents/IncidentExtractor';
    await move(folder, 'config/agents/IncidentRecorder');
    assert.match(onDisk('config/agents/IncidentRecorder/v1.json'), /"agent_name": "IncidentRecorder"/);
    assert.match(onDisk(orchestration), /"agent": "IncidentRecorder@v1"/);
    assert.match(onDisk('config/payloads/IncidentRecorder/checkout_outage.json'), /"input"/);
    await move('config/agents/IncidentRecorder', folder);
    assert.match(onDisk('config/payloads/IncidentExtractor/checkout_outage.json'), /"input"/);
    assert.match(onDisk(orchestration), /"agent": "IncidentExtractor@v1"/);
  });

  it('leaves a project behind in which nothing is wrong', async () => {
    const document = await openFile(orchestration);
    await until(
      () => vscode.languages.getDiagnostics(document.uri).every(({ severity }) => severity !== vscode.DiagnosticSeverity.Error),
      'an orchestration without errors',
    );
  });
});

/** Renames what is one character into `text`, as F2 does: a refactoring, which saves what it changes. */
async function rename(path: string, text: string, name: string): Promise<void> {
  const document = await openFile(path);
  const position = place(document, text).translate(0, 1);
  const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
    'vscode.executeDocumentRenameProvider',
    document.uri,
    position,
    name,
  );
  assert.ok(edit.size > 0, 'there is something to rename');
  assert.ok(await vscode.workspace.applyEdit(edit, { isRefactoring: true }), 'the edit is applied');
}

/** Moves a file or folder as the explorer does: the language server is asked what has to change with it. */
async function move(from: string, to: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(fileUri(from), fileUri(to));
  assert.ok(await vscode.workspace.applyEdit(edit, { isRefactoring: true }), `${from} is moved`);
  // What changes with a move is left to be saved.
  for (const document of vscode.workspace.textDocuments) if (document.isDirty) await document.save();
}

function onDisk(path: string): string {
  return readFileSync(join(workspaceRoot(), path), 'utf8');
}
