import type { CompletionItem, CompletionList, CompletionParams } from 'vscode-languageserver';
import type { AnyFeature, Feature } from '../feature.js';

/** What fits at the cursor, ready to be put there. */
const list: Feature<CompletionParams, CompletionList | null> = {
  method: 'textDocument/completion',
  needs: ['textDocument', 'position'],
  capability: () => ({ completionProvider: { triggerCharacters: ['"', ':', '{', '$', '/', '.', '@'], resolveProvider: true } }),
  async handle({ textDocument, position }, context) {
    const document = context.workspace.document(textDocument.uri);
    if (document?.path === undefined) return null;
    const { provideCompletion } = await import('../completion/provideCompletion.js');
    return (await provideCompletion(document, document.offsetAt(position), context)) ?? null;
  },
};

/** The documentation of an item that the user looks at. */
const resolve: Feature<CompletionItem, CompletionItem> = {
  method: 'completionItem/resolve',
  needs: ['label'],
  // `list` announces both.
  capability: () => ({}),
  async handle(item, context) {
    const { resolveCompletion } = await import('../completion/resolveCompletion.js');
    return resolveCompletion(item, context);
  },
};

export const completion: readonly AnyFeature[] = [list, resolve];
