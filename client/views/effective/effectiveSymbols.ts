import * as vscode from 'vscode';
import { segmentsOf } from '../../../core/json.js';
import { shorten } from '../../../core/words.js';
import type { EffectiveState } from './effectiveState.js';

/** Fields by their names, for Go to Symbol and the outline: values are found however deep they are. */
export function effectiveSymbols({ lines }: EffectiveState): vscode.DocumentSymbol[] {
  const top: vscode.DocumentSymbol[] = [];
  const open: vscode.DocumentSymbol[] = [];
  for (const [number, { text, config }] of lines.entries()) {
    if (config === undefined) continue;
    const end = new vscode.Position(number, text.length);
    if (/^ *[}\]],?$/.test(text)) {
      const closed = open.pop();
      if (closed !== undefined) closed.range = new vscode.Range(closed.range.start, end);
      continue;
    }
    const range = new vscode.Range(new vscode.Position(number, text.length - text.trimStart().length), end);
    const isBlock = /[{[]$/.test(text);
    // The whole config has no name, and all of it is in its fields.
    if (config.pointer === '') continue;
    const name = segmentsOf(config.pointer).at(-1) || '""';
    const symbol = new vscode.DocumentSymbol(name, isBlock ? '' : detailOf(text), kindOf(text), range, range);
    (open.at(-1)?.children ?? top).push(symbol);
    if (isBlock) open.push(symbol);
  }
  return top;
}

/** Units of a value that are shown beside its name. */
const longestDetail = 60;

function detailOf(text: string): string {
  const value = text
    .trim()
    .replace(/^"(?:[^"\\]|\\.)*": /, '')
    .replace(/,$/, '');
  return shorten(value, longestDetail);
}

function kindOf(text: string): vscode.SymbolKind {
  const value = detailOf(text);
  if (value.startsWith('{')) return vscode.SymbolKind.Object;
  if (value.startsWith('[')) return vscode.SymbolKind.Array;
  if (value.startsWith('"')) return vscode.SymbolKind.String;
  if (value === 'true' || value === 'false') return vscode.SymbolKind.Boolean;
  return value === 'null' ? vscode.SymbolKind.Null : vscode.SymbolKind.Number;
}
