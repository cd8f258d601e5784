import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { createRunLocks } from '../../../core/node/runLocks.js';
import { fileUri, until, workspaceRoot } from './support.js';

const file = 'config/orchestrations/issue_intake.json';
const runsFolder = () => join(workspaceRoot(), '.agentstack/runs');

function run(): Thenable<RunResult | undefined> {
  return vscode.commands.executeCommand('agentStack.runOrchestration', {
    uri: fileUri(file),
    input: { title: 'Late', body: 'x' },
    llm: 'offline',
  });
}

/** The lenses of the extension, without those of the server. */
async function lensesOf(uri: vscode.Uri): Promise<readonly vscode.CodeLens[]> {
  await vscode.workspace.openTextDocument(uri);
  let lenses: readonly vscode.CodeLens[] = [];
  await until(async () => {
    const all = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 10);
    lenses = all.filter(({ command }) => command?.command === 'agentStack.runAgent');
    return lenses.length > 0;
  }, 'the lens');
  return lenses;
}

function resume(run_id: string): Thenable<RunResult | undefined> {
  return vscode.commands.executeCommand('agentStack.resumeRun', { root: workspaceRoot(), run_id });
}

/** Ends although the messages of the command are never answered. */
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

const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));

/** A run whose process was killed. */
async function interrupted(): Promise<RunResult> {
  const result = await run();
  assert.equal(result?.status, 'completed');
  rmSync(join(runsFolder(), result.run_id, 'result.json'));
  return result;
}

describe('Run Orchestration', () => {
  let earlier: readonly string[] = [];
  before(() => {
    earlier = existsSync(runsFolder()) ? readdirSync(runsFolder()) : [];
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const id of readdirSync(runsFolder())) if (!earlier.includes(id)) rmSync(join(runsFolder(), id), { recursive: true, force: true });
  });

  it('runs with a payload of its own, from the lens and the icon of that file', async () => {
    const payload = fileUri('config/payloads/issue_intake/late.json');
    mkdirSync(dirname(payload.fsPath), { recursive: true });
    try {
      writeFileSync(payload.fsPath, '{ "context": { "title": "From a file", "body": "x" } }\n');
      const lenses = await lensesOf(payload);
      assert.deepEqual(
        lenses.map(({ command }) => [command?.title.replace(/^\$\(\w+\) /, ''), command?.command]),
        [['Run', 'agentStack.runAgent']],
      );
      const result = await vscode.commands.executeCommand<RunResult>('agentStack.runAgent', payload);
      assert.equal(result.status, 'completed');
      assert.equal((result.output as { context: { title: string } }).context.title, 'From a file');
      writeFileSync(payload.fsPath, '{ "cases": [{ "name": "a", "context": {} }, { "name": "b", "context": {} }] }\n');
      assert.equal(await unanswered(vscode.commands.executeCommand('agentStack.runAgent', payload)), undefined);
    } finally {
      rmSync(dirname(payload.fsPath), { recursive: true, force: true });
    }
  });

  it('ends with the outputs of its teams, and shows its way in the graph', async () => {
    const result = await run();
    assert.equal(result?.status, 'completed');
    const { teams, context } = result.output as { teams: { team: string }[]; context: { title: string } };
    assert.equal(teams[0]?.team, 'triage');
    assert.equal(context.title, 'Late');
    await vscode.commands.executeCommand('agentStack.showRunGraph', { root: workspaceRoot(), run_id: result.run_id });
    await until(() => tabs().includes('Graph issue_intake'), 'the graph');
  });

  it('goes on with an interrupted run once, however often it is asked to', async () => {
    const { run_id, output } = await interrupted();
    const [first, second] = await unanswered(Promise.all([resume(run_id), resume(run_id)]));
    const results = [first, second].filter((result) => result !== undefined);
    assert.deepEqual(
      results.map(({ status, run_id: id }) => [status, id]),
      [['completed', run_id]],
    );
    assert.deepEqual(results[0]?.output, output);
    // It has ended now.
    assert.equal(await unanswered(resume(run_id)), undefined);
  });

  it('leaves a run alone that another process has, and shows no panel for it', async () => {
    const { run_id } = await interrupted();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const lock = await createRunLocks(workspaceRoot()).acquire(run_id);
    assert.ok('release' in lock);
    assert.equal(await unanswered(resume(run_id)), undefined);
    assert.deepEqual(tabs(), []);
    lock.release();
    assert.equal((await resume(run_id))?.status, 'completed');
  });
});
