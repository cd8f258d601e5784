import type * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { done } from '../../done.js';
import { type GraphFile, orchestrationFile, type TeamPayload, teamPayload } from '../../panels/graph/graphFile.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import { newRecording } from '../../panels/run/recordings.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { chooseRun } from './chooseRun.js';
import { type RunArgument, readRunArgument, readRunArguments } from './runArgument.js';
import { prepareOrchestration } from './runOrchestration.js';
import { follow, prepareRun, startRun } from './startRun.js';

type Needs = Services & WithGraphs & WithRuns;

/**
 * Run Agent: from the palette, a lens, a menu (with a Uri), a tree (with an item that has a `uri`, and all selected items) or another part of
 * the extension (with a RunArgument). An orchestration, or a payload of one, runs the orchestration. For several, each is asked about first, then all
 * run at once. Ends when all runs do.
 *
 * @returns the result, of several runs the first one's; undefined when the user cancelled
 */
export async function runAgent(services: Needs, argument?: unknown, selection?: unknown): Promise<RunResult | undefined> {
  requireTrust();
  const starts: (() => Promise<RunResult>)[] = [];
  for (const runArgument of readRunArguments(argument, selection)) {
    const team = await teamOf(services, runArgument.uri, argument !== undefined);
    const start = team === undefined ? await prepareAgent(services, runArgument) : await prepareOrchestration(services, team);
    if (start === undefined) return undefined;
    starts.push(start);
  }
  const results = await Promise.all(starts.map((start) => start()));
  return results[0];
}

/**
 * Run and Record: as Run Agent, and writes every exchange with models and tools to a record.
 *
 * @returns undefined when the user cancelled
 */
export async function runAndRecord(services: Needs, argument?: unknown): Promise<RunResult | undefined> {
  requireTrust();
  const runArgument = readRunArgument(argument);
  const team = await teamOf(services, runArgument.uri, true);
  if (team !== undefined) {
    const recording = newRecording(team.folder, 'orchestration' in team ? team.orchestration : team.name);
    return (await prepareOrchestration(services, { ...(typeof argument === 'object' && argument), ...team, recording }))?.();
  }
  const choice = await chooseRun(services, runArgument);
  return choice && startRun(services, { ...choice, recording: newRecording(choice.folder, `${choice.agent_name}@${choice.version}`) });
}

/** The orchestration to run, if a file is a payload of one, or was named and is one. */
async function teamOf(services: Services, uri: vscode.Uri | undefined, isNamed: boolean): Promise<TeamPayload | GraphFile | undefined> {
  if (uri === undefined) return undefined;
  return (await teamPayload(services, uri)) ?? (isNamed ? orchestrationFile(services, uri) : undefined);
}

async function prepareAgent(services: Needs, argument: RunArgument): Promise<(() => Promise<RunResult>) | undefined> {
  const choice = await chooseRun(services, argument);
  if (choice === undefined) return undefined;
  const plan = await prepareRun(services, choice);
  return async () => {
    const result = await follow(services, plan);
    if (result.success) done('run');
    if (result.success && result.metadata.tools_used.length > 0) done('tools');
    return result;
  };
}
