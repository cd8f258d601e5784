import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { pathOf } from '../../../core/config/paths.js';
import { readProjectSettings } from '../../../core/config/readProjectSettings.js';
import { isObject } from '../../../core/json.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { readRun } from '../../../core/run/readRuns.js';
import { readSnapshot } from '../../../core/run/readSnapshot.js';
import { objectAt, ownAt, textAt } from '../../../core/run/untrusted.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import { isReplay } from '../../panels/run/recordings.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RecordingChoice, RunChoice, RunReference, TeamChoice } from '../../panels/run/types.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { runOrchestration } from '../run/runOrchestration.js';
import { startRun } from '../run/startRun.js';
import { runAgent } from './pickRun.js';
import { readReference } from './reference.js';

/** Runs an agent or an orchestration again as it ran then, with its files as they are now: the same version, input and llm profile. */
export async function runAgain(services: Services & WithRuns & WithGraphs, argument?: unknown): Promise<RunResult | undefined> {
  requireTrust();
  // A run that was refused before it began has no folder, but its panel knows what it was.
  const panel = services.runs.panels.find((candidate) => candidate === argument || (argument === undefined && candidate.isActive));
  const shownChoice = panel && 'choice' in panel.run ? (panel.run.choice as RunChoice | TeamChoice) : undefined;
  if (shownChoice !== undefined) return start(services, shownChoice);
  const reference = readReference(services, argument);
  if (reference === undefined) return vscode.commands.executeCommand('agentStack.runAgent');
  return start(services, services.runs.findLive(reference)?.choice ?? (await teamChoiceOf(reference)) ?? (await choiceOf(reference)));
}

async function start(services: Services & WithRuns & WithGraphs, choice: RunChoice | TeamChoice): Promise<RunResult | undefined> {
  // The same again is not the same conversation again.
  const recording = again(choice.recording);
  if ('agent_name' in choice) return startRun(services, { ...choice, session: recording && choice.session, recording });
  const { folder, orchestration, input, llm } = choice;
  const uri = folder.uriOf(pathOf('orchestration', orchestration, await readProjectSettings(createNodeFiles(folder.root))));
  return runOrchestration(services, { uri, input, llm, recording });
}

/** A replay is replayed again; a record is not written a second time. */
function again(recording: RecordingChoice | undefined): RecordingChoice | undefined {
  return isReplay(recording) ? recording : undefined;
}

/** Which orchestration ran with what, from the files of a run; undefined for a run of an agent. */
export async function teamChoiceOf({ folder, run_id }: RunReference): Promise<TeamChoice | undefined> {
  const files = createNodeFiles(folder.root);
  const { run, summary } = await readRun(files, run_id);
  const input = ownAt(run, 'input');
  if (textAt(run, 'kind') !== 'orchestration' || summary.name === null) return undefined;
  const snapshot = await readSnapshot(files, run_id, textAt(run, 'snapshot_hash') ?? '');
  return { folder, orchestration: summary.name, input: isObject(input) ? input : {}, llm: snapshot?.called_llm ?? undefined };
}

/** What ran, from the files of a run. @throws Refusal when they do not say */
export async function choiceOf({ folder, run_id }: RunReference): Promise<RunChoice> {
  const files = createNodeFiles(folder.root);
  const { run, summary } = await readRun(files, run_id);
  const input = ownAt(run, 'input');
  const { name, version } = summary;
  if (name === null || version === null || !isObject(input) || (textAt(run, 'kind') ?? 'agent') !== 'agent') {
    throw new Refusal(vscode.l10n.t('This run does not say which agent ran with which input, so it cannot be run again.'), [runAgent()]);
  }
  const snapshot = await readSnapshot(files, run_id, textAt(run, 'snapshot_hash') ?? '');
  const session = textAt(objectAt(run, 'context'), 'session_id') ?? undefined;
  return {
    folder,
    agent_name: name,
    version,
    payload: input,
    case: summary.case ?? undefined,
    llm: snapshot?.called_llm ?? undefined,
    session,
  };
}
