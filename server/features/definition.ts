import type { DefinitionParams, Location, LocationLink } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** From a name to where the thing itself is written. */
export const definition: Feature<DefinitionParams, readonly LocationLink[] | readonly Location[] | null> = {
  method: 'textDocument/definition',
  needs: ['textDocument', 'position'],
  capability: () => ({ definitionProvider: true }),
  async handle(params, context) {
    const { provideDefinition } = await import('../navigation/definition.js');
    return provideDefinition(params, context);
  },
};
