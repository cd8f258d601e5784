import * as vscode from 'vscode';
import type { LanguageServer } from '../../language/languageServer.js';
import { askOf, draftOf, findPart, toRange, toShownStretch } from './textDraft.js';

/** Completion, hover and token count of a text that is edited as Markdown: the language server's answers about the resulting JSON file. */
export async function provideTextCompletions(
  server: LanguageServer,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.CompletionItem[]> {
  const draft = await draftOf(document);
  const at = draft && findPart(draft, document, position);
  if (draft === undefined || at === undefined) return [];
  const answer = await askOf(server, draft, { completion: at.offset });
  return (answer?.completions ?? []).flatMap((completionItem) => {
    const stretch = isInBraces(draft.json, completionItem.start) ? toShownStretch(at.part, completionItem) : undefined;
    if (stretch === undefined) return [];
    const item = new vscode.CompletionItem(completionItem.label, vscode.CompletionItemKind.Variable);
    item.insertText = completionItem.insert;
    item.filterText = completionItem.insert;
    item.range = toRange(stretch, at.part);
    if (completionItem.detail !== undefined) item.detail = completionItem.detail;
    return [item];
  });
}

/** Whether a completion goes into `{{ }}` or `${ }`. The others would replace the whole string. */
function isInBraces(json: string, at: number): boolean {
  return /(?:\{\{[ \t]*|\$\{)$/.test(json.slice(Math.max(0, at - 20), at));
}

export async function provideTextHover(
  server: LanguageServer,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.Hover | undefined> {
  const draft = await draftOf(document);
  const at = draft && findPart(draft, document, position);
  if (draft === undefined || at === undefined) return undefined;
  const answer = await askOf(server, draft, { hover: at.offset });
  const { hover } = answer ?? {};
  const stretch = hover && toShownStretch(at.part, hover);
  if (hover === undefined || stretch === undefined) return undefined;
  // A hover about the whole string would appear on every word of it.
  if (hover.start === at.part.start) return undefined;
  return new vscode.Hover(new vscode.MarkdownString(hover.markdown), toRange(stretch, at.part));
}

/** Each asks the server about the whole file. */
const mostLenses = 20;

/** How many tokens each text has, above it. */
export async function provideTokenLens(server: LanguageServer, document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  if (!vscode.workspace.getConfiguration('agentStack', document.uri).get('codeLens.enabled', true)) return [];
  const draft = await draftOf(document);
  const lenses: vscode.CodeLens[] = [];
  for (const { pointer, line } of (draft?.parts ?? []).slice(0, mostLenses)) {
    const answer = draft && (await askOf(server, draft, { pointer }));
    // Above the heading of a section, which is two lines above its text.
    const at = Math.max(0, line - 2);
    if (answer?.tokens !== undefined)
      lenses.push(new vscode.CodeLens(new vscode.Range(at, 0, at, 0), { title: answer.tokens, command: '' }));
  }
  return lenses;
}
