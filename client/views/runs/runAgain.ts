import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { isObject } from '../../../core/json.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { readRun } from '../../../core/run/readRuns.js';
import { readSnapshot } from '../../../core/run/readSnapshot.js';
import { objectAt, ownAt, textAt } from '../../../core/run/untrusted.js';
import type { Client } from '../../client.js';
import { Refusal } from '../../commands/command.js';
import { requireTrust } from '../../trust.js';
import type { RunChoice } from '../run/liveRun.js';
import type { RunReference } from '../run/runs.js';
import { startRun } from '../run/startRun.js';
import { readReference } from './reference.js';

/** Runs an agent again as it ran then, with the agent as it is now: the same version, input and llm profile. */
export async function runAgain(client: Client, argument?: unknown): Promise<RunResult | undefined> {
  requireTrust();
  // A run that was refused before it began has no folder, but its panel knows what it was.
  const panel = client.runs.panels.find((one) => one === argument || (argument === undefined && one.isActive));
  const shown = panel && 'choice' in panel.run ? (panel.run.choice as RunChoice) : undefined;
  // The same again is not the same conversation again.
  if (shown !== undefined) return startRun(client, { ...shown, session: undefined });
  const reference = readReference(client, argument);
  if (reference === undefined) return vscode.commands.executeCommand('agentStack.runAgent');
  const choice = client.runs.findLive(reference)?.choice ?? (await choiceOf(reference));
  return startRun(client, { ...choice, session: undefined });
}

/** What ran, from the files of a run. @throws Refusal when they do not say */
export async function choiceOf({ folder, run_id }: RunReference): Promise<RunChoice> {
  const files = createNodeFiles(folder.root);
  const { run, summary } = await readRun(files, run_id);
  const input = ownAt(run, 'input');
  const { name, version } = summary;
  if (name === null || version === null || !isObject(input) || (textAt(run, 'kind') ?? 'agent') !== 'agent') {
    throw new Refusal(vscode.l10n.t('This run does not say which agent ran with which input, so it cannot be run again.'), [
      { title: vscode.l10n.t('Run Agent'), run: () => vscode.commands.executeCommand('agentStack.runAgent') },
    ]);
  }
  const snapshot = await readSnapshot(files, run_id, textAt(run, 'snapshot_hash') ?? '');
  const session = textAt(objectAt(run, 'context'), 'session_id') ?? undefined;
  return { folder, agent_name: name, version, payload: input, llm: snapshot?.called_llm ?? undefined, session };
}
