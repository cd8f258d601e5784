import type { WithRuns } from '../../panels/run/runs.js';
import type { Services } from '../../services.js';
import { readReference } from './reference.js';

/** Shows the view "Runs" with a run selected in it. */
export async function showInHistory(services: Services & WithRuns, argument?: unknown): Promise<void> {
  const reference = readReference(services, argument);
  if (reference !== undefined) await services.runs.view?.reveal(reference);
}
