import type { PrepareRenameParams, PrepareRenameResult, RenameFilesParams, RenameParams, WorkspaceEdit } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** Whether the entity at the cursor can be renamed, and the range of its name. */
export const prepareRename: Feature<PrepareRenameParams, PrepareRenameResult | null> = {
  method: 'textDocument/prepareRename',
  needs: ['textDocument', 'position'],
  // `rename` announces both.
  capability: () => ({}),
  async handle({ textDocument, position }, { workspace }) {
    const document = workspace.document(textDocument.uri);
    const project = workspace.projectOf(textDocument.uri);
    if (document === undefined || project === undefined) return null;
    const { findRenamable } = await import('../rename/renameEntity.js');
    const renamable = findRenamable(document, document.offsetAt(position), project);
    return renamable === undefined ? null : { range: document.rangeOf(renamable.range), placeholder: renamable.entity.name };
  },
};

/** Renames the entity at the cursor everywhere; files named after it move. */
export const rename: Feature<RenameParams, WorkspaceEdit | null> = {
  method: 'textDocument/rename',
  needs: ['textDocument', 'position', 'newName'],
  capability: ({ textDocument }) => ({ renameProvider: textDocument?.rename?.prepareSupport === true ? { prepareProvider: true } : true }),
  async handle({ textDocument, position, newName }, context) {
    const { workspace, client } = context;
    const document = workspace.document(textDocument.uri);
    const project = workspace.projectOf(textDocument.uri);
    if (document === undefined || project === undefined) return null;
    const [{ renameAt }, { toWorkspaceEdit }] = await Promise.all([import('../rename/renameEntity.js'), import('../edits/fileChange.js')]);
    const changes = await renameAt(document, document.offsetAt(position), newName, project, context);
    return toWorkspaceEdit(changes, project, client);
  },
};

/** Config files or folders are about to be moved in the editor: their identity fields and all references to them are updated. */
export const willRenameFiles: Feature<RenameFilesParams, WorkspaceEdit | null> = {
  method: 'workspace/willRenameFiles',
  needs: ['files'],
  capability: ({ workspace }) =>
    workspace?.fileOperations?.willRename === true
      ? {
          workspace: {
            fileOperations: {
              willRename: {
                filters: [
                  { pattern: { glob: '**/*.json', matches: 'file' } },
                  { pattern: { glob: '**/prompts/*/*.md', matches: 'file' } },
                  { pattern: { glob: '**', matches: 'folder' } },
                ],
              },
            },
          },
        }
      : {},
  async handle({ files }, context) {
    await context.workspace.ready(context.signal);
    const { provideMoveEdit } = await import('../rename/provideMoveEdit.js');
    return provideMoveEdit(files, context);
  },
};
