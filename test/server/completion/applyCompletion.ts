import type { CompletionItem, CompletionList, TextEdit } from 'vscode-languageserver';
import { editText, type Harness } from '../../support/serverHarness.js';

/** What the server offers at the cursor of a file. */
export async function completionsAt(server: Harness, path: string, index = 0): Promise<readonly CompletionItem[]> {
  const answer = await server.request<CompletionList | null>('textDocument/completion', server.at(path, index));
  return answer?.items ?? [];
}

/** The text after an item has been taken, tab stops filled with what stands in them at first. `insert` keeps what follows the cursor in a word. */
export function taken(text: string, item: CompletionItem, mode: 'insert' | 'replace' = 'replace'): string {
  const { textEdit, additionalTextEdits = [], insertTextFormat } = item;
  if (textEdit === undefined) throw new Error(`${item.label} has no edit`);
  const newText = insertTextFormat === 2 ? expandSnippet(textEdit.newText) : textEdit.newText;
  const range = 'range' in textEdit ? textEdit.range : textEdit[mode];
  if (range.start.line !== range.end.line) throw new Error(`${item.label} replaces more than a line`);
  const edits: readonly TextEdit[] = [{ range, newText }, ...additionalTextEdits];
  return editText(text, edits);
}

/** A snippet as it looks before anything is typed into it: LSP's grammar as far as the server uses it. */
export function expandSnippet(snippet: string): string {
  let text = '';
  const filled = new Map<string, string>();
  for (let at = 0; at < snippet.length; at++) {
    const unit = snippet[at];
    if (unit === '\\') {
      at += 1;
      text += snippet[at] ?? '';
    } else if (unit === '$') {
      const stop = /^\$(?:(\d+)|\{(\d+)(?::((?:[^\\}]|\\.)*)|\|((?:[^\\|]|\\.)*)\|)?\})/.exec(snippet.slice(at));
      if (stop === null) throw new Error(`A dollar that is not a tab stop: ${snippet.slice(at)}`);
      const [whole, short, long, given, choices] = stop;
      const number = short ?? long ?? '';
      const first = choices?.split(/(?<!\\),/)[0];
      if (!filled.has(number)) filled.set(number, (first ?? given ?? '').replace(/\\(.)/g, '$1'));
      text += filled.get(number);
      at += whole.length - 1;
    } else text += unit;
  }
  return text;
}
