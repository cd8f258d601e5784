import type { FileSystem } from '../ports.js';
import { plural } from '../words.js';
import { listRunIds } from './readRuns.js';

/** The id of a run that is written as its beginning, or as `last`; the problem unless exactly one run is found. */
export async function findRunId(files: Pick<FileSystem, 'list'>, written: string): Promise<string | { readonly problem: string }> {
  const ids = await listRunIds(files);
  if (written === 'last') return ids[0] ?? { problem: 'There are no runs yet. Start one with `npx agent-stack run AGENT`.' };
  // Every id begins with nothing, and an empty variable of a shell names no run.
  const matches = ids.includes(written) ? [written] : ids.filter((id) => written !== '' && id.startsWith(written));
  if (matches.length === 1 && matches[0] !== undefined) return matches[0];
  const problem =
    matches.length === 0
      ? `There is no run ${JSON.stringify(written)}. List them with \`npx agent-stack runs list\`.`
      : `${plural(matches.length, 'run')} begin with ${JSON.stringify(written)}: ${matches.slice(0, 3).join(', ')}${matches.length > 3 ? ', ...' : ''}.`;
  return { problem };
}
