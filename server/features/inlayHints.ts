import type { InlayHint, InlayHintParams } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

const hints: Feature<InlayHintParams, readonly InlayHint[] | null> = {
  method: 'textDocument/inlayHint',
  needs: ['textDocument', 'range'],
  capability: () => ({ inlayHintProvider: { resolveProvider: true } }),
  async handle(params, context) {
    await context.workspace.ready(context.signal);
    const { provideInlayHints } = await import('../inlayHints/provideInlayHints.js');
    return provideInlayHints(params, context);
  },
};

const resolve: Feature<InlayHint, InlayHint> = {
  method: 'inlayHint/resolve',
  needs: ['position'],
  capability: () => ({}),
  async handle(hint, context) {
    const { resolveInlayHint } = await import('../inlayHints/resolveInlayHint.js');
    return resolveInlayHint(hint, context);
  },
};

/** The inherited values of the fields that are left out. */
export const inlayHints = [hints, resolve] as const;
