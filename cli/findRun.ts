import { findRunId } from '../core/run/findRun.js';
import { type OpenProject, UsageError } from './cli.js';

/** The id of a run that is written as its beginning, or as `last`. @throws UsageError unless exactly one run is found */
export async function findRun(files: OpenProject['files'], written: string): Promise<string> {
  const id = await findRunId(files, written);
  if (typeof id === 'string') return id;
  throw new UsageError(id.problem);
}
