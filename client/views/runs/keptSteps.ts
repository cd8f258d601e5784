import * as vscode from 'vscode';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { readRun } from '../../../core/run/readRuns.js';
import { ownAt } from '../../../core/run/untrusted.js';
import type { RunReference } from '../../panels/run/types.js';
import { Refusal, type RefusalAction } from '../../refusal.js';

/** @throws Refusal with `message` where the steps of a run were not kept */
export async function requireSteps({ folder, run_id }: RunReference, message: string, ...actions: readonly RefusalAction[]): Promise<void> {
  const { run } = await readRun(createNodeFiles(folder.root), run_id);
  if (Array.isArray(ownAt(run, 'journals'))) return;
  const keep = {
    title: vscode.l10n.t('Keep Steps of Runs...'),
    run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'agentStack.runs.durable'),
  };
  throw new Refusal(message, [...actions, keep]);
}
