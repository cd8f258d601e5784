import type { DocumentSymbol, DocumentSymbolParams, SymbolInformation } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** The outline of a config file. */
export const documentSymbols: Feature<DocumentSymbolParams, readonly DocumentSymbol[] | readonly SymbolInformation[] | null> = {
  method: 'textDocument/documentSymbol',
  needs: ['textDocument'],
  capability: () => ({ documentSymbolProvider: { label: 'Agent Stack' } }),
  async handle(params, context) {
    const { provideDocumentSymbols } = await import('../navigation/documentSymbols.js');
    return provideDocumentSymbols(params, context);
  },
};
