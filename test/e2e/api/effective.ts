import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { fileUri, openFile, replaceText, undoAll, until, workspaceRoot } from './support.js';

const agent = 'config/agents/A2/v1.json';
const orchestration = 'config/orchestrations/issue_intake.json';

async function show(path: string): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand('agentStack.showEffectiveConfig', fileUri(path));
  const document = vscode.window.activeTextEditor?.document;
  assert.ok(document);
  assert.equal(document.uri.scheme, 'agent-stack-effective');
  return document;
}

/** Below its head of comments. */
function configIn(document: vscode.TextDocument): Record<string, unknown> {
  return JSON.parse(document.getText().replace(/^\/\/.*$/gm, ''));
}

function hashIn(document: vscode.TextDocument): string | undefined {
  return /^\/\/ SHA-256 ([0-9a-f]{64})$/m.exec(document.getText())?.[1];
}

function lineOf(document: vscode.TextDocument, text: string): number {
  const line = document
    .getText()
    .split('\n')
    .findIndex((one) => one.includes(text));
  assert.ok(line >= 0, text);
  return line;
}

async function hintAt(document: vscode.TextDocument, line: number): Promise<string | undefined> {
  const range = new vscode.Range(line, 0, line + 1, 0);
  const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>('vscode.executeInlayHintProvider', document.uri, range);
  const [label] = hints.filter(({ position }) => position.line === line).map((hint) => hint.label);
  return typeof label === 'string' ? label : label?.map(({ value }) => value).join('');
}

async function targetAt(document: vscode.TextDocument, line: number): Promise<string | undefined> {
  const position = new vscode.Position(line, document.lineAt(line).firstNonWhitespaceCharacterIndex);
  const [found] = await vscode.commands.executeCommand<vscode.LocationLink[]>('vscode.executeDefinitionProvider', document.uri, position);
  if (found === undefined) return undefined;
  const source = await vscode.workspace.openTextDocument(found.targetUri);
  return `${vscode.workspace.asRelativePath(found.targetUri)}: ${source.getText(found.targetRange)}`;
}

describe('The effective configuration', () => {
  afterEach(async () => {
    await openFile(agent);
    await undoAll();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('of an agent has the hash of the preview and the command line, and every value with its layer', async () => {
    const document = await show(agent);
    assert.equal(document.languageId, 'agent-config-effective');
    const extension = vscode.extensions.getExtension('agent-stack.agent-stack');
    assert.ok(extension);
    const composed = execFileSync(
      process.execPath,
      [join(extension.extensionPath, 'dist/cli.cjs'), 'compose', 'A2', '--case', 'cloud_costs', '--json'],
      { cwd: workspaceRoot(), encoding: 'utf8' },
    );
    assert.equal(hashIn(document), JSON.parse(composed).snapshot_hash);
    const { agents } = configIn(document) as { agents: { A2: { timeout_ms: number; model_name: string } } };
    assert.equal(agents.A2.timeout_ms, 60000);
    const timeout = lineOf(document, '"timeout_ms": 60000');
    assert.equal(await hintAt(document, timeout), 'system: system.json');
    assert.equal(await targetAt(document, timeout), 'config/system.json: "timeout_ms": 60000');
    assert.equal(await hintAt(document, lineOf(document, '"tool_protocol"')), 'built-in default');
    assert.equal(await targetAt(document, lineOf(document, '"model_name"')), `${agent}: "model_name": "gpt-5.4-mini"`);
    assert.match((await targetAt(document, lineOf(document, '"enums": {'))) ?? '', /v1\.json: "enums": \{[\s\S]*\}$/);
  });

  it('says on hover which layer gives a value, and what the layers below it say', async () => {
    const document = await show(agent);
    const line = lineOf(document, '"timeout_ms": 60000');
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(line, 8),
    );
    const words = hovers.flatMap(({ contents }) => contents.map((one) => (one as vscode.MarkdownString).value)).join('\n');
    assert.match(words.replaceAll('\\', ''), /Layer system: config\/system\.json at \/agent_defaults\/timeout_ms/);
    assert.match(words, /30000/);
  });

  it('follows what is typed, before it is saved, and tells of errors on top', async () => {
    const document = await show(agent);
    const before = hashIn(document);
    const file = await openFile(agent);
    await replaceText(file, '"gpt-5.4-mini"', '"gpt-4.1"');
    await until(() => document.getText().includes('"model_name": "gpt-4.1"'), 'the new model');
    assert.notEqual(hashIn(document), before);
    await replaceText(file, '"mode": "Chooser",', '"mode": "Chooser"');
    await until(() => /^\/\/ Last good state: /m.test(document.getText()), 'the fault');
    assert.match(document.getText(), /^\/\/ {3}config\/agents\/A2\/v1\.json:\d+:\d+ json-syntax: /m);
    assert.ok(document.getText().includes('"model_name": "gpt-4.1"'));
    await undoAll();
    await until(() => hashIn(document) === before, 'the old hash');
  });

  it('of an orchestration holds its teams and every agent, and what a run can cost', async () => {
    const document = await show(orchestration);
    const { kind, agents, orchestration: frozen } = configIn(document) as Record<string, Record<string, unknown>>;
    assert.equal(kind as unknown, 'orchestration');
    assert.deepEqual(Object.keys(agents ?? {}), ['triage/labels', 'incident/record', 'incident/notice']);
    assert.equal(frozen?.entry_team, 'triage');
    assert.match(document.getText(), /^\/\/ A run: at most 2 teams, 3 calls, .* USD/m);
    assert.equal(await hintAt(document, lineOf(document, '"triage/labels": {')), 'agent: agents/IssueLabels/v1.json');
    // What the orchestration itself says is not marked.
    assert.equal(await hintAt(document, lineOf(document, '"max_output_tokens": 400')), undefined);
    assert.equal(await targetAt(document, lineOf(document, '"max_total_teams"')), `${orchestration}: "max_total_teams": 5`);
  });

  it('of a kept run is laid beside that of today', async () => {
    const extension = vscode.extensions.getExtension('agent-stack.agent-stack');
    assert.ok(extension);
    const printed = execFileSync(
      process.execPath,
      [join(extension.extensionPath, 'dist/cli.cjs'), 'run', 'A2', '--case', 'cloud_costs', '--llm', 'offline', '--json'],
      { cwd: workspaceRoot(), encoding: 'utf8' },
    );
    const { run_id, metadata } = JSON.parse(printed);
    await vscode.commands.executeCommand('agentStack.compareEffectiveConfigs', { root: workspaceRoot(), run_id });
    const tab = await until(() => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff && input;
    }, 'the diff editor');
    const [kept, today] = await Promise.all([tab.original, tab.modified].map((uri) => vscode.workspace.openTextDocument(uri)));
    assert.ok(kept && today);
    assert.equal(hashIn(kept), metadata.snapshot_hash);
    assert.match(kept.getText(), new RegExp(`^// As the run ${run_id} had it$`, 'm'));
    assert.equal(await targetAt(kept, lineOf(kept, '"timeout_ms": 60000')), 'config/system.json: "timeout_ms": 60000');
    assert.match(today.getText(), /Effective configuration of A2@v1, environment dev/);
  });
});
