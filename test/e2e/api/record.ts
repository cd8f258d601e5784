import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { startLoopbackOpenAi } from '../../support/loopbackOpenAi.js';
import { fileUri, until, workspaceRoot } from './support.js';

const answer = { system: 'Friend', audience: 'Self', tone: 'friendly', response_depth: 'short', confidence: 'high' };
const recordings = join(workspaceRoot(), '.agentstack/recordings');
const profile = fileUri('config/llms/recorded.json').fsPath;

describe('Run and Record', () => {
  afterEach(async () => {
    rmSync(profile, { force: true });
    rmSync(recordings, { recursive: true, force: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('writes a record, which Replay Recording answers from, without model and without asking anything', async () => {
    const server = await startLoopbackOpenAi({ text: JSON.stringify(answer) }, { lenient: true });
    const settings = { llm_id: 'recorded', provider: 'openai_compatible', base_url: server.url, model_name: 'tiny' };
    writeFileSync(profile, JSON.stringify(settings));
    const given = { uri: fileUri('config/agents/A2/v1.json'), case: 'parser', llm: 'recorded' };
    const run = await vscode.commands.executeCommand<RunResult | undefined>('agentStack.runAndRecord', given);
    await server.close();
    assert.deepEqual(run?.output, answer);
    const [name = ''] = readdirSync(recordings);
    assert.match(name, /^A2@v1_.*\.jsonl$/);
    const kept = JSON.parse(readFileSync(join(workspaceRoot(), '.agentstack/runs', run.run_id, 'run.json'), 'utf8'));
    assert.equal(kept.context.metadata.record, `.agentstack/recordings/${name}`);

    const replay = await vscode.commands.executeCommand<RunResult | undefined>(
      'agentStack.replayRecording',
      vscode.Uri.file(join(recordings, name)),
    );
    assert.equal(replay?.status, 'completed', JSON.stringify(replay?.error));
    assert.deepEqual(replay.output, answer);
    assert.equal(existsSync(join(workspaceRoot(), '.agentstack/runs', replay.run_id)), false, 'a replay is not in the history');
    await until(() => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.includes('A2'))), 'the panel');
  });

  it('records an orchestration, which is replayed too', async () => {
    const given = { uri: fileUri('config/orchestrations/issue_intake.json'), input: { title: 'Late', body: 'x' }, llm: 'offline' };
    const run = await vscode.commands.executeCommand<RunResult | undefined>('agentStack.runAndRecord', given);
    const [name = ''] = readdirSync(recordings);
    assert.match(name, /^issue_intake_/);
    const replay = await vscode.commands.executeCommand<RunResult | undefined>(
      'agentStack.replayRecording',
      vscode.Uri.file(join(recordings, name)),
    );
    assert.equal(replay?.status, run?.status);
    assert.deepEqual(replay?.output, run?.output);
  });
});
