import type { CodeLens, CodeLensParams } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

const lenses: Feature<CodeLensParams, readonly CodeLens[] | null> = {
  method: 'textDocument/codeLens',
  needs: ['textDocument'],
  capability: () => ({ codeLensProvider: { resolveProvider: true } }),
  async handle(params, context) {
    const { provideCodeLenses } = await import('../codeLens/provideCodeLenses.js');
    return provideCodeLenses(params, context);
  },
};

const resolve: Feature<CodeLens, CodeLens> = {
  method: 'codeLens/resolve',
  needs: ['range'],
  capability: () => ({}),
  async handle(lens, context) {
    const { resolveCodeLens } = await import('../codeLens/resolveCodeLens.js');
    return resolveCodeLens(lens, context);
  },
};

/** Who refers to this file, team or task, and how many tokens a prompt text has. */
export const codeLens = [lenses, resolve] as const;
