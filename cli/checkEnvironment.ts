import type { ProjectIndex } from '../core/config/projectIndex.js';
import { hasEnvironment, unknownEnvironment } from '../core/snapshot/checkEnvironment.js';
import { UsageError } from './cli.js';

/** Refuses an environment without a file, which would silently change nothing. @throws UsageError */
export function checkEnvironment(index: ProjectIndex, environment: string | undefined): void {
  if (environment !== undefined && !hasEnvironment(index, environment)) throw new UsageError(unknownEnvironment(environment, index));
}
