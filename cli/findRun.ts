import { listRunIds } from '../core/run/readRuns.js';
import { plural } from '../core/words.js';
import { type OpenProject, UsageError } from './cli.js';

/** The id of a run that is written as its beginning, or as `last`. @throws UsageError unless exactly one run is found */
export async function findRun(files: OpenProject['files'], written: string): Promise<string> {
  const ids = await listRunIds(files);
  if (written === 'last') {
    const [last] = ids;
    if (last === undefined) throw new UsageError('There are no runs yet. Start one with `npx agent-stack run AGENT`.');
    return last;
  }
  // Every id begins with nothing, and an empty variable of a shell names no run.
  const matches = ids.includes(written) ? [written] : ids.filter((id) => written !== '' && id.startsWith(written));
  if (matches.length === 1 && matches[0] !== undefined) return matches[0];
  throw new UsageError(
    matches.length === 0
      ? `There is no run ${JSON.stringify(written)}. List them with \`npx agent-stack runs list\`.`
      : `${plural(matches.length, 'run')} begin with ${JSON.stringify(written)}: ${matches.slice(0, 3).join(', ')}${matches.length > 3 ? ', ...' : ''}.`,
  );
}
