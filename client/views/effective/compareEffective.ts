import * as vscode from 'vscode';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { FileProblem } from '../../../core/ports.js';
import { listRunIds, readRunSummary } from '../../../core/run/readRuns.js';
import type { WithPreviews } from '../../panels/preview/previewLoader.js';
import { uriIn } from '../../panels/promptUri.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { readReference } from '../runs/reference.js';
import { listTargets, subjectOf } from './effectiveArgument.js';
import { type EffectiveSubject, effectiveUri, nameOf } from './effectiveUri.js';
import { environmentsOf } from './environments.js';

/**
 * Shows two effective configs in the diff editor: of two environments, of two versions, of any two files, or of a run and of today.
 *
 * @param args two uris; or one, or a run, or none, and the other is picked
 */
export async function compareEffectiveConfigs(services: Services & WithRuns & WithPreviews, ...args: readonly unknown[]): Promise<void> {
  const run = args[0] === undefined ? undefined : readReference(services, args[0]);
  if (run !== undefined) {
    const left = { root: run.folder.root, run_id: run.run_id };
    const today = await fileOfRun(services, run.folder, run.run_id);
    const right = today === undefined ? await pickFile(services) : { file: today };
    if (right !== undefined) await showDifference(left, right);
    return;
  }
  const [first, second] = args.flat().flatMap((argument) => uriIn(argument) ?? []);
  const left = await subjectOf(services, first);
  if (left === undefined) return;
  const right =
    second === undefined || second.toString() === first?.toString() ? await pickOther(services, left) : await subjectOf(services, second);
  if (right === undefined) return;
  // The past is on the left, the present on the right.
  if ('file' in right || !('file' in left)) await showDifference(left, right);
  else await showDifference(right, left);
}

async function showDifference(left: EffectiveSubject, right: EffectiveSubject): Promise<void> {
  const title = `${titleOf(left)} ↔ ${titleOf(right)}`;
  await vscode.commands.executeCommand('vscode.diff', effectiveUri(left), effectiveUri(right), title, { preview: true });
}

function titleOf(subject: EffectiveSubject): string {
  if (!('file' in subject)) return vscode.l10n.t('run {0}', subject.run_id);
  return [nameOf(subject.file), subject.environment ?? []].flat().join(' ');
}

export interface SubjectItem extends vscode.QuickPickItem {
  readonly subject?: EffectiveSubject | 'other';
}

/** Runs of one agent that are offered, among the newest; older ones are found in the view of runs. */
const mostRuns = 20;
const mostLookedAt = 200;

/** Other environments, versions and runs of what a file describes, below their headings. */
export async function listOthers(
  services: Services & WithRuns & WithPreviews,
  file: vscode.Uri,
  environment: string | undefined,
): Promise<readonly SubjectItem[]> {
  const { t } = vscode.l10n;
  const folder = services.projects.of(file);
  if (folder === undefined) return [];
  const below = (label: string, items: readonly SubjectItem[]): readonly SubjectItem[] =>
    items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
  const { names, current } = await environmentsOf(services, file);
  const others = names.filter((name) => name !== (environment ?? current));
  const targets = nameOf(file).includes('@') ? await listTargets(services) : [];
  const versions = targets.filter(
    ({ uri }) => vscode.Uri.joinPath(uri, '..').path === vscode.Uri.joinPath(file, '..').path && uri.toString() !== file.toString(),
  );
  return [
    ...below(
      t('Environments'),
      others.map((name) => ({ label: name, subject: { file, environment: name } })),
    ),
    ...below(
      t('Versions'),
      versions.map(({ label, uri }) => ({ label, subject: { file: uri, environment } })),
    ),
    ...below(t('Runs'), await runsOf(folder, nameOf(file))),
  ];
}

async function pickOther(services: Services & WithRuns & WithPreviews, left: EffectiveSubject): Promise<EffectiveSubject | undefined> {
  const { t } = vscode.l10n;
  const items: SubjectItem[] = 'file' in left ? [...(await listOthers(services, left.file, left.environment))] : [];
  items.push({ label: '', kind: vscode.QuickPickItemKind.Separator }, { label: t('Another agent or orchestration...'), subject: 'other' });
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Compare Effective Configurations'),
    placeHolder: t('Compare {0} with', titleOf(left)),
    matchOnDescription: true,
  });
  return picked?.subject === 'other' ? pickFile(services) : picked?.subject;
}

async function pickFile(services: Services & WithRuns & WithPreviews): Promise<EffectiveSubject | undefined> {
  const picked = await vscode.window.showQuickPick(await listTargets(services), {
    title: vscode.l10n.t('Compare Effective Configurations'),
    placeHolder: vscode.l10n.t('Agent or orchestration'),
    matchOnDescription: true,
  });
  return picked && { file: picked.uri };
}

/** Kept runs of what a file describes, newest first. */
async function runsOf(folder: ProjectFolder, name: string): Promise<readonly SubjectItem[]> {
  const files = createNodeFiles(folder.root);
  const items: SubjectItem[] = [];
  const ids = await listRunIds(files).catch((error: unknown) => {
    if (error instanceof FileProblem) return [];
    throw error;
  });
  for (const run_id of ids.slice(0, mostLookedAt)) {
    if (items.length === mostRuns) break;
    const summary = await readRunSummary(files, run_id);
    const runName = summary.version === null ? summary.name : `${summary.name}@${summary.version}`;
    if (runName !== name) continue;
    const started = summary.started === null ? '' : new Date(summary.started).toLocaleString(vscode.env.language);
    items.push({
      label: started || run_id,
      description: [summary.environment ?? [], run_id].flat().join(' · '),
      subject: { root: folder.root, run_id },
    });
  }
  return items;
}

/** The file that a run was of, if it is still there. */
async function fileOfRun(
  services: Services & WithRuns & WithPreviews,
  folder: ProjectFolder,
  run_id: string,
): Promise<vscode.Uri | undefined> {
  const { name, version } = await readRunSummary(createNodeFiles(folder.root), run_id);
  const subjectId = version === null ? name : `${name}@${version}`;
  const targets = await listTargets(services);
  return targets.find(({ uri }) => nameOf(uri) === subjectId && folder.pathOf(uri) !== undefined)?.uri;
}
