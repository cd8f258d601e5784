import { CodeActionKind, type ServerCapabilities } from 'vscode-languageserver';
import type { AnyFeature, Feature, FeatureContext } from '../feature.js';
import { tokenModifiers, tokenTypes } from '../semanticTokens/legend.js';
import { documentDiagnostics } from './documentDiagnostics.js';
import { executeCommand } from './executeCommand.js';
import { prepareRename, rename, willRenameFiles } from './rename.js';
import { workspaceDiagnostics } from './workspaceDiagnostics.js';

interface Answer<Params, Result> extends Pick<Feature<Params, Result>, 'method' | 'needs'> {
  /** Empty for a request that the capability of the one above covers. */
  readonly announces?: Partial<ServerCapabilities>;
  /** Whether the answer depends on all files of the workspace. */
  readonly waits?: true;
  /** The handler, loaded with the first request. */
  readonly load: () => Promise<(params: Params, context: FeatureContext) => Result | Promise<Result>>;
}

function answer<Params, Result>({ method, needs, announces = {}, waits, load }: Answer<Params, Result>): Feature<Params, Result> {
  return {
    method,
    needs,
    capability: () => announces,
    async handle(params, context) {
      if (waits) await context.workspace.ready(context.signal);
      return (await load())(params, context);
    },
  };
}

/** Every request the server handles. One that depends on the client's capabilities has a separate file. */
export const features: readonly AnyFeature[] = [
  /** Which orchestrations, teams, tasks and agents use each other. */
  answer({
    method: 'textDocument/prepareCallHierarchy',
    needs: ['textDocument', 'position'],
    announces: { callHierarchyProvider: true },
    load: async () => (await import('../navigation/callHierarchy.js')).prepareCallHierarchy,
  }),
  answer({
    method: 'callHierarchy/incomingCalls',
    needs: ['item'],
    load: async () => (await import('../navigation/callHierarchy.js')).provideIncomingCalls,
  }),
  answer({
    method: 'callHierarchy/outgoingCalls',
    needs: ['item'],
    load: async () => (await import('../navigation/callHierarchy.js')).provideOutgoingCalls,
  }),
  /** What can be done at a place: quick fixes of its findings, refactorings, and applying all safe fixes. */
  answer({
    method: 'textDocument/codeAction',
    needs: ['textDocument', 'range', 'context'],
    announces: {
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
    },
    load: async () => (await import('../codeActions/provideCodeActions.js')).provideCodeActions,
  }),
  /** The edit of a code action, once it has been chosen. */
  answer({
    method: 'codeAction/resolve',
    needs: ['title'],
    load: async () => (await import('../codeActions/provideCodeActions.js')).resolveCodeAction,
  }),
  /** Who refers to this file, team or task, and how many tokens a prompt text has. */
  answer({
    method: 'textDocument/codeLens',
    needs: ['textDocument'],
    announces: { codeLensProvider: { resolveProvider: true } },
    waits: true,
    load: async () => (await import('../codeLens/provideCodeLenses.js')).provideCodeLenses,
  }),
  answer({
    method: 'codeLens/resolve',
    needs: ['range'],
    load: async () => (await import('../codeLens/resolveCodeLens.js')).resolveCodeLens,
  }),
  /** What fits at the cursor, ready to be inserted. */
  answer({
    method: 'textDocument/completion',
    needs: ['textDocument', 'position'],
    announces: { completionProvider: { triggerCharacters: ['"', ':', '{', '$', '/', '.', '@'], resolveProvider: true } },
    load: async () => (await import('../toolNames/completion.js')).completeAnywhere,
  }),
  /** The documentation of the item that the user has selected. */
  answer({
    method: 'completionItem/resolve',
    needs: ['label'],
    load: async () => (await import('../completion/resolveCompletion.js')).resolveCompletion,
  }),
  /** From a name to its declaration. */
  answer({
    method: 'textDocument/definition',
    needs: ['textDocument', 'position'],
    announces: { definitionProvider: true },
    load: async () => (await import('../toolNames/navigation.js')).definitionAnywhere,
  }),
  documentDiagnostics,
  /** The same name elsewhere in the document. */
  answer({
    method: 'textDocument/documentHighlight',
    needs: ['textDocument', 'position'],
    announces: { documentHighlightProvider: true },
    load: async () => (await import('../navigation/documentHighlights.js')).provideDocumentHighlights,
  }),
  /** References to files, and addresses, as links. */
  answer({
    method: 'textDocument/documentLink',
    needs: ['textDocument'],
    announces: { documentLinkProvider: { resolveProvider: false } },
    load: async () => (await import('../toolNames/navigation.js')).linksAnywhere,
  }),
  /** The outline of a config file. */
  answer({
    method: 'textDocument/documentSymbol',
    needs: ['textDocument'],
    announces: { documentSymbolProvider: { label: 'Agent Stack' } },
    load: async () => (await import('../navigation/documentSymbols.js')).provideDocumentSymbols,
  }),
  executeCommand,
  /** Objects and lists of more than one line. */
  answer({
    method: 'textDocument/foldingRange',
    needs: ['textDocument'],
    announces: { foldingRangeProvider: true },
    load: async () => (await import('../navigation/foldingRanges.js')).provideFoldingRanges,
  }),
  /** White space only: of the document, of a range, and while a bracket or a line break is typed. */
  answer({
    method: 'textDocument/formatting',
    needs: ['textDocument', 'options'],
    announces: { documentFormattingProvider: true },
    load: async () => (await import('../formatting/provideFormatting.js')).formatDocument,
  }),
  answer({
    method: 'textDocument/rangeFormatting',
    needs: ['textDocument', 'range', 'options'],
    announces: { documentRangeFormattingProvider: true },
    load: async () => (await import('../formatting/provideFormatting.js')).formatRange,
  }),
  answer({
    method: 'textDocument/onTypeFormatting',
    needs: ['textDocument', 'position', 'ch', 'options'],
    announces: { documentOnTypeFormattingProvider: { firstTriggerCharacter: '}', moreTriggerCharacter: [']', '\n'] } },
    load: async () => (await import('../formatting/provideFormatting.js')).formatOnType,
  }),
  /** Field docs, what a reference points to, model facts, effective values, tokens. */
  answer({
    method: 'textDocument/hover',
    needs: ['textDocument', 'position'],
    announces: { hoverProvider: true },
    load: async () => (await import('../toolNames/hover.js')).hoverAnywhere,
  }),
  prepareRename,
  /** The inherited values of the fields that are left out. */
  answer({
    method: 'textDocument/inlayHint',
    needs: ['textDocument', 'range'],
    announces: { inlayHintProvider: { resolveProvider: true } },
    waits: true,
    load: async () => (await import('../inlayHints/provideInlayHints.js')).provideInlayHints,
  }),
  answer({
    method: 'inlayHint/resolve',
    needs: ['position'],
    load: async () => (await import('../inlayHints/resolveInlayHint.js')).resolveInlayHint,
  }),
  /** Every place of the project that names the same entity. */
  answer({
    method: 'textDocument/references',
    needs: ['textDocument', 'position', 'context'],
    announces: { referencesProvider: true },
    load: async () => (await import('../toolNames/navigation.js')).referencesAnywhere,
  }),
  rename,
  /** Growing selections around the cursor: a path, a text, a member, an object. */
  answer({
    method: 'textDocument/selectionRange',
    needs: ['textDocument', 'positions'],
    announces: { selectionRangeProvider: true },
    load: async () => (await import('../navigation/selectionRanges.js')).provideSelectionRanges,
  }),
  willRenameFiles,
  /** The token types of names and embedded expressions. */
  answer({
    method: 'textDocument/semanticTokens/full',
    needs: ['textDocument'],
    announces: {
      semanticTokensProvider: {
        legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
        full: { delta: true },
        range: true,
      },
    },
    waits: true,
    load: async () => (await import('../semanticTokens/provideSemanticTokens.js')).fullTokens,
  }),
  answer({
    method: 'textDocument/semanticTokens/full/delta',
    needs: ['textDocument', 'previousResultId'],
    waits: true,
    load: async () => (await import('../semanticTokens/provideSemanticTokens.js')).tokensSince,
  }),
  answer({
    method: 'textDocument/semanticTokens/range',
    needs: ['textDocument', 'range'],
    waits: true,
    load: async () => (await import('../semanticTokens/provideSemanticTokens.js')).tokensInRange,
  }),
  workspaceDiagnostics,
  /** Everything with a name, found by parts of the name. */
  answer({
    method: 'workspace/symbol',
    needs: ['query'],
    announces: { workspaceSymbolProvider: { resolveProvider: true } },
    load: async () => (await import('../navigation/workspaceSymbols.js')).provideWorkspaceSymbols,
  }),
  /** The exact place of the chosen symbol. */
  answer({
    method: 'workspaceSymbol/resolve',
    needs: ['name'],
    load: async () => (await import('../navigation/workspaceSymbols.js')).resolveWorkspaceSymbol,
  }),
];
