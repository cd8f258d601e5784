import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { fileUri, openFile, until, workspaceRoot } from './support.js';

const agent = { agent_name: 'Far', version: 'v1', mode: 'Writer', system_text: 'You write.', output_schema: { type: 'object' } };

function write(path: string, value: unknown): void {
  mkdirSync(dirname(join(workspaceRoot(), path)), { recursive: true });
  writeFileSync(join(workspaceRoot(), path), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

async function languageOf(path: string, wanted: string): Promise<vscode.TextDocument> {
  const document = await openFile(path);
  await until(() => document.languageId === wanted, `${path} to be ${wanted}; it is ${document.languageId}`);
  return document;
}

async function replaceAll(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length)), text);
  await vscode.workspace.applyEdit(edit);
}

describe('The language of a file', () => {
  const made = [
    'elsewhere',
    'config/llms/compiler.json',
    'config/llms/associated.json',
    'config/llms/plain.json',
    'config/mcp.json',
    'notes',
  ];
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const path of made) rmSync(join(workspaceRoot(), path), { recursive: true, force: true });
  });

  it('is ours in a config folder of another name', async () => {
    write('elsewhere/agentstack.json', { config_dir: 'agents/files' });
    write('elsewhere/agents/files/agents/Far/v1.json', agent);
    write('elsewhere/config/agents/Near/v1.json', agent);
    await languageOf('elsewhere/agents/files/agents/Far/v1.json', 'agent-config');
  });

  it('is ours for the servers of a project, which VS Code knows as JSON with comments', async () => {
    write('config/mcp.json', { servers: { files: { type: 'stdio', command: 'node' } } });
    await languageOf('config/mcp.json', 'agent-config');
  });

  it('is plain JSON where the pattern fits and the project keeps its files elsewhere', async () => {
    await languageOf('elsewhere/config/agents/Near/v1.json', 'json');
  });

  it('follows agentstack.json when that is saved', async () => {
    write('elsewhere/agentstack.json', { config_dir: 'config' });
    await languageOf('elsewhere/config/agents/Near/v1.json', 'agent-config');
    await languageOf('elsewhere/agents/files/agents/Far/v1.json', 'json');
  });

  it('is plain JSON for a file of another tool in a config folder, and an agent file as soon as it is one', async () => {
    write('config/llms/compiler.json', { compilerOptions: { strict: true } });
    const document = await languageOf('config/llms/compiler.json', 'json');
    await replaceAll(document, '{ "llm_id": "compiler", "compilerOptions": {} }');
    await until(() => document.languageId === 'agent-config', 'the file to be ours');
    await until(
      () => vscode.languages.getDiagnostics(document.uri).some(({ source }) => source === 'agentstack'),
      'a finding in a file that has become ours',
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('stays ours while its first key is typed', async () => {
    write('config/llms/plain.json', '{}\n');
    const document = await languageOf('config/llms/plain.json', 'agent-config');
    await replaceAll(document, '{ "llm_i": "" }');
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(document.languageId, 'agent-config');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('stays what a user makes it, by hand or in the settings', async () => {
    const document = await languageOf('config/llms/plain.json', 'agent-config');
    await vscode.languages.setTextDocumentLanguage(document, 'jsonc');
    await vscode.languages.setTextDocumentLanguage(document, 'json');
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(document.languageId, 'json');

    const files = vscode.workspace.getConfiguration('files');
    await files.update('associations', { 'associated.json': 'json' }, vscode.ConfigurationTarget.Workspace);
    write('config/llms/associated.json', { llm_id: 'associated' });
    const associated = await openFile('config/llms/associated.json');
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(associated.languageId, 'json');
    await files.update('associations', undefined, vscode.ConfigurationTarget.Workspace);
  });

  it('is left alone elsewhere', async () => {
    write('notes/package.json', { name: 'x' });
    write('notes/mine.json', { name: 'x' });
    await languageOf('notes/package.json', 'json');
    const mine = await openFile('notes/mine.json');
    await vscode.languages.setTextDocumentLanguage(mine, 'agent-config');
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(mine.languageId, 'agent-config');
  });
});

describe('What JSON files have in VS Code', () => {
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(join(workspaceRoot(), 'config/llms/formatted.json'), { force: true });
  });

  it('agent files have too: outline, folding, formatting', async () => {
    const { uri } = await languageOf('config/agents/A2/v1.json', 'agent-config');
    const symbols = await until(
      async () => vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>('vscode.executeDocumentSymbolProvider', uri),
      'the outline',
    );
    assert.ok(symbols.some(({ name }) => name === 'output_schema'));
    const folds = await vscode.commands.executeCommand<vscode.FoldingRange[]>('vscode.executeFoldingRangeProvider', uri);
    assert.ok(folds.length > 5, `${folds.length} folds`);
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await vscode.commands.executeCommand<vscode.TextEdit[] | undefined>('vscode.executeFormatDocumentProvider', uri, options);
    assert.ok(
      (edits ?? []).every(({ newText }) => newText.trim() === ''),
      'formatting changes white space only',
    );
  });

  it('agent files are formatted on save when the user wants that', async () => {
    const editor = vscode.workspace.getConfiguration('editor', { languageId: 'agent-config' });
    await editor.update('formatOnSave', true, vscode.ConfigurationTarget.Workspace, true);
    await until(
      () => vscode.workspace.getConfiguration('editor', { languageId: 'agent-config' }).get('formatOnSave'),
      'the setting to apply',
    );
    write('config/llms/formatted.json', '{}');
    const document = await languageOf('config/llms/formatted.json', 'agent-config');
    await replaceAll(document, '{"llm_id":"formatted",\n         "provider":"offline"}\n');
    assert.ok(await document.save());
    assert.equal(document.getText(), '{\n  "llm_id": "formatted",\n  "provider": "offline"\n}\n');
    await editor.update('formatOnSave', undefined, vscode.ConfigurationTarget.Workspace, true);
  });

  it('settings for agent files come with the extension', () => {
    const editor = vscode.workspace.getConfiguration('editor', { uri: fileUri('config/agents/A2/v1.json'), languageId: 'agent-config' });
    assert.equal(editor.get('wordWrap'), 'on');
    assert.equal(editor.get('wrapOnEscapedLineFeeds'), true);
    assert.equal(editor.get<{ strings: string }>('quickSuggestions')?.strings, 'on');
  });
});
