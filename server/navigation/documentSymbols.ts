import { type DocumentSymbol, type DocumentSymbolParams, type SymbolInformation, SymbolKind } from 'vscode-languageserver';
import type { Document } from '../document.js';
import type { FeatureContext } from '../feature.js';
import { ourDocument } from '../ours.js';
import { type NamedPart, partsOf } from './symbolParts.js';

/** More would be useless in an editor. The outer ones come first. */
const mostSymbols = 5_000;

export function provideDocumentSymbols(
  { textDocument }: DocumentSymbolParams,
  context: FeatureContext,
): readonly DocumentSymbol[] | readonly SymbolInformation[] | null {
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const { document } = ours;
  const { symbols, isWhole } = readSymbols(document, partsOf(document));
  if (!isWhole) {
    const end = document.positionAt(document.text.length);
    const range = { start: end, end };
    symbols.push({ name: '… and more, which is not shown', kind: SymbolKind.Null, range, selectionRange: range });
  }
  const isTree = context.client.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true;
  return isTree ? symbols : flat(symbols, document.uri, undefined);
}

/** Goes level by level, so that inner symbols are left out when there are too many. */
function readSymbols(document: Document, parts: readonly NamedPart[]): { readonly symbols: DocumentSymbol[]; readonly isWhole: boolean } {
  const symbols: DocumentSymbol[] = [];
  const queue: { readonly part: NamedPart; readonly into: DocumentSymbol[] }[] = parts.map((part) => ({ part, into: symbols }));
  let count = 0;
  for (; count < queue.length && count < mostSymbols; count++) {
    const { part, into } = queue[count] as (typeof queue)[number];
    const { name, detail, kind } = part;
    const range = document.rangeOf(part.range);
    const selectionRange = document.rangeOf(part.selection);
    const symbol: DocumentSymbol = { name, kind, range, selectionRange, ...(detail !== undefined && { detail }) };
    into.push(symbol);
    const children = part.children();
    if (children.length === 0) continue;
    symbol.children = [];
    for (const child of children) {
      if (queue.length > mostSymbols) break;
      queue.push({ part: child, into: symbol.children });
    }
  }
  return { symbols, isWhole: count === queue.length };
}

function flat(symbols: readonly DocumentSymbol[], uri: string, containerName: string | undefined): SymbolInformation[] {
  return symbols.flatMap(({ name, kind, range, children = [] }) => [
    { name, kind, location: { uri, range }, ...(containerName !== undefined && { containerName }) },
    ...flat(children, uri, name),
  ]);
}
