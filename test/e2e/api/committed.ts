import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { fileUri, openFile, replaceText, undoAll, until, workspaceRoot } from './support.js';

// Not opened before there is a repository.
const path = 'config/agents/Committed/v1.json';

describe('A change of a committed contract', () => {
  it(vscode.workspace.isTrusted ? 'is shown' : 'is not looked for in an untrusted workspace', async () => {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], { cwd: workspaceRoot(), stdio: 'ignore' });
    const text = readFileSync(fileUri('config/agents/IncidentExtractor/v1.json').fsPath, 'utf8');
    mkdirSync(dirname(fileUri(path).fsPath));
    writeFileSync(fileUri(path).fsPath, text.replaceAll('IncidentExtractor', 'Committed'));
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    const document = await openFile(path);
    await replaceText(document, '"input_keys": [', '"top_p": 9, "input_keys": ["since", ');
    const codes = () => vscode.languages.getDiagnostics(fileUri(path)).map(({ code }) => (typeof code === 'object' ? code.value : code));
    const changed = 'schema-changed-in-place';
    await until(() => codes().includes('schema'), 'what is wrong besides');
    if (vscode.workspace.isTrusted) await until(() => codes().includes(changed), 'the change');
    else {
      // Where it is looked for, it is there after a twentieth of that.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      assert.ok(!codes().includes(changed));
    }
    await undoAll();
  });
});
