import * as vscode from 'vscode';
import type { WithServer } from '../../language/languageServer.js';
import type { TextDiagnostics } from './textDiagnostics.js';
import { textScheme } from './textUri.js';

const texts: vscode.DocumentSelector = { scheme: textScheme };

/** Features of the language server, in the document in which a text is edited as Markdown. Loaded with the first such document. */
export function registerTextFeatures({ server }: WithServer): vscode.Disposable {
  let diagnostics: Promise<TextDiagnostics> | undefined;
  const begin = (document: vscode.TextDocument) => {
    if (document.uri.scheme !== textScheme) return;
    diagnostics ??= import('./textDiagnostics.js').then(({ TextDiagnostics }) => new TextDiagnostics(server));
  };
  for (const document of vscode.workspace.textDocuments) begin(document);
  const features = () => import('./textFeatures.js');
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(begin),
    new vscode.Disposable(() => void diagnostics?.then((loaded) => loaded.dispose())),
    vscode.languages.registerCompletionItemProvider(
      texts,
      { provideCompletionItems: async (document, position) => (await features()).provideTextCompletions(server, document, position) },
      '{',
      '.',
      '$',
    ),
    vscode.languages.registerHoverProvider(texts, {
      provideHover: async (document, position) => (await features()).provideTextHover(server, document, position),
    }),
    vscode.languages.registerCodeLensProvider(texts, {
      provideCodeLenses: async (document) => (await features()).provideTokenLens(server, document),
    }),
  );
}
