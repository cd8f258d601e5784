import * as vscode from 'vscode';
import { type LoadedIndex, loadProjectIndex } from '../core/config/loadProjectIndex.js';
import type { Kind } from '../core/kinds.js';
import { tidyTemporaries } from '../core/node/temporaryFiles.js';
import type { FileSystem } from '../core/ports.js';
import { findTakenName } from '../core/scaffold/findTakenName.js';
import { type NewFiles, writeNewFiles } from '../core/scaffold/newFile.js';
import { projectToFill } from './pickProject.js';
import { createEditorFiles } from './ports/editorFiles.js';
import type { ProjectFolder } from './projects.js';
import type { Services } from './services.js';

/** Where a new file goes, and what exists already. */
export interface NewPlace {
  readonly folder: ProjectFolder;
  readonly files: FileSystem;
  readonly index: LoadedIndex;
}

/** @param target what the command was called on */
export async function newPlace(services: Services, target: unknown): Promise<NewPlace> {
  return placeIn(await projectToFill(services, target));
}

export async function placeIn(folder: ProjectFolder): Promise<NewPlace> {
  const files = createEditorFiles(folder);
  return { folder, files, index: await loadProjectIndex(files) };
}

/** The message for a name that is already taken. */
export function takenBy({ index }: NewPlace, kind: Kind, name: string): string | undefined {
  const other = findTakenName(index, kind, name);
  return other && vscode.l10n.t('{0} already exists.', other.path);
}

/** Writes files that do not exist yet, and shows the first. */
export async function writeNew({ folder, files, index }: NewPlace, created: NewFiles): Promise<vscode.Uri> {
  tidyTemporaries(folder.root, index.settings.config_dir);
  await writeNewFiles(files, created);
  const uri = folder.uriOf(created[0].path);
  await vscode.window.showTextDocument(uri);
  return uri;
}

/** The name that a program passes with a command instead of an answer. */
export function givenName(target: unknown): string | undefined {
  if (typeof target !== 'object' || target === null || 'folder' in target || !('name' in target)) return undefined;
  return typeof target.name === 'string' ? target.name : undefined;
}
