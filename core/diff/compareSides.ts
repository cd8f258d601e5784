import { snapshotDiff } from '../snapshot/snapshotDiff.js';
import type { ComparedSide } from './comparedSide.js';
import { compareCosts } from './costs.js';
import { comparePermissions } from './permissions.js';
import { comparePrompts } from './prompts.js';
import type { ChangeCause, SubjectDiff } from './types.js';

type Parts = Pick<SubjectDiff, 'causes' | 'prompts' | 'costs' | 'contract' | 'permissions' | 'routes'>;

/** Pointers of a cause that are listed. */
const mostPointers = 20;

/** All that differs between two frozen configs of one subject. A side is undefined where there is none, or none that can run. */
export async function compareSides(before: ComparedSide | undefined, after: ComparedSide | undefined): Promise<Parts> {
  return {
    causes: before && after ? causesOf(before, after) : [],
    prompts: before && after ? await comparePrompts(before, after) : [],
    costs: before && after ? await compareCosts(before, after) : null,
    contract: [],
    permissions: before && after ? comparePermissions(before, after) : [],
    routes: [],
  };
}

function causesOf(before: ComparedSide, after: ComparedSide): readonly ChangeCause[] {
  return snapshotDiff(before, after).map(({ file, layer, cause, changes }) => ({
    file,
    layer,
    cause,
    pointers: changes.slice(0, mostPointers).map(({ pointer }) => pointer),
    count: changes.length,
  }));
}
