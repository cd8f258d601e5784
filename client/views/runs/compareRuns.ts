import { showComparison } from '../../panels/compare/showComparison.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { Services } from '../../services.js';
import { chooseRuns } from './chooseRuns.js';

/** Shows two or more runs side by side in a table, oldest first. The user is asked for what the tree has not selected. */
export async function compareRuns(services: Services & WithRuns, argument?: unknown, selection?: unknown): Promise<void> {
  const runs = await chooseRuns(services, argument, selection);
  if (runs !== undefined) await showComparison(services, runs);
}
