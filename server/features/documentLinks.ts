import type { DocumentLink, DocumentLinkParams } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** References to files, and addresses, as links. */
export const documentLinks: Feature<DocumentLinkParams, readonly DocumentLink[] | null> = {
  method: 'textDocument/documentLink',
  needs: ['textDocument'],
  capability: () => ({ documentLinkProvider: { resolveProvider: false } }),
  async handle(params, context) {
    const { provideDocumentLinks } = await import('../navigation/documentLinks.js');
    return provideDocumentLinks(params, context);
  },
};
