import * as vscode from 'vscode';
import { identifyFile } from '../../../core/config/paths.js';
import type { ProjectIndex } from '../../../core/config/projectIndex.js';
import { compareSnapshots, type TitledSource } from '../../../core/diff/compareSnapshots.js';
import { freezeSubject } from '../../../core/diff/freezeSubject.js';
import { subjectWords } from '../../../core/diff/subjects.js';
import type { BehaviourDiff, SubjectName } from '../../../core/diff/types.js';
import { isObject } from '../../../core/json.js';
import { compareNatural } from '../../../core/names.js';
import { compareWithCommit } from '../../../core/node/compareWithCommit.js';
import type { EvalProject } from '../../../core/project/evalLoader.js';
import { readFrozenConfig } from '../../../core/run/readSnapshot.js';
import { loadSchemaCompiler } from '../../../core/schema/schemaCompiler.js';
import { openEvalProject } from '../../panels/evals/openEvalProject.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';

/** What is compared, as VS Code stores it to restore the panel. */
export interface Comparison {
  /** Absolute path of the project. */
  readonly root: string;
  /** Project path of an agent or orchestration; absent for the whole project. */
  readonly path?: string;
  readonly base: ComparisonBase;
}

export type ComparisonBase =
  /** A commit; without `ref`, the merge base with the default branch. */
  | { readonly kind: 'commit'; readonly ref?: string }
  /** Another version, or another environment. */
  | { readonly kind: 'file'; readonly path: string; readonly environment?: string }
  | { readonly kind: 'run'; readonly run_id: string };

/** Of what VS Code has stored, or a program gives. */
export function isComparison(value: unknown): value is Comparison {
  if (!isObject(value) || typeof value.root !== 'string' || !isObject(value.base)) return false;
  const isText = (member: unknown) => typeof member === 'string';
  const isTextOrAbsent = (member: unknown) => member === undefined || isText(member);
  const { kind, ref, path, environment, run_id } = value.base;
  if (!isTextOrAbsent(value.path)) return false;
  if (kind === 'commit') return isTextOrAbsent(ref);
  if (value.path === undefined) return false;
  return kind === 'file' ? isText(path) && isTextOrAbsent(environment) : kind === 'run' && isText(run_id);
}

/** Undefined for a path that is neither of an agent nor of an orchestration. */
export function subjectAt(path: string, settings: ProjectIndex['settings']): SubjectName | undefined {
  const identity = identifyFile(path, settings);
  if (identity?.kind === 'orchestration') return { kind: 'orchestration', name: identity.name };
  return identity?.kind === 'agent' ? { kind: 'agent', name: identity.name, version: identity.version ?? '' } : undefined;
}

/** @throws Refusal, GitBaseError, AgentStackError */
export async function compareBehaviourOf(
  services: Services,
  folder: ProjectFolder,
  { path, base }: Comparison,
  signal: AbortSignal,
): Promise<BehaviourDiff> {
  const place = await openEvalProject(services, folder);
  const index = await place.project.index();
  const subject = path === undefined ? undefined : subjectAt(path, index.settings);
  if (path !== undefined && subject === undefined) throw new Refusal(vscode.l10n.t('{0} is neither an agent nor an orchestration.', path));
  if (base.kind === 'commit') {
    const isWanted = ({ kind, name, version }: SubjectName) =>
      kind === subject?.kind && name === subject.name && version === subject.version;
    return compareWithCommit(place, folder.root, { base: base.ref, signal, ...(subject !== undefined && { isWanted }) });
  }
  if (subject === undefined) throw new Refusal(vscode.l10n.t('Choose an agent or an orchestration to compare.'));
  const after = await sourceOf(place, subject, undefined);
  if (base.kind === 'run') return compareSnapshots(await sourceOfRun(place, base.run_id), after);
  const other = subjectAt(base.path, index.settings);
  if (other === undefined) throw new Refusal(vscode.l10n.t('{0} is neither an agent nor an orchestration.', base.path));
  const before = await sourceOf(place, other, base.environment);
  // The older version is what was before, whichever of both was chosen first.
  const isOlder = compareNatural(subject.version ?? '', other.version ?? '') < 0;
  return isOlder ? compareSnapshots(after, before) : compareSnapshots(before, after);
}

/** What the files of this moment say, even with errors that keep it from running. @throws Refusal where nothing can be frozen */
async function sourceOf(
  { project, environment: chosen }: EvalProject,
  subject: SubjectName,
  environment: string | undefined,
): Promise<TitledSource> {
  const index = await project.index();
  const state = { index, ports: project.ports, schemas: await loadSchemaCompiler() };
  const { snapshot, errors } = await freezeSubject(state, subject, environment ?? chosen ?? index.settings.environment);
  const words = subjectWords(subject);
  if (snapshot === undefined) throw new Refusal(vscode.l10n.t('{0} cannot run: {1}', words, (await errors())[0]?.message ?? ''));
  const { value, text, hash, origins_text } = snapshot;
  return { value, text, hash, origins_text, title: vscode.l10n.t('{0}, environment {1}', words, value.environment) };
}

async function sourceOfRun({ project }: EvalProject, run_id: string): Promise<TitledSource> {
  const frozen = await readFrozenConfig(project.ports, run_id);
  if (frozen === 'gone') throw new Refusal(vscode.l10n.t('The snapshot of the run {0} no longer exists.', run_id));
  if ('problem' in frozen) throw new Refusal(frozen.problem);
  return { ...frozen, title: vscode.l10n.t('run {0}', run_id) };
}
