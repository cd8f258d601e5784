import { type LoadedIndex, loadProjectIndex } from '../config/loadProjectIndex.js';
import { type BlameRequest, blameRequestOf } from '../diff/blameSubjects.js';
import { compareProjects } from '../diff/compareProjects.js';
import { subjectsOf } from '../diff/subjects.js';
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
  /** Which of the subjects of either side. May throw, as where one does not exist. Default: all. */
  readonly choose?: (subjects: readonly SubjectName[]) => (subject: SubjectName) => boolean;
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
    const unread = [...base.submodules, ...base.brokenLinks];
    const compared = await compareProjects({
      ...options,
      ...states,
      unread,
      ...(options.choose && { isWanted: options.choose([...subjectsOf(index), ...subjectsOf(before)]) }),
    });
    const counted = await addVerdicts(place, index, compared.subjects, base.commit);
    const { notes } = counted;
    const request = blameRequestOf(place, states, counted.subjects, base.commit);
    const subjects = (await options.blame?.(request)) ?? counted.subjects;
    const not_compared: NotCompared[] = [...compared.not_compared, ...notes];
    for (const path of base.submodules)
      not_compared.push({ what: path, why: `At ${title} it is a submodule, whose files are in another repository.` });
    for (const path of base.brokenLinks.filter((link) => isOfProject(before, link) || isOfProject(index, link)))
      not_compared.push({ what: path, why: `At ${title} it is a link to nothing of the project.` });
    if (subjectsOf(before).length === 0 && subjects.some(({ state }) => state === 'added'))
      not_compared.push({ what: 'everything', why: `At ${title} this folder has no agent and no orchestration: all are new.` });
    if (subjectsOf(index).length === 0 && subjects.some(({ state }) => state === 'removed'))
      not_compared.push({ what: 'everything', why: 'The working tree has no agent and no orchestration here: all are removed.' });
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

/** Other links of the repository do not matter. */
function isOfProject({ settings }: LoadedIndex, path: string): boolean {
  return path === settings.config_dir || path.startsWith(`${settings.config_dir}/`);
}
