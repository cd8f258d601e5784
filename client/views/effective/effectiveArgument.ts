import * as vscode from 'vscode';
import type { WithPreviews } from '../../panels/preview/previewLoader.js';
import { uriIn } from '../../panels/promptUri.js';
import { noAgent } from '../../pickProject.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { effectiveTarget } from './composeEffective.js';
import { type EffectiveSubject, effectiveSubject, nameOf } from './effectiveUri.js';

/**
 * What a command is about: its argument, else the active editor, else a file the user picks.
 *
 * @returns undefined when the user picked none
 * @throws Refusal for a file that is neither an agent nor an orchestration, and if the workspace has neither
 */
export async function subjectOf(services: Services & WithPreviews, argument: unknown): Promise<EffectiveSubject | undefined> {
  const argumentUri = uriIn(argument);
  if (argumentUri !== undefined) {
    const subject = await toSubject(services, argumentUri);
    if (subject !== undefined) return subject;
    throw new Refusal(vscode.l10n.t('{0} is neither an agent nor an orchestration.', vscode.workspace.asRelativePath(argumentUri)));
  }
  const active = uriIn(vscode.window.activeTextEditor?.document.uri);
  const activeSubject = active && (await toSubject(services, active));
  if (activeSubject !== undefined) return activeSubject;
  const picked = await vscode.window.showQuickPick(await listTargets(services), {
    placeHolder: vscode.l10n.t('Agent or orchestration'),
    matchOnDescription: true,
  });
  return picked && { file: picked.uri };
}

async function toSubject(services: Services & WithPreviews, uri: vscode.Uri): Promise<EffectiveSubject | undefined> {
  const subject = effectiveSubject(uri);
  if (subject !== undefined) return subject;
  const { previews } = await services.previews.load();
  const project = previews.projectOf(uri);
  return project && (await effectiveTarget(project, uri)) && { file: uri };
}

export interface TargetItem extends vscode.QuickPickItem {
  readonly uri: vscode.Uri;
}

/** Every agent and orchestration of the workspace. @throws Refusal if it has neither */
export async function listTargets(services: Services & WithPreviews): Promise<readonly TargetItem[]> {
  const { previews } = await services.previews.load();
  const items: TargetItem[] = [];
  for (const folder of await services.projects.list()) {
    const index = await previews.projectOf(vscode.Uri.joinPath(folder.uri, 'agentstack.json'))?.index();
    for (const kind of ['agent', 'orchestration'] as const) {
      for (const path of index?.ids(kind).values() ?? []) {
        const uri = folder.uriOf(path);
        items.push({ label: nameOf(uri), description: path, uri });
      }
    }
  }
  if (items.length === 0) throw noAgent();
  return items;
}
