import * as vscode from 'vscode';
import type { LiveDocuments } from '../../panels/preview/liveDocuments.js';
import type { WithPreviews } from '../../panels/preview/previewLoader.js';
import type { Services } from '../../services.js';
import type { EffectiveContent } from './effectiveDocuments.js';
import type { EffectiveState } from './effectiveState.js';
import { effectiveScheme } from './effectiveUri.js';

type Features = typeof import('./effectiveFeatures.js').effectiveFeatures;

/** Effective configs as documents, with the features of their lines. Nothing is loaded before one is opened. */
export function registerEffective(services: Services & WithPreviews): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  let loading: Promise<LiveDocuments<EffectiveContent>> | undefined;
  const load = () => {
    loading ??= Promise.all([import('./effectiveDocuments.js'), services.previews.load()]).then(([{ effectiveDocuments }, { previews }]) =>
      effectiveDocuments(services, previews, (uri) => changed.fire(uri)),
    );
    return loading;
  };

  /** Waits for the text of the document where it is still being composed. */
  async function provide<Answer>(
    { uri }: vscode.TextDocument,
    what: (features: Features, state: EffectiveState) => Answer,
  ): Promise<Answer | undefined> {
    const [documents, { effectiveFeatures }] = await Promise.all([load(), import('./effectiveFeatures.js')]);
    const state = documents.contentOf(uri)?.state;
    return state && what(effectiveFeatures, state);
  }

  const selector = { scheme: effectiveScheme };
  const hintsChanged = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    hintsChanged,
    { dispose: () => void loading?.then((documents) => documents.dispose()) },
    vscode.workspace.registerTextDocumentContentProvider(effectiveScheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: async (uri) => (await load()).provide(uri),
    }),
    // A line may come from elsewhere while its text stays the same.
    vscode.workspace.onDidChangeTextDocument(({ document }) => document.uri.scheme === effectiveScheme && hintsChanged.fire()),
    vscode.languages.registerInlayHintsProvider(selector, {
      onDidChangeInlayHints: hintsChanged.event,
      provideInlayHints: (document, range) => provide(document, ({ originHints }, state) => originHints(state, range)),
    }),
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: (document) => provide(document, ({ effectiveSymbols }, state) => effectiveSymbols(state)),
    }),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: (document, { line }) => provide(document, ({ originHover }, state) => originHover(state, line)),
    }),
    vscode.languages.registerDefinitionProvider(selector, {
      async provideDefinition(document, { line }) {
        const link = await provide(document, ({ originPlace }, state) => originPlace(state, line));
        return link && [link];
      },
    }),
    vscode.languages.registerDocumentLinkProvider(selector, {
      provideDocumentLinks: (document) => provide(document, ({ errorLinks }, state) => errorLinks(state)),
    }),
    vscode.languages.registerCodeLensProvider(selector, {
      provideCodeLenses: (document) => provide(document, ({ actionLenses }, state) => actionLenses(document.uri, state)),
    }),
  );
}
