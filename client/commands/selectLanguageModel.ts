import * as vscode from 'vscode';
import { withFields } from '../../core/config/fileText.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { pathOf } from '../../core/config/paths.js';
import type { ProjectIndex } from '../../core/config/projectIndex.js';
import { isLegalName } from '../../core/kinds.js';
import { findTakenName } from '../../core/scaffold/findTakenName.js';
import { writeNewFiles } from '../../core/scaffold/newFile.js';
import { newLlmFile } from '../../core/scaffold/newLlmFile.js';
import { askName } from '../askName.js';
import { done } from '../done.js';
import { requireProject } from '../pickProject.js';
import { createEditorFiles } from '../ports/editorFiles.js';
import { noSuchModel } from '../ports/languageModels.js';
import type { ProjectFolder } from '../projects.js';
import { Refusal } from '../refusal.js';
import type { Services } from '../services.js';

/**
 * Writes a language model that VS Code offers into an llm profile (one of provider `vscode`, or a new one) and opens it.
 *
 * @param target a node of the agents view, or `{model, profile}` (id of the model, id of the profile) from a program that asks nothing
 */
export async function selectLanguageModel(services: Services, target?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const folder = await requireProject(services, target);
  const models = await vscode.lm.selectChatModels({});
  if (models.length === 0)
    throw new Refusal(noSuchModel(models, '').message, [
      { title: t('Create LLM Profile'), run: () => vscode.commands.executeCommand('agentStack.createLlm', { folder }) },
    ]);
  const chosen = namesModel(target) ? target : undefined;
  const model = chosen?.model ?? (await pickModel(models));
  if (model === undefined) return undefined;
  const index = await loadProjectIndex(createEditorFiles(folder), { agents: [] });
  const profile = chosen?.profile ?? (await pickProfile(index, model));
  if (profile === undefined) return undefined;
  return write(folder, index, profile, model);
}

async function pickModel(models: readonly vscode.LanguageModelChat[]): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const items = models.map(({ id, name, vendor, family, maxInputTokens }) => ({
    label: name || id,
    description: [...new Set([vendor, family])].join(' · '),
    detail: t('{0}, up to {1} tokens of input', id, maxInputTokens.toLocaleString(vscode.env.language)),
    id,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Select Language Model'),
    placeHolder: t('Which model of VS Code?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.id;
}

async function pickProfile(index: ProjectIndex, model: string): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const ids = [...index.ids('llm').keys()].filter((id) => index.value('llm', id)?.provider === 'vscode');
  const items = [
    ...ids.map((id) => ({ label: id, description: String(index.value('llm', id)?.model_name ?? ''), id })),
    { label: t('New LLM profile...'), iconPath: new vscode.ThemeIcon('add'), id: undefined },
  ];
  const chosen =
    ids.length === 0
      ? items.at(-1)
      : await vscode.window.showQuickPick(items, {
          title: t('Select Language Model'),
          placeHolder: t('Which LLM profile should use {0}?', model),
        });
  if (chosen === undefined || chosen.id !== undefined) return chosen?.id;
  const taken = (id: string) => (findTakenName(index, 'llm', id) === undefined ? undefined : t('This LLM profile already exists.'));
  return askName({ title: t('New LLM Profile'), prompt: t('Agents name it as llm_config_id.'), value: freeId(index, model), taken });
}

async function write(folder: ProjectFolder, index: ProjectIndex, id: string, model: string): Promise<vscode.Uri> {
  const existingPath = index.ids('llm').get(id);
  const uri = folder.uriOf(existingPath ?? pathOf('llm', id, index.settings));
  if (existingPath === undefined) {
    await writeNewFiles(createEditorFiles(folder), [newLlmFile(index, id, { provider: 'vscode', model_name: model })]);
  } else {
    const document = await vscode.workspace.openTextDocument(uri);
    const text = withFields(uri.path, document.getText(), { provider: 'vscode', model_name: model });
    if (text === undefined) throw new Refusal(vscode.l10n.t('{0} is not valid JSON.', existingPath));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
    await document.save();
  }
  await vscode.window.showTextDocument(uri);
  // With a model of VS Code no key is needed: agents can ask a real model from now on.
  done('key');
  return uri;
}

/** `vscode`, or the model's own name where there is a profile of that name already. */
function freeId(index: ProjectIndex, model: string): string {
  const modelFields = model
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);
  return ['vscode', modelFields].find((id) => isLegalName(id) && !index.ids('llm').has(id)) ?? '';
}

function namesModel(target: unknown): target is { readonly model: string; readonly profile: string } {
  if (typeof target !== 'object' || target === null || !('model' in target) || !('profile' in target)) return false;
  return typeof target.model === 'string' && typeof target.profile === 'string' && isLegalName(target.profile);
}
