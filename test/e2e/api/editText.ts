import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { closeAllEditors, fileUri, openFile, replaceText, until } from './support.js';

const folder = 'config/prompts/edited';
/** A file of its own for each test: VS Code keeps what it has read of one for a while. */
let path = '';
let made = 0;
/** CRLF, a tab, escapes of every kind, half of a surrogate pair: all to stay as they are. */
const json = [
  '{',
  '\t"name":   "edited",',
  '  "version": "v1", "template": "# Caf\\u00e9\\n\\nDon\\u0027t \\/ \\ud83d touch\\nLast line",',
  '  "few_shot_examples": [ { "input": "One\\ntwo" , "output": "x" } ]',
  '}',
  '',
].join('\r\n');

const fileText = () => readFileSync(fileUri(path).fsPath, 'utf8');
const shown = "# Café\n\nDon't / \ufffd touch\nLast line";

async function openText(pointer = '/template'): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand('agentStack.editAsMarkdown', fileUri(path), pointer);
  const editor = await until(() => {
    const active = vscode.window.activeTextEditor;
    const uri = active?.document.uri;
    return uri?.scheme === 'agent-stack-text' && uri.path.includes(`/${path}/`) && uri.query === pointer && active;
  }, 'the text in an editor');
  return editor.document;
}

describe('Edit as Markdown', () => {
  beforeEach(async () => {
    await closeAllEditors();
    made += 1;
    path = `${folder}/v${made}.json`;
    await vscode.workspace.fs.createDirectory(fileUri(folder));
    writeFileSync(fileUri(path).fsPath, json);
  });
  after(async () => {
    await closeAllEditors();
    rmSync(fileUri(folder).fsPath, { recursive: true });
  });

  it('shows a text with real line breaks, beside its file', async () => {
    await openFile(path);
    const document = await openText();
    assert.equal(document.getText(), shown);
    assert.equal(document.languageId, 'markdown');
    assert.match(document.uri.path, /\/edited v\d+ · template\.md$/);
    assert.equal(vscode.window.activeTextEditor?.viewColumn, vscode.ViewColumn.Two);
  });

  it('writes nothing but the literal, and saves a file that had no changes', async () => {
    const document = await openText();
    await replaceText(document, 'Last line', 'Last "line"\nand one more');
    assert.ok(await document.save());
    await until(() => fileText() !== json, 'the file to be saved');
    assert.equal(fileText(), json.replace('Last line', 'Last \\"line\\"\\nand one more'));
    assert.equal(document.isDirty, false);
  });

  it('saving without a change leaves the file alone', async () => {
    const document = await openText();
    await replaceText(document, 'Last', 'Lost');
    await replaceText(document, 'Lost', 'Last');
    assert.ok(await document.save());
    assert.equal(fileText(), json);
  });

  it('leaves a file that has other changes unsaved', async () => {
    const source = await openFile(path);
    await replaceText(source, '"output": "x"', '"output": "y"');
    const document = await openText();
    await replaceText(document, 'Last', 'Final');
    assert.ok(await document.save());
    assert.equal(source.isDirty, true);
    assert.equal(source.getText(), json.replace('"x"', '"y"').replace('Last', 'Final'));
    assert.equal(fileText(), json);
  });

  it('follows the file, and both undo', async () => {
    const source = await openFile(path);
    const document = await openText();
    await replaceText(document, 'Last', 'Final');
    assert.ok(await document.save());
    assert.equal(source.getText(), json.replace('Last', 'Final'));
    await vscode.window.showTextDocument(source, vscode.ViewColumn.One);
    await vscode.commands.executeCommand('undo');
    assert.equal(source.getText(), json);
    await until(() => document.getText() === shown, `the text to follow: ${document.getText()}`);
    await vscode.window.showTextDocument(document, vscode.ViewColumn.Two);
    await vscode.commands.executeCommand('undo');
    await until(() => document.getText() === shown.replace('Last', 'Final'), `the text to undo: ${document.getText()}`);
  });

  it('follows a file that changes on the disk', async () => {
    const document = await openText();
    writeFileSync(fileUri(path).fsPath, json.replace('Last', 'Other'));
    await until(() => document.getText() === shown.replace('Last', 'Other'), 'the text to follow');
  });

  it('refuses to save over a text that has changed meanwhile', async () => {
    const source = await openFile(path);
    const document = await openText();
    await replaceText(document, 'Last', 'Mine');
    await replaceText(source, 'Last', 'Hers');
    const provider = () => vscode.workspace.fs.stat(document.uri);
    await until(async () => (await provider()).mtime > 0, 'the change to be noticed');
    void document.save();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    assert.equal(document.isDirty, true, 'the text is not saved');
    assert.ok(document.getText().includes('Mine'));
    assert.ok(source.getText().includes('Hers'));
  });

  it('loses nothing when the text is gone, and saves it when it is back', async () => {
    const source = await openFile(path);
    const document = await openText();
    await replaceText(document, 'Last', 'Kept');
    await replaceText(source, '"template"', '"templat"');
    assert.equal(await document.save().then(Boolean, () => false), false);
    assert.ok(document.isDirty);
    assert.ok(document.getText().includes('Kept'));
    await replaceText(source, '"templat"', '"template"');
    assert.ok(await document.save());
    assert.ok(source.getText().includes('Kept'));
  });

  it('opens the text the caret is in, at the same character', async () => {
    const source = await openFile(path);
    const at = source.positionAt(source.getText().indexOf('touch'));
    vscode.window.activeTextEditor!.selection = new vscode.Selection(at, at);
    await vscode.commands.executeCommand('agentStack.editAsMarkdown');
    const editor = await until(() => {
      const active = vscode.window.activeTextEditor;
      return active?.document.uri.scheme === 'agent-stack-text' && active;
    }, 'the text in an editor');
    await until(() => editor.document.offsetAt(editor.selection.active) === shown.indexOf('touch'), 'the caret');
  });

  it('is offered above each text and at the caret', async () => {
    const source = await openFile(path);
    await until(() => source.languageId === 'agent-config', 'our language');
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', source.uri);
    const ours = lenses.filter(({ command }) => command?.command === 'agentStack.editAsMarkdown');
    assert.deepEqual(
      ours.map(({ range, command }) => [range.start.line, command?.arguments?.[1]]),
      [
        [2, '/template'],
        [3, '/few_shot_examples/0/input'],
      ],
    );
    const caret = source.positionAt(source.getText().indexOf('touch'));
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      source.uri,
      new vscode.Range(caret, caret),
    );
    assert.ok(actions.some(({ command }) => command?.command === 'agentStack.editAsMarkdown'));
  });

  it('takes a text of a megabyte', async () => {
    const long = Array.from({ length: 16_000 }, (_, index) => `Line ${index} of a long "prompt", with ümlauts and more.`).join('\n');
    writeFileSync(fileUri(path).fsPath, JSON.stringify({ name: 'edited', version: 'v1', template: long }));
    const document = await openText();
    assert.ok(document.getText() === long, document.getText().slice(0, 200));
    await replaceText(document, 'Line 9000 ', 'Line nine thousand ');
    assert.ok(await document.save());
    await until(() => JSON.parse(fileText()).template === long.replace('Line 9000 ', 'Line nine thousand '), 'the file to be saved');
  });

  it('adds no line break for a setting that is about files', async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('insertFinalNewline', true, vscode.ConfigurationTarget.Workspace);
    const document = await openText();
    await replaceText(document, 'Last line', 'The end');
    assert.ok(await document.save());
    await until(() => fileText() === json.replace('Last line', 'The end'), `the literal alone to change: ${fileText()}`);
    await files.update('insertFinalNewline', undefined, vscode.ConfigurationTarget.Workspace);
  });
});
