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

interface SubjectItem extends vscode.QuickPickItem {
  readonly subject?: EffectiveSubject | 'other';
}

/** Runs of one agent that are offered, among the newest; older ones are found in the view of runs. */
const mostRuns = 20;
const mostLookedAt = 200;

async function pickOther(services: Services & WithRuns & WithPreviews, left: EffectiveSubject): Promise<EffectiveSubject | undefined> {
  const { t } = vscode.l10n;
  const heading = (label: string): SubjectItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const file = 'file' in left ? left.file : undefined;
  const folder = file && services.projects.of(file);
  const items: SubjectItem[] = [];
  if (file !== undefined && folder !== undefined && 'file' in left) {
    const { names, current } = await environmentsOf(services, file);
    const environmentOfLeft = left.environment ?? current;
    const environments = names
      .filter((name) => name !== environmentOfLeft)
      .map((name): SubjectItem => ({ label: name, subject: { file, environment: name } }));
    if (environments.length > 0) items.push(heading(t('Environments')), ...environments);
    const targets = await listTargets(services);
    const versions = targets.filter(
      ({ uri }) => vscode.Uri.joinPath(uri, '..').path === vscode.Uri.joinPath(file, '..').path && uri.toString() !== file.toString(),
    );
    if (versions.length > 0 && nameOf(file).includes('@'))
      items.push(
        heading(t('Versions')),
        ...versions.map(({ label, uri }) => ({ label, subject: { file: uri, environment: left.environment } })),
      );
    const runs = await runsOf(folder, nameOf(file));
    if (runs.length > 0) items.push(heading(t('Runs')), ...runs);
  }
  items.push(heading(''), { label: t('Another agent or orchestration...'), subject: 'other' });
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
