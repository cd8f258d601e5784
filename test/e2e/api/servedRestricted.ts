import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { fileUri } from './support.js';

describe('Without trust', () => {
  // Extensions see the tools of package.json in any case; chats leave them out by their `when`.
  it('no tool of chats lists or runs an agent, however it is called', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const { invokeTool } = vscode.lm as unknown as { invokeTool(name: string, options: object): Promise<unknown> };
    for (const name of ['agentstack_listAgents', 'agentstack_runAgent'])
      await assert.rejects(invokeTool(name, { input: { name: 'A2', input: {} }, toolInvocationToken: undefined }), name);
    assert.equal(existsSync(fileUri('.agentstack').fsPath), false);
  });
});
