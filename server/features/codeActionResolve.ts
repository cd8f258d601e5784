import type { CodeAction } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** The edit of a code action, once it has been chosen. */
export const codeActionResolve: Feature<CodeAction, CodeAction> = {
  method: 'codeAction/resolve',
  needs: ['title'],
  // `codeAction` announces both.
  capability: () => ({}),
  async handle(action, context) {
    const { resolveCodeAction } = await import('../codeActions/provideCodeActions.js');
    return resolveCodeAction(action, context);
  },
};
