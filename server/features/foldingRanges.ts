import type { FoldingRange, FoldingRangeParams } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** Objects and lists of more than one line. */
export const foldingRanges: Feature<FoldingRangeParams, readonly FoldingRange[] | null> = {
  method: 'textDocument/foldingRange',
  needs: ['textDocument'],
  capability: () => ({ foldingRangeProvider: true }),
  async handle(params, context) {
    const { provideFoldingRanges } = await import('../navigation/foldingRanges.js');
    return provideFoldingRanges(params, context);
  },
};
