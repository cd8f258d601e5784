import type { RunResult } from '../../../core/agent/events.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { done } from '../done.js';
import type { WithGraphs } from '../graph/graphLoader.js';
import { chooseRun } from './chooseRun.js';
import type { RunPlan } from './liveRun.js';
import { readRunArguments } from './runArgument.js';
import { runOrchestration } from './runOrchestration.js';
import type { WithRuns } from './runs.js';
import { prepareRun } from './startRun.js';
import { follow } from './startTeamRun.js';
import { teamPayload } from './teamPayload.js';

/**
 * Run Agent: from the palette, a lens, a menu (with a Uri), a tree (with an item that has a `uri`, and all selected items) or another part of
 * the extension (with a RunArgument). A payload of an orchestration runs that. Of several agents each is asked about first, then all run at once. Ends when all runs do.
 *
 * @returns the result, of several runs the first one's; undefined when the user cancelled
 */
export async function runAgent(
  services: Services & WithGraphs & WithRuns,
  argument?: unknown,
  selection?: unknown,
): Promise<RunResult | undefined> {
  requireTrust();
  const asked = readRunArguments(argument, selection);
  const [first] = asked;
  const team = asked.length === 1 && first?.uri ? await teamPayload(services, first.uri) : undefined;
  if (team !== undefined) return runOrchestration(services, { uri: team.uri, case: team.case });
  const plans: RunPlan[] = [];
  for (const one of asked) {
    const choice = await chooseRun(services, one);
    if (choice === undefined) return undefined;
    plans.push(await prepareRun(services, choice));
  }
  const results = await Promise.all(plans.map((plan) => follow(services, plan)));
  for (const { success, metadata } of results) {
    if (success) done('run');
    if (success && metadata.tools_used.length > 0) done('tools');
  }
  return results[0];
}
