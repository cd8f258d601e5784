import type { SelectionRange, SelectionRangeParams } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** What grows around the cursor: a path, a text, a member, an object. */
export const selectionRanges: Feature<SelectionRangeParams, readonly SelectionRange[] | null> = {
  method: 'textDocument/selectionRange',
  needs: ['textDocument', 'positions'],
  capability: () => ({ selectionRangeProvider: true }),
  async handle(params, context) {
    const { provideSelectionRanges } = await import('../navigation/selectionRanges.js');
    return provideSelectionRanges(params, context);
  },
};
