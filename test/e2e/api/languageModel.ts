import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { goodAnswer, runWith } from './models.js';
import { fileUri, until } from './support.js';

interface ScriptedModels {
  answer:
    | readonly string[]
    | ((messages: unknown, token: vscode.CancellationToken, report: (text: string) => void) => Promise<void> | void);
  readonly requests: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly options?: Readonly<Record<string, unknown>>;
  }[];
}

describe('The language models of VS Code', () => {
  const scripted = { provider: 'vscode', model_name: 'scripted-1' };
  let models: ScriptedModels;
  let errors: typeof vscode.LanguageModelError;

  before(async () => {
    const extension = vscode.extensions.getExtension('agent-stack-test.agent-stack-test');
    assert.ok(extension, 'the test extension is there');
    ({
      models,
      vscode: { LanguageModelError: errors },
    } = await extension.activate());
    await until(async () => (await vscode.lm.selectChatModels({ vendor: 'agent-stack-test' })).length > 0, 'the scripted models');
  });

  it('run an agent: no system role, the schema in the prompt, counts that are called estimates', async () => {
    const text = JSON.stringify(goodAnswer);
    models.answer = [text.slice(0, 20), text.slice(20)];
    models.requests.length = 0;
    const result = await runWith({ ...scripted, options: { reasoning: 'low' } });
    assert.deepEqual(result.output, goodAnswer);
    assert.equal(result.metadata.provider, 'vscode');
    assert.equal(result.metadata.token_usage_estimated, true);
    assert.ok(result.metadata.token_usage.total_tokens > 100, 'the prompt was counted');
    assert.deepEqual(result.metadata.left_out, ['temperature', 'max_output_tokens']);
    const [request, ...more] = models.requests;
    assert.equal(more.length, 0);
    assert.equal(request?.model, 'scripted-1');
    assert.deepEqual(request.options, { reasoning: 'low' });
    assert.deepEqual(
      request.messages.map(({ role }) => role),
      ['user'],
    );
    const [{ content } = { content: '' }] = request.messages;
    assert.ok(content.startsWith('SYSTEM') || content.includes('You are A2 PromptShaper'), 'the system text leads');
    assert.ok(content.indexOf('You are A2 PromptShaper') < content.indexOf('nginx access log'));
    assert.ok(content.includes('"additionalProperties":false'), 'the schema is in the prompt');
  });

  it('are found by family and by name', async () => {
    models.answer = [JSON.stringify(goodAnswer)];
    models.requests.length = 0;
    await runWith({ ...scripted, model_name: 'other' });
    await runWith({ ...scripted, model_name: 'scripted two' });
    assert.deepEqual(
      models.requests.map(({ model }) => model),
      ['scripted-2', 'scripted-2'],
    );
  });

  it('that do not exist are named, with those that do', async () => {
    const { error } = await runWith({ ...scripted, model_name: 'gone' });
    assert.equal(error?.details?.reason, 'not-found');
    assert.match(error.message, /"gone".*scripted-1/);
  });

  it('fail with the reasons that other providers have', async () => {
    models.answer = () => {
      throw errors.Blocked('the quota of this month is used up');
    };
    const { error } = await runWith(scripted);
    assert.equal(error?.details?.reason, 'quota');
    assert.match(error.message, /the quota of this month is used up/);
  });

  it('stop answering when the run is cancelled', async () => {
    let isCancelled = false;
    models.answer = async (_messages, token, report) => {
      report('{');
      await new Promise<void>((resolve) => token.onCancellationRequested(() => resolve()));
      isCancelled = true;
    };
    models.requests.length = 0;
    const running = runWith(scripted);
    await until(() => models.requests.length > 0, 'the request');
    await vscode.commands.executeCommand('agentStack.cancelRun');
    await until(() => isCancelled, 'the model to be told');
    assert.equal((await running).status, 'cancelled');
  });

  it('are written into a new profile, and into one that is there with its layout kept', async () => {
    const uri = fileUri('config/llms/mine.json');
    try {
      await vscode.commands.executeCommand('agentStack.selectLanguageModel', { model: 'scripted-1', profile: 'mine' });
      const expected = { $schema: 'agent-stack:llm.schema.json', llm_id: 'mine', provider: 'vscode', model_name: 'scripted-1' };
      assert.deepEqual(JSON.parse(readFileSync(uri.fsPath, 'utf8')), expected);
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, uri.fsPath);
      const before = readFileSync(uri.fsPath, 'utf8');
      await vscode.commands.executeCommand('agentStack.selectLanguageModel', { model: 'scripted-2', profile: 'mine' });
      assert.equal(readFileSync(uri.fsPath, 'utf8'), before.replace('scripted-1', 'scripted-2'));
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      rmSync(uri.fsPath, { force: true });
    }
  });
});
