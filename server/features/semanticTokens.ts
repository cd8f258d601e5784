import type {
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensDeltaParams,
  SemanticTokensParams,
  SemanticTokensRangeParams,
} from 'vscode-languageserver';
import type { Feature } from '../feature.js';
import { tokenModifiers, tokenTypes } from '../semanticTokens/legend.js';

const full: Feature<SemanticTokensParams, SemanticTokens | null> = {
  method: 'textDocument/semanticTokens/full',
  needs: ['textDocument'],
  capability: () => ({
    semanticTokensProvider: {
      legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
      full: { delta: true },
      range: true,
    },
  }),
  async handle(params, context) {
    await context.workspace.ready(context.signal);
    const { fullTokens } = await import('../semanticTokens/provideSemanticTokens.js');
    return fullTokens(params, context);
  },
};

const delta: Feature<SemanticTokensDeltaParams, SemanticTokens | SemanticTokensDelta | null> = {
  method: 'textDocument/semanticTokens/full/delta',
  needs: ['textDocument', 'previousResultId'],
  capability: () => ({}),
  async handle(params, context) {
    await context.workspace.ready(context.signal);
    const { tokensSince } = await import('../semanticTokens/provideSemanticTokens.js');
    return tokensSince(params, context);
  },
};

const range: Feature<SemanticTokensRangeParams, SemanticTokens | null> = {
  method: 'textDocument/semanticTokens/range',
  needs: ['textDocument', 'range'],
  capability: () => ({}),
  async handle(params, context) {
    await context.workspace.ready(context.signal);
    const { tokensInRange } = await import('../semanticTokens/provideSemanticTokens.js');
    return tokensInRange(params, context);
  },
};

/** What names and embedded expressions are. */
export const semanticTokens = [full, delta, range] as const;
