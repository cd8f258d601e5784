import type { WithRuns } from '../../panels/run/runs.js';
import type { Services } from '../../services.js';
import { readReferences } from './reference.js';

/** Pins runs to the top of the view, or takes them off it. */
export async function pinRun(
  services: Services & WithRuns,
  isPinned: 'pin' | 'unpin',
  argument?: unknown,
  selection?: unknown,
): Promise<void> {
  for (const reference of readReferences(services, argument, selection)) await services.runs.setPinned(reference, isPinned === 'pin');
}
