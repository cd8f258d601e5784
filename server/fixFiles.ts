import { join } from 'node:path';
import { applyReplacements } from '../core/jsonText/jsonEdit.js';
import { createNodeHost } from './nodeHost.js';
import { fixAll } from './quickFixes/fixAll.js';
import { WorkspaceState } from './workspaceState.js';

/** A file before and after its safe fixes. */
export interface FixedFile {
  /** Project path. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * The files of a project with safe fixes, as fix-all in the editor applies them. Nothing is written.
 *
 * @param root absolute path of the project folder
 * @param isWanted by project path
 */
export async function fixFiles(root: string, isWanted: (path: string) => boolean): Promise<readonly FixedFile[]> {
  const host = createNodeHost({ trusted: false });
  let failure: { readonly error: unknown } | undefined;
  const workspace = new WorkspaceState({
    host,
    dropsDeleted: false,
    onAffected: () => undefined,
    onError: (error) => (failure ??= { error }),
  });
  workspace.start();
  const project = workspace.projectOf(host.toUri(join(root, 'agentstack.json')));
  await workspace.ready();
  if (failure !== undefined) throw failure.error;
  const fixed: FixedFile[] = [];
  for (const { path } of project?.knownFiles() ?? []) {
    const document = isWanted(path) ? project?.documentAt(path) : undefined;
    if (project === undefined || document === undefined) continue;
    const replacements = await fixAll(document, project, {}, () => undefined);
    const after = applyReplacements(document.text, replacements);
    if (after !== document.text) fixed.push({ path, before: document.text, after });
  }
  return fixed;
}
