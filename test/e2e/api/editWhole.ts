import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { closeAllEditors, fileUri, openFile, replaceText, until } from './support.js';

const folder = 'config/agents/Edited';
/** A file of its own for each test: VS Code keeps what it has read of one for a while. */
let path = '';
let made = 0;
const json = () =>
  [
    '{',
    `\t"agent_name":   "Edited", "version": "v${made}",`,
    '  "model_name": "offline", "provider": "offline", "temperature": 0.70,',
    '  "system_text": "Caf\\u00e9\\n\\n# Role\\nLast line",',
    '  "purpose_text": "Say it."',
    '}',
    '',
  ].join('\r\n');
const shown = () => `---
agent_name: Edited
version: v${made}
model_name: offline
provider: offline
temperature: 0.7
system_text: "# system_text"
purpose_text: "# purpose_text"
---

# system_text

Café

# Role
Last line

# purpose_text

Say it.
`;

const fileText = () => readFileSync(fileUri(path).fsPath, 'utf8');

async function openWhole(): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand('agentStack.editWholeAsMarkdown', fileUri(path));
  const editor = await until(() => {
    const active = vscode.window.activeTextEditor;
    const uri = active?.document.uri;
    return uri?.scheme === 'agent-stack-text' && uri.path.includes(`/${path}/`) && uri.query === 'whole' && active;
  }, 'the file as Markdown in an editor');
  return editor.document;
}

describe('Edit as Markdown, the whole file', () => {
  beforeEach(async () => {
    await closeAllEditors();
    made += 1;
    path = `${folder}/v${made}.json`;
    await vscode.workspace.fs.createDirectory(fileUri(folder));
    writeFileSync(fileUri(path).fsPath, json());
  });
  after(async () => {
    await closeAllEditors();
    rmSync(fileUri(folder).fsPath, { recursive: true });
  });

  it('shows settings as front matter and texts as sections', async () => {
    await openFile(path);
    const document = await openWhole();
    assert.equal(document.getText(), shown());
    assert.equal(document.languageId, 'markdown');
    assert.match(document.uri.path, /\/Edited v\d+\.md$/);
  });

  it('writes what has changed and nothing else', async () => {
    const document = await openWhole();
    await replaceText(document, 'temperature: 0.7', 'temperature: 0.2');
    await replaceText(document, 'Last line', 'Last "line"');
    assert.ok(await document.save());
    await until(() => fileText() !== json(), 'the file to be saved');
    assert.equal(fileText(), json().replace('0.70', '0.2').replace('Last line', 'Last \\"line\\"'));
    assert.equal(document.isDirty, false);
    await replaceText(document, 'Say it.', 'Say that.');
    assert.ok(await document.save());
    await until(() => fileText().includes('Say that.'), 'the file to be saved again');
  });

  it('follows the file', async () => {
    const document = await openWhole();
    writeFileSync(fileUri(path).fsPath, json().replace('Say it.', 'Say other.'));
    await until(() => document.getText() === shown().replace('Say it.', 'Say other.'), 'the Markdown to follow');
  });

  it('refuses settings that are broken and a section that is missing, and keeps what is typed', async () => {
    const document = await openWhole();
    await replaceText(document, 'temperature: 0.7', 'temperature: [');
    assert.equal(await document.save().then(Boolean, () => false), false);
    assert.equal(fileText(), json());
    assert.ok(document.isDirty);
    const [fault] = await until(() => {
      const found = vscode.languages.getDiagnostics(document.uri);
      return found.length > 0 && found;
    }, 'the fault to be marked');
    assert.match(fault!.message, /not valid YAML/);
    await replaceText(document, 'temperature: [', 'temperature: 0.7');
    await replaceText(document, '# purpose_text\n', '');
    assert.equal(await document.save().then(Boolean, () => false), false);
    await until(
      () =>
        vscode.languages
          .getDiagnostics(document.uri)
          .find(({ message, range }) => message.includes('purpose_text') && range.start.line === 7),
      'the missing section to be marked where it is named',
    );
    assert.equal(fileText(), json());
  });

  it('marks the findings of a text at its lines', async () => {
    const document = await openWhole();
    await replaceText(document, 'Say it.', 'Say it.\nNow {input.title} is not filled in.');
    const found = await until(
      () => vscode.languages.getDiagnostics(document.uri).find(({ message }) => message.includes('{input.title}')),
      'the finding',
    );
    assert.equal(document.getText(found.range), '{input.title}');
  });

  it('refuses a file that is not JSON', async () => {
    writeFileSync(fileUri(path).fsPath, '{ "a": ');
    await openFile(path);
    // The command ends when the user has closed its message.
    void vscode.commands.executeCommand('agentStack.editWholeAsMarkdown', fileUri(path));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'file');
  });
});
