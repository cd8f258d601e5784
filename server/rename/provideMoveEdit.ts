import type { FileRename, WorkspaceEdit } from 'vscode-languageserver';
import { type FileChange, takesFileOperations, toWorkspaceEdit } from '../edits/fileChange.js';
import type { FeatureContext } from '../feature.js';
import { translate } from '../texts.js';
import type { Project } from '../workspace.js';
import { type Move, moveEdits, payloadMoves } from './moveFiles.js';

/** The edit that accompanies a move of files or folders in the editor; null if nothing has to be written. */
export function provideMoveEdit(
  files: readonly FileRename[],
  { workspace, client, showWarning }: Pick<FeatureContext, 'workspace' | 'client' | 'showWarning'>,
): WorkspaceEdit | null {
  const byProject = new Map<Project, Move[]>();
  for (const { oldUri, newUri } of files) {
    for (const project of workspace.projects) {
      const [from, to] = [projectPath(project, oldUri), projectPath(project, newUri)];
      if (from === undefined || to === undefined) continue;
      const moves = project
        .knownFiles()
        .flatMap(({ path }) =>
          path === from ? [{ from, to }] : path.startsWith(`${from}/`) ? [{ from: path, to: to + path.slice(from.length) }] : [],
        );
      if (moves.length > 0) byProject.set(project, [...(byProject.get(project) ?? []), ...moves]);
    }
  }
  const edits = [...byProject].map(([project, moves]) => {
    const payloads = takesFileOperations(client, 'rename') ? payloadMoves(project, moves, translate) : undefined;
    for (const reason of payloads?.reasons ?? []) showWarning(reason);
    const changes = (payloads?.moves ?? []).map((move): FileChange => ({ type: 'move', ...move }));
    return toWorkspaceEdit([...moveEdits(project, moves), ...changes], project, client);
  });
  const documentChanges = edits.flatMap((edit) => edit.documentChanges ?? []);
  if (documentChanges.length > 0) return { documentChanges };
  const changes = Object.assign({}, ...edits.map((edit) => edit.changes ?? {})) as NonNullable<WorkspaceEdit['changes']>;
  return Object.keys(changes).length > 0 ? { changes } : null;
}

/** The path of a URI in a project: compared decoded, since clients encode differently. */
function projectPath(project: Project, uri: string): string | undefined {
  const root = decoded(project.uriOf('agentstack.json')).slice(0, -'agentstack.json'.length);
  const plain = decoded(uri);
  return plain.startsWith(root) ? plain.slice(root.length).replace(/\/$/, '') : undefined;
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
