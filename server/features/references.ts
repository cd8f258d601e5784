import type { Location, ReferenceParams } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** Every place of the project that names the same thing. */
export const references: Feature<ReferenceParams, readonly Location[] | null> = {
  method: 'textDocument/references',
  needs: ['textDocument', 'position', 'context'],
  capability: () => ({ referencesProvider: true }),
  async handle(params, context) {
    const { provideReferences } = await import('../navigation/references.js');
    return provideReferences(params, context);
  },
};
