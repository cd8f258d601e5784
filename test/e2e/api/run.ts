import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { type LoopbackServer, startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { fileUri, openFile, replaceText, undoAll, until, workspaceRoot } from './support.js';

const agent = 'config/agents/A2/v1.json';
const goodAnswer = { system: 'Friend', audience: 'Self', tone: 'friendly', response_depth: 'short', confidence: 'high' };

function run(argument: object = {}): Thenable<RunResult | undefined> {
  return vscode.commands.executeCommand('agentStack.runAgent', { uri: fileUri(agent), case: 'parser', ...argument });
}

function runIds(): readonly string[] {
  const folder = join(workspaceRoot(), '.agentstack/runs');
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** The outcome of a command whose message is never answered. */
async function unanswered<Value>(command: Thenable<Value>): Promise<Value> {
  let isOver = false;
  const over = Promise.resolve(command).finally(() => {
    isOver = true;
  });
  await until(async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    return isOver;
  }, 'the message');
  return over;
}

async function assertRefused(command: Thenable<unknown>): Promise<void> {
  const before = runIds();
  assert.equal(await unanswered(command), undefined);
  assert.deepEqual(runIds(), before);
}

/** An llm profile that leads to a server of ours. */
function writeProfile({ url }: LoopbackServer): void {
  const profile = { llm_id: 'loopback', provider: 'openai_compatible', base_url: url, model_name: 'tiny' };
  writeFileSync(fileUri('config/llms/loopback.json').fsPath, JSON.stringify(profile));
}

describe('Run Agent', () => {
  let server: LoopbackServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
    rmSync(fileUri('config/llms/loopback.json').fsPath, { force: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('ends with a result, in a panel and in the history', async () => {
    const result = await run();
    assert.equal(result?.status, 'completed');
    assert.equal(result.metadata.simulated, true);
    assert.deepEqual(Object.keys(result.output ?? {}).sort(), Object.keys(goodAnswer).sort());
    const stored = JSON.parse(readFileSync(join(workspaceRoot(), '.agentstack/runs', result.run_id, 'result.json'), 'utf8'));
    assert.deepEqual(stored, JSON.parse(JSON.stringify(result)));
    await until(() => tabs().some((tab) => tab.startsWith('Run: A2@v1')), 'the panel');
  });

  it('streams: text is there before the answer is whole', async () => {
    const text = JSON.stringify(goodAnswer);
    const pieces = [text.slice(0, 30), text.slice(30, 60), text.slice(60)];
    server = await startLoopbackOpenAi({ text: pieces, slice: 600, pause_ms: 150 }, { lenient: true });
    writeProfile(server);
    const result = await run({ llm: 'loopback' });
    assert.deepEqual(result?.output, goodAnswer);
    assert.equal(result.metadata.model_name, 'tiny');
    const lines = readFileSync(join(workspaceRoot(), '.agentstack/runs', result.run_id, 'events.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const events = lines.map((line) => JSON.parse(line));
    const times = events.filter(({ type }) => type === 'chunk').map(({ time }) => Date.parse(time));
    assert.equal(events.filter(({ type }) => type === 'chunk').length, pieces.length);
    assert.ok(times[0]! < Date.parse(events.at(-1).time), 'the first piece came before the end');
  });

  it('is cancelled in the middle of the answer, and the server is left alone', async () => {
    server = await startLoopbackOpenAi({ text: JSON.stringify(goodAnswer), fault: 'hang-mid-body' }, { lenient: true });
    writeProfile(server);
    const running = run({ llm: 'loopback' });
    const [request] = await until(() => server !== undefined && server.requests.length > 0 && server.requests, 'the request');
    await vscode.commands.executeCommand('agentStack.cancelRun');
    const result = await running;
    assert.equal(result?.status, 'cancelled');
    assert.equal(result.error?.code, 'cancelled');
    await until(() => request?.aborted, 'the end of the connection');
  });

  it('runs several agents at once, each in a panel', async () => {
    const others = ['IncidentExtractor', 'IssueLabels'].map((name) => ({
      uri: fileUri(`config/agents/${name}/v1.json`),
      case: { IncidentExtractor: 'checkout_outage', IssueLabels: 'login_loop' }[name],
    }));
    const results = await Promise.all([run(), ...others.map((other) => run(other))]);
    assert.deepEqual(
      results.map((result) => result?.status),
      ['completed', 'completed', 'completed'],
    );
    for (const name of ['A2', 'IncidentExtractor', 'IssueLabels'])
      await until(() => tabs().some((tab) => tab.startsWith(`Run: ${name}@v1`)), `the panel of ${name}`);
  });

  it('takes a payload file for its agent and its input', async () => {
    const result = await vscode.commands.executeCommand<RunResult | undefined>('agentStack.runAgent', {
      uri: fileUri('config/payloads/A2/cloud_costs.json'),
      llm: 'offline',
    });
    assert.equal(result?.metadata.agent_name, 'A2');
    const stored = JSON.parse(readFileSync(join(workspaceRoot(), '.agentstack/runs', result.run_id, 'run.json'), 'utf8'));
    const { input } = JSON.parse(readFileSync(fileUri('config/payloads/A2/cloud_costs.json').fsPath, 'utf8'));
    assert.deepEqual(stored.input, input);
  });

  it('is saved as a case, with its input and answer, and never over another', async () => {
    const result = await run();
    assert.ok(result);
    const path = 'config/payloads/A2/kept.json';
    const save = () =>
      vscode.commands.executeCommand('agentStack.saveCase', { root: workspaceRoot(), run_id: result.run_id, name: 'kept' });
    try {
      await save();
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, fileUri(path).fsPath);
      const { input } = JSON.parse(readFileSync(fileUri('config/payloads/A2/parser.json').fsPath, 'utf8'));
      const text = readFileSync(fileUri(path).fsPath, 'utf8');
      assert.deepEqual(JSON.parse(text), { $schema: 'agent-stack:payload.schema.json', input, expected: result.output });
      assert.equal(await unanswered(save()), undefined);
      assert.equal(readFileSync(fileUri(path).fsPath, 'utf8'), text);
    } finally {
      rmSync(fileUri(path).fsPath, { force: true });
    }
  });

  it('refuses an agent whose file is not saved', async () => {
    const document = await openFile(agent);
    await replaceText(document, '"temperature": 0', '"temperature": 1');
    await assertRefused(run());
    await undoAll();
  });

  it('refuses an agent that lies on another file that is not saved', async () => {
    const document = await openFile('config/system.json');
    await replaceText(document, '60000', '60001');
    await assertRefused(run());
    await undoAll();
  });

  it('refuses an agent with errors', async () => {
    const text = readFileSync(fileUri(agent).fsPath, 'utf8');
    writeFileSync(fileUri(agent).fsPath, text.replace('"temperature": 0', '"temperature": 9'));
    try {
      await assertRefused(run());
    } finally {
      writeFileSync(fileUri(agent).fsPath, text);
    }
  });

  it('refuses an input that lacks a key', async () => {
    await assertRefused(run({ case: undefined, payload: { task: 'x' } }));
  });
});

describe('The history of runs', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  const reference = (result: RunResult | undefined) => ({ root: workspaceRoot(), run_id: result?.run_id });

  it('opens a run in a panel', async () => {
    const result = await run();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until(() => tabs().length === 0, 'no panel');
    await vscode.commands.executeCommand('agentStack.openRun', reference(result));
    await until(() => tabs().some((tab) => tab.startsWith('Run: A2@v1')), 'the panel');
  });

  it('opens a run that is torn', async () => {
    const result = await run();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until(() => tabs().length === 0, 'no panel');
    const file = join(workspaceRoot(), '.agentstack/runs', result?.run_id ?? '', 'result.json');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 100));
    await vscode.commands.executeCommand('agentStack.openRun', reference(result));
    await until(() => tabs().some((tab) => tab.startsWith('Run: A2@v1')), 'the panel');
  });

  it('compares two runs as texts', async () => {
    const older = await run();
    const newer = await run({ case: 'cloud_costs' });
    await vscode.commands.executeCommand('agentStack.compareRunTexts', reference(newer), [reference(newer), reference(older)]);
    const { input } = await until(() => vscode.window.tabGroups.activeTabGroup.activeTab, 'the comparison');
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const [left, right] = await Promise.all([input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)));
    assert.match(left?.getText() ?? '', /nginx access log/);
    assert.match(right?.getText() ?? '', /- run: /);
    assert.ok(left?.getText().includes(older?.run_id ?? '-'), 'the older one is on the left');
  });

  it('compares runs in a table, and names them by input and profile', async () => {
    const older = await run();
    const newer = await run({ case: 'cloud_costs', llm: 'offline' });
    await until(() => tabs().some((tab) => /^Run: A2@v1 · cloud_costs · offline · /.test(tab)), 'the name of the run');
    await vscode.commands.executeCommand('agentStack.compareRuns', reference(newer), [reference(newer), reference(older)]);
    await until(() => tabs().some((tab) => /^Compare: A2@v1 · parser · .* ↔ A2@v1 · cloud_costs · offline$/.test(tab)), 'the comparison');
  });

  it('runs again with the same input and profile', async () => {
    const first = await run({ llm: 'offline' });
    const again = await vscode.commands.executeCommand<RunResult | undefined>('agentStack.runAgain', reference(first));
    assert.equal(again?.status, 'completed');
    assert.notEqual(again.run_id, first?.run_id);
    assert.deepEqual(again.output, first?.output);
    assert.equal(again.metadata.snapshot_hash, first?.metadata.snapshot_hash);
  });

  it('opens the raw result', async () => {
    const result = await run();
    await vscode.commands.executeCommand('agentStack.openRawRun', reference(result));
    const editor = await until(() => vscode.window.activeTextEditor, 'the editor');
    assert.equal(JSON.parse(editor.document.getText()).run_id, result?.run_id);
  });

  it('leads from an issue to the line of the schema', async () => {
    const result = await run();
    await vscode.commands.executeCommand('agentStack.showRunIssue', reference(result), { path: '/tone', keyword: 'enum' });
    const editor = await until(
      () => vscode.window.visibleTextEditors.find(({ document }) => document.uri.path.endsWith(agent)),
      'the agent',
    );
    assert.equal(editor.document.getText(editor.selection), '["direct", "friendly", "formal"]');
    assert.match(editor.document.lineAt(editor.selection.start.line - 2).text, /"tone"/);
  });
});

function tabs(): readonly string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
}
