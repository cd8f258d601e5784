import * as vscode from 'vscode';

/** A `{{path}}` of a template, or else a field: what the debugger knows about either, it shows. */
const expressions = [/\{\{[^{}]*\}\}/g, /"[\w.-]+"/g];

/** What is evaluated for a hover while a run of ours is stopped. */
export function hoverExpression(
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): vscode.EvaluatableExpression | undefined {
  if (vscode.debug.activeDebugSession?.type !== 'agent-stack') return undefined;
  const { text } = document.lineAt(line);
  for (const expression of expressions) {
    for (const { 0: found, index } of text.matchAll(expression)) {
      if (index > character || index + found.length <= character) continue;
      return new vscode.EvaluatableExpression(new vscode.Range(line, index, line, index + found.length), found);
    }
  }
  return undefined;
}
