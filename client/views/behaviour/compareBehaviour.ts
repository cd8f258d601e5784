import * as vscode from 'vscode';
import { findMergeBase } from '../../../core/node/commitFileSystem.js';
import { findCommit, GitBaseError } from '../../../core/node/git.js';
import type { WithPreviews } from '../../panels/preview/previewLoader.js';
import { uriIn } from '../../panels/promptUri.js';
import type { RestorePanel } from '../../panels/restorePanels.js';
import type { WithRuns } from '../../panels/run/runs.js';
import { noAgent, pickProject } from '../../pickProject.js';
import { toSignal } from '../../ports/toSignal.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { listOthers, type SubjectItem } from '../effective/compareEffective.js';
import { BehaviourPanel } from './behaviourPanel.js';
import { type Comparison, type ComparisonBase, compareBehaviourOf, isComparison, subjectAt } from './comparison.js';

/**
 * Shows what changes between two states: of an agent or orchestration, or of a whole project.
 *
 * @param argument a file or an item of the agents view; a part of the source control view or nothing for a project; a program gives a `Comparison`
 */
export async function compareBehaviour(services: Services & WithRuns & WithPreviews, argument?: unknown): Promise<void> {
  if (isComparison(argument)) {
    const folder = await services.projects.find(argument.root);
    if (folder !== undefined) await show(services, folder, argument);
    return;
  }
  const uri = uriIn(argument);
  const folder = (uri && services.projects.of(uri)) ?? (await projectOf(services, argument));
  if (folder === undefined) throw noAgent();
  const path = uri && (await subjectPath(services, folder, uri));
  const base = await pickBase(services, folder, path);
  if (base !== undefined) await show(services, folder, { root: folder.root, ...(path !== undefined && { path }), base });
}

/** Brings a comparison back. Only projects of this workspace are read, and git is started in a trusted workspace only. */
export const restoreBehaviour: RestorePanel = async (client, panel, state) => {
  const comparison: unknown = state;
  if (!isComparison(comparison) || (comparison.base.kind === 'commit' && !vscode.workspace.isTrusted)) return false;
  const folder = await client.projects.find(comparison.root);
  if (folder === undefined) return false;
  new BehaviourPanel(client, panel, folder, comparison);
  return true;
};

async function show(services: Services, folder: ProjectFolder, comparison: Comparison): Promise<void> {
  const { t } = vscode.l10n;
  if (comparison.base.kind === 'commit') requireTrust(t('Git is started only in a workspace you trust.'));
  const diff = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Comparing behaviour'), cancellable: true },
    async (_progress, token) => {
      const { signal, release } = toSignal(token);
      try {
        return await compareBehaviourOf(services, folder, comparison, signal);
      } catch (error) {
        if (token.isCancellationRequested) throw new vscode.CancellationError();
        throw error instanceof GitBaseError ? new Refusal(error.message) : error;
      } finally {
        release();
      }
    },
  );
  const panel = vscode.window.createWebviewPanel('agentStack.behaviour', '', vscode.ViewColumn.Active, { enableFindWidget: true });
  new BehaviourPanel(services, panel, folder, comparison, diff);
}

/** The project that a repository or a group of its changes is about, else the one that the user means. */
async function projectOf(services: Services, argument: unknown): Promise<ProjectFolder | undefined> {
  const { rootUri, resourceStates } = Object(argument) as Readonly<Record<string, unknown>>;
  const states: readonly unknown[] = Array.isArray(resourceStates) ? resourceStates : [];
  const changed = states.flatMap((state) => {
    const { resourceUri } = Object(state) as { readonly resourceUri?: unknown };
    return resourceUri instanceof vscode.Uri ? (services.projects.of(resourceUri) ?? []) : [];
  });
  const inRepository =
    rootUri instanceof vscode.Uri
      ? (await services.projects.list()).filter(({ uri }) => `${uri.path}/`.startsWith(`${rootUri.path.replace(/\/$/, '')}/`))
      : [];
  const [project, ...others] = new Set(changed.length > 0 ? changed : inRepository);
  return project !== undefined && others.length === 0 ? project : pickProject(services, argument);
}

/** The path of an agent or orchestration. Any other file stands for its project. */
async function subjectPath({ previews }: WithPreviews, folder: ProjectFolder, uri: vscode.Uri): Promise<string | undefined> {
  const index = await (await previews.load()).previews.projectOf(uri)?.index();
  const path = folder.pathOf(uri);
  return index === undefined || path === undefined || subjectAt(path, index.settings) === undefined ? undefined : path;
}

interface BaseItem extends vscode.QuickPickItem {
  readonly base?: ComparisonBase | 'commit';
}

async function pickBase(
  services: Services & WithRuns & WithPreviews,
  folder: ProjectFolder,
  path: string | undefined,
): Promise<ComparisonBase | undefined> {
  const { t } = vscode.l10n;
  const others = path === undefined ? [] : await listOthers(services, folder.uriOf(path), undefined);
  const commits = vscode.workspace.isTrusted ? await commitItems(folder) : [];
  if (commits.length === 0 && others.length === 0) {
    requireTrust(t('Git is started only in a workspace you trust.'));
    throw new Refusal(t('{0} is in no git repository, and there is nothing else to compare with.', folder.name));
  }
  const items: readonly BaseItem[] = [...commits, ...others.map((item) => toBaseItem(folder, item))];
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Compare Behaviour'),
    placeHolder: t('Compare {0} with', path ?? folder.name),
    matchOnDescription: true,
  });
  return picked?.base === 'commit' ? askCommit(folder) : picked?.base;
}

async function commitItems({ root }: ProjectFolder): Promise<readonly BaseItem[]> {
  const { t } = vscode.l10n;
  const [mergeBase, head] = await Promise.all([findMergeBase(root).catch(unlessGit), findCommit(root, 'HEAD').catch(unlessGit)]);
  if (head === undefined) return [];
  const begun: readonly BaseItem[] =
    mergeBase === undefined
      ? []
      : [
          {
            label: t('Where the branch began'),
            description: t('merge base with {0}, {1}', mergeBase.branch, mergeBase.commit.slice(0, 10)),
            base: { kind: 'commit' },
          },
        ];
  return [
    { label: t('Commits'), kind: vscode.QuickPickItemKind.Separator },
    ...begun,
    { label: t('Last commit'), description: `HEAD, ${head.slice(0, 10)}`, base: { kind: 'commit', ref: 'HEAD' } },
    { label: t('Another branch, tag or commit...'), base: 'commit' },
  ];
}

function unlessGit(error: unknown): undefined {
  if (error instanceof GitBaseError) return undefined;
  throw error;
}

async function askCommit({ root }: ProjectFolder): Promise<ComparisonBase | undefined> {
  const ref = await vscode.window.showInputBox({
    title: vscode.l10n.t('Compare Behaviour'),
    prompt: vscode.l10n.t('Branch, tag or commit'),
    async validateInput(text) {
      if (text.trim() === '') return undefined;
      try {
        await findCommit(root, text.trim());
        return undefined;
      } catch (error) {
        if (error instanceof GitBaseError) return error.message;
        throw error;
      }
    },
  });
  return ref === undefined || ref.trim() === '' ? undefined : { kind: 'commit', ref: ref.trim() };
}

function toBaseItem(folder: ProjectFolder, { subject, ...item }: SubjectItem): BaseItem {
  if (subject === undefined || subject === 'other') return item;
  if ('run_id' in subject) return { ...item, base: { kind: 'run', run_id: subject.run_id } };
  const path = folder.pathOf(subject.file);
  if (path === undefined) return item;
  return { ...item, base: { kind: 'file', path, ...(subject.environment !== undefined && { environment: subject.environment }) } };
}
