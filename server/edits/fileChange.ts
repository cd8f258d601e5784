import {
  type ClientCapabilities,
  type CreateFile,
  FailureHandlingKind,
  type RenameFile,
  type TextDocumentEdit,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { JsonEdit, type TextReplacement } from '../../core/jsonText/jsonEdit.js';
import { editsOfFile } from '../../core/jsonText/promptEdits.js';
import { requestFailed } from '../requestFailed.js';
import type { Project } from '../workspace.js';

/** One step of an edit of a project. Steps are applied in order; paths are project paths. */
export type FileChange =
  | { readonly type: 'edit'; readonly path: string; readonly replacements: readonly TextReplacement[] }
  | { readonly type: 'create'; readonly path: string; readonly text: string }
  /** Replacements refer to the text before the move. */
  | { readonly type: 'move'; readonly from: string; readonly to: string };

/** Edits the current text of a JSON file of the project, open or on disk. No change if the file is gone or not JSON. */
export function editJson(project: Project, path: string, change: (edit: JsonEdit) => void): readonly FileChange[] {
  const document = project.documentAt(path);
  if (document?.config?.value === undefined) return [];
  const edit = new JsonEdit(document.text);
  change(edit);
  const replacements = edit.replacements();
  return replacements.length === 0 ? [] : [{ type: 'edit', path, replacements }];
}

/** Whether a client can create and move files in an edit. */
export function takesFileOperations({ workspace }: ClientCapabilities, operation: 'create' | 'rename'): boolean {
  return workspace?.workspaceEdit?.resourceOperations?.includes(operation) === true;
}

/**
 * Changes in the client's form: versioned `documentChanges` if it supports them or files move, otherwise `changes`. Texts change before files
 * move: a client may ask about the move (`willRenameFiles`), and then nothing is left to change.
 *
 * @throws ResponseError when a file would have to be created or moved and the client cannot
 */
export function toWorkspaceEdit(changes: readonly FileChange[], project: Project, client: ClientCapabilities): WorkspaceEdit {
  const cannot = changes.find(
    ({ type }) =>
      (type === 'create' && !takesFileOperations(client, 'create')) || (type === 'move' && !takesFileOperations(client, 'rename')),
  );
  if (cannot !== undefined) {
    const what = cannot.type === 'create' ? `create ${cannot.path}` : `move ${cannot.type === 'move' ? cannot.from : ''}`;
    throw requestFailed(`This editor does not let a language server ${what}: it does not support file operations in edits.`);
  }
  const edits = mergedEdits(changes);
  const hasOperations = changes.some(({ type }) => type !== 'edit');
  if (!hasOperations && client.workspace?.workspaceEdit?.documentChanges !== true) {
    return {
      changes: Object.fromEntries(edits.map(({ path, replacements }) => [project.uriOf(path), textEdits(project, path, replacements)])),
    };
  }
  const folders = makesFolders(client) ? [] : newFolders(changes, project);
  const documentChanges: (TextDocumentEdit | CreateFile | RenameFile)[] = folders.map((path) => ({
    kind: 'create',
    uri: project.uriOf(path),
    options: { ignoreIfExists: true },
  }));
  for (const { path, replacements } of edits) {
    documentChanges.push({
      textDocument: { uri: project.uriOf(path), version: project.openVersion(path) },
      edits: [...textEdits(project, path, replacements)],
    });
  }
  for (const change of changes) {
    if (change.type === 'create') {
      const uri = project.uriOf(change.path);
      const start = { line: 0, character: 0 };
      documentChanges.push({ kind: 'create', uri, options: { ignoreIfExists: false } });
      documentChanges.push({ textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText: change.text }] });
    } else if (change.type === 'move') {
      const options = folders.includes(change.to) ? { options: { overwrite: true } } : {};
      documentChanges.push({ kind: 'rename', oldUri: project.uriOf(change.from), newUri: project.uriOf(change.to), ...options });
    }
  }
  return { documentChanges };
}

/**
 * Whether a client creates the folder that a file moves to. Helix and Neovim do not, and would stop there, with texts changed and no file moved.
 * VS Code does; it is recognized by its strategy for edits that fail.
 */
function makesFolders({ workspace }: ClientCapabilities): boolean {
  return workspace?.workspaceEdit?.failureHandling === FailureHandlingKind.TextOnlyTransactional;
}

/** For each missing folder that files move to, the first of these files: creating it also creates the folder. */
function newFolders(changes: readonly FileChange[], { files }: Project): readonly string[] {
  const first = new Map<string, string>();
  for (const change of changes) {
    const folder = change.type === 'move' ? change.to.slice(0, change.to.lastIndexOf('/')) : '';
    if (change.type !== 'move' || first.has(folder)) continue;
    const entries = files.list(folder);
    if (Array.isArray(entries) && entries.length === 0) first.set(folder, change.to);
  }
  return [...first.values()];
}

/** One edit per file: a client refuses two for the same version. */
function mergedEdits(
  changes: readonly FileChange[],
): readonly { readonly path: string; readonly replacements: readonly TextReplacement[] }[] {
  const byPath = new Map<string, TextReplacement[]>();
  for (const change of changes) {
    if (change.type !== 'edit') continue;
    const collected = byPath.get(change.path);
    if (collected === undefined) byPath.set(change.path, [...change.replacements]);
    else collected.push(...change.replacements);
  }
  return [...byPath].map(([path, replacements]) => ({ path, replacements }));
}

function textEdits(project: Project, path: string, replacements: readonly TextReplacement[]): TextEdit[] {
  const document = project.documentAt(path);
  if (document === undefined) return [];
  const edits = editsOfFile(path, document.fileText, replacements);
  if (edits === undefined) throw requestFailed(`This change cannot be written in Markdown. Change ${path} by hand.`);
  const { textDocument } = document;
  return edits.map(({ start, end, text }) => {
    return { range: { start: textDocument.positionAt(start), end: textDocument.positionAt(end) }, newText: text };
  });
}
