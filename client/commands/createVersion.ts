import * as vscode from 'vscode';
import type { LoadedIndex } from '../../core/config/loadProjectIndex.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { nextVersion } from '../../core/config/nextVersion.js';
import { pathOf } from '../../core/config/paths.js';
import { withVersion } from '../../core/config/withVersion.js';
import { namePattern } from '../../core/kinds.js';
import { createEditorFiles } from '../ports/editorFiles.js';
import type { ProjectFolder } from '../projects.js';
import type { Services } from '../services.js';
import { pickProject } from './pickProject.js';
import { Refusal } from './refusal.js';

/**
 * Copies a version of an agent to the next one and opens it, as `agentstack new version` does: that of the node or file the command was called
 * on, else of the active editor, else the newest of an agent that is chosen. What is typed but not saved is in the copy.
 */
export async function createVersion(services: Services, target?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const uri = target instanceof vscode.Uri ? target : uriOf(target);
  const folder = (uri && services.projects.of(uri)) ?? (await pickProject(services, target));
  if (folder === undefined) throw new Refusal(t('There is no agent in this workspace yet.'));
  const files = createEditorFiles(folder);
  const index = await loadProjectIndex(files);
  const from = agentAt(index, folder, uri ?? vscode.window.activeTextEditor?.document.uri) ?? (await pickAgent(index));
  if (from === undefined) return undefined;
  const versions = index.versions(from.name);
  const to = nextVersion(from.version, versions) ?? (await askForVersion(from, versions));
  if (to === undefined) return undefined;
  const source = pathOf('agent', `${from.name}@${from.version}`, index.settings);
  const path = pathOf('agent', `${from.name}@${to}`, index.settings);
  const text = withVersion(await files.readText(source), to);
  if (text === undefined) {
    const title = t('Open File');
    throw new Refusal(t('{0} cannot be copied: it is not valid JSON, or has no "version".', source), [
      { title, run: () => vscode.window.showTextDocument(folder.uriOf(source)) },
    ]);
  }
  await files.writeText(path, text, { exclusive: true });
  await vscode.window.showTextDocument(folder.uriOf(path));
  return folder.uriOf(path);
}

interface AgentVersion {
  readonly name: string;
  readonly version: string;
}

function agentAt(index: LoadedIndex, folder: ProjectFolder, uri: vscode.Uri | undefined): AgentVersion | undefined {
  const path = uri && folder.pathOf(uri);
  const identity = path === undefined ? undefined : index.identityOf(path);
  return identity?.kind === 'agent' && identity.version !== undefined ? { name: identity.name, version: identity.version } : undefined;
}

async function pickAgent(index: LoadedIndex): Promise<AgentVersion | undefined> {
  const names = new Set([...index.ids('agent').keys()].map((id) => id.slice(0, id.indexOf('@'))));
  if (names.size === 0) throw new Refusal(vscode.l10n.t('There is no agent in this workspace yet.'));
  const items = [...names].map((label) => ({ label, description: index.versions(label).at(-1) ?? '' }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Which agent gets a new version?') });
  return chosen && { name: chosen.label, version: chosen.description };
}

/** Asked for only where counting up makes no sense: a name without a number, or a date. */
function askForVersion({ name, version }: AgentVersion, versions: readonly string[]): Thenable<string | undefined> {
  const { t } = vscode.l10n;
  const taken = new Set(versions.map((each) => each.toLowerCase()));
  return vscode.window.showInputBox({
    title: t('New Version of {0}', name),
    prompt: t('What comes after {0}?', version),
    value: version,
    validateInput: (value) => {
      if (!namePattern.test(value)) return t('Letters, digits, ".", "_" and "-", beginning with a letter or digit, at most 64.');
      return taken.has(value.toLowerCase()) ? t('This version exists already.') : undefined;
    },
  });
}

function uriOf(target: unknown): vscode.Uri | undefined {
  return typeof target === 'object' && target !== null && 'uri' in target && target.uri instanceof vscode.Uri ? target.uri : undefined;
}
