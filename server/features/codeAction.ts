import { type CodeAction, CodeActionKind, type CodeActionParams } from 'vscode-languageserver';
import type { Feature } from '../feature.js';

/** What can be done at a place: quick fixes of what is wrong there, refactorings, and fixing all that is safe. */
export const codeAction: Feature<CodeActionParams, CodeAction[]> = {
  method: 'textDocument/codeAction',
  needs: ['textDocument', 'range', 'context'],
  capability: () => ({
    codeActionProvider: {
      codeActionKinds: [
        CodeActionKind.QuickFix,
        CodeActionKind.RefactorExtract,
        CodeActionKind.RefactorInline,
        CodeActionKind.RefactorRewrite,
        `${CodeActionKind.SourceFixAll}.agentStack`,
      ],
      resolveProvider: true,
    },
  }),
  async handle(params, context) {
    const { provideCodeActions } = await import('../codeActions/provideCodeActions.js');
    return provideCodeActions(params, context);
  },
};
