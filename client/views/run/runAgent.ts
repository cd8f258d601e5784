import type { RunResult } from '../../../core/agent/events.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import type { WithGraphs } from '../graph/graphLoader.js';
import { chooseRun } from './chooseRun.js';
import { readRunArgument } from './runArgument.js';
import type { WithRuns } from './runs.js';
import { startRun } from './startRun.js';

/**
 * Run Agent: from the palette, a lens, a menu (with a Uri), a tree (with an item that has a `uri`) or another part of the extension (with a
 * RunArgument). Ends when the run does.
 *
 * @returns undefined when the user cancelled
 */
export async function runAgent(services: Services & WithGraphs & WithRuns, argument?: unknown): Promise<RunResult | undefined> {
  requireTrust();
  const choice = await chooseRun(services, readRunArgument(argument));
  return choice && startRun(services, choice);
}
