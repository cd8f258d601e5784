import type { RunResult } from '../../../core/agent/events.js';
import { orchestrationFile, teamPayload } from '../../panels/graph/graphFile.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import { newRecording } from '../../panels/run/recordings.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { chooseRun } from './chooseRun.js';
import { readRunArgument } from './runArgument.js';
import { runOrchestration } from './runOrchestration.js';
import { startRun } from './startRun.js';

/**
 * Run and Record: as Run Agent and Run Orchestration, and writes every exchange with models and tools to a record.
 *
 * @returns undefined when the user cancelled
 */
export async function runAndRecord(services: Services & WithGraphs & WithRuns, argument?: unknown): Promise<RunResult | undefined> {
  requireTrust();
  const givenRun = readRunArgument(argument);
  const orchestration = givenRun.uri && (await orchestrationFile(services, givenRun.uri));
  if (orchestration !== undefined) {
    const { folder, name, uri } = orchestration;
    return runOrchestration(services, { ...(typeof argument === 'object' && argument), uri, recording: newRecording(folder, name) });
  }
  const team = givenRun.uri && (await teamPayload(services, givenRun.uri));
  if (team !== undefined) {
    const { folder, orchestration: name, uri } = team;
    return runOrchestration(services, { uri, case: team.case, recording: newRecording(folder, name) });
  }
  const choice = await chooseRun(services, givenRun);
  if (choice === undefined) return undefined;
  const { folder, agent_name, version } = choice;
  return startRun(services, { ...choice, recording: newRecording(folder, `${agent_name}@${version}`) });
}
