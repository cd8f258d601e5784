import { caseNamesOf } from '../../core/config/caseParts.js';
import type { LoadedIndex } from '../../core/config/loadProjectIndex.js';
import { isObject } from '../../core/json.js';
import { parseJson } from '../../core/jsonText/parseJson.js';
import { listRunIds } from '../../core/run/readRuns.js';
import { environmentNames } from '../../core/snapshot/checkEnvironment.js';
import type { OpenProject } from '../cli.js';

/** What values of arguments and options are taken from. */
export interface CompletionSource {
  readonly project: OpenProject;
  index(): Promise<LoadedIndex>;
  /** The positional words before the one that is completed, without the verb. */
  readonly positionals: readonly string[];
}

export type Completer = (source: CompletionSource) => Promise<readonly string[]>;

const agents: Completer = async ({ index }) => {
  const ids = [...(await index()).ids('agent').keys()];
  return [...new Set(ids.map((id) => id.replace(/@.*/, ''))), ...ids];
};
const ids =
  (kind: 'llm' | 'orchestration'): Completer =>
  async ({ index }) => [...(await index()).ids(kind).keys()];
const environments: Completer = async ({ index }) => [...environmentNames(await index())];
const orchestrations = ids('orchestration');
const subjects: Completer = async (source) => [...(await agents(source)), ...(await orchestrations(source))];
/** Newest first, as there may be thousands. */
const runs: Completer = async ({ project }) => ['last', ...(await listRunIds(project.files)).slice(0, 50)];
const evals: Completer = async ({ project }) => {
  const { listEvalIds } = await import('../../core/eval/runner/evalStore.js');
  return ['last', ...(await listEvalIds(project.files)).slice(0, 50)];
};
/** Cases of the agent or orchestration that is named before. */
const cases: Completer = async ({ project, index, positionals }) => {
  const prefix = `${positionals[0]?.replace(/@.*/, '')}/`;
  const names: string[] = [];
  for (const [id, path] of (await index()).ids('payload')) {
    if (!id.startsWith(prefix)) continue;
    const { value } = parseJson((await project.textOf(path)) ?? '');
    if (isObject(value)) names.push(...caseNamesOf(id.slice(prefix.length), value));
  }
  return names;
};
const rules: Completer = async () => [...(await import('../../core/ruleCodes.js')).ruleCodes];

/**
 * Values of arguments (`run agent`: of the command `run`; `agent`: of all others) and options (`--llm`). Anything not listed here completes choices
 * where the command has some, and names of files where its name asks for one.
 */
export const completers: Readonly<Record<string, Completer>> = {
  agent: agents,
  orchestration: orchestrations,
  code: rules,
  id: runs,
  ids: runs,
  'fork run': runs,
  'orchestrate name': orchestrations,
  'snapshot name': subjects,
  'snapshot diff before': subjects,
  'snapshot diff after': subjects,
  'eval name': subjects,
  'migrate subject': subjects,
  'eval grade id': evals,
  'eval resume id': evals,
  'new case name': subjects,
  '--agent': agents,
  '--case': cases,
  '--environment': environments,
  '--llm': ids('llm'),
};
