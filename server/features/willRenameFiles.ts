import type { RenameFilesParams, WorkspaceEdit } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** Config files or folders are about to be moved in the editor: what they say of themselves, and who names them, goes with them. */
export const willRenameFiles: Feature<RenameFilesParams, WorkspaceEdit | null> = {
  method: 'workspace/willRenameFiles',
  needs: ['files'],
  capability: ({ workspace }) =>
    workspace?.fileOperations?.willRename === true
      ? {
          workspace: {
            fileOperations: {
              willRename: {
                filters: [{ pattern: { glob: '**/*.json', matches: 'file' } }, { pattern: { glob: '**', matches: 'folder' } }],
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
