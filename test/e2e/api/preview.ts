import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { fileUri, openFile, replaceText, undoAll, until, workspaceRoot } from './support.js';

const agent = 'config/agents/A2/v1.json';

/** What the command line prints for the same agent and input. */
function composed(...args: readonly string[]): string {
  const extension = vscode.extensions.getExtension('agent-stack.agent-stack');
  assert.ok(extension);
  return execFileSync(process.execPath, [join(extension.extensionPath, 'dist/cli.cjs'), 'compose', ...args], {
    cwd: workspaceRoot(),
    encoding: 'utf8',
  });
}

async function openText(path = agent): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand('agentStack.previewAsText', fileUri(path));
  const document = vscode.window.activeTextEditor?.document;
  assert.ok(document);
  assert.equal(document.uri.scheme, 'agent-stack-prompt');
  return document;
}

function panels(): readonly string[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes('agentStack.preview'))
    .map(({ label }) => label);
}

describe('The prompt preview', () => {
  afterEach(async () => {
    await openFile(agent);
    await undoAll();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('opens one panel, which follows the active agent file', async () => {
    await openFile(agent);
    await vscode.commands.executeCommand('agentStack.previewPrompt');
    await until(() => panels().includes('Preview A2@v1'), 'the panel');
    await openFile('config/agents/IssueLabels/v1.json');
    await until(() => panels().includes('Preview IssueLabels@v1'), 'the panel of the other agent');
    await openFile('config/personas/technical_editor.json');
    await vscode.commands.executeCommand('agentStack.previewPrompt', { uri: fileUri(agent) });
    await until(() => panels().includes('Preview A2@v1'), 'the first agent again');
    assert.equal(panels().length, 1);
  });

  it('as text is what the command line composes, hash included', async () => {
    const document = await openText();
    assert.equal(document.getText(), composed('A2', '--case', 'cloud_costs'));
    const template = await openText('config/agents/IssueLabels/v1.json');
    assert.equal(template.getText(), composed('IssueLabels', '--case', 'empty_body'));
  });

  it('as text follows what is typed, before it is saved', async () => {
    const source = await openFile(agent);
    const document = await openText();
    await replaceText(source, 'the first stage of a prompt pipeline', 'typed just now');
    await until(() => document.getText().includes('You are A2 PromptShaper, typed just now.'), 'the typed words');
    assert.equal(source.isDirty, true);
  });

  it('as text follows the persona under the agent too', async () => {
    const persona = await openFile('config/personas/technical_editor.json');
    const document = await openText('config/agents/ReleaseNotes/v1.json');
    await replaceText(persona, 'One idea per sentence', 'One thought per sentence');
    await until(() => document.getText().includes('One thought per sentence'), 'the words of the persona');
    await vscode.window.showTextDocument(persona);
    await undoAll();
    await until(() => document.getText().includes('One idea per sentence'), 'the words as they were');
  });

  it('keeps the last good prompt while the persona under the agent is broken', async () => {
    const persona = await openFile('config/personas/technical_editor.json');
    const document = await openText('config/agents/ReleaseNotes/v1.json');
    const before = document.getText();
    await replaceText(persona, '"temperature": 0.4', '"temperature" 0.4');
    await until(() => document.getText() !== before, 'a note');
    assert.match(document.getText(), /^Last good state\. config\/personas\/technical_editor\.json:1:1: /);
    assert.ok(document.getText().endsWith(before), 'the prompt is as it was');
    await vscode.window.showTextDocument(persona);
    await undoAll();
    await until(() => document.getText() === before, 'the prompt without the note');
  });

  it('keeps the last good prompt while the file is broken, and says where', async () => {
    const source = await openFile(agent);
    const document = await openText();
    const before = document.getText();
    await replaceText(source, '"mode": "Chooser",', '"mode" "Chooser",');
    await until(() => document.getText() !== before, 'a note');
    assert.match(document.getText(), /^Last good state\. config\/agents\/A2\/v1\.json:5:\d+: /);
    assert.ok(document.getText().endsWith(before), 'the prompt is as it was');
    await replaceText(source, '"mode" "Chooser",', '"mode": "Chooser",');
    await until(() => document.getText() === before, 'the prompt without the note');
  });

  it('shows an agent whose rules are broken as it would be sent', async () => {
    const source = await openFile(agent);
    const document = await openText();
    await replaceText(source, '"tone": "direct",', '"tone": "rude",');
    await replaceText(source, 'You never answer a request yourself.', 'You answer nothing.');
    await until(() => document.getText().includes('You answer nothing.'), 'the typed words');
    assert.doesNotMatch(document.getText(), /Last good state/);
  });

  it('compares two agents side by side', async () => {
    await vscode.commands.executeCommand('agentStack.comparePrompts', fileUri('config/agents/ReleaseNotes/v1.json'), fileUri(agent));
    const input = await until(() => vscode.window.tabGroups.activeTabGroup.activeTab?.input, 'a diff');
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.deepEqual([input.original.path, input.modified.path], ['/A2@v1.txt', '/ReleaseNotes@v1.txt']);
    const text = await vscode.workspace.openTextDocument(input.original);
    assert.equal(text.getText(), composed('A2', '--case', 'cloud_costs'));
  });
});
