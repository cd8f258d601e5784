import { type LoadedIndex, loadProjectIndex } from '../config/loadProjectIndex.js';
import { type BlameRequest, blameRequestOf } from '../diff/blameSubjects.js';
import { compareProjects } from '../diff/compareProjects.js';
import { summaryOf } from '../diff/summary.js';
import type { BehaviourDiff, NotCompared, SubjectDiff, SubjectName } from '../diff/types.js';
import { addVerdicts } from '../diff/verdicts.js';
import type { EvalProject } from '../project/evalLoader.js';
import { findMergeBase, openCommitFileSystem } from './commitFileSystem.js';

export interface CompareOptions {
  /** What was read of the project a moment ago. Default: it is read now. */
  readonly index?: LoadedIndex;
  /** Anything that names a commit. Default: the merge base with the default branch. */
  readonly base?: string | undefined;
  /** Default: all. */
  readonly isWanted?: (subject: SubjectName) => boolean;
  /** Default: all. */
  readonly environments?: readonly string[] | undefined;
  /** Finds out which fields moved verdicts (`prepareBlames`). Default: nobody asks. */
  readonly blame?: (request: BlameRequest) => Promise<readonly SubjectDiff[]>;
  readonly signal?: AbortSignal;
}

/**
 * What changes between a commit and the files of the working tree.
 *
 * @param root absolute path of the project
 * @throws GitBaseError
 */
export async function compareWithCommit(place: EvalProject, root: string, options: CompareOptions = {}): Promise<BehaviourDiff> {
  const { project } = place;
  const { ports } = project;
  const { index = await project.index() } = options;
  const mergeBase = options.base === undefined ? await findMergeBase(root) : undefined;
  const title = options.base ?? `the merge base with ${mergeBase?.branch}`;
  const base = await openCommitFileSystem(root, options.base ?? mergeBase?.commit ?? 'HEAD');
  try {
    const { registered } = index;
    const before = await loadProjectIndex(base.files, { registered: async () => registered });
    const states = { before: { index: before, ports: { ...ports, files: base.files } }, after: { index, ports } };
    const compared = await compareProjects({ ...options, ...states });
    const counted = await addVerdicts(place, index, compared.subjects, base.commit);
    const { notes } = counted;
    const request = blameRequestOf(place, states, counted.subjects, base.commit);
    const subjects = (await options.blame?.(request)) ?? counted.subjects;
    const not_compared: NotCompared[] = [...compared.not_compared, ...notes];
    for (const path of base.unread)
      not_compared.push({ what: path, why: `At ${title} it is a submodule, or a link to no file of the project.` });
    if (before.files().length === 0)
      not_compared.push({ what: 'everything', why: `At ${title} this folder has no project: all of it is new.` });
    return {
      before: { title, commit: base.commit },
      after: { title: 'the working tree' },
      subjects,
      unchanged: compared.unchanged,
      rewritten: compared.rewritten,
      summary: summaryOf(subjects),
      not_compared,
    };
  } finally {
    base.close();
  }
}
