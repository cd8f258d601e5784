import * as vscode from 'vscode';
import { isObject } from '../../../core/json.js';
import { endWords } from '../../../core/llm/modelEnd.js';
import type { RestorePanel } from '../../panels/restorePanels.js';
import { requireProject } from '../../pickProject.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { type Migration, MigrationPanel, planOf } from './migrationPanel.js';

/**
 * Shows what moving to another model changes, and writes it when the user has agreed to the prices.
 *
 * @param argument of a quick fix, the `uri` of a file and the model that it names; otherwise the user chooses a model of the project
 */
export async function migrateModel(services: Services, argument?: unknown): Promise<void> {
  const { uri, from } = isObject(argument) ? argument : {};
  const folder = typeof uri === 'string' ? services.projects.of(vscode.Uri.parse(uri, true)) : undefined;
  const project = folder ?? (await requireProject(services, argument));
  const model = typeof from === 'string' ? from : await pickModel(services, project);
  const migration = { root: project.root, from: model, to: null };
  const open = panels.get(keyOf(migration));
  if (open !== undefined) {
    await open.show();
    return;
  }
  const panel = vscode.window.createWebviewPanel('agentStack.migration', '', vscode.ViewColumn.Active, { enableFindWidget: true });
  openIn(services, panel, project, migration);
}

/** A model that the project uses, or null for every one that ends. */
async function pickModel(services: Services, folder: ProjectFolder): Promise<string | null> {
  const { t } = vscode.l10n;
  const { plan, asOf } = await planOf(services, folder, { root: folder.root, from: null, to: null });
  if (plan.used.length === 0) throw new Refusal(t('No agent names a model.'));
  const ending = new Map(plan.moves.map((move) => [move.from, move]));
  const items = plan.used.map((label) => {
    const move = ending.get(label);
    return {
      label,
      description: move === undefined ? '' : (move.ends && endWords({ ends: move.ends }, asOf, t)) || t('deprecated'),
      model: label,
    };
  });
  const all = { label: t('Every model that ends'), description: [...ending.keys()].join(', '), model: null };
  const picked = await vscode.window.showQuickPick([...(ending.size > 1 ? [all] : []), ...items], {
    title: t('Migrate Model'),
    placeHolder: t('Which model of {0} is replaced?', folder.name),
  });
  if (picked === undefined) throw new vscode.CancellationError();
  return picked.model;
}

/** Brings a migration back. Only projects of this workspace are read. */
export const restoreMigration: RestorePanel = async (client, panel, state) => {
  const migration: unknown = state;
  if (!isMigration(migration)) return false;
  const folder = await client.projects.find(migration.root);
  if (folder === undefined || panels.has(keyOf(migration))) return false;
  openIn(client, panel, folder, migration);
  return true;
};

/** The open ones: a second one for the same model would be about the same files. */
const panels = new Map<string, MigrationPanel>();

function openIn(services: Services, panel: vscode.WebviewPanel, folder: ProjectFolder, migration: Migration): void {
  const key = keyOf(migration);
  panels.set(key, new MigrationPanel(services, panel, folder, migration));
  panel.onDidDispose(() => panels.delete(key));
}

function keyOf({ root, from }: Migration): string {
  return JSON.stringify([root, from]);
}

function isMigration(value: unknown): value is Migration {
  if (!isObject(value) || typeof value.root !== 'string') return false;
  return [value.from, value.to].every((model) => model === null || typeof model === 'string');
}
