import * as vscode from 'vscode';
import { keyPlaceFor } from '../../../core/llm/providers/apiKey.js';
import type { LlmSettings } from '../../../core/llm/types.js';
import { couldBeOurs } from '../../language/ourFiles.js';
import { createEditorFiles } from '../../ports/editorFiles.js';
import type { KeyState } from '../../ports/neededKeys.js';
import { profileSettings } from '../../ports/neededKeys.js';
import { stateOf } from '../../ports/workspaceKeys.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { type ResolvedFile, resolveAgentFile } from './resolveAgentFile.js';

type Model = Pick<LlmSettings, 'provider' | 'api_key' | 'api_key_env'> & {
  readonly model_name: string | undefined;
  readonly profile: string | undefined;
};

/** The items of the language status. Each exists while it has something to say about the active editor. */
export class StatusItems implements vscode.Disposable {
  private readonly services: Services;
  private readonly items = new Map<string, vscode.LanguageStatusItem>();

  constructor(services: Services) {
    this.services = services;
  }

  async show(document: vscode.TextDocument | undefined): Promise<void> {
    const folder = document && couldBeOurs(document.uri.path) ? this.services.projects.of(document.uri) : undefined;
    const path = document && folder?.pathOf(document.uri);
    if (document === undefined || folder === undefined || path === undefined) return this.dispose();
    const chosen = vscode.workspace.getConfiguration('agentStack', folder.uri).get<string>('environment', '');
    const resolved = await resolveAgentFile(createEditorFiles(folder), path, chosen);
    if (resolved === undefined) return this.dispose();
    if (resolved.file.foreign) return this.showForeign(document);
    this.drop('foreign');
    if (document.languageId !== 'agent-config') return this.dispose();
    this.showProject(folder);
    this.showEnvironment(chosen, resolved);
    const model = modelOf(resolved, chosen);
    if (model === undefined) this.drop('model');
    else await this.showModel(model);
  }

  dispose(): void {
    for (const id of [...this.items.keys()]) this.drop(id);
  }

  private showForeign({ uri }: vscode.TextDocument): void {
    this.dispose();
    const { t } = vscode.l10n;
    const folder = vscode.Uri.joinPath(uri, '..');
    const pattern = new vscode.RelativePattern(folder, uri.path.slice(folder.path.length + 1));
    const item = this.item('foreign', t('Agent Stack: Left Alone'), [{ scheme: 'file', pattern }]);
    item.text = t('Left alone by Agent Stack');
    item.detail = t('It lies where agent files are, and is something else.');
  }

  private showProject(folder: ProjectFolder): void {
    const { t } = vscode.l10n;
    const item = this.item('project', t('Agent Stack: Project'));
    item.text = `$(project) ${folder.name}`;
    item.detail = t('Project');
    item.command = { command: 'agentStack.agents.focus', title: t('Show Agents') };
  }

  private showEnvironment(chosen: string, { project }: ResolvedFile): void {
    const { t } = vscode.l10n;
    const name = chosen || project.settings.environment;
    const isMissing = chosen !== '' && !project.ids('system').has(chosen);
    const item = this.item('environment', t('Agent Stack: Environment'));
    item.text = `$(layers) ${name}`;
    item.severity = isMissing ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
    item.detail = isMissing
      ? t('There is no such environment')
      : chosen === ''
        ? t('Environment of the project')
        : t('Environment of the workspace');
    item.command = { command: 'agentStack.selectEnvironment', title: t('Select') };
  }

  private async showModel({ profile, model_name, ...settings }: Model): Promise<void> {
    const { t } = vscode.l10n;
    const place = keyPlaceFor(settings);
    const state = place && (await stateOf(this.services, place));
    const item = this.item('model', t('Agent Stack: Model'));
    const isMissing = state === 'missing';
    item.text = `${isMissing ? '$(key)' : '$(chip)'} ${[...new Set([settings.provider, model_name])].filter((part) => part !== undefined).join(' · ')}`;
    item.severity = isMissing ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
    const tooltipLines = [profile === undefined ? undefined : t('LLM profile {0}', profile), keyInWords(state, place?.name ?? '')];
    item.detail = tooltipLines.filter((part) => part !== undefined).join(', ');
    if (settings.provider === 'vscode') item.command = { command: 'agentStack.selectLanguageModel', title: t('Select Model') };
    else if (place === undefined) item.command = undefined;
    else
      item.command = {
        command: 'agentStack.setApiKey',
        title: t('Set API Key'),
        arguments: [{ provider: settings.provider, name: place.name }],
      };
  }

  private item(id: string, name: string, selector: vscode.DocumentSelector = { language: 'agent-config' }): vscode.LanguageStatusItem {
    let item = this.items.get(id);
    if (item === undefined) {
      item = vscode.languages.createLanguageStatusItem(`agentStack.${id}`, selector);
      item.name = name;
      this.items.set(id, item);
    }
    return item;
  }

  private drop(id: string): void {
    this.items.get(id)?.dispose();
    this.items.delete(id);
  }
}

function keyInWords(state: KeyState | undefined, name: string): string {
  const { t } = vscode.l10n;
  switch (state) {
    case 'stored':
      return t('key {0} stored', name);
    case 'environment':
      return t('key {0} from the environment', name);
    case 'missing':
      return t('key {0} missing', name);
    case undefined:
      return t('no key needed');
  }
}

/** Which model the file is about: that an agent comes to, or that of a profile. */
function modelOf({ file, agent, project }: ResolvedFile, chosen: string): Model | undefined {
  if (agent !== undefined) return { ...agent.llm, model_name: agent.config.model_name, profile: agent.llm.llm_id };
  if (file.identity.kind !== 'llm') return undefined;
  const settings = profileSettings(project, chosen || project.settings.environment, file.identity.name);
  return { ...settings, profile: file.identity.name };
}
