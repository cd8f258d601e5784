import type * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { done } from '../../done.js';
import { orchestrationFile, teamPayload } from '../../panels/graph/graphFile.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { chooseRun } from './chooseRun.js';
import { type RunArgument, readRunArguments } from './runArgument.js';
import { prepareOrchestration } from './runOrchestration.js';
import { prepareRun } from './startRun.js';
import { follow } from './startTeamRun.js';

/**
 * Run Agent: from the palette, a lens, a menu (with a Uri), a tree (with an item that has a `uri`, and all selected items) or another part of
 * the extension (with a RunArgument). An orchestration and a payload of one run that. Of several each is asked about first, then all run at once. Ends
 * when all runs do.
 *
 * @returns the result, of several runs the first one's; undefined when the user cancelled
 */
export async function runAgent(
  services: Services & WithGraphs & WithRuns,
  argument?: unknown,
  selection?: unknown,
): Promise<RunResult | undefined> {
  requireTrust();
  const starts: (() => Promise<RunResult>)[] = [];
  for (const givenRun of readRunArguments(argument, selection)) {
    const team = givenRun.uri && (await teamOf(services, givenRun.uri, argument !== undefined));
    const start = team === undefined ? await prepareAgent(services, givenRun) : await prepareOrchestration(services, team);
    if (start === undefined) return undefined;
    starts.push(start);
  }
  const results = await Promise.all(starts.map((start) => start()));
  return results[0];
}

/** What to run of an orchestration, where a file is a payload of one, or was named and is one. */
async function teamOf(
  services: Services,
  uri: vscode.Uri,
  isNamed: boolean,
): Promise<{ readonly uri: vscode.Uri; readonly case?: string } | undefined> {
  return (await teamPayload(services, uri)) ?? (isNamed ? orchestrationFile(services, uri) : undefined);
}

async function prepareAgent(
  services: Services & WithGraphs & WithRuns,
  argument: RunArgument,
): Promise<(() => Promise<RunResult>) | undefined> {
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
