import type { Uri } from 'vscode';
import { loadProjectIndex } from '../../../../core/config/loadProjectIndex.js';
import { parseConfigFile } from '../../../../core/config/parseConfigFile.js';
import { settingsPath } from '../../../../core/config/paths.js';
import type { Reference, ReferenceKind } from '../../../../core/config/projectIndex.js';
import { findText } from '../../../../core/jsonText/findText.js';
import { createEditorFiles } from '../../../ports/editorFiles.js';
import type { ProjectFolder } from '../../../projects.js';
import type { Entry } from './entry.js';

/** Project paths of the files that name one of the entries, as they are in the editors; without those that go with the entries. */
export async function filesThatName(entries: readonly Entry[], going: readonly Uri[]): Promise<readonly string[]> {
  const referring = new Set<string>();
  for (const folder of new Set(entries.map((entry) => entry.folder))) {
    const index = await wholeIndex(folder);
    const stays = (path: string) =>
      !going.some((uri) => folder.uriOf(path).path === uri.path || folder.uriOf(path).path.startsWith(`${uri.path}/`));
    for (const entry of entries) {
      if (entry.folder !== folder) continue;
      if (entry.kind === 'environment' && index.settings.environment === entry.name) referring.add(settingsPath);
      for (const { file } of referencesTo(entry, index)) if (stays(file)) referring.add(file);
    }
  }
  return [...referring].sort();
}

type Index = Awaited<ReturnType<typeof loadProjectIndex>>;

/** The index with the references of agents, which are known only after their files have been read. */
async function wholeIndex(folder: ProjectFolder): Promise<Index> {
  const files = createEditorFiles(folder);
  const index = await loadProjectIndex(files);
  for (const path of index.ids('agent').values()) {
    const identity = index.identityOf(path);
    const text = await findText(files, path);
    if (identity !== undefined && text !== undefined) index.set(parseConfigFile(path, text, identity));
  }
  return index;
}

function referencesTo(entry: Entry, index: Index): readonly Reference[] {
  const of = (kind: ReferenceKind, ...ids: readonly string[]) => ids.flatMap((id) => index.referencesTo(kind, id));
  switch (entry.kind) {
    case 'agent':
      return of('agent', entry.agent_name, ...index.versions(entry.agent_name).map((version) => `${entry.agent_name}@${version}`));
    case 'agentVersion':
      return of('agent', `${entry.agent_name}@${entry.version}`);
    case 'prompt':
      return of('prompt', ...[...index.ids('prompt').keys()].filter((id) => id.startsWith(`${entry.name}@`)));
    case 'promptVersion':
      return of('prompt', `${entry.name}@${entry.version}`);
    case 'mcpServer':
      return of('mcp', entry.name);
    case 'llm':
    case 'persona':
    case 'orchestration':
      return of(entry.kind, entry.name);
    default:
      return [];
  }
}
