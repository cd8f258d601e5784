import type { WorkspaceSymbol, WorkspaceSymbolParams } from 'vscode-languageserver';
import type { AnyFeature, Feature } from '../feature.js';

/** Everything with a name, by parts of it. */
const symbols: Feature<WorkspaceSymbolParams, readonly WorkspaceSymbol[]> = {
  method: 'workspace/symbol',
  needs: ['query'],
  capability: () => ({ workspaceSymbolProvider: { resolveProvider: true } }),
  async handle(params, context) {
    const { provideWorkspaceSymbols } = await import('../navigation/workspaceSymbols.js');
    return provideWorkspaceSymbols(params, context);
  },
};

/** Where exactly a chosen one is written. */
const resolve: Feature<WorkspaceSymbol, WorkspaceSymbol> = {
  method: 'workspaceSymbol/resolve',
  needs: ['name'],
  capability: () => ({}),
  async handle(symbol, context) {
    const { resolveWorkspaceSymbol } = await import('../navigation/workspaceSymbols.js');
    return resolveWorkspaceSymbol(symbol, context);
  },
};

export const workspaceSymbols: readonly AnyFeature[] = [symbols, resolve];
