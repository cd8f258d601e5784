import { join } from 'node:path';
import type { AnyFinding } from '../core/finding.js';
import { fileTextAfter } from '../core/jsonText/promptEdits.js';
import { createNodeHost } from './nodeHost.js';
import { fixAll } from './quickFixes/fixAll.js';
import { fixesFor, isFixable } from './quickFixes/fixesFor.js';
import type { Project } from './workspace.js';
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
  const project = await openProject(root);
  const fixed: FixedFile[] = [];
  for (const { path } of project?.knownFiles() ?? []) {
    const document = isWanted(path) ? project?.documentAt(path) : undefined;
    if (project === undefined || document === undefined) continue;
    const replacements = await fixAll(document, project, {}, () => undefined);
    const { fileText: before } = document;
    const after = fileTextAfter(path, before, replacements);
    if (after !== before) fixed.push({ path, before, after });
  }
  return fixed;
}

/**
 * What the editor offers for a finding, likeliest first; undefined where it never offers anything, or the file is not in the project.
 *
 * @param root absolute path of the project folder
 */
export async function openFixTitles(root: string): Promise<(finding: AnyFinding) => readonly string[] | undefined> {
  const project = await openProject(root);
  return (finding) => {
    const document = project?.documentAt(finding.file);
    const file = document?.config;
    if (project === undefined || document === undefined || file === undefined || !isFixable(finding)) return undefined;
    const fixes = fixesFor(finding, { project, document, file }).filter(({ command }) => command === undefined);
    return [...fixes.filter(({ preferred }) => preferred), ...fixes.filter(({ preferred }) => !preferred)].map(({ title }) => title);
  };
}

async function openProject(root: string): Promise<Project | undefined> {
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
  return project;
}
