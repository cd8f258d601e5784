import type {
  ClientCapabilities,
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensDeltaParams,
  SemanticTokensParams,
  SemanticTokensRangeParams,
  ServerCapabilities,
} from 'vscode-languageserver';
import type { Feature } from '../feature.js';
import { tokenModifiers, tokenTypes } from '../semanticTokens/legend.js';

const full: Feature<SemanticTokensParams, SemanticTokens | null> = {
  method: 'textDocument/semanticTokens/full',
  capability: (client) => ({ semanticTokensProvider: provider(client) }),
  async handle(params, context) {
    await context.workspace.ready(context.signal);
    const { fullTokens } = await import('../semanticTokens/provideSemanticTokens.js');
    return fullTokens(params, context);
  },
};

const delta: Feature<SemanticTokensDeltaParams, SemanticTokens | SemanticTokensDelta | null> = {
  method: 'textDocument/semanticTokens/full/delta',
  capability: () => ({}),
  async handle(params, context) {
    await context.workspace.ready(context.signal);
    const { tokensSince } = await import('../semanticTokens/provideSemanticTokens.js');
    return tokensSince(params, context);
  },
};

const range: Feature<SemanticTokensRangeParams, SemanticTokens | null> = {
  method: 'textDocument/semanticTokens/range',
  capability: () => ({}),
  async handle(params, context) {
    await context.workspace.ready(context.signal);
    const { tokensInRange } = await import('../semanticTokens/provideSemanticTokens.js');
    return tokensInRange(params, context);
  },
};

/** Part of an answer says nothing about places without all that goes before it, so it cannot be converted to another encoding. */
function provider({ general }: ClientCapabilities): NonNullable<ServerCapabilities['semanticTokensProvider']> {
  const countsAsWeDo = (general?.positionEncodings ?? ['utf-16']).includes('utf-16');
  return {
    legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
    full: countsAsWeDo ? { delta: true } : true,
    range: true,
  };
}

/** What names and embedded expressions are. */
export const semanticTokens = [full, delta, range] as const;
