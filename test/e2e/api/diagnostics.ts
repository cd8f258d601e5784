import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fileUri, openFile, until } from './support.js';

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

  it('appear in the files of other tools, open or not, and whichever their language is', async () => {
    const uri = fileUri('.codex/config.toml');
    const codes = () => vscode.languages.getDiagnostics(uri).map(({ code }) => (typeof code === 'object' ? code.value : code));
    await vscode.workspace.fs.writeFile(uri, Buffer.from('[mcp_servers.docs\n'));
    await until(() => codes().includes('other-tools/unreadable'), 'a finding in a file that is not open');
    await vscode.workspace.fs.writeFile(uri, Buffer.from('[mcp_servers.docs]\ncommand = "docs-mcp"\n'));
    await until(() => codes().length === 0, 'no finding after the file is right');
    await vscode.workspace.fs.delete(fileUri('.codex'), { recursive: true });
  });
});
