import type { Hover, HoverParams } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** Field docs, what a reference points to, model facts, effective values, tokens. */
export const hover: Feature<HoverParams, Hover | null> = {
  method: 'textDocument/hover',
  needs: ['textDocument', 'position'],
  capability: () => ({ hoverProvider: true }),
  async handle(params, context) {
    const { provideHover } = await import('../hover/provideHover.js');
    return provideHover(params, context);
  },
};
