import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openFile } from './support.js';

describe('The check task in an untrusted workspace', () => {
  it('is refused, even on request', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    await openFile('config/agents/A2/v1.json');
    let started = 0;
    const listener = vscode.tasks.onDidStartTask(() => {
      started += 1;
    });
    // It answers once its message has been read.
    void vscode.commands.executeCommand('agentStack.checkProject');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    listener.dispose();
    assert.equal(started, 0);
  });
});
