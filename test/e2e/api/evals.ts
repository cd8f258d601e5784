import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { CaseReport, EvalReport } from '../../../core/generated/types.js';
import { startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { fileUri, openFile, until, workspaceRoot } from './support.js';

const answer = { system: 'Friend', audience: 'Self', tone: 'friendly', response_depth: 'short', confidence: 'high' };
const input = { task: 'Write a parser', purpose: 'Code to merge', context: 'Python 3.12' };
const profile = fileUri('config/llms/evaluated.json').fsPath;
const agent = fileUri('config/agents/Judged/v1.json').fsPath;
const folder = fileUri('config/payloads/Judged').fsPath;
const path = 'config/payloads/Judged/tone.json';

/** Writes a payload file of the agent that this suite makes. */
function write(name: string, value: unknown): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}

const runCase = (name: string, file = path) =>
  vscode.commands.executeCommand<CaseReport | undefined>('agentStack.runCase', fileUri(file), name);

describe('Evals', () => {
  let server: Awaited<ReturnType<typeof startLoopbackOpenAi>>;
  before(async () => {
    server = await startLoopbackOpenAi({ text: JSON.stringify(answer) }, { lenient: true });
    const settings = {
      llm_id: 'evaluated',
      provider: 'openai_compatible',
      base_url: server.url,
      model_name: 'tiny',
      price: { input: 0, output: 0 },
    };
    writeFileSync(profile, JSON.stringify(settings));
    const a2 = JSON.parse(readFileSync(fileUri('config/agents/A2/v1.json').fsPath, 'utf8'));
    mkdirSync(join(agent, '..'), { recursive: true });
    writeFileSync(agent, JSON.stringify({ ...a2, agent_name: 'Judged', llm_config_id: 'evaluated' }, null, 2));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await server.close();
    for (const made of [
      profile,
      join(agent, '..'),
      folder,
      ...['.agentstack/evals', 'config/baselines'].map((path) => join(workspaceRoot(), path)),
    ])
      rmSync(made, { recursive: true, force: true });
  });

  it('runs a case with the profile of its agent, and says at which expectation it failed', async () => {
    write('tone.json', { input, expect: [{ output_field: 'tone', operator: 'equals', value: 'formal' }], repeats: 3 });
    const report = await runCase('tone');
    assert.equal(report?.outcome, 'failed', JSON.stringify(report));
    assert.equal(report.judged, 3);
    const [reason] = report.reasons;
    assert.deepEqual([reason?.pointer, reason?.actual, reason?.wanted], ['/expect/0', 'friendly', 'formal']);
  });

  it('accepts what was answered, after which the case passes', async () => {
    assert.equal(await vscode.commands.executeCommand('agentStack.acceptExpected', fileUri(path), 'tone'), 1);
    assert.equal(JSON.parse(readFileSync(fileUri(path).fsPath, 'utf8')).expect[0].value, 'friendly');
    const report = await runCase('tone');
    assert.equal(report?.outcome, 'passed');
    assert.equal(report.passes, 3);
  });

  it('accepts nothing that the offline provider made up', async () => {
    const a2 = JSON.parse(readFileSync(agent, 'utf8'));
    writeFileSync(agent, JSON.stringify({ ...a2, llm_config_id: 'offline' }));
    write('invented.json', { input, expect: [{ output_field: 'system', operator: 'equals', value: 'AWS_Architect' }] });
    const report = await runCase('invented', 'config/payloads/Judged/invented.json');
    assert.equal(report?.simulated, true);
    const accepting = vscode.commands.executeCommand(
      'agentStack.acceptExpected',
      fileUri('config/payloads/Judged/invented.json'),
      'invented',
    );
    assert.notEqual(await Promise.race([accepting, new Promise((resolve) => setTimeout(resolve, 3000, 'refused'))]), 1);
    assert.match(readFileSync(join(folder, 'invented.json'), 'utf8'), /AWS_Architect/);
    rmSync(join(folder, 'invented.json'));
    writeFileSync(agent, JSON.stringify(a2, null, 2));
  });

  it('says in a lens over expect how the last eval was', async () => {
    const document = await openFile(path);
    const titles = await until(async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100);
      const own = lenses.filter(({ command }) => command?.command === 'agentStack.runCase' || command?.command === 'agentStack.showEvals');
      return own.length === 2 && own;
    }, 'two lenses');
    const line = document
      .getText()
      .split('\n')
      .findIndex((text) => text.includes('"expect"'));
    assert.deepEqual(
      titles.map(({ command, range }) => [command?.title, range.start.line]),
      [
        ['$(beaker) Run', line],
        ['last 3/3', line],
      ],
    );
  });

  it('runs the chosen case of a data set, and no other', async () => {
    const one = (name: string, value: string) => ({
      name,
      input: { ...input, task: `Write a ${name} parser` },
      expect: [{ output_field: 'tone', operator: 'equals', value }],
    });
    write('set.json', { cases: [one('right', 'friendly'), one('wrong', 'formal')], tags: ['smoke'] });
    const before = server.requests.length;
    const report = await runCase('set/wrong', 'config/payloads/Judged/set.json');
    assert.equal(report?.outcome, 'failed');
    assert.equal(server.requests.length, before + 1);
  });

  it('compares with the baseline: asks what changed and one canary, and carries over the rest', async () => {
    for (const name of ['tone.json', 'set.json']) rmSync(join(folder, name));
    const one = (name: string, task: string) => ({
      name,
      input: { ...input, task },
      expect: [{ output_field: 'tone', operator: 'equals', value: 'friendly' }],
    });
    const kept = ['a', 'b', 'c'].map((name) => one(name, `Write parser ${name}`));
    write('kept.json', { cases: [...kept, one('d', 'Write parser d')] });
    const cli = join(vscode.extensions.getExtension('agent-stack.agent-stack')?.extensionPath ?? '', 'dist/cli.cjs');
    await promisify(execFile)(process.execPath, [cli, 'eval', 'Judged', '--save-baseline'], { cwd: workspaceRoot() });
    write('kept.json', { cases: [...kept, one('d', 'Write another parser')] });
    const before = server.requests.length;
    await vscode.commands.executeCommand('testing.refreshTests');
    await vscode.commands.executeCommand('agentStack.compareBaseline', { root: workspaceRoot() });
    assert.equal(server.requests.length, before + 2);
    const evals = join(workspaceRoot(), '.agentstack/evals');
    const [last = ''] = readdirSync(evals).sort().reverse();
    const { suites }: EvalReport = JSON.parse(readFileSync(join(evals, last, 'report.json'), 'utf8'));
    const states = suites.flatMap(({ cases }) => cases).filter(({ name }) => name.startsWith('kept/'));
    assert.deepEqual(states.map(({ state }) => state).sort(), ['canary', 'carried', 'carried', 'test_changed']);
  });

  it('shows the last eval in a page', async () => {
    await vscode.commands.executeCommand('agentStack.showEvals', { root: workspaceRoot() });
    await until(() => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.startsWith('Evals'))), 'the page');
  });

  // How much of it is done in one turn of the event loop is counted in test/client/pacer.test.ts.
  it('lists 10,000 cases, and runs the last of them', async () => {
    const cases = Array.from({ length: 10_000 }, (_, index) => ({
      name: `case ${index}`,
      input,
      expect: [{ output_field: 'tone', operator: 'equals', value: 'formal' }],
    }));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    write('many.json', { cases });
    await vscode.commands.executeCommand('testing.refreshTests');
    const before = server.requests.length;
    const report = await runCase('many/case 9999', 'config/payloads/Judged/many.json');
    assert.equal(report?.outcome, 'failed');
    assert.equal(server.requests.length, before + 1);
  });
});
