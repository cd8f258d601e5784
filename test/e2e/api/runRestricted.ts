import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { fileUri, until } from './support.js';

describe('Without trust', () => {
  for (const command of [
    'agentStack.runAgent',
    'agentStack.openChat',
    'agentStack.runAndRecord',
    'agentStack.replayRecording',
    'agentStack.runAgain',
    'agentStack.runOrchestration',
    'agentStack.resumeRun',
    'agentStack.continueConversation',
    'agentStack.listTools',
    'agentStack.acceptTool',
  ]) {
    it(`${command} runs nothing, however it is called`, async () => {
      assert.equal(vscode.workspace.isTrusted, false);
      let isOver = false;
      const running = vscode.commands.executeCommand(command, { uri: fileUri('config/agents/A2/v1.json'), case: 'parser', llm: 'offline' });
      const result = Promise.resolve(running).finally(() => {
        isOver = true;
      });
      await until(async () => {
        await vscode.commands.executeCommand('notifications.clearAll');
        return isOver;
      }, 'the refusal');
      assert.equal(await result, undefined);
      assert.equal(existsSync(fileUri('.agentstack').fsPath), false);
    });
  }
});
