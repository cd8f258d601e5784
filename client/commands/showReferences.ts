import * as vscode from 'vscode';
import { isObject } from '../../core/json.js';

/** What a lens of the language server calls: the places it counted, in VS Code's own view. Its arguments are LSP's. */
export async function showReferences(...args: readonly unknown[]): Promise<void> {
  const [uri, position, locations] = args;
  if (typeof uri !== 'string' || !isPosition(position) || !Array.isArray(locations)) return;
  const places = locations
    .filter(isLocation)
    .map(
      (location) =>
        new vscode.Location(
          vscode.Uri.parse(location.uri),
          new vscode.Range(toPosition(location.range.start), toPosition(location.range.end)),
        ),
    );
  await vscode.commands.executeCommand('editor.action.showReferences', vscode.Uri.parse(uri), toPosition(position), places);
}

interface Position {
  readonly line: number;
  readonly character: number;
}

function toPosition({ line, character }: Position): vscode.Position {
  return new vscode.Position(line, character);
}

function isPosition(value: unknown): value is Position {
  return isObject(value) && Number.isInteger(value.line) && Number.isInteger(value.character);
}

function isLocation(
  value: unknown,
): value is { readonly uri: string; readonly range: { readonly start: Position; readonly end: Position } } {
  return (
    isObject(value) &&
    typeof value.uri === 'string' &&
    isObject(value.range) &&
    isPosition(value.range.start) &&
    isPosition(value.range.end)
  );
}
