import { showComparison } from '../../panels/compare/showComparison.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { Services } from '../../services.js';
import { chooseRuns } from './chooseRuns.js';

/** Shows two or more runs side by side in a table, the oldest first. What the tree has not selected is asked for. */
export async function compareRuns(services: Services & WithRuns, argument?: unknown, selection?: unknown): Promise<void> {
  const runs = await chooseRuns(services, argument, selection);
  if (runs !== undefined) await showComparison(services, runs);
}
