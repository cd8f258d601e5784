import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('Without trust', () => {
  it('no agent is a tool of chats', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const { tools, invokeTool } = vscode.lm as unknown as {
      readonly tools: readonly { readonly name: string }[];
      invokeTool(name: string, options: object): Promise<unknown>;
    };
    assert.deepEqual(
      tools.filter(({ name }) => name.startsWith('agentstack_')),
      [],
    );
    await assert.rejects(invokeTool('agentstack_runAgent', { input: { name: 'A2', input: {} }, toolInvocationToken: undefined }));
  });
});
