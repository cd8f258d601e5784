import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { pathOf } from '../../../core/config/paths.js';
import { InputInvalidError } from '../../../core/errors.js';
import { readRecordFile } from '../../../core/node/recordFiles.js';
import { type RunRecording, recordedSession, type TeamRunRecording } from '../../../core/run/readRecording.js';
import { openEditorProject } from '../../editorProject.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RecordingChoice } from '../../panels/run/types.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { chooseRecording } from './chooseRecording.js';
import { chooseRun } from './chooseRun.js';
import { runOrchestration } from './runOrchestration.js';
import { startRun } from './startRun.js';

/**
 * Replay Recording: runs what a record was made of, with the files as they are now, and takes every answer from the record. Without a record
 * as its argument it offers those of the project, of an agent or a payload those of that agent.
 *
 * @returns undefined when the user cancelled
 */
export async function replayRecording(services: Services & WithGraphs & WithRuns, argument?: unknown): Promise<RunResult | undefined> {
  requireTrust();
  const chosen = await chooseRecording(services, argument);
  if (chosen === undefined) return undefined;
  const { folder, path } = chosen;
  const record = readRecord(path);
  const recording: RecordingChoice = { type: 'replay', path };
  const { header } = record;
  const input = header.input ?? {};
  const llm = header.overrides?.llm;
  const { settings, agent } = await findAgent(services, folder, record);
  if (agent === undefined) {
    const name = header.format === 2 ? header.name : header.agent_name;
    return runOrchestration(services, { uri: folder.uriOf(pathOf('orchestration', name, settings)), input, llm, recording });
  }
  // A record of an earlier version does not say what its run was given.
  const chosenRun = header.input === undefined ? await chooseRun(services, { uri: agent.uri }) : { payload: input, llm };
  return chosenRun && startRun(services, { folder, ...agent, session: recordedSession(record), ...chosenRun, recording });
}

function readRecord(path: string): RunRecording | TeamRunRecording {
  try {
    return readRecordFile(path);
  } catch (error) {
    if (!(error instanceof InputInvalidError)) throw error;
    throw new Refusal(error.message, [
      { title: vscode.l10n.t('Replay Recording'), run: () => vscode.commands.executeCommand('agentStack.replayRecording') },
    ]);
  }
}

/** The agent of a record, in its version, or the newest where that is gone; undefined for the record of an orchestration. */
async function findAgent(services: Services, folder: ProjectFolder, { header }: RunRecording | TeamRunRecording) {
  const index = await (await openEditorProject(services, folder, 'disk')).index();
  const { settings } = index;
  if (header.format === 2 && header.kind === 'orchestration') return { settings, agent: undefined };
  const agent_name = header.format === 2 ? header.name : header.agent_name;
  const versions = index.versions(agent_name);
  const version = versions.find((candidate) => candidate === header.version) ?? versions.at(-1);
  if (version === undefined)
    throw new Refusal(vscode.l10n.t('The record is of the agent {0}, which is not in {1}.', agent_name, folder.name));
  const uri = folder.uriOf(pathOf('agent', `${agent_name}@${version}`, settings));
  return { settings, agent: { agent_name, version, uri } };
}
