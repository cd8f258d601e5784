import type { PrepareRenameParams, PrepareRenameResult } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** Whether what is at the cursor has a name that can be changed, and where that is. */
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
    const found = findRenamable(document, document.offsetAt(position), project);
    return found === undefined ? null : { range: document.rangeOf(found.range), placeholder: found.entity.name };
  },
};
