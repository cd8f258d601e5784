import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { fileUri, until } from './support.js';

const path = 'config/agents/IssueLabels/v1.json';

/** Runs a task and waits for the exit code of its process. */
async function runTask(start: () => Thenable<unknown>): Promise<number | undefined> {
  let listener: vscode.Disposable | undefined;
  const ended = new Promise<number | undefined>((resolve) => {
    listener = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution.task.definition.type === 'agentstack') resolve(exitCode);
    });
  });
  await start();
  const code = await ended;
  listener?.dispose();
  return code;
}

describe('The check task', () => {
  const before = readFileSync(fileUri(path).fsPath, 'utf8');
  after(async () => {
    writeFileSync(fileUri(path).fsPath, before);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is among the tasks', async () => {
    const tasks = await vscode.tasks.fetchTasks({ type: 'agentstack' });
    assert.deepEqual(
      tasks.filter(({ definition }) => definition.project === undefined).map(({ name, group }) => [name, group?.id]),
      [['check', 'build']],
    );
  });

  it('finds nothing wrong in the sample project', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const code = await runTask(() => vscode.commands.executeCommand('agentStack.checkProject'));
    const findings = vscode.languages
      .getDiagnostics()
      .flatMap(([uri, list]) => list.map(({ message }) => `${vscode.workspace.asRelativePath(uri)}: ${message}`));
    assert.equal(code, 0, findings.join('\n'));
  });

  it('fails with a finding in a file that is not open, and changes nothing in Problems, where it is already', async () => {
    writeFileSync(fileUri(path).fsPath, before.replace('"mode": "Chooser"', '"mode": "Choser"'));
    const misspelt = () =>
      vscode.languages.getDiagnostics(fileUri(path)).filter(({ message }) => message.includes('"Choser" is not one of'));
    const found = await until(() => misspelt()[0], 'the finding among the problems');
    const counts = new Set<number>();
    const listener = vscode.languages.onDidChangeDiagnostics(() => counts.add(misspelt().length));
    assert.equal(await runTask(() => vscode.commands.executeCommand('agentStack.checkProject')), 1);
    // What a matcher finds arrives after the end of the process.
    await new Promise((resolve) => setTimeout(resolve, 500));
    listener.dispose();
    // Neither gone for a moment nor there twice.
    assert.deepEqual([...counts.add(misspelt().length)], [1]);
    assert.equal(found.source, 'agentstack');
    const line = before.split('\n').findIndex((text) => text.includes('"mode"'));
    assert.deepEqual([found.range.start.line, found.severity], [line, vscode.DiagnosticSeverity.Error]);
  });
});
