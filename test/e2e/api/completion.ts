import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openFile, place, replaceText, undoAll } from './support.js';

describe('Completion', () => {
  afterEach(undoAll);
  const path = 'config/agents/IssueLabels/v1.json';

  it('offers the personas of the project for a persona key, whole', async () => {
    const document = await openFile(path);
    await replaceText(document, '"version": "v1",', '"version": "v1",\n  "persona_key": "",');
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      place(document, '"persona_key": "', 'end'),
    );
    const labels = list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.ok(
      labels.some((label) => label.includes('technical_editor')),
      labels.join(', '),
    );
  });

  it('offers the properties an agent may have and has not yet', async () => {
    const document = await openFile(path);
    await replaceText(document, '"version": "v1",', '"version": "v1",\n  ');
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      place(document, '"version": "v1",\n  ', 'end'),
    );
    const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.ok(
      labels.some((label) => label.includes('top_p')),
      labels.join(', '),
    );
    assert.ok(!labels.some((label) => /^"?version"?$/.test(label)), labels.join(', '));
  });
});
