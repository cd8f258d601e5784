import * as vscode from 'vscode';
import type { LanguageServer } from '../../language/languageServer.js';
import { askOf, draftOf, toJsonOffset, toRange, toShownStretch } from './textDraft.js';

/** Completion, hover and token count of a text that is edited as Markdown: what the language server says of the JSON file that it makes. */
export async function provideTextCompletions(
  server: LanguageServer,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.CompletionItem[]> {
  const draft = await draftOf(document);
  if (draft === undefined) return [];
  const answer = await askOf(server, draft, { completion: toJsonOffset(draft, document, position) });
  return (answer?.completions ?? []).flatMap((found) => {
    const stretch = isInBraces(draft.json, found.start) ? toShownStretch(draft, found) : undefined;
    if (stretch === undefined) return [];
    const item = new vscode.CompletionItem(found.label, vscode.CompletionItemKind.Variable);
    item.insertText = found.insert;
    item.filterText = found.insert;
    item.range = toRange(stretch, draft);
    if (found.detail !== undefined) item.detail = found.detail;
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
  if (draft === undefined) return undefined;
  const answer = await askOf(server, draft, { hover: toJsonOffset(draft, document, position) });
  const { hover } = answer ?? {};
  const stretch = hover && toShownStretch(draft, hover);
  if (hover === undefined || stretch === undefined) return undefined;
  // A hover about the whole string would appear on every word of it.
  if (hover.start === draft.start) return undefined;
  return new vscode.Hover(new vscode.MarkdownString(hover.markdown), toRange(stretch, draft));
}

/** How many tokens the text has, above it. */
export async function provideTokenLens(server: LanguageServer, document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  if (!vscode.workspace.getConfiguration('agentStack', document.uri).get('codeLens.enabled', true)) return [];
  const draft = await draftOf(document);
  const answer = draft && (await askOf(server, draft, { pointer: draft.place.pointer }));
  if (answer?.tokens === undefined) return [];
  return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title: answer.tokens, command: '' })];
}
