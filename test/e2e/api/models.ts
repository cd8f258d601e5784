import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { fileUri, workspaceRoot } from './support.js';

/** What A2 may answer. */
export const goodAnswer = { system: 'Friend', audience: 'Self', tone: 'friendly', response_depth: 'short', confidence: 'high' };

/** What of a run's result these tests look at. */
export interface Result {
  readonly success: boolean;
  readonly status: string;
  readonly output: unknown;
  readonly error: { readonly code: string; readonly message: string; readonly details?: { readonly reason?: string } } | null;
  readonly metadata: {
    readonly provider: string;
    readonly token_usage: { readonly total_tokens: number; readonly completion_tokens: number };
    readonly token_usage_estimated?: boolean;
    readonly left_out: readonly string[];
  };
}

/** Runs A2 with an llm profile that is there for this run only. */
export async function runWith(profile: Readonly<Record<string, unknown>>): Promise<Result> {
  const path = join(workspaceRoot(), 'config/llms/of_this_test.json');
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, JSON.stringify({ llm_id: 'of_this_test', retry_attempts: 1, ...profile }, null, 2));
  try {
    const result = await vscode.commands.executeCommand('agentStack.runAgent', {
      uri: fileUri('config/agents/A2/v1.json'),
      case: 'parser',
      llm: 'of_this_test',
    });
    assert.ok(result, 'the run was begun');
    // The command ends with the result of the run, which other tests hold to its schema.
    return result as Result;
  } finally {
    rmSync(path);
  }
}

/** An answer of Chat Completions, as a stream. */
export function streamed(answer: unknown): string {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  return `${chunk({ role: 'assistant', content: JSON.stringify(answer) }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`;
}
