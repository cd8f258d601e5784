import * as vscode from 'vscode';
import { withVersion } from '../../core/config/fileText.js';
import type { LoadedIndex } from '../../core/config/loadProjectIndex.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { nextVersion } from '../../core/config/nextVersion.js';
import { pathLike } from '../../core/config/paths.js';
import { agentNames } from '../../core/names.js';
import { tidyTemporaries } from '../../core/node/temporaryFiles.js';
import { askName } from '../askName.js';
import { uriIn } from '../panels/promptUri.js';
import { noAgent, requireProject } from '../pickProject.js';
import { createEditorFiles } from '../ports/editorFiles.js';
import type { ProjectFolder } from '../projects.js';
import { Refusal } from '../refusal.js';
import type { Services } from '../services.js';

/**
 * Copies a version of an agent or a prompt to the next one and opens it, as `agent-stack new version` does. The version is that of the node or
 * file the command was called on, else of the active editor, else the newest of an agent that the user picks. Unsaved text is copied too.
 */
export async function createVersion(services: Services, target?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const uri = uriIn(target);
  const folder = (uri && services.projects.of(uri)) ?? (await requireProject(services, target));
  const files = createEditorFiles(folder);
  const index = await loadProjectIndex(files);
  const from = versionAt(index, folder, uri ?? vscode.window.activeTextEditor?.document.uri) ?? (await pickAgent(index));
  if (from === undefined) return undefined;
  const versions = versionsOf(index, from);
  const to = nextVersion(from.version, versions) ?? (await askForVersion(from, versions));
  if (to === undefined) return undefined;
  const source = index.ids(from.kind).get(`${from.name}@${from.version}`) ?? '';
  const path = pathLike(source, from.kind, `${from.name}@${to}`, index.settings);
  const text = withVersion(source, await files.readText(source), to);
  if (text === undefined) {
    const title = t('Open File');
    throw new Refusal(t('{0} cannot be copied: it is not valid JSON.', source), [
      { title, run: () => vscode.window.showTextDocument(folder.uriOf(source)) },
    ]);
  }
  tidyTemporaries(folder.root, index.settings.config_dir);
  await files.writeText(path, text, { exclusive: true });
  await vscode.window.showTextDocument(folder.uriOf(path));
  return folder.uriOf(path);
}

interface SomeVersion {
  readonly kind: 'agent' | 'prompt';
  readonly name: string;
  readonly version: string;
}

function versionAt(index: LoadedIndex, folder: ProjectFolder, uri: vscode.Uri | undefined): SomeVersion | undefined {
  const path = uri && folder.pathOf(uri);
  const identity = path === undefined ? undefined : index.identityOf(path);
  if ((identity?.kind !== 'agent' && identity?.kind !== 'prompt') || identity.version === undefined) return undefined;
  return { kind: identity.kind, name: identity.name, version: identity.version };
}

function versionsOf(index: LoadedIndex, { kind, name }: SomeVersion): readonly string[] {
  if (kind === 'agent') return index.versions(name);
  return [...index.ids('prompt').keys()].filter((id) => id.startsWith(`${name}@`)).map((id) => id.slice(name.length + 1));
}

async function pickAgent(index: LoadedIndex): Promise<SomeVersion | undefined> {
  const names = agentNames(index);
  if (names.size === 0) throw noAgent();
  const items = [...names].map((label) => ({ label, description: index.versions(label).at(-1) ?? '' }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Which agent gets a new version?') });
  return chosen && { kind: 'agent', name: chosen.label, version: chosen.description };
}

/** The user is asked only if the name cannot be counted up: it has no number, or is a date. */
function askForVersion({ name, version }: SomeVersion, versions: readonly string[]): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const used = new Set(versions.map((each) => each.toLowerCase()));
  const taken = (value: string) => (used.has(value.toLowerCase()) ? t('This version already exists.') : undefined);
  return askName({ title: t('New Version of {0}', name), prompt: t('What comes after {0}?', version), value: version, taken });
}
