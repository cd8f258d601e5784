import * as vscode from 'vscode';
import { longTextAt, longTexts } from '../../../core/markdown/longTexts.js';

const command = 'agentStack.editAsMarkdown';
/** A file of examples has hundreds of texts, too many for a lens above each. */
const mostLenses = 20;

/** "Edit as Markdown" above the prompt texts of a file. */
export function provideTextLenses(document: vscode.TextDocument): vscode.CodeLens[] {
  if (!vscode.workspace.getConfiguration('agentStack', document.uri).get('codeLens.enabled', true)) return [];
  const texts = longTexts(document.getText()).filter(({ isPrompt }) => isPrompt);
  if (texts.length > mostLenses) return [];
  return texts.map(({ pointer, keyStart }) => {
    const at = document.positionAt(keyStart);
    const title = vscode.l10n.t('Edit as Markdown');
    return new vscode.CodeLens(new vscode.Range(at, at), { title, command, arguments: [document.uri, pointer] });
  });
}

/** The same at the caret, for who does not use lenses. */
export function provideTextActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
  const text = longTextAt(document.getText(), document.offsetAt(range.start));
  if (text === undefined || document.offsetAt(range.end) > text.end) return [];
  const title = vscode.l10n.t('Edit as Markdown');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
  action.command = { title, command, arguments: [document.uri, text.pointer] };
  return [action];
}
