import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fileUri, until } from './support.js';

const file = 'config/prompts/issue_triage/v1.json';

async function openText(): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand('agentStack.editAsMarkdown', fileUri(file), '/template');
  const editor = await until(() => {
    const active = vscode.window.activeTextEditor;
    return active?.document.uri.scheme === 'agent-stack-text' && active.document.uri.path.includes(file) && active;
  }, 'the text in an editor');
  return editor.document;
}

/** Adds a line at the end, and gives the place behind it. */
async function type(document: vscode.TextDocument, text: string): Promise<vscode.Position> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, document.lineAt(document.lineCount - 1).range.end, `\n${text}`);
  assert.ok(await vscode.workspace.applyEdit(edit));
  return document.lineAt(document.lineCount - 1).range.end;
}

describe('A text that is edited as Markdown', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('has the findings of its file at their lines, before it is saved', async () => {
    const document = await openText();
    await type(document, 'Now {input.title} is not filled in.');
    const found = await until(
      () => vscode.languages.getDiagnostics(document.uri).find(({ message }) => message.includes('needs double braces')),
      'the finding',
    );
    assert.equal(found.range.start.line, document.lineCount - 1);
    assert.equal(document.getText(found.range), '{input.title}');
    await type(document, 'And more.');
    await until(
      () => vscode.languages.getDiagnostics(document.uri).some(({ range }) => document.getText(range) === '{input.title}'),
      'it again',
    );
    assert.equal(document.isDirty, true);
  });

  it('completes paths', async () => {
    const document = await openText();
    const at = await type(document, 'Of {{in');
    const list = await until(async () => {
      const found = await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, at);
      return found.items.some(({ label }) => label === 'input.title') && found;
    }, 'the completions');
    const item = list.items.find(({ label }) => label === 'input.title');
    assert.equal(item?.insertText, 'input.title}}');
    assert.ok(item.range instanceof vscode.Range);
    assert.equal(document.getText(item.range), 'in');
  });

  it('says of a path what it is, with an example', async () => {
    const document = await openText();
    const end = await type(document, 'Of {{input.repository}}');
    const [hover] = await until(async () => {
      const found = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, end.translate(0, -4));
      return found.length > 0 && found;
    }, 'the hover');
    const text = hover?.contents.map((content) => (typeof content === 'string' ? content : content.value)).join('\n') ?? '';
    assert.match(text, /Example: /);
    assert.match(text, /config\/payloads\/IssueLabels/);
    assert.equal(document.getText(hover?.range), 'repository');
  });

  it('says how many tokens it has', async () => {
    const document = await openText();
    const lens = await until(async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 5);
      return found.find(({ command }) => /\d+ tokens/.test(command?.title ?? ''));
    }, 'the lens');
    assert.equal(lens.range.start.line, 0);
  });
});
