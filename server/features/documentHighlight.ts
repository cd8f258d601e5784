import type { DocumentHighlight, DocumentHighlightParams } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** The same name elsewhere in the document. */
export const documentHighlight: Feature<DocumentHighlightParams, readonly DocumentHighlight[] | null> = {
  method: 'textDocument/documentHighlight',
  needs: ['textDocument', 'position'],
  capability: () => ({ documentHighlightProvider: true }),
  async handle(params, context) {
    const { provideDocumentHighlights } = await import('../navigation/documentHighlights.js');
    return provideDocumentHighlights(params, context);
  },
};
