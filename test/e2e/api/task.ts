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
    assert.equal(await runTask(() => vscode.commands.executeCommand('agentStack.checkProject')), 0);
  });

  it('fails with a finding in a file that is not open, and shows it among the problems', async () => {
    writeFileSync(fileUri(path).fsPath, before.replace('"mode": "Chooser"', '"mode": "Choser"'));
    assert.equal(await runTask(() => vscode.commands.executeCommand('agentStack.checkProject')), 1);
    const found = await until(
      () => vscode.languages.getDiagnostics(fileUri(path)).find(({ message }) => message.includes('"Choser" is not one of')),
      'the finding among the problems',
    );
    assert.equal(found.source, 'agentstack');
    const line = before.split('\n').findIndex((text) => text.includes('"mode"'));
    assert.deepEqual([found.range.start.line, found.severity], [line, vscode.DiagnosticSeverity.Error]);
  });
});
