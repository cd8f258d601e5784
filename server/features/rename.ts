import type { RenameParams, WorkspaceEdit } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** Another name for what is at the cursor, everywhere it is named; files that are called after it move. */
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
