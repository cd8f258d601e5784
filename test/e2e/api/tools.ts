import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { fileUri, until, workspaceRoot } from './support.js';

const agent = 'config/agents/DocsHelper/v1.json';

describe('An agent with tools', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('thinks, calls what it has and answers, simulated and without a key', async () => {
    const argument = { uri: fileUri(agent), payload: { message: 'Which agents are there?' }, llm: 'offline' };
    const result = await vscode.commands.executeCommand<RunResult | undefined>('agentStack.runAgent', argument);
    assert.equal(result?.status, 'completed', JSON.stringify(result?.error));
    assert.equal(result.metadata.simulated, true);
    assert.ok(result.metadata.iterations > 1, 'several model calls');
    assert.ok(result.metadata.tools_used.length > 0, 'tools were used');
    assert.ok(result.reasoning.steps.some(({ action }) => action !== undefined));
    const events = readFileSync(join(workspaceRoot(), '.agentstack/runs', result.run_id, 'events.jsonl'), 'utf8');
    assert.match(events, /"type":"tool_result"/);
  });

  it('begins a conversation that the next run does not know by itself', async () => {
    const folder = join(workspaceRoot(), '.agentstack/sessions');
    const before = existsSync(folder) ? readdirSync(folder).length : 0;
    const argument = { uri: fileUri(agent), payload: { message: 'And which payloads?' }, llm: 'offline' };
    await vscode.commands.executeCommand('agentStack.runAgent', argument);
    assert.equal(readdirSync(folder).length, before + 1);
  });

  it('lets only the user say which tools of servers are trusted', async () => {
    const settings = vscode.workspace.getConfiguration('agentStack');
    await assert.rejects(async () => settings.update('mcp.trustedTools', { files: ['write_file'] }, vscode.ConfigurationTarget.Workspace));
    assert.deepEqual(settings.inspect('mcp.trustedTools')?.defaultValue, {});
  });

  it('has its tools listed only where there is a server to ask', async () => {
    let isOver = false;
    const listed = Promise.resolve(vscode.commands.executeCommand('agentStack.listTools', fileUri(agent))).finally(() => {
      isOver = true;
    });
    await until(async () => {
      await vscode.commands.executeCommand('notifications.clearAll');
      return isOver;
    }, 'the refusal');
    assert.equal(await listed, undefined);
    assert.equal(existsSync(fileUri('config/mcp.lock.json').fsPath), false);
  });
});
